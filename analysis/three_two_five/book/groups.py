"""What a whole opening book says by groups of first hands, in the tables that an option study has.

Where a run is of the book's players and rules these tables take the place of the study's
(:mod:`analysis.three_two_five.options`): they hold every hand, and more deals of each.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.estimates import Estimate
from analysis.tables import columns_of, further_columns_of
from analysis.three_two_five.answers import suit_to_call, verdict
from analysis.three_two_five.book.summary import (
    columns,
    numbers,
    policy_cost,
    policy_value,
)
from analysis.three_two_five.hands import ace_aside, describe_hands, suit_order
from analysis.three_two_five.options import (
    ALWAYS_REVEAL,
    ASIDE_FIRST,
    BY_GROUP,
    FIRST_SUIT,
    HAND_BY_HAND,
    NEVER_REVEAL,
    ONLY_ACE,
    OTHER_PAIRS,
    better_of,
    hand_groups,
)
from sim.three_two_five.rules import REVEAL


def book_answer(book: pd.DataFrame) -> list[str]:
    """Answer "call or reveal?" from a whole book: with which shapes, then which of two equal ones."""
    return [
        verdict(book_call_or_reveal(book, "shape")),
        suit_to_call(book_second_suit_gain(book), "points"),
    ]


def book_call_or_reveal(book: pd.DataFrame, by: str | Sequence[str] = ()) -> pd.DataFrame:
    """Compare revealing with the best call by the book, over all hands or group by group.

    Parameters
    ----------
    book : DataFrame
        A whole book's table.
    by : str or sequence of str
        Features to group by (``hands.FEATURES``).

    Returns
    -------
    DataFrame
        As :func:`analysis.three_two_five.options.call_or_reveal`; errors are those of the values, as all
        hands are there.
    """
    values, call = columns(book, "value"), numbers(book["call"])
    rows = np.arange(len(book))
    first = suit_order(book["cards"].to_numpy())[:, 0]
    margin, error = -book["call_minus_reveal"].to_numpy(), book["call_minus_reveal_se"].to_numpy()
    weight, table = book["weight"].to_numpy(np.float64), []
    for group, where in hand_groups(describe_hands(book["cards"].to_numpy()), by):
        part = weight[where]
        difference = _average(margin[where], error[where], part)
        means = {
            "first_suit": float(np.average(values[rows, first][where], weights=part)),
            "call": float(np.average(values[rows, call][where], weights=part)),
            "reveal": float(np.average(values[where, REVEAL], weights=part)),
        }
        sizes = {"hands": int(part.sum()), "share": float(part.sum() / weight.sum())}
        table.append(
            {**group, **sizes, **means}
            | columns_of(difference, "difference")
            | {"better": better_of(difference)}
        )
    return _of(book, table)


def book_policy_costs(book: pd.DataFrame) -> pd.DataFrame:
    """What simple policies cost against the book.

    Returns
    -------
    DataFrame
        As :func:`analysis.three_two_five.options.policy_costs`.
    """
    cards = book["cards"].to_numpy()
    order = suit_order(cards)
    aside = np.take_along_axis(order, ace_aside(cards)[:, None], axis=1)[:, 0]
    policies = {
        HAND_BY_HAND: numbers(book["found"]),
        NEVER_REVEAL: numbers(book["call"]),
        ALWAYS_REVEAL: np.full(len(book), REVEAL),
        FIRST_SUIT: order[:, 0],
        ASIDE_FIRST: aside,
        **{name: _by_group(book, aside, by) for name, by in BY_GROUP.items()},
    }
    hands = int(book["weight"].sum())
    rows: list[dict[str, object]] = [
        {
            "policy": name,
            **columns_of(policy_value(book, policy)),
            **further_columns_of(policy_cost(book, policy), "cost"),
            "hands": hands,
        }
        for name, policy in policies.items()
    ]
    return _of(book, rows)


def book_second_suit_gain(book: pd.DataFrame) -> pd.DataFrame:
    """What calling the second suit gains where the two longest are equally long, by the book.

    Returns
    -------
    DataFrame
        As :func:`analysis.three_two_five.options.second_suit_gain`; the errors of both calls are added as if
        wholly dependent, which is never too small.
    """
    cards, weight = book["cards"].to_numpy(), book["weight"].to_numpy(np.float64)
    order, aside = suit_order(cards), ace_aside(cards)
    pairs = (describe_hands(cards)["shape"] == "2-2-1").to_numpy()
    first, second = (
        [np.take_along_axis(columns(book, name), order[:, [place]], axis=1)[:, 0] for name in ("value", "se")]
        for place in (0, 1)
    )
    rows: list[dict[str, object]] = []
    for name, which in ((ONLY_ACE, 1), (OTHER_PAIRS, 0)):
        where = pairs & (aside == which)
        gain = _average((second[0] - first[0])[where], (second[1] + first[1])[where], weight[where])
        rows.append({"first": name, "hands": int(weight[where].sum()), **columns_of(gain, "difference")})
    return _of(book, rows)


def _by_group(book: pd.DataFrame, aside: np.ndarray, by: Sequence[str]) -> np.ndarray:
    """Choose between a call and revealing, alike for all hands of a group."""
    values, weight = columns(book, "value"), book["weight"].to_numpy(np.float64)
    gain = weight * (values[:, REVEAL] - values[np.arange(len(book)), aside])
    chosen = aside.copy()
    for _, where in hand_groups(describe_hands(book["cards"].to_numpy()), by):
        if gain[where].sum() > 0:
            chosen[where] = REVEAL
    return chosen


def _average(values: np.ndarray, errors: np.ndarray, weight: np.ndarray) -> Estimate:
    """Average over classes, each with deals of its own."""
    part = weight / weight.sum()
    return Estimate(float(part @ values), float(np.sqrt(part**2 @ errors**2)), len(values))


def _of(book: pd.DataFrame, rows: list[dict[str, object]]) -> pd.DataFrame:
    table = pd.DataFrame(rows)
    table.attrs |= book.attrs
    return table
