"""The commands on Fives and Threes: simulate, replay, bench, and advice on a hand."""

import json

import pytest

from analysis.cli.arguments import parse
from analysis.fives_and_threes.bench import CASES
from sim import load
from tests.cli.command import FAST

GAME = "fives-and-threes"
HAND = "6|6 5|4 3|1 2|2 0|5 1|1 4|6"
QUICK = ("--strategy", "random", "--precision", "0.3", "--jobs", "1")


def simulate(dealworth, *words):
    return dealworth("simulate", GAME, *FAST, *words)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_simulate_shows_places_rounds_and_matches(dealworth, players):
    status, out, err = simulate(dealworth, "--players", players, "--matches", 60, "--out", "run")
    assert (status, err) == (0, "")
    for text in ("points a round", "rounds won by going out", "matches won", "blocked", "tiles placed"):
        assert text in out
    for text in ("knocks", "events dropped", "turns", f"players={players} target=61"):
        assert text in out
    assert ("starter's side" in out) == (players == 4)
    made = load("run")
    assert (made.rules.players, made.matches) == (players, 60)


def test_simulate_for_programs(dealworth):
    """Record format: places by distance from the starter; numbers unrounded."""
    out = simulate(dealworth, "--players", 3, "--matches", 50, "--out", "run", "--json").out
    record = json.loads(out)
    assert (record["game"], record["matches"], record["rules"]["players"]) == ("fives_and_threes", 50, 3)
    assert record["rounds"] == load("run").units and record["digest"] == load("run").digest
    assert len(record["places"]) == 3 and not record["partial"]
    for place in record["places"]:
        assert {"points", "out", "match_won"} <= set(place)
    assert sum(place["match_won"]["mean"] for place in record["places"]) == pytest.approx(1)
    for name in ("blocked", "tiles", "knocks", "rejected", "rounds_per_match"):
        assert set(record[name]) == {"mean", "se", "n"}


def test_rounds_alone_have_no_target(dealworth):
    status, out, _ = simulate(dealworth, "--rounds", 40, "--out", "run")
    assert status == 0 and "40 rounds\n" in out and "matches won" not in out and "target=none" in out.lower()
    assert load("run").rules.target is None


def test_matches_are_played_where_nothing_is_said(dealworth):
    simulate(dealworth, "--out", "run")
    assert load("run").matches == 10_000


def test_the_number_of_players_may_come_from_a_file(dealworth, tmp_path):
    (tmp_path / "run.toml").write_text("players = 4\nmatches = 3\n", encoding="utf-8")
    assert simulate(dealworth, "--config", "run.toml", "--out", "run").status == 0
    assert load("run").rules.players == 4


def test_a_replay_is_laid_as_people_lay_it(dealworth):
    status, out, err = dealworth("replay", GAME, "--players", 3, "--strategy", "greedy", "--round", 0)
    assert (status, err) == (0, "") and "counts" in out and "player 2" in out
    lines = dealworth("replay", GAME, "--strategy", "greedy", "--count", 2, "--json").out.splitlines()
    assert {json.loads(line)["match"] for line in lines} == {0, 1}


def test_bench_times_rounds_and_tiles(dealworth):
    words = ["--rounds", 500, "--repeats", 1, "--jobs", 1, "--strategy", "random", "--json"]
    (result,) = json.loads(dealworth("bench", GAME, *words).out)["results"]
    assert (result["game"], result["rounds"]) == ("fives_and_threes", 500)
    assert 8 < result["plays_per_s"] / result["per_s"] < 13  # 10.36 tiles a round


def test_bench_of_one_unit_times_the_games_that_count_it(dealworth):
    words = ["--rounds", 100, "--repeats", 1, "--jobs", 1]
    out = dealworth("bench", *words).out
    assert "Fives and Threes" in out and "3-2-5" not in out
    assert all(f"{case.strategy} (players={case.rules['players']})" in out for case in CASES)


def test_advice_is_a_ranked_table_with_its_sources(dealworth):
    status, out, err = dealworth("advise", GAME, HAND, *QUICK)
    assert (status, err) == (0, "")
    lines = [line for line in out.splitlines() if "|" in line and "±" in line]
    assert len(lines) == 7 and "–" in lines[0]
    for text in ("simulated", "random ×2", "players=2", "seed        1", "without a target"):
        assert text in out


def test_advice_for_programs_takes_any_spelling(dealworth):
    """Record format of advise; tiles in one word or many, in any spelling (case 25)."""
    whole = dealworth("advise", GAME, HAND, *QUICK, "--json").out
    parted = dealworth("advise", GAME, "66", "4-5", "3/1", "[2|2]", "05,1:1", "6|4", *QUICK, "--json").out
    first, second = json.loads(whole), json.loads(parted)
    assert first["options"] == second["options"] and first["players"] == 2
    assert set(first["options"][0]) == {"option", "value", "loss", "ci", "best"}
    assert first["hand"] == ["1|1", "2|2", "1|3", "0|5", "4|5", "4|6", "6|6"]
    assert (first["source"], first["seed"]) == ("simulated", 1)


WRONG = [
    ("simulate fives-and-threes --players 5", "players=5"),
    ("simulate fives-and-threes --players two", "'two'"),
    ("simulate three-two-five --players 4", "players"),
    ("simulate fives-and-threes --deals 9", "--deals"),
    ("simulate fives-and-threes --rounds 9 --matches 9", "rounds or matches"),
    ("simulate fives-and-threes --rules target=0", "target=0"),
    ("simulate fives-and-threes --rules hand=15", "hand=15"),
    ("simulate fives-and-threes --strategy genius", "genius"),
    ("simulate fives-and-threes --deals-per-match 9", "deals_per_match"),
    ("replay fives-and-threes --deal 1", "--deal"),
    ("replay fives-and-threes --round 400", "round 400"),
    ("advise fives-and-threes", "HAND"),
    ("advise bridge 6|6", "bridge"),
    ("advise fives-and-threes 6|6 5|4 3|1", "3 tiles"),
    ("advise fives-and-threes 6|6 5|4 3|1 2|2 0|5 1|1 4|9", "'4|9'"),
    ("advise fives-and-threes 6|6 5|4 3|1 2|2 0|5 1|1 6-6", "'6-6'"),
    ("advise fives-and-threes 6|6 5|4 3|1 2|2 0|5 --players 5", "players=5"),
    ("advise fives-and-threes 6|6 5|4 3|1 2|2 0|5 1|1 4|6 --precision 0", "'0'"),
    ("advise fives-and-threes 6|6 5|4 3|1 2|2 0|5 1|1 4|6 --precision fine", "'fine'"),
    ("advise fives-and-threes 6|6 5|4 3|1 2|2 0|5 1|1 4|6 --strategy a b c", "'a'"),
    ("advise fives-and-threes 6|6 5|4 3|1 2|2 0|5 1|1 4|6 --strategy random random random", "3 strategies"),
]


@pytest.mark.parametrize(("line", "named"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_input_gives_one_line_status_2_and_leaves_nothing(dealworth, tmp_path, line, named):
    status, out, err = dealworth(*line.split(" "))
    assert status == 2 and "{" not in out
    assert err.startswith("dealworth: ") and err.count("\n") == 1 and named in err
    assert not list(tmp_path.iterdir())


def test_help_of_advise(dealworth, capsys):
    with pytest.raises(SystemExit) as left:
        dealworth("advise", "--help")
    assert left.value.code == 0 and "usage: dealworth advise GAME HAND" in capsys.readouterr().out
    assert parse(["advise", GAME, "6|6", "5|5", "--players", "4"]).hand == ["6|6", "5|5"]
