"""The command ``equity``: what it tells of a standing, the tables that it makes, and what it refuses."""

import json
import os
import signal
from pathlib import Path

import pytest

from analysis.cli.progress import ProgressDisplay
from sim.batch import Progress
from sim.equity.folder import load

TILES, CARDS = "fives-and-threes", "three-two-five"
SMALL = ("equity", TILES, "--table", "--rules", "target=7", "hand=2", "--strategy", "random")
SMALL += ("--precision", "0.02")


def test_a_standing_of_dominoes_is_told_from_the_table(dealworth):
    status, out, err = dealworth("equity", TILES, "--score", 55, 58, "--starter", "me")
    assert (status, err) == (0, "")
    assert "2 players to 61: 55 : 58, you to start" in out and "source      table" in out
    assert "5 (60)" in out and "6 (61)" not in out and "the other" in out


@pytest.mark.parametrize(("players", "names"), [(2, 2), (3, 3), (4, 2)])
def test_json_has_every_side_and_what_points_are_worth(dealworth, players, names):
    words = ("equity", TILES, "--players", players, "--score", *[58, 59, 60][:names], "--json")
    record = json.loads(dealworth(*words, "--precision", "0.02").out)
    means = [one["win"]["mean"] for one in record["chances"]]
    assert len(means) == names and sum(means) == pytest.approx(1)
    assert record["source"] == ("played on" if players == 3 else "table")
    assert [one["points"] for one in record["worth"]][:3] == ["0 (58)", "1 (59)", "2 (60)"]
    assert record["worth"][1]["change"]["mean"] == pytest.approx(
        record["worth"][1]["win"]["mean"] - record["worth"][0]["win"]["mean"]
    )


def test_who_starts_matters_and_both_sides_see_the_same(dealworth):
    def chance(*words):
        return json.loads(dealworth("equity", TILES, "--json", *words).out)["chances"][0]["win"]["mean"]

    mine = chance("--score", 57, 59, "--starter", "me")
    theirs = chance("--score", 59, 57, "--starter", "other")
    assert mine == pytest.approx(1 - theirs) and mine > chance("--score", 57, 59, "--starter", "other") + 0.1


def test_points_better_not_made_are_named(dealworth):
    out = dealworth("equity", TILES, "--score", 59, 59, "--starter", "other").out
    assert "better not made" in out and ": 1 (−" in out


def test_other_rules_and_players_are_played_on(dealworth):
    words = ("equity", TILES, "--score", 10, 20, "--rules", "target=31", "--precision", "0.03", "--json")
    one, two = (json.loads(dealworth(*words, "--jobs", jobs).out) for jobs in (1, 2))
    assert one["source"] == "played on" and one["matches"] == 278
    assert one["chances"] == two["chances"]
    mixed = ("equity", CARDS, "--score", 1, 0, -1, "--strategy", "random", "first-suit", "heuristic")
    assert "played on" in dealworth(*mixed, "--precision", "0.05").out


def test_a_standing_of_cards_is_told_with_ties(dealworth):
    words = ("equity", CARDS, "--score", "+2", "-1", "-1", "--deals-left", 2, "--debts=-2,1,1")
    out = dealworth(*words).out
    assert "2 deals left: five +2, three -1, two -1, debts -2,+1,+1" in out and "shares the top" in out
    record = json.loads(dealworth(*words, "--json").out)
    assert [one["name"] for one in record["chances"]] == ["five", "three", "two"]
    assert sum(one["win"]["mean"] for one in record["chances"]) < 1 and record["source"] == "table"
    assert all(one["change"]["mean"] > 0 for one in record["worth"]) and len(record["worth"]) == 6


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((TILES,), "nothing asked"),
        ((TILES, "--score", "61", "0"), "score 61: must be from 0 to 60"),
        ((TILES, "--score", "6.5", "0"), "'6.5' is not valid"),
        ((TILES, "--score", "1", "2", "3"), "score 1 2 3: 2 scores are needed"),
        ((TILES, "--score", "1", "2", "--starter", "left"), "starter 'left': with 2 players valid are"),
        ((TILES, "--score", "1", "2", "--rules", "target=none"), "target=none"),
        ((TILES, "--score", "1", "2", "--deals-left", "2"), "--deals-left is not for Fives and Threes"),
        ((CARDS, "--score", "1", "0", "0"), "score +1 +0 +0"),
        ((CARDS, "--score", "0", "0", "0", "--starter", "me"), "--starter is not for 3-2-5"),
        ((CARDS, "--score", "0", "0", "0", "--deals-left", "10"), "deals left 10"),
        ((TILES, "--score", "1", "2", "--out", "x"), "--out goes with --table"),
        ((TILES, "--score", "1", "2", "--table"), "give one of them"),
        ((TILES, "--table", "--players", "3"), "no table for three players"),
        ((TILES, "--table", "--strategy", "random", "greedy"), "all play alike"),
        ((TILES, "--table", "--precision", "0.5"), "precision 0.5"),
        ((TILES, "--resume", "nowhere"), "'nowhere' is no equity folder"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line(dealworth, words, complaint):
    status, out, err = dealworth("equity", *words)
    assert (status, out) == (2, "") and err.count("\n") == 1 and complaint in err
    assert not list(Path().iterdir())


def test_a_table_is_kept_and_the_same_for_any_jobs(dealworth):
    status, out, err = dealworth(*SMALL, "--out", "made")
    made = load("made")
    assert (status, err) == (0, "") and made.digest in out and "49 pairs of scores" in out
    record = json.loads(dealworth(*SMALL, "--jobs", 1, "--json").out)
    assert record["digest"] == made.digest and record["folder"].startswith("results/equity-fives-and-threes-")
    assert dealworth(*SMALL, "--out", "made").status == 2
    assert dealworth("equity", TILES, "--resume", "made").err.count("nothing to resume") == 1


def test_ctrl_c_leaves_a_partial_table_that_resumes_to_the_same(dealworth, monkeypatch):
    whole = json.loads(dealworth(*SMALL, "--json").out)
    shown = []

    def show(_display: ProgressDisplay, event: Progress) -> None:
        shown.append(event)
        if len(shown) == 1:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(ProgressDisplay, "show", show)
        cut = dealworth(*SMALL, "--out", "cut")
    assert cut.status == 130 and load("cut").partial and f"equity {TILES} --resume cut" in cut.err
    assert dealworth("equity", CARDS, "--resume", "cut").status == 2
    resumed = json.loads(dealworth("equity", TILES, "--resume", "cut", "--json").out)
    assert (resumed["digest"], resumed["partial"]) == (whole["digest"], False)
