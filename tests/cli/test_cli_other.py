"""``dealworth strategies``, ``bench`` and ``report``."""

import json

import pytest

from analysis.cli import bench, report
from analysis.three_two_five.bench import CASES, plays
from sim import GAMES, Run, find_game, load

GAME = "three-two-five"


def test_strategies_are_listed_with_a_line_each(dealworth):
    status, out, err = dealworth("strategies", GAME)
    assert (status, err) == (0, "")
    book = find_game(GAME).book
    for entry in book.about():
        assert any(line.startswith(entry["name"]) for line in out.splitlines())
    assert all(name in out for name in book.parameters)


def test_strategies_for_programs(dealworth):
    out = dealworth("strategies", "--json").out
    assert json.loads(out) == {game.name: game.book.about() for game in GAMES}
    assert {"name", "about"} == set(json.loads(out)["three_two_five"][0])


def test_bench_gives_a_rate_for_each_strategy_and_number_of_jobs(dealworth, tmp_path):
    words = "--deals 900 --repeats 2 --jobs 1 2 --strategy random first-suit --json"
    status, out, err = dealworth("bench", GAME, *words.split())
    results = json.loads(out)["results"]
    assert (status, err) == (0, "")
    expected = [(name, jobs) for name in ("random", "first-suit") for jobs in (1, 2)]
    assert [(result["strategy"], result["jobs"]) for result in results] == expected
    for result in results:
        assert (result["game"], result["repeats"], result["deals"]) == ("three_two_five", 2, 900)
        assert result["plays_per_s"] == pytest.approx(30 * result["per_s"]) and result["per_s"] > 0
        alone = next(r for r in results if r["strategy"] == result["strategy"] and r["jobs"] == 1)
        assert result["speed_up"] == pytest.approx(result["per_s"] / alone["per_s"])
    assert not list(tmp_path.iterdir())


def test_bench_times_the_usual_cases_as_a_table(dealworth):
    out = dealworth("bench", "--deals", 90, "--repeats", 1, "--jobs", 1).out
    lines = out.splitlines()
    assert any(line.startswith("random (pulls=false)") for line in lines)
    assert all(any(line.startswith(case.strategy) for line in lines) for case in CASES)
    assert "deals a second" in out and "speed-up" in out and "median of 1 repeats" in out


@pytest.mark.parametrize(
    ("words", "deals"),
    [
        ((), {"random": 1_000_000, "rollout-50": 1_000}),
        (("--deals", 27_000), {"random": 27_000, "rollout-50": 27}),
        (("--strategy", "nested-2", "heuristic"), {"nested-2": 20, "heuristic": 1_000_000}),
        (("--strategy", "rollout-2", "--deals", 500), {"rollout-2": 500}),
    ],
)
def test_players_that_think_are_timed_over_fewer_deals(dealworth, monkeypatch, words, deals):
    """A usual case plays in proportion to what was asked; a strategy that was named plays all of it."""
    asked = {}

    def measure(game, case, plays, *, units, **_):
        asked[case.strategy] = units
        return []

    monkeypatch.setattr(bench, "measure", measure)
    assert dealworth("bench", GAME, *words, "--json").status == 0
    assert deals.items() <= asked.items()


def test_card_plays_are_thirty_a_deal(dealworth):
    dealworth.simulate("--deals", 12, "--out", "run")
    assert plays(load("run")) == 360


def test_the_standard_report_plays_its_own_runs(dealworth, monkeypatch, tmp_path):
    small = report.standard_experiments(scale=1e-5)
    monkeypatch.setattr(report, "standard_experiments", lambda: small)
    status, out, err = dealworth("report", "--standard", "--out", "page.html")
    assert (status, out.split()) == (0, ["report", "page.html"])
    assert err.splitlines() == [f"run {n} of {len(small)}: {name}" for n, name in enumerate(small, start=1)]
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_standard_report_that_is_interrupted_writes_nothing(dealworth, monkeypatch, tmp_path):
    def interrupted(experiment, *_, **__):
        return Run.blank(experiment)

    monkeypatch.setattr(report, "run", interrupted)
    status, out, err = dealworth("report", "--standard", "--out", "page.html")
    assert (status, out) == (130, "") and "interrupted" in err
    assert not list(tmp_path.iterdir())


def test_report_says_where_it_is(dealworth, tmp_path):
    dealworth.simulate("--deals", 900, "--out", "run")
    status, out, err = dealworth("report", "run")
    assert (status, err) == (0, "") and out.split() == ["report", "results/report.html"]
    assert "<html" in (tmp_path / "results" / "report.html").read_text("utf-8")
    assert dealworth("report", "run", "--out", "new/page.html").status == 0
    assert (tmp_path / "new" / "page.html").exists()
