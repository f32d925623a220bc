"""The command line as a test calls it: in this process, or as a process of its own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.cli import main

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "import sys; from analysis.cli import main; sys.exit(main())"]
FAST = ("--strategy", "random", "--hands", "0", "--jobs", "1")


class Outcome(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str


class Command:
    """Calls the command line in this process and captures what it prints."""

    def __init__(self, capsys: pytest.CaptureFixture[str]):
        self._capsys = capsys

    def __call__(self, *words: object) -> Outcome:
        """Call ``dealworth`` with these words."""
        self._capsys.readouterr()
        status = main([str(word) for word in words])
        return Outcome(status, *self._capsys.readouterr())

    def simulate(self, *words: object) -> Outcome:
        """Call ``simulate three-two-five`` with a fast strategy, no option study and one job."""
        return self("simulate", "three-two-five", *FAST, *words)


def environment(**variables: str) -> dict[str, str]:
    """Environment of a process that finds the project wherever it starts."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **variables}


def rows_of(folder: str | Path) -> pa.Table:
    """Read a run's rows such that equal ones compare equal, whatever the pieces they were written in."""
    return pq.read_table(Path(folder) / "rows.parquet").unify_dictionaries()


def wait_for_checkpoint(folder: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a running command has saved what it has played so far."""
    deadline, manifest = time.monotonic() + 120, folder / "manifest.json"
    while not (manifest.exists() and json.loads(manifest.read_text(encoding="utf-8"))["timing"]["seconds"]):
        assert process.poll() is None and time.monotonic() < deadline, process.stderr.read()
        time.sleep(0.02)


def start(folder: Path, *words: object) -> subprocess.Popen[str]:
    """Start the command line as a process of its own in a folder."""
    return subprocess.Popen(
        [*PROGRAM, *(str(word) for word in words)],
        cwd=folder,
        env=environment(PYTHONIOENCODING="utf-8"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
