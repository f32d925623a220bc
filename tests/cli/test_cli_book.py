"""The commands ``book``, for both games, and ``advise`` for 3-2-5: what they print, keep and refuse."""

import json
import os
import signal
from pathlib import Path

import pandas as pd
import pytest

from analysis.cli.progress import ProgressDisplay
from sim import find_game
from sim.batch import Progress
from sim.book.folder import load
from tests.cli.command import start, wait_for_checkpoint

GAME = "three-two-five"
SMALL = ("book", GAME, "--every", "2000", "--precision", "0.1")


def test_a_book_is_kept_with_its_table(dealworth):
    status, out, err = dealworth(*SMALL, "--out", "made")
    assert (status, err) == (0, "")
    made = load("made")
    for text in (
        "20 classes of hands, a sample of",
        "surely reveal",
        "never reveal",
        "too close",
        made.digest,
    ):
        assert text in out
    assert "heuristic ×3" in out and "folder      made" in out
    table = pd.read_parquet("made/book.parquet")
    assert len(table) == 20 and table.attrs["provenance"].startswith("Opening book of 3-2-5")
    assert json.loads(Path("made/manifest.json").read_text(encoding="utf-8"))["partial"] is False


def test_json_is_one_object_and_repeats_for_any_jobs(dealworth):
    """Case 22."""
    records = [
        json.loads(dealworth(*SMALL, "--json", "--jobs", jobs, "--out", f"jobs{jobs}").out) for jobs in (1, 2)
    ]
    first = records[0]
    assert first["digest"] == records[1]["digest"] == load("jobs2").digest
    assert (first["classes"], first["precision"], first["seed"]) == (20, 0.1, 1)
    assert first["hands"] == load("jobs1").plan.weight.sum() and not first["partial"]
    assert set(first["policies"]) >= {"the book", "never reveal", "always reveal"}
    assert set(first["worth_of_revealing"]) == set(first["reveal_best"]) == {"mean", "se", "n"}
    assert sum(first["verdicts"].values()) == pytest.approx(1)


def test_options_reach_the_plan(dealworth):
    words = "--every 4000 --precision 0.3 --seed 5 --debts=-2,1,1 --budget 40_000 --rules sevens=spades_high"
    record = json.loads(dealworth("book", GAME, *words.split(), "--strategy", "random", "--json").out)
    plan = load(record["folder"]).plan
    assert (plan.seed, plan.debts, plan.budget, plan.every) == (5, (-2, 1, 1), 40_000, 4000)
    assert plan.rules.sevens == "spades_high" and plan.strategies[2].name == "random"
    assert record["play_outs"] <= 40_000 and record["folder"].startswith("results/book-three-two-five-")


@pytest.fixture
def interrupt_after(monkeypatch):
    """Send this process Ctrl-C once a book has reported so many pieces."""

    def arrange(pieces):
        seen = []

        def show(_display, event):
            seen.append(event)
            if len(seen) == pieces:
                os.kill(os.getpid(), signal.SIGINT)

        monkeypatch.setattr(ProgressDisplay, "show", show)

    return arrange


def test_ctrl_c_leaves_a_partial_book_that_resumes_to_the_same(dealworth, interrupt_after):
    whole = json.loads(dealworth(*SMALL, "--every", "500", "--json", "--out", "whole").out)
    interrupt_after(3)
    status, out, err = dealworth(*SMALL, "--every", "500", "--out", "cut")
    assert status == 130 and "book three-two-five --resume cut" in err and "play-outs kept" in err
    assert "digest" in out and load("cut").complete is False
    assert not os.path.exists("cut/book.parquet")
    interrupt_after(-1)
    resumed = json.loads(dealworth("book", GAME, "--resume", "cut", "--json").out)
    assert (resumed["digest"], resumed["partial"]) == (whole["digest"], False)
    assert len(pd.read_parquet("cut/book.parquet")) == resumed["classes"]
    assert dealworth("book", GAME, "--resume", "cut").err.endswith("is complete: nothing to resume\n")


@pytest.mark.parametrize(
    "line", ["three-two-five --every 100 --precision 0.03", "fives-and-threes --players 3 --every 500"]
)
def test_a_killed_book_is_resumed_to_the_same(dealworth, tmp_path, line):
    """A kill leaves the last checkpoint, which goes on to what an unbroken book is."""
    words = ("book", *line.split())
    with start(tmp_path, *words, "--jobs", 1, "--out", "cut") as process:
        wait_for_checkpoint(tmp_path / "cut", process)
        process.kill()
        process.communicate()
    assert not load("cut").complete and load("cut").played > 0
    resumed = json.loads(dealworth("book", words[1], "--resume", "cut", "--json").out)
    assert resumed["digest"] == json.loads(dealworth(*words, "--out", "whole", "--json").out)["digest"]


def test_a_book_of_openings_says_how_sure_they_are_and_what_habits_cost(dealworth):
    """The other game by the same command."""
    words = ("book", "fives-and-threes", "--players", 4, "--every", 4000, "--precision", 0.1)
    status, out, err = dealworth(*words, "--out", "made")
    assert (status, err) == (0, "")
    for text in ("25 hands, a sample of 25 hands", "too close", "most points now", "heuristic ×4"):
        assert text in out
    record = json.loads(dealworth(*words, "--json", "--out", "again").out)
    assert record["digest"] in out and record["game"] == "fives_and_threes"
    assert set(record["verdicts"]) == {"sure", "too close"}
    assert record["policies"]["the book"]["cost"]["mean"] == 0
    assert len(pd.read_parquet("made/book.parquet")) == record["classes"] == 25
    status, _, err = dealworth("report", "made", "--out", "report.html")
    assert status == 2 and "has no chapter in a report" in err and err.count("\n") == 1


def test_progress_foretells_the_total(capsys):
    display = ProgressDisplay(find_game(GAME))
    display.show(Progress("play-outs", 300, 1000, units=100, seconds=40.0))
    assert capsys.readouterr().err == "300 of about 1,000 play-outs, 2.5 play-outs a second, 4:40 left\n"


def test_a_book_that_exists_is_replaced_only_by_force(dealworth):
    dealworth(*SMALL, "--out", "made")
    before = load("made").digest
    status, _, err = dealworth(*SMALL, "--seed", 2, "--out", "made")
    assert status == 2 and "--force" in err and load("made").digest == before
    assert dealworth(*SMALL, "--seed", 2, "--out", "made", "--force").status == 0
    assert load("made").digest != before


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("book", "GAME"),
        ("book bridge", "bridge"),
        ("book three-two-five --precision 0", "'0'"),
        ("book three-two-five --precision 3", "precision 3: must be from 0.002 to 1"),
        ("book three-two-five --precision fine", "'fine'"),
        ("book three-two-five --budget 10", "this book needs at least"),
        ("book three-two-five --every 0", "'0'"),
        ("book three-two-five --every 1e6", "every 1000000"),
        ("book fives-and-threes --debts 1,-1,0", "--debts is not for an opening book of Fives and Threes"),
        ("book fives-and-threes --rules hand=1", "rule hand=1"),
        ("book three-two-five --debts 1,2", "'1,2'"),
        ("book three-two-five --debts 1,1,1", "debts 1,1,1"),
        ("book three-two-five --debts 1,-1,0 --rules pulls=off", "R32"),
        ("book three-two-five --strategy genius", "genius"),
        ("book three-two-five --deals 9", "--deals"),
        ("book three-two-five --resume nothing", "nothing"),
        ("book three-two-five --resume nothing --seed 2", "--seed"),
        ("book three-two-five --jobs 0", "'0'"),
        ("advise three-two-five", "HAND"),
        ("advise three-two-five AS KS", "not 2"),
        ("advise three-two-five AS KS QS JS 1X", "'1X'"),
        ("advise three-two-five AS KS QS JS TS --precision 9", "precision 9"),
        ("advise three-two-five AS KS QS JS TS --strategy genius", "genius"),
    ],
)
def test_wrong_input_gives_one_line_status_2_and_leaves_nothing(dealworth, tmp_path, line, named):
    status, out, err = dealworth(*line.split(" "))
    assert (status, out) == (2, "") and err.startswith("dealworth: ")
    assert err.count("\n") == 1 and named in err and not list(tmp_path.iterdir())


def test_advice_is_printed_ranked_with_its_source(dealworth):
    status, out, err = dealworth("advise", GAME, "AS KS 9S TH 8C")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "3-2-5: AS KS 9S TH 8C" and lines[3].startswith("call S")
    for text in (
        "makes five",
        "verdict: call",
        "source      book, 256 to",
        "best against second: ",
        "heuristic ×3",
        "seed        1",
    ):
        assert text in out


def test_advice_for_programs_is_one_object(dealworth):
    record = json.loads(dealworth("advise", GAME, "AS", "KS", "9S", "TH", "8C", "--json", "--seed", 4).out)
    assert (record["source"], record["seed"], record["game"]) == ("simulated", 4, "three_two_five")
    assert record["options"][0]["option"] == "call S" and record["options"][0]["loss"] == 0
