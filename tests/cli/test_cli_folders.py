"""Folders of the commands: kills at any moment, two writers, full disks."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sim import load
from sim.book.folder import load as load_book
from sim.ladder.folder import load as load_ladder
from tests.cli.command import FAST, environment, rows_of, start, wait_for_checkpoint

GAME = "three-two-five"
RUN = ("simulate", GAME, *FAST, "--rows")
BOOK = ("book", GAME, "--precision", "0.03", "--jobs", "1")
LADDER = ("ladder", GAME, "--strategy", "random", "first-suit", "--quick", "--jobs", "1")


def digest(outcome):
    assert outcome.status == 0, outcome.err
    return json.loads(outcome.out)["digest"]


def resumed(dealworth, words, folder):
    """Go on with what a kill has left, or anew if it came before there was anything; returns the digest."""
    if (folder / "manifest.json").exists():
        again = dealworth(*words[:2], "--resume", folder, "--json")
        if "is complete: nothing to resume" not in again.err:
            return digest(again)
        return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["digest"]
    return digest(dealworth(*words, "--out", folder, "--json", "--force"))


# Kills (case 29).


def kill_and_resume(dealworth, tmp_path, words, number, seconds, after_checkpoint=False):
    """Kill a command so many times at random moments, resume each; returns what an unbroken one gives.

    Parameters
    ----------
    seconds : float
        Latest moment, after the start or the first checkpoint.
    """
    whole = digest(dealworth(*words, "--out", "whole", "--json"))
    moments = random.Random(number)
    for kill in range(number):
        folder = tmp_path / f"killed{kill}"
        with start(tmp_path, *words, "--out", folder) as process:
            if after_checkpoint:
                wait_for_checkpoint(folder, process)
            time.sleep(moments.uniform(0, seconds))
            process.kill()
            process.communicate()
        yield whole, resumed(dealworth, words, folder), folder
        shutil.rmtree(folder)


def check_killed_runs(dealworth, tmp_path, number, deals, seconds):
    words, rows = (*RUN, "--deals", deals, "--jobs", 2), None
    for whole, found, folder in kill_and_resume(dealworth, tmp_path, words, number, seconds):
        rows = rows or rows_of("whole")
        assert found == whole and rows_of(folder).equals(rows)
        assert not (folder / "rows.pieces").exists()


def test_case_29_killed_runs_are_resumed_with_all_their_rows(dealworth, tmp_path):
    check_killed_runs(dealworth, tmp_path, 3, 1_500_000, 4)


@pytest.mark.long
def test_50_killed_runs_are_resumed_with_all_their_rows(dealworth, tmp_path):
    check_killed_runs(dealworth, tmp_path, 50, 6_000_000, 10)


@pytest.mark.long
def test_20_books_killed_after_their_first_checkpoint_are_resumed_to_the_same(dealworth, tmp_path):
    words = (*BOOK, "--every", "20")
    for whole, found, _ in kill_and_resume(dealworth, tmp_path, words, 20, 15, after_checkpoint=True):
        assert found == whole


@pytest.mark.long
def test_20_killed_ladders_are_resumed_to_the_same(dealworth, tmp_path):
    words = (*LADDER, "--matches", "2e5")
    for whole, found, _ in kill_and_resume(dealworth, tmp_path, words, 20, 25):
        assert found == whole


# Two writers (cases 30 and 31).


@pytest.mark.parametrize(
    ("words", "loader"),
    [
        ((*RUN, "--deals", "1e10"), load),
        ((*BOOK, "--every", "1", "--precision", "0.01"), load_book),
        ((*LADDER, "--matches", "1e8"), load_ladder),
    ],
    ids=["run", "book", "ladder"],
)
def test_cases_30_and_31_a_live_folder_is_refused_and_ends_whole(dealworth, tmp_path, words, loader):
    with start(tmp_path, *words, "--out", "live") as process:
        wait_for_checkpoint(tmp_path / "live", process)
        for more in (("--out", "live"), ("--out", "live", "--force"), ("--resume", "live")):
            again = words if more[0] == "--out" else words[:2]
            status, out, err = dealworth(*again, *more)
            reason = "is being written by another process: wait for its end, or choose another folder"
            assert (status, out, err) == (2, "", f"dealworth: 'live' {reason}\n")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    left = loader("live")
    assert left.partial and not Path("live/.lock").exists()
    if loader is load:
        assert pq.read_metadata("live/rows.parquet").num_rows == left.units > 0
        again = digest(dealworth(*RUN, "--matches", left.matches, "--out", "whole", "--json"))
        assert again == left.digest
        assert rows_of("live").equals(rows_of("whole"))


# Rows that are wanted or not.


def test_rows_are_kept_left_out_or_refused_as_asked(dealworth, tmp_path):
    with start(tmp_path, *RUN, "--deals", "3e6", "--out", "run") as process:
        wait_for_checkpoint(tmp_path / "run", process)
        process.kill()
        process.communicate()
    shutil.copytree("run", "without")
    whole = digest(dealworth("simulate", GAME, "--resume", "run", "--rows", "--json"))
    assert pq.read_metadata("run/rows.parquet").num_rows == 3_000_000
    assert digest(dealworth("simulate", GAME, "--resume", "without", "--no-rows", "--json")) == whole
    assert sorted(os.listdir("without")) == ["counters.npz", "manifest.json"]
    for option in ("--rows", "--no-rows"):
        status, _, err = dealworth("simulate", GAME, "--resume", "run", option)
        assert (status, err) == (2, "dealworth: 'run' is complete: nothing to resume\n")
    assert Path("run/rows.parquet").exists()


# Full disks.

OFTEN = """
import sys
from analysis.cli import folders, main
folders._FIRST_CHECKPOINT = folders._LAST_CHECKPOINT = 0.0
sys.exit(main())
"""
"""The command with a checkpoint a piece."""


def limited(folder, most, *words):
    """Run the command where no file may be larger than so many bytes."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-c", OFTEN, *(str(word) for word in words)],
        cwd=folder, env=environment(), capture_output=True, text=True, preexec_fn=limit, timeout=300,
    )  # fmt: skip


def test_a_file_that_would_be_too_large_at_the_start_leaves_nothing(dealworth, tmp_path):
    done = limited(tmp_path, 20_000, *RUN, "--deals", "1e6", "--out", "run")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "dealworth: 'run/counters.npz': File too large; nothing is kept\n"
    assert not list(tmp_path.iterdir())


def test_rows_that_cannot_be_put_together_wait_in_pieces(dealworth, tmp_path):
    done = limited(tmp_path, 1_000_000, *RUN, "--deals", "1e6", "--out", "run")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "dealworth: 'run/rows.parquet': File too large; 111,112 of 111,112 matches kept;"
        f" once that is mended, go on: dealworth simulate {GAME} --resume run\n"
    )
    assert sorted(os.listdir("run")) == ["counters.npz", "manifest.json", "rows.pieces"]
    whole = digest(dealworth(*RUN, "--deals", "1e6", "--out", "whole", "--json"))
    assert digest(dealworth("simulate", GAME, "--resume", "run", "--json")) == whole
    assert rows_of("run").equals(rows_of("whole"))


def test_a_book_whose_counters_grow_too_large_keeps_its_last_checkpoint(dealworth, tmp_path):
    words = (*BOOK, "--every", "500", "--precision", "0.05")
    whole = digest(dealworth(*words, "--out", "whole", "--json"))
    most = Path("whole/counters.npz").stat().st_size - 1
    done = limited(tmp_path, most, *words, "--out", "book")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "'book/counters.npz': File too large; " in done.stderr
    assert f"play-outs kept; once that is mended, go on: dealworth book {GAME} --resume book" in done.stderr
    assert sorted(os.listdir("book")) in (["counters.npz", "manifest.json"], sorted(os.listdir("whole")))
    assert load_book("book").partial and load_book("book").played > 0
    assert digest(dealworth("book", GAME, "--resume", "book", "--json")) == whole


@pytest.fixture
def small_disk(tmp_path):
    """Folder that holds two megabytes, and a function that gives it more."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(mounted, capture_output=True).returncode:
        pytest.skip("mounting a small disk is not permitted")

    def enlarge():
        subprocess.run(["mount", "-o", "remount,size=64m", str(place)], check=True)

    yield place, enlarge
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_keeps_what_is_counted_and_its_rows(dealworth, small_disk):
    place, enlarge = small_disk
    unlimited = resource.RLIM_INFINITY
    done = limited(place, unlimited, *RUN, "--deals", "1e6", "--out", "run")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "dealworth: 'run/" in done.stderr and ": No space left on device; " in done.stderr
    assert f"of 111,112 matches kept; once that is mended, go on: dealworth simulate {GAME}" in done.stderr
    assert 0 < load(place / "run").matches < 111_112
    assert sorted(os.listdir(place / "run")) == ["counters.npz", "manifest.json", "rows.pieces"]
    enlarge()
    whole = digest(dealworth(*RUN, "--deals", "1e6", "--out", "whole", "--json"))
    assert digest(dealworth("simulate", GAME, "--resume", place / "run", "--json")) == whole
    assert rows_of(place / "run").equals(rows_of("whole"))
