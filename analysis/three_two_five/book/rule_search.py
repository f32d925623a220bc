"""Search for the best table rules of each length, by what they would win over all hands of an opening book.

A rule sees little of a hand, so hands that look alike to all rules are put together first: a few thousand
*profiles* instead of tens of thousands of classes, each with the tricks that calling each suit gains over
revealing, times the share of hands. Trees are then optimal for their suit and number of questions; counts are
grown one number at a time, each time with all numbers adjusted until no single change helps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pandas as pd

from analysis.three_two_five.book.facts import (
    COUNTED,
    PREFERRED,
    QUESTIONS,
    Facts,
    ask,
    count_points,
    prefer,
    suit_facts,
)
from analysis.three_two_five.book.summary import columns
from analysis.three_two_five.book.table_rule import ALWAYS_REVEAL, Ask, Count, Rule, Tree
from analysis.three_two_five.hands import suit_order
from sim.three_two_five.rules import REVEAL

_ANY = 2
"""In the cube of answers: index of the total over no (0) and yes (1)."""
_NEAR = 1e-12
_POINTS = range(-4, 9)
"""Numbers that a person adds up with ease."""
_BEAM = 3


@dataclass(frozen=True, eq=False)
class Profiles:
    """Hands as rules see them.

    Attributes
    ----------
    facts : dict of str to ndarray of int8, shape (P, 4)
        As :func:`analysis.three_two_five.book.facts.suit_facts` gives them.
    gain : ndarray of float64, shape (P, 4)
        What calling each suit gains over revealing, times the profile's share of hands: over all profiles
        it adds up to points a deal.
    """

    facts: Facts
    gain: np.ndarray

    def gain_of(self, rule: Rule) -> float:
        """Return what a rule gains over always revealing, in points a deal."""
        places = rule.choose(self.facts)
        calls = places < REVEAL
        return float(self.gain[calls, places[calls]].sum())


def profiles(book: pd.DataFrame) -> Profiles:
    """Put hands together that look alike.

    Parameters
    ----------
    book : DataFrame
        As :func:`analysis.three_two_five.book.book.book_table` gives it.
    """
    cards, weight, values = book["cards"].to_numpy(), book["weight"].to_numpy(), columns(book, "value")
    facts = suit_facts(cards)
    gain = np.take_along_axis(values[:, :REVEAL], suit_order(cards), axis=1) - values[:, [REVEAL]]
    gain *= (weight / weight.sum())[:, None]
    seen, number = np.unique(np.hstack(list(facts.values())), axis=0, return_inverse=True)
    total = np.column_stack([np.bincount(number.ravel(), gain[:, suit]) for suit in range(REVEAL)])
    by_fact = np.split(seen, len(facts), axis=1)
    return Profiles(dict(zip(facts, by_fact, strict=True)), total)


def table_rules(book: pd.DataFrame, longest: int = 7) -> list[Rule]:
    """Find the best table rules of each length on a book, as :func:`best_rules`."""
    return best_rules(profiles(book), longest)


def best_rules(hands: Profiles, longest: int = 7) -> list[Rule]:
    """Find the best tree and the best count of each length.

    Parameters
    ----------
    hands : Profiles
        What to win on.
    longest : int
        Most things to remember.

    Returns
    -------
    list of Tree and Count
        Trees first, each kind by length, always revealing before all. A length at which nothing longer
        helps is left out.
    """
    trees = [tree for order in best_orders(hands) for tree in best_trees(hands, order, longest - len(order))]
    return [*_improving(hands, [ALWAYS_REVEAL, *trees]), *_improving(hands, best_counts(hands, longest))]


def best_orders(hands: Profiles) -> list[tuple[str, ...]]:
    """Find the best ways to settle the suit by one, two … facts, if a suit had to be called."""
    every = [order for size in range(1, len(PREFERRED) + 1) for order in permutations(PREFERRED, size)]
    worth = {order: hands.gain_of(Tree(order, True)) for order in every}
    sizes = range(1, len(PREFERRED) + 1)
    return [max((order for order in every if len(order) == size), key=worth.__getitem__) for size in sizes]


def best_trees(hands: Profiles, order: tuple[str, ...], questions: int) -> list[Tree]:
    """Find the optimal tree for each number of questions.

    The tricks at stake are summed for every set of answers to some of the questions (a cube with no, yes and
    any along each axis); the best tree below a set of answers follows from those with fewer questions.

    Parameters
    ----------
    hands : Profiles
        What to win on.
    order : tuple of str
        What settles the suit.
    questions : int
        Most questions.

    Returns
    -------
    list of Tree
        With 0, 1 … questions, as long as each one more helps.
    """
    stakes = _stakes(hands, order)
    worth = [np.maximum(stakes, 0)]
    trees = [Tree(order, bool(stakes[(_ANY,) * stakes.ndim] > 0))]
    for budget in range(1, questions + 1):
        worth.append(_one_question_more(worth))
        root = _read_tree(worth, stakes, (_ANY,) * stakes.ndim, budget)
        if not isinstance(root, Ask) or root.questions < budget:
            break
        trees.append(Tree(order, root))
    return trees


def _stakes(hands: Profiles, order: tuple[str, ...]) -> np.ndarray:
    """Gain of calling, by no, yes or any answer to each question, float64 of shape (3, …, 3)."""
    places = prefer(hands.facts, order)
    answers = ask(hands.facts, places)
    gain = hands.gain[np.arange(places.size), places]
    count = len(QUESTIONS)
    cell = answers @ (1 << np.arange(count)[::-1])
    cube = np.bincount(cell, gain, 1 << count).reshape((2,) * count)
    for axis in range(count):
        cube = np.concatenate([cube, cube.sum(axis=axis, keepdims=True)], axis=axis)
    return cube


def _one_question_more(worth: list[np.ndarray]) -> np.ndarray:
    """Best gain with one question more than the last entry has, for every set of answers."""
    budget = len(worth)
    best = worth[-1].copy()
    for axis in range(best.ndim):
        still_open = np.moveaxis(best, axis, 0)[_ANY]
        for yes in range(budget):
            split = worth[yes].take(1, axis=axis) + worth[budget - 1 - yes].take(0, axis=axis)
            np.maximum(still_open, split, out=still_open)
    return best


def _read_tree(
    worth: list[np.ndarray], stakes: np.ndarray, state: tuple[int, ...], budget: int
) -> Ask | bool:
    """Read off the best tree below a set of answers."""
    while budget and worth[budget][state] <= worth[budget - 1][state] + _NEAR:
        budget -= 1
    if not budget:
        return bool(stakes[state] > 0)
    for axis, question in enumerate(QUESTIONS):
        if state[axis] != _ANY:
            continue
        no, yes = ((*state[:axis], answer, *state[axis + 1 :]) for answer in (0, 1))
        for below in range(budget):
            if worth[below][yes] + worth[budget - 1 - below][no] >= worth[budget][state] - _NEAR:
                return Ask(
                    question,
                    _read_tree(worth, stakes, yes, below),
                    _read_tree(worth, stakes, no, budget - 1 - below),
                )
    raise AssertionError("no question reaches the best gain")


def best_counts(hands: Profiles, longest: int) -> list[Count]:
    """Grow point counts number by number, from the plain length of a suit.

    Returns
    -------
    list of Count
        Lengths 2, 3 … ``longest``.
    """
    beam = [{"length": 1}]
    found = [_count(hands, beam[0])]
    while len(found) < longest - 1:
        grown: dict[frozenset[str], tuple[float, dict[str, int]]] = {}
        for points in beam:
            for name in [name for name in COUNTED if name not in points]:
                if frozenset((*points, name)) not in grown:
                    start = max(_starts(points, name), key=lambda each: _gain_and_least(hands, each)[0])
                    grown[frozenset(start)] = _adjusted(hands, start)
        ranked = sorted(grown.values(), key=lambda each: -each[0])[:_BEAM]
        beam = [points for _, points in ranked]
        found.append(_count(hands, beam[0]))
    return found


def _starts(points: dict[str, int], name: str) -> list[dict[str, int]]:
    """Ways to count one fact more: 1 up or down, a card at any number of points."""
    return [
        {**points, "length": a_card, name: sign} for a_card in range(1, max(_POINTS) + 1) for sign in (1, -1)
    ]


def _adjusted(hands: Profiles, points: dict[str, int]) -> tuple[float, dict[str, int]]:
    """Change one number at a time as long as it helps."""
    best, _ = _gain_and_least(hands, points)
    improved = True
    while improved:
        improved = False
        for name in points:
            for value in (value for value in _POINTS if value not in (0, points[name])):
                gain, _ = _gain_and_least(hands, {**points, name: value})
                if gain > best + _NEAR:
                    best, points, improved = gain, {**points, name: value}, True
    return best, points


def _gain_and_least(hands: Profiles, points: dict[str, int]) -> tuple[float, int]:
    """Gain of a count with its best least sum, and that sum."""
    total = count_points(hands.facts, points)
    places = total.argmax(axis=1)
    rows = np.arange(places.size)
    most = total[rows, places]
    lowest = int(most.min())
    by_sum = np.bincount(most - lowest, hands.gain[rows, places])
    from_here_up = by_sum[::-1].cumsum()[::-1]
    return float(max(from_here_up.max(), 0.0)), lowest + int(from_here_up.argmax())


def _count(hands: Profiles, points: dict[str, int]) -> Count:
    return Count(tuple(points.items()), _gain_and_least(hands, points)[1])


def _improving(hands: Profiles, rules: Sequence[Rule]) -> list[Rule]:
    """Rules that beat all shorter ones, the best of each length, by length."""
    kept: list[Rule] = []
    best = -np.inf
    for length in sorted({rule.length for rule in rules}):
        rule = max((rule for rule in rules if rule.length == length), key=hands.gain_of)
        if (gain := hands.gain_of(rule)) > best + _NEAR:
            best = gain
            kept.append(rule)
    return kept
