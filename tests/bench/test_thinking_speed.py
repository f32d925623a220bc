"""Speed of the players of 3-2-5 that think, as ratios within one run; asked for with ``-m bench``.

The yardstick is random play in the same run: so many deals could be played in the time of one decision.
"""

import time
from random import Random
from statistics import median

import pytest
from drawn_decisions import answer_to, draw_decision

from sim.batch import run
from sim.experiment import experiment

pytestmark = pytest.mark.bench

RANDOM_DEALS = 30 * 9 * 2048
DEALS = 540


def deals_a_second(strategy: str, deals: int, **rules: object) -> float:
    """Return the rate of one run on one core, without warm-up."""
    made = experiment("three-two-five", units=deals, strategies=strategy, rules=rules, seed=1)
    return deals / run(made, 1).seconds


def random_deals_a_second() -> float:
    """Return the rate of the yardstick."""
    return deals_a_second("random", RANDOM_DEALS, pulls=False)


def first_leads_a_second(strategy: str, count: int) -> float:
    """Return the rate of the median first lead, the slowest decision there is."""
    rng, seconds = Random(1), []
    views = [draw_decision(rng, "play").view() for _ in range(count)]
    answer_to(strategy, "card", views[0], 0)
    for luck, view in enumerate(views):
        started = time.perf_counter()
        answer_to(strategy, "card", view, luck)
        seconds.append(time.perf_counter() - started)
    return 1 / median(seconds)


@pytest.mark.parametrize(
    ("strategy", "count", "most"),
    [("rollout-50", 200, 400), ("nested-40", 10, 140_000), ("expert", 10, 140_000)],
)
def test_time_of_a_first_lead(ratio, strategy, count, most) -> None:
    """Under 0.1 ms, or 40 ms for nested play-outs, where a random deal takes 0.25 µs.

    Measured for ``rollout-50`` on an AMD EPYC (znver4), whose registers hold eight lanes: 0.06 ms.
    """
    rates = []

    def decided() -> float:
        rates.append(first_leads_a_second(strategy, count))
        return rates[-1]

    deals = 1 / ratio(decided, random_deals_a_second)
    print(f"first lead of {strategy}: {1e3 / median(rates):.2f} ms, as {deals:,.0f} random deals")
    assert deals < most


@pytest.mark.parametrize(("pulls", "most"), [(False, 2_000), (True, 4_500)], ids=["no pulls", "pulls"])
def test_three_players_of_rollouts_play_a_thousand_deals_a_second(ratio, pulls, most) -> None:
    """At least 2,000 deals a second, 900 with pulls, where random play makes 4 million.

    Measured on an AMD EPYC (znver4), whose registers hold eight lanes: 3,130 and 1,270.
    """
    rates = []

    def played() -> float:
        rates.append(deals_a_second("rollout-50", DEALS, pulls=pulls))
        return rates[-1]

    deals = 1 / ratio(played, random_deals_a_second)
    print(f"rollout-50, pulls {pulls}: {median(rates):.0f} deals a second, each as {deals:,.0f} random deals")
    assert deals < most
