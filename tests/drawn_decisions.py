"""Decisions in the middle of random deals of the naive game, and what the players that think answer."""

import ctypes
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
from reference.three_two_five import Deal
from reference.three_two_five_rules import PACK, SCORINGS, SEVENS, Rules
from witness import due_view, mask, name_of

from sim.three_two_five import knowledge as know
from sim.three_two_five.strategies import BOOK
from sim.three_two_five.thinking.decisions import DECIDERS

NO_DEBTS = (0, 0, 0)
DEBTS = ((1, -1, 0), (0, -2, 2), (-1, -1, 2), (3, -2, -1), (-3, 5, -2), (2, 1, -3))
KINDS = {"maker": "trump", "tie": "tie", "return": "return", "play": "card"}
"""Kind of decision by phase of the naive game."""
ROWS = 9
"""Rows of parameters, one for each dealer and seat."""


@dataclass
class Decision:
    """A naive deal that waits for a decision, and the debts it began with."""

    deal: Deal
    debts: tuple[int, int, int] = NO_DEBTS

    @property
    def player(self) -> int:
        """The player to move."""
        return self.deal.to_move

    @property
    def others(self) -> tuple[int, int]:
        """The next player, and the one after."""
        return (self.player + 1) % 3, (self.player + 2) % 3

    def view(self) -> np.ndarray:
        """Return the view that is due to the player to move."""
        row = due_view(self.deal, number=0, length=9, scores=NO_DEBTS, before=self.debts)
        return np.array(row, np.int64)

    def bits(self, names) -> int:
        """Return named cards as they stand under the trump."""
        return mask(names, self.deal.trump, self.deal.rules.sevens)

    def names(self, cards) -> set[str]:
        """Return the names of a set of cards."""
        return {name_of(card, self.deal.rules.sevens) for card in members(cards)}


def members(cards) -> list[int]:
    """Return the members of a set of cards, lowest first."""
    return [1 << place for place in range(64) if int(cards) >> place & 1]


def draw_decision(rng: Random, phase: str, gone: int = 0, **options) -> Decision:
    """Draw a deal that waits in a phase of the naive game, all that came before at random.

    Parameters
    ----------
    rng : Random
    phase : str
        ``maker``, ``tie``, ``return`` or ``play``.
    gone : int
        Cards played before; pulls made before, at a return.
    **options
        ``sevens``, ``scoring`` and ``debts``; drawn where left out.
    """
    while True:
        sevens = options.get("sevens") or rng.choice(list(SEVENS))
        scoring = options.get("scoring") or rng.choice(SCORINGS)
        debts = options.get("debts") or rng.choice(DEBTS)
        deal = Deal(rng.sample(PACK, 30), rng.randrange(3), Rules(sevens, scoring), debts)
        while deal.phase != "over":
            done = len(deal.pulls) if phase == "return" else 3 * len(deal.tricks) + len(deal.table)
            if deal.phase == phase and done >= gone:
                return Decision(deal, debts)
            moves = deal.moves()
            reveals = deal.phase == "maker" and (phase == "tie" or rng.random() < 0.4)
            deal.act(moves[-1] if reveals else rng.choice(moves))


@cache
def params_of(name: str) -> np.ndarray:
    """Return the parameter rows of three players of a strategy."""
    return np.array([BOOK.parse(name).params] * ROWS)


def answer(name: str, decision: Decision, luck: int) -> int:
    """Return what a strategy that thinks answers, asked by its address as the kernel does."""
    return answer_to(name, KINDS[decision.deal.phase], decision.view(), luck)


def answer_to(name: str, kind: str, view: np.ndarray, luck: int) -> int:
    """As :func:`answer`, of a view."""
    params = params_of(name)
    policy = BOOK.parse(name).policies[BOOK.decisions.index(kind)]
    assert view.size == know.VIEW_SIZE
    decide = _ENTRY(DECIDERS[kind, policy].address)
    return decide(view.ctypes.data, view.size, params.ctypes.data, *params.shape, luck)


_ENTRY = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p,
    ctypes.c_int64, ctypes.c_int64, ctypes.c_int64,
)  # fmt: skip
