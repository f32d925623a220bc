"""Strategies of Fives and Threes as data, and the one compiled ``choose_move`` chain.

A strategy settles one kind of decision, ``move``, by a policy number, and has a row of float
parameters. Every policy receives the same three things:

``view``     int64 row of what the player knows (:mod:`sim.fives_and_threes.knowledge`)
``params``   float64 rows of parameters; the player's own is row ``view[PLAYER]``
``luck``     int64, 64 random bits for this decision alone

and answers with one bit of ``view[LEGAL]``. A user's function receives the same, of ``params`` the player's
own row, both arrays as copies.
"""

from typing import Any

from sim.core.bits import choose, pick, popcount
from sim.core.jit import FIRST_ADDRESS, Decider, ask, helper
from sim.core.rng import below
from sim.core.strategy import CUSTOM, Policy, Strategy, StrategyBook, seat_rows
from sim.core.users import Places, specialised
from sim.fives_and_threes import heuristic as thoughtful
from sim.fives_and_threes.chain import LEVELS, SCORING, moves_beyond, state_of
from sim.thinking.parameters import *
from sim.fives_and_threes.knowledge import BONUS, LEFT, LEGAL, PLAYER, RIGHT, ROUND, ends_by_out, room_for

RANDOM, GREEDY, HEURISTIC = 0, 1, 2
BY_MOVE = 0
"""Column of the policies of the one kind of decision."""

DECIDERS: dict[tuple[str, int], Decider] = {}

BOOK = StrategyBook(
    decisions=("move",),
    policies=(
        Policy("random", "uniformly random among the legal tile-and-end pairs", {"move": RANDOM}),
        Policy(
            "greedy",
            "most points now, ties at random; never an event that would pass the target",
            {"move": GREEDY},
        ),
        Policy(
            "heuristic",
            "a thoughtful human: points now against the reply, counts suits, uses knocks, helps its partner",
            {"move": HEURISTIC},
        ),
        Policy("rollout-N", "plays each move out", {"move": ROLLOUT}, number="worlds", most=MOST_WORLDS),
    ),
    parameters=thoughtful.PARAMETERS | THOUGHT,
    ranges=RANGES | {"solve": (0, 14)},
    reads=lambda choices, _params: set(thoughtful.PARAMETERS|THOUGHT) if choices["move"] >= HEURISTIC else set(),
)


@helper
def random_move(moves, luck):
    """Uniformly random member of a set of moves: a tile that fits both ends is two of them."""
    return pick(moves, below(luck, popcount(moves)))


@helper
def choose_move(policy, view, params, luck):
    """Move to make, a member of the view's LEGAL set."""
    if policy == RANDOM:
        return random_move(view[LEGAL], luck)
    if policy == GREEDY:
        return random_move(dearest_in_view(view), luck)
    if policy == HEURISTIC:
        return thoughtful.choose_move(view, params)
    if policy >= FIRST_ADDRESS:
        return ask(policy, view, params, luck)
    return custom_move(policy - CUSTOM, view, params, luck)


@helper
def dearest_in_view(view):
    """Moves of the player to move that score most now; see :func:`dearest_moves`."""
    bonus = view[BONUS] if ends_by_out(view, view[PLAYER]) else 0
    room = room_for(view, view[PLAYER]) - bonus
    return dearest_moves(view[LEGAL], state_of(view[LEFT], view[RIGHT]), room)


@helper
def dearest_moves(moves, state, room):
    """Moves that score most now; those worth more than the room to the target are worth nothing (F13)."""
    accepted = moves & ~moves_beyond(state, room)
    dearest = choose(accepted, accepted, moves)
    for level in range(LEVELS.size):
        scoring = accepted & SCORING[state, level]
        dearest = choose(scoring, scoring, dearest)
    return dearest


@helper
def custom_move(_slot, _view, _params, _luck):
    """Stand-in that a kernel specialised for a user's function replaces; 0 is never legal."""
    return 0


_STAND_INS = (("move", custom_move),)


def specialised_kernel(entry: Any, strategies: tuple[Strategy, ...]) -> Any:
    """Return a kernel that asks the users' functions of these strategies, if there are any."""
    functions = tuple(strategy.functions for strategy in strategies)
    return specialised(entry, functions, _STAND_INS, Places(PLAYER, LEGAL, ROUND))


def deciders(strategies):
    return {(kind, policy): DECIDERS[BOOK.decisions[kind], policy] for s in strategies for kind, policy in enumerate(s.policies) if thinks(policy)}


def strategy_rows(strategies):
    policies, params = seat_rows(strategies, BOOK.decisions)
    for (kind, policy), decider in deciders(strategies).items():
        column = policies[:, kind]
        column[column == policy] = decider.address
    return policies, params
