"""Strategies of 3-2-5 as data: who decides what by which rule, and the one compiled ``choose_…`` chain.

A strategy settles four kinds of decision (``card``, ``return``, ``trump``, ``tie``), each by a policy
number, and has a row of float parameters. Every policy receives the same three things:

``view``     int64 row of what the player knows (:mod:`sim.three_two_five.knowledge`)
``params``   float64 rows of parameters; the player's own is row ``view[PARAMS]``
``luck``     int64, 64 random bits for this decision alone

A user's function receives the same, of ``params`` the player's own row, both arrays as copies.

Where cards are chosen, the built-in ``heuristic`` reads ``ranks``, which :mod:`sim.three_two_five.ranks`
makes of ``params``.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.core.bits import lowest, pick, popcount
from sim.core.game import COSTS
from sim.core.jit import FIRST_ADDRESS, Decider, ask, helper
from sim.core.rng import below
from sim.core.strategy import CUSTOM, Policy, Strategy, StrategyBook, own_functions, seat_rows
from sim.core.users import Places, specialised
from sim.three_two_five import heuristic as thoughtful
from sim.three_two_five.cards import lane_of, suit_length, suit_of
from sim.three_two_five.knowledge import BEST, DEAL, HAND, LEGAL, PARAMS, TRUMP, beats
from sim.three_two_five.ranks import CARD_WEIGHTS
from sim.three_two_five.rules import PLAYERS, REVEAL, TRICKS_PER_DEAL
from sim.three_two_five.thinking.parameters import (
    MOST_WORLDS,
    NESTED,
    RANGES,
    ROLLOUT,
    SAMPLED,
    THINKING,
    THOUGHT,
)

DECIDERS: dict[tuple[str, int], Decider] = {}
"""What decides for strategies that sample worlds, by kind of decision and policy. It is made of the kernel's
parts, which ask this module, and so enters itself (:mod:`sim.three_two_five.thinking.decisions`)."""

DECISIONS = ("card", "return", "trump", "tie")
"""Kinds of decision, the columns of the policies array."""
BY_CARD, BY_RETURN, BY_TRUMP, BY_TIE = range(4)

# Which word of its own stream a player uses for which decision.
WORD_TRUMP, WORD_TIE, WORD_RETURN, WORD_CARD = 0, 1, 2, 10

RANDOM, FIRST_SUIT, HEURISTIC = 0, 1, 2
RANDOM_SUIT, LONGEST_SUIT, ALWAYS_REVEAL, NEVER_REVEAL, WEIGHED = 0, 1, 2, 3, 4


def _complete(name: str, about: str, play: int, trump: int) -> Policy:
    return Policy(name, about, {"card": play, "return": play, "trump": trump, "tie": play})


_THINKERS = ("rollout-N", "nested-N", "expert")
_SAMPLES = {"return": SAMPLED, "trump": SAMPLED, "tie": SAMPLED}


def _thinking(name: str, about: str, play: int) -> Policy:
    return Policy(name, about, {"card": play, **_SAMPLES}, number="worlds", most=MOST_WORLDS)


def _answering(name: str, others: int) -> Policy:
    about = f"after rollout-N: takes the others to be {name}, in worlds and play-outs"
    sure = {"infer": 1.0, "others": float(others), "unlikely_play": 0.02, "unlikely_call": 0.02}
    return Policy(f"against-{name}", about, {}, sure, bases=("rollout-N",))


def _reads(choices: Mapping[str, int], params: Mapping[str, float]) -> set[str]:
    """Return the parameters that a strategy reads: those of its decisions, and of what it samples."""
    found: set[str] = set()
    for decision, policy in choices.items():
        found |= _READS.get((decision, policy), set())
    if choices["card"] in (ROLLOUT, NESTED) and params["infer"]:
        found |= {"dealt", "unlikely_play", "unlikely_call"}
    return found


_CALLING = {name for name in thoughtful.PARAMETERS if name.startswith(("call_", "side_"))}
_REVEALING = {name for name in thoughtful.PARAMETERS if name.startswith("reveal_")}
_THROWING = {name for name in CARD_WEIGHTS if name.startswith("throw_")}
_WEIGHTS = set(thoughtful.PARAMETERS)
_READS = {
    ("card", HEURISTIC): set(CARD_WEIGHTS),
    ("return", HEURISTIC): _THROWING,
    ("tie", HEURISTIC): _CALLING,
    ("trump", NEVER_REVEAL): _CALLING,
    ("trump", WEIGHED): _CALLING | _REVEALING,
    ("card", ROLLOUT): _WEIGHTS | {"worlds", "solve", "infer", "others"},
    ("card", NESTED): _WEIGHTS | {"worlds", "solve", "infer", "others", "inner", "mixed"},
    ("return", SAMPLED): _WEIGHTS | {"worlds"},
    ("tie", SAMPLED): _WEIGHTS | {"worlds"},
    ("trump", SAMPLED): _WEIGHTS | {"worlds", "trump_worlds"},
}
"""Parameters by kind of decision and policy. Who samples plays all three on by the weights of heuristic."""

BOOK = StrategyBook(
    decisions=DECISIONS,
    policies=(
        _complete(
            "random", "uniformly random legal cards; calls a random suit, never reveals", RANDOM, RANDOM_SUIT
        ),
        _complete(
            "first-suit",
            "a naive human: calls the longest suit, plays high when it can win, low when not",
            FIRST_SUIT,
            LONGEST_SUIT,
        ),
        _complete(
            "heuristic",
            "a thoughtful human: weighs length and honours, counts trumps, cashes, ruffs, ducks, guards",
            HEURISTIC,
            WEIGHED,
        ),
        _thinking(
            "rollout-N",
            "plays each card out in N sampled worlds, 1 to 10,000, all three as heuristic",
            ROLLOUT,
        ),
        _thinking(
            "nested-N", "as rollout, but in a play-out all three sample a few worlds for each card", NESTED
        ),
        Policy(
            "expert",
            "the strongest among strong players: nested-80+mixed+solve-4+infer",
            {"card": NESTED, **_SAMPLES},
            {"worlds": 80.0, "mixed": 3.0, "solve": 4.0, "infer": 1.0},
        ),
    ),
    overlays=(
        Policy("random-suit", "calls a uniformly random suit", {"trump": RANDOM_SUIT}),
        Policy(
            "longest-suit",
            "calls the longest suit of the first five, ties at random",
            {"trump": LONGEST_SUIT},
        ),
        Policy("always-reveal", "always turns up three cards", {"trump": ALWAYS_REVEAL}),
        Policy("never-reveal", "calls the suit that weighs most, never reveals", {"trump": NEVER_REVEAL}),
        Policy(
            "weighed", "calls or reveals by weight of length and honours, as heuristic", {"trump": WEIGHED}
        ),
        Policy(
            "solve-K",
            "where worlds are sampled, solves their last K tricks, 1 to 10, with all hands open",
            {},
            number="solve",
            most=TRICKS_PER_DEAL,
            bases=_THINKERS,
        ),
        Policy(
            "infer",
            "weighs sampled worlds by how likely heuristic would have called and played so",
            {},
            {"infer": 1.0},
            bases=_THINKERS,
        ),
        _answering("random", RANDOM),
        _answering("first-suit", FIRST_SUIT),
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
def random_member(cards, luck):
    """Uniformly random member of a set."""
    return pick(cards, below(luck, popcount(cards)))


@helper
def choose_card(policy, view, params, ranks, luck):
    """Card to play, a member of the private row's LEGAL set."""
    if policy == RANDOM:
        return random_member(view[LEGAL], luck)
    if policy == FIRST_SUIT:
        return first_suit_card(view[LEGAL], view[BEST], view[TRUMP])
    if policy == HEURISTIC:
        return thoughtful.choose_card(view, ranks, view[PARAMS])
    if policy >= FIRST_ADDRESS:
        return ask(policy, view, params, luck)
    return custom_card(policy - CUSTOM, view, params, luck)


@helper
def choose_return(policy, view, params, ranks, luck):
    """Card to give back after a pull (R17), a member of the private row's LEGAL set."""
    if policy == RANDOM:
        return random_member(view[LEGAL], luck)
    if policy == FIRST_SUIT:
        return cheapest(view[LEGAL], view[TRUMP])
    if policy == HEURISTIC:
        return thoughtful.choose_return(view, ranks, view[PARAMS])
    if policy >= FIRST_ADDRESS:
        return ask(policy, view, params, luck)
    return custom_return(policy - CUSTOM, view, params, luck)


@helper
def choose_trump(policy, view, params, luck):
    """Suit to call, 0 to 3, or REVEAL, from the first five cards (R9)."""
    hand = view[HAND]
    if policy == RANDOM_SUIT:
        return below(luck, 4)
    if policy == LONGEST_SUIT:
        return longest_suit(hand, 0b1111, luck)
    if policy == ALWAYS_REVEAL:
        return REVEAL
    if policy == NEVER_REVEAL:
        return thoughtful.best_call(view, params)
    if policy == WEIGHED:
        return thoughtful.choose_trump(view, params)
    if policy >= FIRST_ADDRESS:
        return ask(policy, view, params, luck)
    return custom_trump(policy - CUSTOM, view, params, luck)


@helper
def choose_tie(policy, view, params, luck):
    """Suit among the tied ones, private row's LEGAL bits, knowing eight cards (R11)."""
    if policy == RANDOM:
        return lowest_suit(random_member(view[LEGAL], luck))
    if policy == FIRST_SUIT:
        return longest_suit(view[HAND], view[LEGAL], luck)
    if policy == HEURISTIC:
        return thoughtful.choose_tie(view, params)
    if policy >= FIRST_ADDRESS:
        return ask(policy, view, params, luck)
    return custom_tie(policy - CUSTOM, view, params, luck)


@helper
def lowest_suit(suits):
    """Number of the one suit in a one-bit set of suits."""
    # By whole numbers: numpy's own truth values would add up to one.
    return int(suits >= 2) + int(suits >= 4) + int(suits >= 8)


@helper
def longest_suit(hand, suits, luck):
    """Longest of the allowed suits, ties at random."""
    most, tied = -1, 0
    for suit in range(4):
        if suits >> suit & 1:
            length = suit_length(hand, suit)
            if length > most:
                most, tied = length, 1 << suit
            elif length == most:
                tied |= 1 << suit
    return lowest_suit(random_member(tied, luck))


@helper
def cheapest(cards, trump):
    """Lowest card by rank, plain suits before trumps, spades before hearts, diamonds and clubs."""
    plain = cards & ~lane_of(trump)
    pool = plain if plain else cards
    best, best_rank = 0, 1 << 16
    for suit in range(4):
        card = lowest(pool & lane_of(suit))
        rank = card >> (suit * 16)
        if card and rank < best_rank:
            best, best_rank = card, rank
    return best


@helper
def dearest(cards):
    """Highest card by rank, spades before hearts, diamonds and clubs."""
    best, best_rank = 0, 0
    left = cards
    while left:
        card = lowest(left)
        left ^= card
        rank = card >> (suit_of(card) * 16)
        if rank > best_rank:
            best, best_rank = card, rank
    return best


@helper
def first_suit_card(legal, best, trump):
    """Play high when it can win, low when not: the naive human; ``best`` is 0 for a lead."""
    if not best:
        return dearest(legal)
    winning = 0
    left = legal
    while left:
        card = lowest(left)
        left ^= card
        if beats(card, best, trump):
            winning |= card
    if winning:
        return dearest(winning)
    return cheapest(legal, trump)


@helper
def simple_card(policy, legal, best, trump, luck):
    """Card of a player who looks at nothing but the trick: RANDOM or FIRST_SUIT."""
    if policy == RANDOM:
        return random_member(legal, luck)
    return first_suit_card(legal, best, trump)


@helper
def custom_card(_slot, _view, _params, _luck):
    """Stand-in that a kernel specialised for a user's function replaces; 0 is never legal."""
    return 0


@helper
def custom_return(_slot, _view, _params, _luck):
    """Stand-in, as :func:`custom_card`."""
    return 0


@helper
def custom_trump(_slot, _view, _params, _luck):
    """Stand-in, as :func:`custom_card`; -1 is no option."""
    return -1


@helper
def custom_tie(_slot, _view, _params, _luck):
    """Stand-in, as :func:`custom_card`; -1 is no suit."""
    return -1


STAND_INS = (custom_card, custom_return, custom_trump, custom_tie)
"""In the order of DECISIONS."""
UNASKED: dict[Any, Any] = {}
"""What plays cards without a view, and what a kernel around a user's function for cards has in its place. It
is made of this module, and so enters itself (:mod:`sim.three_two_five.registers`)."""


def specialised_kernel(entry: Any, strategies: tuple[Strategy, ...]) -> Any:
    """Return a kernel that asks the users' functions of these strategies, if there are any."""
    functions = tuple(own_functions(strategies, decision) for decision in DECISIONS)
    return specialised(entry, functions, STAND_INS, tuple(UNASKED.items()), Places(PARAMS, LEGAL, DEAL))


def cost(strategy: Strategy) -> int:
    """Return the class of a strategy by what a deal costs a seat, an index into COSTS."""
    policies = dict(zip(BOOK.decisions, strategy.policies, strict=True))
    if policies["card"] == NESTED:
        return COSTS.index("deep")
    return COSTS.index("thinking" if policies["card"] == ROLLOUT else "fast")


def deciders(strategies: tuple[Strategy, ...]) -> dict[tuple[int, int], Decider]:
    """Return what decides for strategies that sample worlds, by kind of decision and policy."""
    needed = {
        (kind, policy)
        for strategy in strategies
        for kind, policy in enumerate(strategy.policies)
        if THINKING <= policy < CUSTOM
    }
    if not needed:
        return {}
    return {(kind, policy): DECIDERS[BOOK.decisions[kind], policy] for kind, policy in needed}


def strategy_rows(strategies: tuple[Strategy, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Strategies by player as kernels read them: row 3 * dealer + seat.

    Returns
    -------
    policies : int64 (9, 4) array
        Policy number for each kind of decision, or the address of a decider.
    params : float64 (9, P) array
        Parameters.
    """
    policies, params = seat_rows(strategies, BOOK.decisions)
    for (kind, policy), decider in deciders(strategies).items():
        column = policies[:, kind]
        column[column == policy] = decider.address
    players = [(dealer + 1 + seat) % PLAYERS for dealer in range(PLAYERS) for seat in range(PLAYERS)]
    return np.ascontiguousarray(policies[players]), np.ascontiguousarray(params[players])
