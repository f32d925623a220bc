"""How many trumps the five has to expect, and the others against it: why hands are called or revealed.

Exact means over all deals, no simulation. A called suit grows by a fifth of its cards that are out. Revealed,
the suit of the highest of three turned cards is trump, of which the five has at least that one.
"""

import numpy as np
import pandas as pd

from analysis.three_two_five.book.chart import SUIT_TO_CALL
from analysis.three_two_five.book.facts import prefer, suit_facts
from analysis.three_two_five.hands import lanes, suit_order
from sim.three_two_five.book.completions import COVARIATES, covariate_means
from sim.three_two_five.cards import PACK

_DRAWN, _OUT = 5, 25
"""The five's other cards, and the cards that it does not see."""


def trump_lengths(cards: np.ndarray) -> pd.DataFrame:
    """Expect the trumps of both sides after a call and after revealing, with low sevens.

    Parameters
    ----------
    cards : ndarray of int64, shape (H,)
        First five cards.

    Returns
    -------
    DataFrame
        One row a hand, mean numbers of cards in the ten-card hands, before pulls:

        ``call_own, call_others``      trumps of the five and of the two others together, after calling the
                                       suit to call (:mod:`analysis.three_two_five.book.chart`)
        ``reveal_own, reveal_others``  the same after revealing, of tied suits the first of S H D C taken
    """
    cards = np.asarray(cards, np.int64)
    rows = np.arange(cards.size)
    suit = suit_order(cards)[rows, prefer(suit_facts(cards), SUIT_TO_CALL)]
    held = np.bitwise_count(lanes(cards)).astype(np.float64)
    pack = np.bitwise_count(lanes(np.array([PACK]))[0]).astype(np.float64)
    own = held[rows, suit] + (pack[suit] - held[rows, suit]) * _DRAWN / _OUT
    means = np.zeros((cards.size, len(COVARIATES)))
    covariate_means(cards, means)
    expected = dict(zip(COVARIATES, means.T, strict=True))
    turned = np.column_stack([expected[f"turned {name}"] for name in "SHD"])
    turned = np.column_stack([turned, 1 - turned.sum(axis=1)])
    revealed = (turned * held).sum(axis=1) + expected["turned length"]
    return pd.DataFrame(
        {
            "call_own": own,
            "call_others": pack[suit] - own,
            "reveal_own": revealed,
            "reveal_others": turned @ pack - revealed,
        }
    )
