"""What the two solvers of Fives and Threes with all hands open share: positions, equal ones, what is known.

Whose a tile is does not change (F2). So within one deal a *position* is told by five numbers: the tiles still
held, the two ends, who is to place next, and the *rooms*. A chain read from its other side is the same chain:
the smaller end is always called the left one. Nobody who can place has to be passed over on the way, and who
cannot has no choice (F6): the player of a position is one that can.

The room of a side is what it lacks to the target (F13), or NO_LIMIT where the tiles that it has cannot bring
it there.

The table keeps what was found out for as long as the hands asked about are what is left of the same deal.
"""

import numpy as np

from sim.core.bits import popcount
from sim.core.jit import allocating, helper
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import FITS, MOST_POINTS
from sim.fives_and_threes.rules import MOST_PLAYERS, MOST_SIDES

# A row asks about a position.
HANDS = 0
"""+ player: its tiles; 0 where nobody sits, or of a player of four who is out."""
LEFT, RIGHT = 4, 5
"""Ends, as :mod:`sim.fives_and_threes.chain` has them."""
MOVER = 6
"""Whose turn it is; it may have to knock."""
LACKING = 7
"""+ side: points that it lacks to the target, or NO_LIMIT and more."""
PLAYERS = 10
BONUS = 11
"""Points for ending the round by going out (F9, F10)."""
ASKED = 12
"""The player that is asked about."""
POSITION_SIZE = 13

# One array holds all that a solver needs.
GENERATION = 0
"""Stamp of the entries of the table that count; older ones are as good as empty."""
SLOTS = 1
"""Mask of the table's slot numbers."""
NODES = 2
"""Positions looked at so far, for measurements."""
DEAL = 3
"""+ player: the tiles of the deal that the table knows; then its number of players, and the bonus."""
_DEAL_SIZE = MOST_PLAYERS + 2
FRAMES = DEAL + _DEAL_SIZE
"""+ FRAME_SIZE * depth: where the search stands in the placements before the current one."""
FRAME_SIZE = 14
_MOST_PLACED = 28
TABLE = FRAMES + _MOST_PLACED * FRAME_SIZE
"""+ 2 * slot: the key of a position, and what is known of it, stamped with the generation."""
_STAMP = 24
"""Place of the generation in the second word of an entry, above its content."""

NOBODY = -1
"""In place of who is to place: the round is over (F9–F11, F13)."""
ROOM = 7
"""Bits of the room of a side."""
NO_LIMIT = (1 << ROOM) - 1
"""More points than a round can bring."""
UNKNOWN = -1
ALL = 3
"""In place of the side that is asked about: everybody plays for itself."""


@allocating
def new_solver(bits):
    """Allocate what a solver needs; one serves any number of positions, one after the other.

    Parameters
    ----------
    bits : int64
        The table holds ``2**bits`` positions of sixteen bytes. Its size costs time, never correctness: what
        fits into the processor's caches is best, 12 to 14 for the customary hands.

    Returns
    -------
    int64 array
    """
    scratch = np.zeros(TABLE + (2 << bits), np.int64)
    scratch[GENERATION] = 1
    scratch[SLOTS] = (1 << bits) - 1
    return scratch


@helper
def forget(scratch):
    """Empty the table, at the cost of one addition. Values never call for it."""
    scratch[GENERATION] += 1


@helper
def open_deal(row, scratch):
    """Say which deal is asked about; what is known of another one is forgotten.

    Parameters
    ----------
    row : int64 (POSITION_SIZE,) array
    scratch : int64 array
        From :func:`new_solver`.

    Returns
    -------
    tuple of six int64
        The deal that positions are told by: four hands, of which those of the row are left; the number of
        players; the bonus.
    """
    players, bonus = row[PLAYERS], row[BONUS]
    same = scratch[DEAL + MOST_PLAYERS] == players and scratch[DEAL + MOST_PLAYERS + 1] == bonus
    for player in range(MOST_PLAYERS):
        same = same and row[HANDS + player] & ~scratch[DEAL + player] == 0
    if not same:
        forget(scratch)
        for player in range(MOST_PLAYERS):
            scratch[DEAL + player] = row[HANDS + player]
        scratch[DEAL + MOST_PLAYERS], scratch[DEAL + MOST_PLAYERS + 1] = players, bonus
    return scratch[DEAL], scratch[DEAL + 1], scratch[DEAL + 2], scratch[DEAL + 3], players, bonus


@helper
def open_position(row, deal):
    """Position that a row asks about, after the knocks that are due; nobody's if the round is blocked."""
    held, rooms = 0, 0
    for player in range(MOST_PLAYERS):
        held |= row[HANDS + player]
    for side in range(MOST_SIDES):
        room = room_left(min(row[LACKING + side], NO_LIMIT), tiles_of_side(deal, side) & held, deal[5])
        rooms |= room << ROOM * side
    left, right = min(row[LEFT], row[RIGHT]), max(row[LEFT], row[RIGHT])
    return held, left, right, next_to_place(deal, held, left, right, row[MOVER]), rooms


@helper
def tiles_of_side(deal, player):
    """Tiles of a deal that a player and its partner hold (F1)."""
    return deal[player] | (deal[know.partner_of(player)] if deal[4] == MOST_PLAYERS else 0)


@helper
def next_to_place(deal, held, left, right, player):
    """First player from one on who can place, or NOBODY (F6, F11)."""
    fitting = held & (FITS[left] | FITS[right])
    if fitting == 0:
        return NOBODY
    while deal[player] & fitting == 0:
        player = know.after(player, deal[4])
    return player


@helper
def room_left(room, tiles, bonus):
    """Room of a side with these tiles: NO_LIMIT if they cannot bring so many points."""
    return room if room <= MOST_POINTS * popcount(tiles) + bonus else NO_LIMIT


@helper
def position_key(position, asked):
    """Number of a position of one deal, and of the side that is asked about or ALL: 61 bits."""
    held, left, right, mover, rooms = position
    return held | left << 28 | right << 32 | mover << 36 | asked << 38 | rooms << 40


@helper
def slot_of(key, scratch):
    """Place of a position in the table; products stay below 2**63, as plain Python needs."""
    mixed = (key & 0x7FFF_FFFF) * 0x5851_F42D + (key >> 31) * 0x4C95_7F2D
    return TABLE + 2 * ((mixed >> 24) & scratch[SLOTS])


@helper
def recall(slot, key, scratch):
    """What the table knows of a position, or UNKNOWN."""
    content = scratch[slot + 1]
    if scratch[slot] == key and content >> _STAMP == scratch[GENERATION]:
        return content & ((1 << _STAMP) - 1)
    return UNKNOWN


@helper
def remember(slot, key, content, scratch):
    """Put what is known of a position, 24 bits, into the table in place of what was there."""
    scratch[slot] = key
    scratch[slot + 1] = scratch[GENERATION] << _STAMP | content


@helper
def push(frame, values, scratch):
    """Lay numbers aside; returns the next frame."""
    for number in range(len(values)):
        scratch[frame + number] = values[number]
    return frame + FRAME_SIZE


@helper
def position_at(place, scratch):
    """Position laid aside."""
    return scratch[place], scratch[place + 1], scratch[place + 2], scratch[place + 3], scratch[place + 4]
