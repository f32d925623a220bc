"""Strategies of Fives and Threes as data, and the one compiled ``choose_move`` chain.

A strategy settles one kind of decision, ``move``, by a policy number, and has a row of float
parameters. Every policy receives the same three things:

``view``     int64 row of what the player knows (:mod:`sim.fives_and_threes.knowledge`)
``params``   float64 rows of parameters; the player's own is row ``view[PLAYER]``
``luck``     int64, 64 random bits for this decision alone

and answers with one bit of ``view[LEGAL]``. A user's function receives the same, of ``params`` the player's
own row, both arrays as copies.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.core.bits import choose, pick, popcount
from sim.core.jit import FIRST_ADDRESS, Decider, ask, helper
from sim.core.rng import below
from sim.core.strategy import CUSTOM, Policy, Strategy, StrategyBook, own_functions
from sim.core.users import Places, specialised
from sim.fives_and_threes import heuristic as thoughtful
from sim.fives_and_threes.chain import LEVELS, SCORING, moves_beyond, state_of
from sim.fives_and_threes.knowledge import BONUS, LEFT, LEGAL, PLAYER, RIGHT, ROUND, ends_by_out, room_for
from sim.fives_and_threes.thinking.parameters import MOST_SOLVED, RANGES, THOUGHT
from sim.thinking.parameters import MOST_WORLDS, NESTED, ROLLOUT
from sim.thinking.strategies import Registry, deciders_of, rows_of
from sim.thinking.strategies import cost as cost_of

RANDOM, GREEDY, HEURISTIC = 0, 1, 2
BY_MOVE = 0
"""Column of the policies of the one kind of decision."""

DECIDERS: Registry = {}


def _thinking(name: str, about: str, play: int) -> Policy:
    return Policy(name, about, {"move": play}, number="worlds", most=MOST_WORLDS)


def _answering(name: str, others: int) -> Policy:
    about = f"after rollout-N: takes the opponents to be {name}, in worlds and play-outs"
    sure = {"infer": 1.0, "others": float(others), "unlikely_play": 0.02}
    return Policy(f"against-{name}", about, {}, sure, bases=("rollout-N",))


def _reads(choices: Mapping[str, int], params: Mapping[str, float]) -> set[str]:
    """Return the parameters that a strategy reads. Who samples plays all on by the weights of heuristic."""
    if choices["move"] < HEURISTIC:
        return set()
    found = set(thoughtful.PARAMETERS)
    if choices["move"] != HEURISTIC:
        found |= {"worlds", "solve", "infer", "others", "prior"}
        found |= {"inner", "mixed"} if choices["move"] == NESTED else set()
        found |= {"dealt", "unlikely_play"} if params["infer"] else set()
    return found


_THINKERS = ("rollout-N", "nested-N", "expert")

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
        _thinking(
            "rollout-N",
            "plays each move out in N sampled worlds, 1 to 10,000, everybody as heuristic",
            ROLLOUT,
        ),
        _thinking(
            "nested-N", "as rollout, but in a play-out everybody samples a few worlds for each move", NESTED
        ),
        Policy(
            "expert",
            "samples worlds within sampled worlds: nested-80+mixed+solve-3+infer",
            {"move": NESTED},
            {"worlds": 80.0, "mixed": 3.0, "solve": 3.0, "infer": 1.0},
        ),
    ),
    overlays=(
        Policy(
            "solve-K",
            "where worlds are sampled, solves the last K tiles of each, 1 to 14, with all hands open",
            {},
            number="solve",
            most=MOST_SOLVED,
            bases=_THINKERS,
        ),
        Policy(
            "infer",
            "weighs sampled worlds by how likely heuristic would have placed so",
            {},
            {"infer": 1.0},
            bases=_THINKERS,
        ),
        _answering("random", RANDOM),
        _answering("greedy", GREEDY),
        _answering("heuristic", HEURISTIC),
        Policy(
            "mixed",
            "where nested, plays every third world out as rollout does",
            {},
            {"mixed": 3.0},
            bases=("nested-N",),
        ),
    ),
    parameters=thoughtful.PARAMETERS | THOUGHT,
    ranges=RANGES,
    reads=_reads,
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


UNASKED: dict[Any, Any] = {}
"""What plays without a view, and what a kernel around a user's function has in its place. It is made of this
module, and so enters itself (:mod:`sim.fives_and_threes.registers`)."""


def specialised_kernel(entry: Any, strategies: tuple[Strategy, ...]) -> Any:
    """Return a kernel that asks the users' functions of these strategies, if there are any."""
    functions = (own_functions(strategies, "move"),)
    return specialised(entry, functions, (custom_move,), tuple(UNASKED.items()), Places(PLAYER, LEGAL, ROUND))


def cost(strategy: Strategy) -> int:
    """Return the class of a strategy by what a round costs a player, an index into COSTS."""
    return cost_of(strategy.policies[BY_MOVE])


def deciders(strategies: tuple[Strategy, ...]) -> dict[tuple[int, int], Decider]:
    """Return what decides for strategies that sample worlds, by kind of decision and policy."""
    return deciders_of(strategies, BOOK, DECIDERS)


def strategy_rows(strategies: tuple[Strategy, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Strategies by player as kernels read them.

    Returns
    -------
    policies : int64 (players, 1) array
        Policy number, or the address of a decider.
    params : float64 (players, P) array
        Parameters.
    """
    return rows_of(strategies, BOOK, DECIDERS)
