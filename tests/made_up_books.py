"""Opening books of 3-2-5 whose values are made up by a rule, so that the right answers are known."""

import numpy as np
import pandas as pd

from analysis.three_two_five.book.facts import count_points, suit_facts
from analysis.three_two_five.hands import suit_order
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.hands import hand_classes
from sim.three_two_five.rules import REVEAL

NAMES = np.array(OPTIONS, object)


def book_of(values, error=0.01):
    """Make a whole book from values of shape (C, 5): the suits in the hand's own order, then revealing."""
    classes = hand_classes(0)
    order = suit_order(classes.cards)
    by_suit = np.empty_like(values)
    np.put_along_axis(by_suit, order, values[:, :REVEAL], axis=1)
    by_suit[:, REVEAL] = values[:, REVEAL]
    # Of equal values the hand's earlier suit is taken, as rules do.
    call = order[np.arange(len(order)), values[:, :REVEAL].argmax(axis=1)]
    best_call = values[:, :REVEAL].max(axis=1)
    margin = best_call - values[:, REVEAL]
    found = np.where(margin > 0, call, REVEAL)
    table = pd.DataFrame(
        {
            "cards": classes.cards,
            "weight": classes.weight,
            "found": NAMES[found],
            "best": NAMES[found],
            "call": NAMES[call],
            "call_minus_reveal": margin,
            "call_minus_reveal_se": error,
            "difference_se": error,
            "wrong_to_call": np.where(margin > 0, 0.0, 1.0),
            "wrong_to_reveal": np.where(margin > 0, 1.0, 0.0),
            "verdict": np.where(
                np.abs(margin) < 2 * error, "too close", np.where(margin > 0, "call", "reveal")
            ),
        }
    )
    for number, name in enumerate(OPTIONS):
        table[f"value_{name}"] = by_suit[:, number]
        table[f"se_{name}"] = error
        table[f"loss_se_{name}"] = error
        table[f"n_{name}"] = 1000
    table.attrs["provenance"] = "A book made up for a test."
    return table


def values_by_points(points, reveal):
    """Value every call by a count of points, and revealing alike on all hands; shape (C, 5)."""
    total = count_points(suit_facts(hand_classes(0).cards), points).astype(float)
    return np.column_stack([total, np.full(len(total), reveal)])
