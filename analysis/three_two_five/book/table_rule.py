"""Rules that a person can remember at the table: which suit to call, and when to reveal.

Two kinds. A *tree* says which suit would be called and asks a few questions about it; each answer leads to
the next question or to the decision. A *count* gives each suit points: the one with the most is called if it
has enough, else three cards are turned up. The length of a rule is the number of things to remember: what
settles the suit and the questions of a tree; the numbers of a count, its least sum included.

:mod:`analysis.three_two_five.book.rule_search` finds the best of each length, and
:mod:`analysis.three_two_five.book.rule_costs` measures them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

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
from sim.three_two_five.rules import REVEAL

INDENT = "    "


@dataclass(frozen=True)
class Ask:
    """A question of a tree.

    Parameters
    ----------
    question : str
        One of QUESTIONS.
    yes, no : Ask or bool
        What follows: another question, or whether to call.
    """

    question: str
    yes: "Ask | bool"
    no: "Ask | bool"

    @property
    def questions(self) -> int:
        """Return the number of questions from here on."""
        return 1 + sum(branch.questions for branch in (self.yes, self.no) if isinstance(branch, Ask))


@dataclass(frozen=True)
class Tree:
    """Call a certain suit or reveal, as a few questions tell.

    Parameters
    ----------
    order : tuple of str
        Names of PREFERRED: what settles the suit, the most important first.
    root : Ask or bool
        The first question; True to call always, False to reveal always.
    """

    order: tuple[str, ...]
    root: Ask | bool

    @property
    def length(self) -> int:
        """Return the number of things to remember."""
        return len(self.order) + (self.root.questions if isinstance(self.root, Ask) else 0)

    def choose(self, facts: Facts) -> np.ndarray:
        """Decide for many hands.

        Parameters
        ----------
        facts : mapping
            As :func:`analysis.three_two_five.book.facts.suit_facts` gives them.

        Returns
        -------
        ndarray of int64, shape (H,)
            Place of the suit to call in the hand's own order, or REVEAL.
        """
        places = prefer(facts, self.order)
        answers = dict(zip(QUESTIONS, ask(facts, places).T, strict=True))
        return np.where(_follow(self.root, answers, np.ones(places.size, bool)), places, REVEAL)

    def lines(self) -> list[str]:
        """Write the rule for people, one step a line."""
        if self.root is False:
            return ["Always reveal."]
        first, *others = (PREFERRED[name][1] for name in self.order)
        suit = f"{first}, of equal ones the one {', then '.join(others)}" if others else first
        if self.root is True:
            return [f"Always call {suit}."]
        return [f"Look at {suit}.", *_written(self.root, "")]


@dataclass(frozen=True)
class Count:
    """Call the suit with the most points, or reveal if none has enough.

    Parameters
    ----------
    points : tuple of (str, int)
        Points a unit of some facts of COUNTED.
    least : int
        Points that a suit needs to be called.
    """

    points: tuple[tuple[str, int], ...]
    least: int

    @property
    def length(self) -> int:
        """Return the number of things to remember."""
        return len(self.points) + 1

    def choose(self, facts: Facts) -> np.ndarray:
        """Decide for many hands, as :meth:`Tree.choose`."""
        total = count_points(facts, dict(self.points))
        return np.where(total.max(axis=1) >= self.least, total.argmax(axis=1), REVEAL)

    def lines(self) -> list[str]:
        """Write the rule for people, one step a line."""
        points = dict(self.points)
        listed = [(points[name], text) for name, text in COUNTED.items() if name in points]
        given = [f"{each} {text}" for each, text in listed if each > 0]
        taken = [f"{-each} {text}" for each, text in listed if each < 0]
        count = f"Count for each suit {_listed(given)}"
        count += f", less {_listed(taken)}." if taken else "."
        return [count, f"Call the suit with the most if it has {self.least} or more, else reveal."]


Rule = Tree | Count
LONGEST = Tree(("length",), True)
ALWAYS_REVEAL = Tree((), False)


def decide(rule: Rule, cards: np.ndarray) -> np.ndarray:
    """Return a rule's option for many first hands, as :meth:`Tree.choose`."""
    return rule.choose(suit_facts(cards))


def sentence(rule: Rule) -> str:
    """Write a rule as running text."""
    return " ".join(line.strip() for line in rule.lines())


def _follow(node: Ask | bool, answers: dict[str, np.ndarray], here: np.ndarray) -> np.ndarray:
    """Hands among those here that call."""
    if isinstance(node, bool):
        return here & node
    yes = answers[node.question]
    return _follow(node.yes, answers, here & yes) | _follow(node.no, answers, here & ~yes)


def _written(node: Ask, indent: str) -> Iterator[str]:
    """Write the decided branch of a question first, and the other one under it."""
    question = f"{node.question[0].upper()}{node.question[1:]}?"
    branches = {"Yes": node.yes, "No": node.no}
    if all(isinstance(branch, bool) for branch in branches.values()):
        yield f"{indent}{question} Then {_decision(node.yes)}, else {_decision(node.no)}."
        return
    for name, other in (("Yes", node.no), ("No", node.yes)):
        if isinstance(branches[name], bool) and isinstance(other, Ask):
            yield f"{indent}{question} {name}: {_decision(branches[name])}. Otherwise:"
            yield from _written(other, indent)
            return
    for name, branch in branches.items():
        if isinstance(branch, Ask):
            yield f"{indent}{question} {name}:"
            yield from _written(branch, indent + INDENT)


def _decision(call: Ask | bool) -> str:
    return "call" if call else "reveal"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
