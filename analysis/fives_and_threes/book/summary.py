"""What an opening book says over all hands of the starter: how often an opening is sure, what habits cost.

Policies are valued where they had no part in being chosen: "the book" takes the best tile by the search deals
and has its value from the fresh ones.
"""

import numpy as np
import pandas as pd

from analysis.book.summary import policy_cost, policy_value
from analysis.book.table import TOO_CLOSE
from analysis.estimates import Estimate
from analysis.fives_and_threes.book.book import option_names, tiles_of
from analysis.fives_and_threes.openings import TILE_NAMES, habits
from sim.fives_and_threes.book.hands import hand_classes

THE_BOOK = "the book"


def size_of(table: pd.DataFrame) -> int:
    """Return the number of tiles of a table's hands."""
    return int(table["cards"].iloc[0]).bit_count()


def chosen(table: pd.DataFrame, column: str) -> np.ndarray:
    """Turn names of tiles, such as those ``found``, into the numbers of options, int64 (H,)."""
    names = tiles_of(table["cards"].to_numpy(), size_of(table))
    return (names == table[column].to_numpy()[:, None]).argmax(axis=1)


def policies(table: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the usual policies by name: the option of each hand, int64 (H,)."""
    names = tiles_of(table["cards"].to_numpy(), size_of(table))
    numbers = {name: number for number, name in enumerate(TILE_NAMES)}
    tiles = np.vectorize(numbers.__getitem__, otypes=[np.int64])(names)
    return {THE_BOOK: chosen(table, "found"), **habits(tiles)}


def valued(table: pd.DataFrame, policy: np.ndarray) -> tuple[Estimate, Estimate]:
    """Return what a policy is worth over all hands, and what it costs against the book, in points a round."""
    names, every = option_names(size_of(table)), hand_classes(size_of(table)).cards.size
    cost = policy_cost(table, policy, chosen(table, "found"), names, every)
    return policy_value(table, policy, names, every), cost


def opening_verdicts(table: pd.DataFrame) -> pd.DataFrame:
    """How often one tile is surely the best opening, over the hands of a book.

    Returns
    -------
    DataFrame
        One row for each of sure and too close:

        ``verdict``     which
        ``share``       of all hands
        ``wrong``       share of these hands whose best tile is expected not to be the best, at most
        ``difference``  mean of best against second, in points a round
        ``largest_se``  largest standard error of that difference
    """
    close = (table["verdict"] == TOO_CLOSE).to_numpy()
    rows = []
    for name, where in (("sure", ~close), (TOO_CLOSE, close)):
        some = table[where]
        worst = float(some["difference_se"].max()) if len(some) else np.nan
        rows.append((name, where.mean(), some["wrong"].mean(), some["difference"].mean(), worst))
    return pd.DataFrame(rows, columns=["verdict", "share", "wrong", "difference", "largest_se"])
