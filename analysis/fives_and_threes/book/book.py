"""The opening book of Fives and Threes as a table: one row a hand, every opening tile with its error.

Values are those of the opening study (:mod:`analysis.fives_and_threes.openings`): what the starter's side
scores in a round alone minus the mean of what the others score. What they rest on, both games share
(:mod:`analysis.book.table`).

==================  ==================================================================================
column              meaning
==================  ==================================================================================
``hand``            the starter's tiles, in the order of the options 0, 1, …
``cards``           the same as a mask of tiles
``weight``          1: each hand stands for itself
``best, second``    the two tiles of highest value by the fresh deals, of those that the search left
``difference``      value of the best minus the second, in points a round
``difference_se``   its standard error
``lfsr``            chance that the sign of this difference is wrong: local false sign rate
``found``           the best tile by the search deals, which had no part in the values: so its value is
                    not overrated
``wrong``           chance, at most, that some other tile is better than the best, by all deals
``verdict``         the best tile where that is at most the level (2.5% if not said otherwise), else
                    ``too close``
==================  ==================================================================================

and for each tile by its number in the hand

==================  ==================================================================================
``value_0, se_0``   expected value of opening with it in points a round, and its standard error
``n_0``             deals behind it
``loss_0``          value of the best tile minus this one's, paired; 0 for the best
``loss_se_0``       its standard error
``best_0``          chance that the tile is the best, given the errors
==================  ==================================================================================
"""

import numpy as np
import pandas as pd

from analysis.book.table import (
    LEVEL,
    PROVENANCE,
    TOO_CLOSE,
    check,
    comparisons,
    each_option,
    moments,
    over_stages,
)
from analysis.book.table import book_command as command_of
from analysis.book.table import provenance as provenance_of
from analysis.false_signs import fit_mixture
from sim.book.book import Book
from sim.book.plan import FRESH, SEARCH
from sim.book.schedule import standing
from sim.fives_and_threes.tiles import TILES, tile_names

TILE_NAMES = np.array(tile_names((1 << TILES) - 1), object)


def book_table(book: Book, level: float = LEVEL) -> pd.DataFrame:
    """Return the table of a book, its columns as the module describes them.

    Parameters
    ----------
    book : Book
        Complete, or so far that every hand has its fresh deals.
    level : float
        Chance to be wrong that a verdict may have, between 0 and 0.5.

    Raises
    ------
    ValueError
        If the book is not that far, or the level is not a chance below one half.
    """
    check(book, level)
    plan = book.plan
    names = tiles_of(plan.cards, plan.options)
    source = np.tile(np.arange(plan.options), (len(names), 1))
    rank, live = standing(plan, book.counters)
    value, errors = moments(book, FRESH, source)
    best, second = (-np.where(live, value, -np.inf)).argsort(axis=1, kind="stable")[:, :2].T
    wrong = _others_better([moments(book, SEARCH, source), (value, errors)], best)
    rows = np.arange(len(names))
    columns = {
        "hand": [" ".join(tiles) for tiles in names],
        "cards": plan.cards,
        "weight": plan.weight,
        **comparisons(value, errors, best, second, plan.weight, names),
        "found": names[rows, rank[:, 0]],
        "wrong": wrong,
        "verdict": verdicts(names[rows, best], wrong, level),
        **each_option(
            value, errors, book.counters["count"][:, FRESH], best, live, option_names(plan.options)
        ),
    }
    table = pd.DataFrame(columns)
    table.attrs[PROVENANCE] = provenance(book)
    return table


def option_names(size: int) -> tuple[str, ...]:
    """Return the names of the options' columns, for hands of that many tiles."""
    return tuple(str(number) for number in range(size))


def tiles_of(cards: np.ndarray, size: int) -> np.ndarray:
    """Return the names of the tiles of hands in the order of their options, object (H, size)."""
    held = (cards[:, None] >> np.arange(TILES)) & 1
    return TILE_NAMES[np.nonzero(held)[1].reshape(len(cards), size)]


def verdicts(best: np.ndarray, wrong: np.ndarray, level: float = LEVEL) -> np.ndarray:
    """Name the best tile where the chance that another is better is at most the level."""
    return np.where(wrong <= level, best, TOO_CLOSE).astype(object)


def provenance(book: Book) -> str:
    """Say where the numbers of a book come from, in one line."""
    rules = book.plan.rules
    return provenance_of(book, f"{rules.players} players, {rules.hand_size} tiles each, a round alone")


def book_command(book: Book) -> str | None:
    """Return the command line that makes a book again; None for a book of chosen hands."""
    return command_of(book)


def _others_better(stages: list[tuple[np.ndarray, np.ndarray]], best: np.ndarray) -> np.ndarray:
    """Chance, at most, that some other tile is better than the best, by all deals of both stages.

    Given the distribution of true differences, chances depend on the deals that were played, not on why no
    more of them were: so a tile that the search dropped is not in doubt again because few fresh deals were
    spent on it.
    """
    options = stages[0][0].shape[1]
    each = [over_stages(stages, best, (best + step) % options) for step in range(1, options)]
    ahead, error = (np.concatenate(part) for part in zip(*each, strict=True))
    chances = fit_mixture(ahead, error).chance_negative(ahead, error)
    return np.minimum(chances.reshape(options - 1, -1).sum(axis=0), 1.0)
