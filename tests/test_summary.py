"""The summary of a run against the same numbers computed from its single deals."""

import math

import numpy as np
import pytest

from analysis.estimates import Estimate, Share, share
from analysis.summaries import Line
from analysis.three_two_five.summary import summary
from sim import experiment, replay, run
from sim.results import Run

DEALS = 452  # fifty whole matches and one cut short


@pytest.fixture(scope="module")
def made() -> Run:
    """A small run with pulls, reveals and a match that is cut short."""
    return run(experiment("three-two-five", units=DEALS, strategies="random+always-reveal", seed=3))


@pytest.fixture(scope="module")
def matches(made) -> list[list[dict]]:
    """Records of the run, match by match."""
    return [replay(made.experiment, match) for match in range(made.matches)]


def at_seat(record: dict, values: list[int], seat: int) -> int:
    return values[(record["dealer"] + 1 + seat) % 3]


def clustered(matches: list[list[dict]], value) -> tuple[float, float]:
    """Mean a deal and its linearised error over matches, from single deals."""
    totals = np.array([sum(value(record) for record in match) for match in matches], float)
    sizes = np.array([len(match) for match in matches], float)
    mean = totals.sum() / sizes.sum()
    n = len(matches)
    spread = ((totals - mean * sizes) ** 2).sum() * n / (n - 1)
    return mean, math.sqrt(spread) / sizes.sum()


def matches_estimate(record: dict, expected: tuple[float, float]) -> bool:
    return (record["mean"], record["se"]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_seats_are_those_of_the_single_deals(made, matches, seat):
    """R5, R25, R26; errors from whole matches."""
    name, quota = (("five", 5), ("three", 3), ("two", 2))[seat]
    seats = summary(made).record["seats"][name]
    assert matches_estimate(seats["tricks"], clustered(matches, lambda r: at_seat(r, r["tricks_won"], seat)))
    assert matches_estimate(seats["score"], clustered(matches, lambda r: at_seat(r, r["score"], seat)))
    met = clustered(matches, lambda r: at_seat(r, r["tricks_won"], seat) >= quota)
    assert matches_estimate(seats["quota_met"], met)
    assert seats["tricks"]["n"] == 51


def test_the_deal_is_that_of_the_single_deals(made, matches):
    """R10, R14, R21."""
    record = summary(made).record
    owed = clustered(
        matches, lambda r: sum(max(0, t - q) for t, q in zip(r["tricks_won"], r["quota"], strict=True))
    )
    assert matches_estimate(record["cards_owed"], owed)
    assert matches_estimate(record["all_exact"], clustered(matches, lambda r: r["tricks_won"] == r["quota"]))
    assert record["reveal_share"] == {"mean": 1.0, "se": 0.0, "n": 51}


def test_matches_are_won_by_the_highest_total_and_ties_stand_apart(made, matches):
    """R7, R27; only whole matches count."""
    finals = [match[-1]["match_score"] for match in matches if len(match) == 9]
    record = summary(made).record
    ties = sum(sorted(final)[1] == max(final) for final in finals)
    assert record["match_tied"]["mean"] == pytest.approx(ties / 50)
    for player in range(3):
        won = sum(final[player] == max(final) and final.count(max(final)) == 1 for final in finals)
        entry = record["players"][player]
        assert entry["match_won"] == share(won, 50).as_dict()
        assert entry["match_score"]["mean"] == pytest.approx(np.mean([f[player] for f in finals]))
        assert entry["match_score"]["n"] == 50


def test_lines_and_table_hold_the_same_numbers(made):
    frame = summary(made).frame()
    assert list(frame.columns) == ["group", "quantity", "mean", "se", "low", "high", "n"]
    assert len(frame) == 19
    five = frame[(frame["group"] == "five") & (frame["quantity"] == "tricks a deal")].iloc[0]
    assert five["mean"] == summary(made).record["seats"]["five"]["tricks"]["mean"]
    assert five["low"] < five["mean"] < five["high"]
    revealed = frame[frame["quantity"] == "trump revealed"].iloc[0]
    assert revealed["high"] == 1 and revealed["low"] < 1  # case 16: no zero width at 100%


def test_nothing_played_gives_no_numbers():
    blank = Run.blank(experiment("three-two-five", matches=2, strategies="random"))
    record = summary(blank).record
    assert record["seats"]["five"]["tricks"] == {"mean": None, "se": None, "n": 0}
    assert {line.mean_text() for line in summary(blank).lines} == {"–"}
    assert summary(blank).few_clusters()


@pytest.mark.parametrize(
    ("line", "mean", "interval"),
    [
        (Line("", "", Estimate(3.9091, 0.0043, 10_000)), "3.909 ± 0.004", "3.901 to 3.918"),
        (Line("", "", Estimate(-1.0909, 0.0043, 10_000), True), "-1.091 ± 0.004", "-1.099 to -1.082"),
        (Line("", "", Estimate(0.3221, 0.0043, 10_000), True), "+0.322 ± 0.004", "+0.314 to +0.331"),
        (Line("", "", Share(0.3621, 0.0014, 10_000, True)), "36.21% ± 0.14%", "35.94% to 36.48%"),
        (Line("", "", Estimate(2.0, math.nan, 1)), "2", "–"),
        (Line("", "", Estimate(2.0, 0.0, 5)), "2 ± 0", "2.000 to 2.000"),
        (Line("", "", share(0, 10)), "0%", "0% to 28%"),
        (Line("", "", share(10, 10)), "100%", "72% to 100%"),
    ],
)
def test_numbers_are_written_with_the_digits_that_the_error_supports(line, mean, interval):
    """Cases 16 and 17."""
    assert (line.mean_text(), line.interval_text()) == (mean, interval)
