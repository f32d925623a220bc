"""Standard streams that are closed, full, or read by nobody: the work is done, or refused in one line."""

import json
import subprocess
import sys

import pytest

from analysis.cli import main
from sim import experiment, load, replay
from tests.cli.command import FAST, PROGRAM, environment

GAME = "three-two-five"
RUN = ("simulate", GAME, *FAST, "--deals", "9", "--out", "made")
TABLES = {
    "simulate": RUN,
    "replay": ("replay", GAME, "--strategy", "random"),
    "records": ("replay", GAME, "--strategy", "random", "--json"),
    "solve": ("solve", "deals"),
    "report": ("report", "run", "--out", "page.html"),
    "advise": ("advise", GAME, "AS", "KS", "QS", "JS", "TS"),
    "equity": ("equity", GAME, "--score", "0", "0", "0"),
    "strategies": ("strategies",),
    "strategies of a game": ("strategies", GAME),
    "bench": ("bench", GAME, "--strategy", "random", "--deals", "99", "--repeats", "1", "--jobs", "1"),
    "help": ("--help",),
    "help of a command": ("simulate", "--help"),
    "version": ("--version",),
}


@pytest.fixture
def folder(tmp_path, dealworth):
    """Return a folder with a record and a run."""
    record = replay(experiment(GAME, matches=1, strategies="random"), 0)[0]
    (tmp_path / "deals").write_text(json.dumps(record), encoding="utf-8")
    assert dealworth.simulate("--deals", 9, "--out", "run").status == 0
    return tmp_path


def shell(folder, words, redirection):
    """Run a command in a shell of its own, its streams redirected; return its status and what it wrote."""
    return subprocess.run(
        ["bash", "-c", f'"$@" {redirection}', "bash", *PROGRAM, *words],
        cwd=folder,
        env=environment(PYTHONIOENCODING="utf-8"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )


@pytest.mark.parametrize("words", TABLES.values(), ids=TABLES.keys())
def test_nobody_reads_on(folder, words):
    """The reader is gone before the first line: what Unix calls SIGPIPE, 128 + 13, and no word."""
    status = shell(folder, words, "2>errors | true; echo ${PIPESTATUS[0]}").stdout
    assert status in ("0\n", "141\n")
    assert "Traceback" not in (folder / "errors").read_text(encoding="utf-8")
    assert "dealworth:" not in (folder / "errors").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [TABLES["simulate"], TABLES["records"], TABLES["strategies of a game"]])
def test_a_reader_of_the_first_line_has_it(folder, words):
    done = shell(folder, words, "2>errors | head -1; echo ${PIPESTATUS[0]}")
    first, status = done.stdout.splitlines()
    assert first and status in ("0", "141")
    assert not (folder / "errors").read_text(encoding="utf-8")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_run_is_played_whatever_is_closed(folder, closed):
    done = shell(folder, RUN, closed)
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == (">&- " not in f"{closed} ".replace("2>&- ", ""))
    made = load(folder / "made")
    assert not made.partial and made.digest == load(folder / "run").digest
    assert sorted(path.name for path in (folder / "made").iterdir()) == ["counters.npz", "manifest.json"]


@pytest.mark.parametrize(("name", "closed"), [("solve", ">&-"), ("strategies", ">&-"), ("report", "2>&-")])
def test_other_commands_do_their_work_whatever_is_closed(folder, name, closed):
    done = shell(folder, TABLES[name], closed)
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == (closed == "2>&-")


def test_a_refusal_keeps_its_status_where_nobody_hears_it(folder):
    assert shell(folder, ("simulate", "bridge"), "2>&-").returncode == 2
    assert shell(folder, ("simulate", "bridge"), "2>&1 >&- | true; exit ${PIPESTATUS[0]}").returncode == 2


def test_standard_input_that_is_closed_is_named(folder):
    done = shell(folder, ("solve", "-"), "<&-")
    assert done.returncode == 2
    assert done.stderr == "dealworth: standard input: it is closed: name a file, or pipe records in\n"


def test_a_full_disk_behind_standard_output_is_named(folder):
    for words in (TABLES["strategies"], RUN):
        done = shell(folder, words, "> /dev/full")
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1] == "dealworth: 'standard output': No space left on device"


@pytest.mark.parametrize("name", ["stdout", "stderr", "stdin"])
def test_a_stream_that_is_none_is_done_without(folder, monkeypatch, name):
    """As in a process without a console."""
    monkeypatch.setattr(sys, name, None)
    assert main([*RUN]) == 0
    assert main(["simulate", "bridge"]) == 2
    assert main(["solve", "-" if name == "stdin" else "deals"]) == (2 if name == "stdin" else 0)
    assert getattr(sys, name) is None
    assert load(folder / "made").digest == load(folder / "run").digest


@pytest.mark.parametrize("game", [GAME, "fives-and-threes"])
def test_without_the_compiler_a_run_is_the_same_and_nothing_is_warned_of(dealworth, tmp_path, game):
    words = ("simulate", game, "--matches", "1", "--strategy", "heuristic", "--hands", "0", "--out")
    program = [PROGRAM[0], "-W", "error", *PROGRAM[1:]]
    done = subprocess.run(
        [*program, *words, "plain"],
        cwd=tmp_path,
        env=environment(NUMBA_DISABLE_JIT="1"),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert dealworth(*words, "compiled").status == 0
    assert load(tmp_path / "plain").digest == load(tmp_path / "compiled").digest
