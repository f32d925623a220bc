"""Tricks in registers are those of the general way to play, which asks every player with a view."""

import numpy as np
import pytest

import sim
from sim.core.bits import popcount
from sim.core.jit import helper
from sim.core.rng import below
from sim.three_two_five import kernel
from sim.three_two_five.game import play_rows
from sim.three_two_five.knowledge import LEGAL
from sim.three_two_five.rules import Rules

GAME = "three-two-five"
MATCHES = 300
LINE_UPS = (
    ("random",) * 3,
    ("heuristic",) * 3,
    ("first-suit",) * 3,
    ("heuristic", "random", "first-suit"),
    ("first-suit", "heuristic", "heuristic:cover=0.2"),
    ("random", "random", "heuristic+always-reveal"),
)


def rows_of(made, traced):
    """Play all matches; a deal whose course is wanted is played the general way."""
    rows = np.empty((made.units or made.matches * made.rules.deals_per_match, kernel.COLUMNS), np.int8)
    play_rows(made, 0, rows, np.zeros(kernel.LOG_SIZE, np.int64), traced)
    return rows


@pytest.mark.parametrize("rules", [{}, {"pulls": False, "sevens": "hearts_high"}], ids=["pulls", "sevens"])
@pytest.mark.parametrize("strategies", LINE_UPS, ids=" ".join)
def test_every_deal_is_the_same_with_its_course_written_down(strategies, rules):
    made = sim.experiment(GAME, matches=MATCHES, strategies=list(strategies), rules=rules, seed=3)
    rows = rows_of(made, traced=False)
    assert len(rows) == MATCHES * Rules().deals_per_match
    np.testing.assert_array_equal(rows, rows_of(made, traced=True))


@helper
def any_legal(view, _params, luck):
    """Play as ``random`` does: the member of the legal cards that the random word names."""
    left = view[LEGAL]
    for _ in range(below(luck, popcount(left))):
        left &= left - 1
    return left & -left


@pytest.mark.parametrize("others", ["random", "heuristic"])
def test_a_users_own_random_player_meets_the_same_deals(others):
    """A user's function is asked with a view, and so are the built-in players at its table."""
    own = sim.strategy(GAME, "any legal", base="random", card=any_legal)
    tables = [[first, others, others] for first in (own, "random")]
    runs = [sim.run(sim.experiment(GAME, matches=200, strategies=table, seed=5, hands=0)) for table in tables]
    for name, counter in runs[0].counters.items():
        np.testing.assert_array_equal(counter, runs[1].counters[name], err_msg=name)
