"""The opening chart: all first hands of a book in one grid, by shape and honours.

Every hand has a *suit to call*: the longest, of equal ones the one without the ace, then one of diamonds or
clubs (which have fewer cards out). Rows and columns are what a person sees of it. Which layout separates best
is measured (:func:`chart_layouts`): what a player would lose who did in each cell what is best for the cell.

Tables come from a book's table (:mod:`analysis.three_two_five.book.book`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.three_two_five.book.facts import Facts, prefer, suit_facts
from analysis.three_two_five.hands import SHAPES, describe_hands, lanes, suit_order
from sim.three_two_five.cards import RANKS

SUIT_TO_CALL = ("length", "ace", "short")
"""What settles the suit to call, by name of ``facts.PREFERRED``."""

_PAIR = 2
_LONG = [shape for shape in SHAPES if int(shape[0]) > _PAIR]
_SHORT = [shape for shape in SHAPES if int(shape[0]) == _PAIR]
_KINDS = ("♠♥", "♦♣")
_HONOURS = ("–", "Q", "K", "KQ", "A", "AQ", "AK", "AKQ")
_POINTS = {"ace": 4, "king": 3, "queen": 2, "jack": 1}


@dataclass(frozen=True)
class Sight:
    """What a layout may look at.

    Attributes
    ----------
    shape : ndarray of str, shape (C,)
        Lengths of the suits, longest first.
    facts : dict of str to ndarray of int64, shape (C,)
        Facts of the suit to call (:func:`analysis.three_two_five.book.facts.suit_facts`).
    top : ndarray of int64, shape (C,)
        Rank of its highest card: 0 a seven, 7 an ace.
    points : ndarray of int64, shape (C,)
        Of all honours held: A 4, K 3, Q 2, J 1.
    """

    shape: np.ndarray
    facts: Facts
    top: np.ndarray
    points: np.ndarray


Labels = tuple[np.ndarray, Sequence[str]]


def _by_shape(seen: Sight) -> Labels:
    return seen.shape, SHAPES


def _by_shape_and_suit(seen: Sight) -> Labels:
    """Pairs apart by the kind of suit: what a spade pair is worth is not what a diamond pair is."""
    kind = np.where(seen.facts["short"] == 1, *_KINDS[::-1])
    split = np.char.add(np.char.add(seen.shape, " "), kind)
    return np.where(seen.facts["length"] > _PAIR, seen.shape, split), [
        *_LONG,
        *(f"{shape} {kind}" for shape in _SHORT for kind in _KINDS),
    ]


def _by_shape_suit_and_aces(seen: Sight) -> Labels:
    """Of two pairs the one is called, and then the side aces matter; of one pair they do not."""
    labels, _ = _by_shape_and_suit(seen)
    names = ("no side ace", "one side ace", "two side aces")
    aces = np.array(names)[np.minimum(seen.facts["side aces"], 2)]
    two_pairs = seen.shape == _SHORT[0]
    split = np.char.add(np.char.add(labels, ", "), aces)
    return np.where(two_pairs, split, labels), [
        *_LONG,
        *(f"{_SHORT[0]} {kind}, {name}" for kind in _KINDS for name in names),
        *(f"{_SHORT[1]} {kind}" for kind in _KINDS),
    ]


def _by_honours(seen: Sight) -> Labels:
    held = seen.facts["ace"] * 4 + seen.facts["king"] * 2 + seen.facts["queen"]
    return np.array(_HONOURS)[held], _HONOURS


def _by_honour_count(seen: Sight) -> Labels:
    count = seen.facts["ace"] + seen.facts["courts"]
    return count.astype(str), [str(n) for n in range(4)]


def _by_top_card(seen: Sight) -> Labels:
    return np.array(list(RANKS))[seen.top], list(RANKS)


def _by_honour_points(seen: Sight) -> Labels:
    names = [f"{low}–{low + 1}" for low in range(0, 16, 2)]
    return np.array(names)[np.minimum(seen.points // 2, len(names) - 1)], names


def _by_side_honours(seen: Sight) -> Labels:
    count = np.minimum(seen.facts["side aces"] + seen.facts["side kings"], 3)
    return count.astype(str), [str(n) for n in range(4)]


ROWS: Mapping[str, Callable[[Sight], Labels]] = {
    "shape": _by_shape,
    "shape, kind of suit": _by_shape_and_suit,
    "shape, kind of suit, side aces": _by_shape_suit_and_aces,
}
COLUMNS: Mapping[str, Callable[[Sight], Labels]] = {
    "A K Q in the suit to call": _by_honours,
    "number of A K Q in the suit to call": _by_honour_count,
    "highest card of the suit to call": _by_top_card,
    "honour points of the hand (A 4, K 3, Q 2, J 1)": _by_honour_points,
    "aces and kings beside the suit to call": _by_side_honours,
}
LAYOUT = ("shape, kind of suit, side aces", "A K Q in the suit to call")
"""The layout of the chart. The highest card in the place of the honours separates as well: both lose 0.0023
points a deal in the shipped book, and without the side aces it is 0.0036 and 0.0043."""


def look(cards: np.ndarray) -> Sight:
    """Look at many hands as a layout does."""
    every = suit_facts(cards)
    places = prefer(every, SUIT_TO_CALL)
    rows = np.arange(places.size)
    called = np.take_along_axis(lanes(cards), suit_order(cards), axis=1)[rows, places]
    return Sight(
        shape=describe_hands(cards)["shape"].astype(str).to_numpy(),
        facts={name: fact[rows, places].astype(np.int64) for name, fact in every.items()},
        top=np.searchsorted(1 << np.arange(len(RANKS)), called, side="right") - 1,
        points=sum(worth * every[name].sum(axis=1) for name, worth in _POINTS.items()),
    )


def chart_layouts(book: pd.DataFrame) -> pd.DataFrame:
    """Measure how well each layout separates call from reveal.

    Returns
    -------
    DataFrame
        One row a layout, the best first:

        ``rows, columns``  what they are
        ``cells``          cells with hands
        ``loss``           points a deal lost by doing on every hand what is best for its cell, against the
                           better of call and reveal on that hand
    """
    seen = look(book["cards"].to_numpy())
    measured = []
    for rows in ROWS:
        for columns in COLUMNS:
            cells = _cells(book, _labelled(seen, (rows, columns)))
            measured.append(
                {"rows": rows, "columns": columns, "cells": len(cells), "loss": cells["loss"].sum()}
            )
    table = pd.DataFrame(measured).sort_values("loss", kind="stable", ignore_index=True)
    table.attrs |= book.attrs
    return table


def opening_chart(book: pd.DataFrame, layout: tuple[str, str] = LAYOUT) -> pd.DataFrame:
    """Sum up a book cell by cell.

    Parameters
    ----------
    book : DataFrame
        A book's table.
    layout : tuple of str
        Names of ROWS and COLUMNS.

    Returns
    -------
    DataFrame
        One row a cell with hands:

        ``row, column``  ordered categories, named as the layout
        ``classes``      classes in it
        ``hands``        hands in it
        ``share``        of all hands of the book
        ``difference``   best call minus reveal, mean over its hands, in points
        ``se``           its standard error
        ``better``       call or reveal, for the cell as a whole
        ``sure``         share of its hands on which the book is sure of that
        ``uncertain``    True if that is less than half of them
        ``loss``         points a deal lost by always doing it here, against the better on each hand
    """
    table = _cells(book, _labelled(look(book["cards"].to_numpy()), layout))
    table.attrs |= {**book.attrs, "layout": layout}
    return table


def cell_of(book: pd.DataFrame, layout: tuple[str, str] = LAYOUT) -> pd.DataFrame:
    """Return the cell of every class: ordered categories ``row`` and ``column``, indexed as the book."""
    return _labelled(look(book["cards"].to_numpy()), layout).set_index(book.index)


def _labelled(seen: Sight, layout: tuple[str, str]) -> pd.DataFrame:
    named = {"row": ROWS[layout[0]](seen), "column": COLUMNS[layout[1]](seen)}
    return pd.DataFrame(
        {
            name: pd.Categorical(labels, dtype=pd.CategoricalDtype(list(order), ordered=True))
            for name, (labels, order) in named.items()
        }
    )


def _cells(book: pd.DataFrame, cell: pd.DataFrame) -> pd.DataFrame:
    """Sum up the hands of each cell."""
    weight = book["weight"].to_numpy()
    margin, error = book["call_minus_reveal"].to_numpy(), book["call_minus_reveal_se"].to_numpy()
    verdict = book["verdict"].to_numpy()
    sums = pd.DataFrame(
        {
            "classes": 1,
            "hands": weight,
            "margin": weight * margin,
            "variance": (weight * error) ** 2,
            "call": weight * np.maximum(margin, 0),
            "reveal": weight * np.maximum(-margin, 0),
            "surely call": weight * (verdict == "call"),
            "surely reveal": weight * (verdict == "reveal"),
        }
    )
    sums = sums.groupby([cell["row"], cell["column"]], observed=True).sum().reset_index()
    hands, calls = sums["hands"], sums["margin"] > 0
    sure = np.where(calls, sums["surely call"], sums["surely reveal"]) / hands
    return pd.DataFrame(
        {
            "row": sums["row"],
            "column": sums["column"],
            "classes": sums["classes"],
            "hands": hands,
            "share": hands / weight.sum(),
            "difference": sums["margin"] / hands,
            "se": np.sqrt(sums["variance"]) / hands,
            "better": np.where(calls, "call", "reveal"),
            "sure": sure,
            "uncertain": sure < 1 / 2,
            "loss": np.where(calls, sums["reveal"], sums["call"]) / weight.sum(),
        }
    )
