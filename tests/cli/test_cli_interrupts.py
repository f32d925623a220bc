"""Interrupted runs: marked partial, whole, and resumed to the result of an unbroken run."""

import json
import os
import signal

import pyarrow.parquet as pq
import pytest

from analysis.cli import simulate
from analysis.cli.interrupts import Interrupts
from analysis.cli.progress import ProgressDisplay
from sim import load
from sim.batch import Progress
from tests.cli.command import FAST, rows_of, start, wait_for_checkpoint

GAME = "three-two-five"
DEALS = 200_000


@pytest.fixture
def send_after(monkeypatch):
    """Send this process signals once a run has reported so many pieces."""

    def arrange(pieces: int, *signals: int) -> None:
        seen = []

        def show(_display: ProgressDisplay, event: Progress) -> None:
            seen.append(event)
            if len(seen) == pieces:
                for number in signals:
                    os.kill(os.getpid(), number)

        monkeypatch.setattr(ProgressDisplay, "show", show)

    return arrange


@pytest.fixture
def unbroken(dealworth) -> dict:
    """Record of the run that nobody interrupts."""
    return json.loads(dealworth.simulate("--deals", DEALS, "--out", "unbroken", "--json", "--rows").out)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_a_partial_run_that_resumes_to_the_same(
    dealworth, unbroken, monkeypatch, send_after, jobs
):
    with monkeypatch.context():
        send_after(2, signal.SIGINT, signal.SIGINT)
        cut = dealworth.simulate("--deals", DEALS, "--out", "run", "--rows", "--json", "--jobs", jobs)
    record = json.loads(cut.out)
    assert (cut.status, record["partial"]) == (130, True)
    assert 0 < record["deals"] < DEALS and load("run").partial
    assert pq.read_metadata("run/rows.parquet").num_rows == record["deals"]
    assert f"{record['matches']:,} of " in cut.err and f"simulate {GAME} --resume run" in cut.err
    send_after(-1)
    resumed = json.loads(dealworth("simulate", GAME, "--resume", "run", "--jobs", jobs, "--json").out)
    assert (resumed["digest"], resumed["partial"]) == (unbroken["digest"], False)
    assert rows_of("run").equals(rows_of("unbroken"))


def test_termination_is_an_interruption_with_its_own_status(dealworth, send_after):
    send_after(1, signal.SIGTERM)
    status, out, _ = dealworth.simulate("--deals", DEALS, "--out", "run")
    assert status == 143 and "(partial)" in out
    assert load("run").partial


def test_a_partial_run_replays_what_it_counted(dealworth, send_after):
    send_after(1, signal.SIGINT)
    dealworth.simulate("--deals", DEALS, "--out", "run")
    matches = load("run").matches
    assert dealworth("replay", GAME, "--run", "run", "--match", matches - 1, "--json").out.count("\n") == 9
    status, _, err = dealworth("replay", GAME, "--run", "run", "--match", matches)
    assert status == 2 and f"matches 0 to {matches - 1}" in err


@pytest.mark.parametrize("place", [(), ("--out", "run")])
def test_nothing_is_left_of_a_run_interrupted_while_compiling(dealworth, monkeypatch, tmp_path, place):
    def compiling(_experiment, _jobs, *, on_progress, **_):
        on_progress(Progress("compile"))
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("a signal while compiling must not wait")

    monkeypatch.setattr(simulate, "run", compiling)
    status, out, err = dealworth.simulate("--deals", 9, *place)
    assert (status, out) == (130, "") and "interrupted before anything was played" in err
    assert not list(tmp_path.iterdir())


def test_nothing_is_left_of_a_run_that_fails(dealworth, monkeypatch, tmp_path):
    def failing(*_, **__):
        raise OSError(28, "No space left on device", "run/rows.parquet")

    monkeypatch.setattr(simulate, "run", failing)
    status, out, err = dealworth.simulate("--deals", 9, "--out", "run", "--rows")
    reason = "No space left on device; nothing is kept"
    assert (status, out, err) == (2, "", f"dealworth: 'run/rows.parquet': {reason}\n")
    assert not list(tmp_path.iterdir())


def test_signals_wait_for_a_check_and_handlers_come_back():
    before = signal.getsignal(signal.SIGINT)
    with Interrupts() as interrupts:
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupts.received == signal.SIGINT
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_process_interrupted_or_killed_is_resumed_to_the_same(dealworth, tmp_path, number):
    with start(tmp_path, "simulate", GAME, *FAST, "--deals", "1e10", "--jobs", 2, "--out", "run") as process:
        wait_for_checkpoint(tmp_path / "run", process)
        process.send_signal(number)
        out, err = process.communicate()
    left = load("run")
    assert left.partial and left.matches > 0
    if number == signal.SIGINT:
        assert process.returncode == 130 and "(partial)" in out
        assert err.count("\n") == 1 and "--resume run" in err
    whole = json.loads(dealworth.simulate("--matches", left.matches, "--out", "whole", "--json").out)
    assert whole["digest"] == left.digest
