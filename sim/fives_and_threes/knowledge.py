"""What each player knows, kept explicitly.

A strategy receives one int64 row, its *view*, whose places are named here: first what everybody knows,
then what only the deciding player knows. Nothing else reaches it. Hands are kept apart from it, in an
int64 array with one set of tiles a player, and :func:`show` copies the deciding player's own. Sets of
tiles are masks of :mod:`sim.fives_and_threes.tiles`, ends and moves are those of
:mod:`sim.fives_and_threes.chain`. Players count from 0, sides likewise (0 and 2 against 1 and 3).
"""

from sim.core.jit import helper
from sim.fives_and_threes.chain import FITS, OPEN, SHUT, tiles_of
from sim.fives_and_threes.rules import (
    MOST_PLAYERS,
    RULE_BONUS,
    RULE_HAND,
    RULE_PLAYERS,
    RULE_TARGET,
    side_of,
)

# Public row: the match.
PLAYERS = 0
"""2, 3 or 4."""
TARGET = 1
"""The score that wins, 0 where a round is played alone (F13)."""
DEALT = 2
"""Tiles dealt to each player (F2)."""
BONUS = 3
"""Points for ending the round by going out (F9, F10)."""
ROUND = 4
"""Number of the round in its match, from 0."""
SCORE = 5
"""+ side: the score now (F14)."""

# Public row: the round.
STARTER = 8
"""The player who began it."""
LEFT = 9
"""The left end; OPEN before the first tile."""
RIGHT = 10
"""The right end; SHUT before the first tile."""
CHAIN = 11
"""All tiles laid."""
SIZE = 12
"""+ player: tiles in hand."""
LAID = 16
"""+ player: the tiles that the player has laid."""
LACKS = 20
"""+ player: all tiles with a number that a knock has proved missing from the hand (F6)."""
KNOCKS = 24
"""Knocks in this round."""
REJECTED = 25
"""Events of this round that would have passed the target (F13)."""
EVENTS = 26
"""Placements and knocks in this round."""
HISTORY = 27
"""+ number: what happened, in order: the move, or 0 for a knock, + EVENT_PLAYER * player, + EVENT_OUT if
it ended the round by going out, + EVENT_DROPPED if it would have passed the target (F13); then zeros."""
MOST_EVENTS = 112
"""At most 28 tiles are placed, with at most three knocks between two of them."""

# What the deciding player knows besides.
PLAYER = HISTORY + MOST_EVENTS
"""The player to move; also its strategy's row of parameters."""
HAND = PLAYER + 1
"""Its tiles."""
LEGAL = PLAYER + 2
"""The moves it has."""
VIEW_SIZE = PLAYER + 3

EVENT_PLAYER, EVENT_OUT, EVENT_DROPPED = 1 << 56, 1 << 58, 1 << 59
"""What an event of the history holds above the move's 56 bits."""

NO_LIMIT = 1 << 20
"""More points than any event is worth."""


@helper
def sit_down(view, rules):
    """Set up the view for matches by these rules."""
    view[PLAYERS] = rules[RULE_PLAYERS]
    view[TARGET] = rules[RULE_TARGET]
    view[DEALT] = rules[RULE_HAND]
    view[BONUS] = rules[RULE_BONUS]


@helper
def start_round(view, starter):
    """Set the public row to the moment before the first tile."""
    for event in range(view[EVENTS]):
        view[HISTORY + event] = 0
    for place in range(STARTER, HISTORY):
        view[place] = 0
    view[STARTER] = starter
    view[LEFT] = OPEN
    view[RIGHT] = SHUT
    for player in range(view[PLAYERS]):
        view[SIZE + player] = view[DEALT]


@helper
def show(view, player, hand, legal):
    """Make the view that of one player, who is to choose from ``legal``."""
    view[PLAYER] = player
    view[HAND] = hand
    view[LEGAL] = legal


@helper
def see_move(view, player, move, left, right, out, dropped):
    """Show to all a tile being laid, the ends that it makes and what came of it (0 or 1 each)."""
    tile = tiles_of(move)
    view[LEFT], view[RIGHT] = left, right
    view[CHAIN] |= tile
    view[LAID + player] |= tile
    view[SIZE + player] -= 1
    view[REJECTED] += dropped
    view[HISTORY + view[EVENTS]] = move + EVENT_PLAYER * player + EVENT_OUT * out + EVENT_DROPPED * dropped
    view[EVENTS] += 1


@helper
def see_knock(view, player):
    """Show a knock to all: both open numbers are missing from that hand, for the rest of the round."""
    view[LACKS + player] |= FITS[view[LEFT]] | FITS[view[RIGHT]]
    view[KNOCKS] += 1
    view[HISTORY + view[EVENTS]] = EVENT_PLAYER * player
    view[EVENTS] += 1


@helper
def may_hold(view, other):
    """Tiles that another player may hold, as far as the deciding player can tell."""
    return FITS[OPEN] & ~(view[HAND] | view[CHAIN] | view[LACKS + other])


@helper
def after(player, players):
    """Return the next player clockwise (F1)."""
    return player + 1 if player + 1 < players else 0


@helper
def next_holder(view, player):
    """Next player clockwise who still holds tiles (F10)."""
    other = after(player, view[PLAYERS])
    while view[SIZE + other] == 0:
        other = after(other, view[PLAYERS])
    return other


@helper
def partner_of(player):
    """Partner of a player of four (F1)."""
    return player ^ 2


@helper
def ends_by_out(view, player):
    """Whether the player's next tile ends the round by going out (F9, F10)."""
    waiting = view[SIZE + partner_of(player)] * (view[PLAYERS] == MOST_PLAYERS)
    return view[SIZE + player] == 1 and waiting == 0


@helper
def room_for(view, player):
    """Most points that an event of this player may be worth without passing the target (F13)."""
    room = view[TARGET] - view[SCORE + side_of(player, view[PLAYERS])]
    return room if view[TARGET] else NO_LIMIT
