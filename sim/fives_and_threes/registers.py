"""A round between built-in players, in registers.

Without a user's function nobody is shown a view. Four *seats*, one word each, pass round the table: the
next player, the second, the third and the one who moved last. A seat holds the player's hand, how many
tiles it has placed, its number, and what its knocks have shown. Where nobody sits the hand is empty, so that
two, three and four players take turns alike: who places next is the first with a tile that fits.

Who that is, is as good as random: nothing here jumps for it. The moves are those of
:func:`sim.fives_and_threes.kernel.play_round`, to which all others are left.
"""

from sim.core.bits import choose, lowest_index, pick, popcount
from sim.core.jit import helper
from sim.core.rng import below_low, word
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import EMPTY, FOLLOWING, MOVES_AT, POINTS, RIGHT_SIDE, TOTAL_AT, TOTALS
from sim.fives_and_threes.rules import BLOCKED, MOST_PLAYERS, MOST_SIDES, OUT, TARGET
from sim.fives_and_threes.strategies import RANDOM
from sim.fives_and_threes.tiles import SET, TILES

# Places in a seat, above the hand.
PLAYER, LUCK = TILES, TILES + 2
"""The player, and 32 random bits for its next move."""

MOST_WORDS = 16
"""More than a player places tiles."""
WORDS = MOST_PLAYERS * MOST_WORDS
_SCORE = 16
_ONE_SCORE = (1 << _SCORE) - 1
"""Scores are kept in one word, so many bits a side."""


@helper
def all_random(policies):
    """Whether every player plays at random."""
    for player in range(policies.shape[0]):
        if policies[player, 0] != RANDOM:
            return False
    return True


@helper
def play_random_round(view, hands, keys, words, opening, placements):
    """Play one round of uniformly random moves.

    Parameters
    ----------
    words : int64 (WORDS,) array
        Scratch.
    view, hands, keys, opening, placements
        As for :func:`sim.fives_and_threes.kernel.play_round`; of the view only the scores, the knocks and
        the dropped events are kept up.

    Returns
    -------
    ended, last : int64
        As :func:`sim.fives_and_threes.kernel.play_round`.
    """
    starter, size = view[know.STARTER], view[know.DEALT]
    for player in range(view[know.PLAYERS]):
        key, begin = keys[player], player * MOST_WORDS
        for number in range(size):
            words[begin + number] = word(key, number)
    mover = sit(hands, words, starter)
    first, second = sit(hands, words, starter + 1), sit(hands, words, starter + 2)
    third = sit(hands, words, starter + 3)
    partners, sides, limit = rules_of(view)
    scores, knocks, rejected = pack_scores(view), 0, 0
    move = opening if opening else pick(mover & SET, below_low(mover >> LUCK, size))
    state, ended = EMPTY, BLOCKED
    while True:
        index = lowest_index(move)
        state = FOLLOWING[state, index]
        hand, player = without(mover & SET, index), player_of(mover)
        # By the hand before, so that it does not wait for the tile.
        luck = words[player * MOST_WORDS + size + 1 - popcount(mover & SET)]
        mover = hand | player << PLAYER | shorten(luck) << LUCK
        out = hand == 0 and second & partners == 0
        total = TOTAL_AT[state]
        shift = _SCORE * (player & sides)
        event = POINTS[total] + (view[know.BONUS] if out else 0)
        after = ((scores >> shift) & _ONE_SCORE) + event
        dropped = after > limit
        placements[total + (TOTALS if dropped else 0)] += 1
        rejected += dropped
        scores += (0 if dropped else event) << shift
        fits = MOVES_AT[state]
        moves_first, moves_second = both_ends(first) & fits, both_ends(second) & fits
        moves_third, moves_last = both_ends(third) & fits, both_ends(mover) & fits
        if after == limit:
            ended = TARGET
            break
        if out:
            ended = OUT
            break
        if moves_first | moves_second | moves_third | moves_last == 0:
            break
        moves = first_of(
            moves_first, moves_second, moves_third, moves_first, moves_second, moves_third, moves_last
        )
        knocks += knocks_of(moves_first, moves_second, moves_third, first, second, third)
        first, second, third, mover = turn(
            moves_first, moves_second, moves_third, first, second, third, mover
        )
        move = pick(moves, below_low(mover >> LUCK, popcount(moves)))
    write_round(view, hands, scores, knocks, rejected, first, second, third, mover)
    return ended, player_of(mover)


@helper
def sit(hands, words, place):
    """Seat of a player at the start of a round; places go round the table."""
    player = place & 3
    return hands[player] | player << PLAYER | shorten(words[player * MOST_WORDS]) << LUCK


@helper
def shorten(random_word):
    """Upper half of a random word, from which :func:`sim.core.rng.below` draws."""
    return (random_word >> 32) & 0xFFFFFFFF


@helper
def player_of(seat):
    """Player on a seat."""
    return (seat >> PLAYER) & 3


@helper
def without(hand, index):
    """Hand without the tile of the move with this bit."""
    return hand ^ 1 << (index - choose(index >= RIGHT_SIDE, RIGHT_SIDE, 0))


@helper
def rules_of(view):
    """Places of a partner's hand, bits of a player's number that tell its side, score to be hit (F1, F13)."""
    partners = view[know.PLAYERS] == MOST_PLAYERS
    limit = view[know.TARGET] if view[know.TARGET] else know.NO_LIMIT
    return choose(partners, SET, 0), choose(partners, 1, 3), limit


@helper
def pack_scores(view):
    """Scores of all sides in one word."""
    return view[know.SCORE] | view[know.SCORE + 1] << _SCORE | view[know.SCORE + 2] << 2 * _SCORE


@helper
def both_ends(seat):
    """Moves of a hand if each tile fitted both ends."""
    hand = seat & SET
    return hand | hand << RIGHT_SIDE


@helper
def first_of(can_first, can_second, can_third, first, second, third, last):
    """Return what belongs to the first seat that can move; if none of three can, to the last."""
    return choose(can_first, first, choose(can_second, second, choose(can_third, third, last)))


@helper
def turn(can_first, can_second, can_third, first, second, third, last):
    """Seats after the turn has passed to the first that can move: those after it in order, and it last."""
    return (
        first_of(can_first, can_second, can_third, second, third, last, first),
        first_of(can_first, can_second, can_third, third, last, first, second),
        first_of(can_first, can_second, can_third, last, first, second, third),
        first_of(can_first, can_second, can_third, first, second, third, last),
    )


@helper
def knocks_of(can_first, can_second, can_third, first, second, third):
    """Knocks before the first seat that can move: of those who have tiles (F6)."""
    knock_first = choose(first & SET, 1, 0)
    knock_second = knock_first + choose(second & SET, 1, 0)
    knock_third = knock_second + choose(third & SET, 1, 0)
    return first_of(can_first, can_second, can_third, 0, knock_first, knock_second, knock_third)


@helper
def write_round(view, hands, scores, knocks, rejected, first, second, third, mover):
    """Write to the view and the hands what the round's row needs."""
    for side in range(MOST_SIDES):
        view[know.SCORE + side] = (scores >> _SCORE * side) & _ONE_SCORE
    view[know.KNOCKS], view[know.REJECTED] = knocks, rejected
    for seat in (first, second, third, mover):
        hands[player_of(seat)] = seat & SET
