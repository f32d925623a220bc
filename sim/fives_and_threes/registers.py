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
from sim.fives_and_threes import heuristic as thoughtful
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import (
    EMPTY,
    FOLLOWING,
    MOVES_AT,
    POINTS,
    RIGHT_SIDE,
    TOTAL_AT,
    TOTALS,
    tiles_of,
)
from sim.fives_and_threes.rules import BLOCKED, MOST_PLAYERS, MOST_SIDES, OUT, TARGET
from sim.fives_and_threes.strategies import (
    BY_MOVE,
    GREEDY,
    HEURISTIC,
    RANDOM,
    UNASKED,
    dearest_moves,
    random_move,
)
from sim.fives_and_threes.tiles import SET, TILES

# Places in a seat, above the hand.
PLAYER, UPPER = TILES, TILES + 2
"""The player; and where all play at random 32 random bits for its next move, else all tiles with a number
that its knocks have proved missing (F6)."""

MOST_WORDS = 16
"""More than a player places tiles."""
SCORE_BITS = 16
ONE_SCORE = (1 << SCORE_BITS) - 1
"""Scores are kept in one word, so many bits a side."""


ALL_RANDOM, ALL_SIMPLE, GENERAL = 0, 1, 2
"""Ways to play a round: everybody at random, by policies of this module, or with a view."""


@helper
def path_of(policies):
    """Fastest way to play a round by these policies."""
    highest = RANDOM
    for player in range(policies.shape[0]):
        highest = max(highest, policies[player, BY_MOVE])
    return GENERAL if highest > HEURISTIC else (ALL_RANDOM if highest == RANDOM else ALL_SIMPLE)


@helper
def play_fast(view, hands, policies, params, keys, words, opening, placements, path):
    """Play one round by the code for its path and number of players; see :func:`play_in_registers`."""
    players, random = view[know.PLAYERS], path == ALL_RANDOM
    table = (view, hands, policies, params, keys, words, opening, placements)
    if players == 2:
        return play_in_registers(*table, True, 2) if random else play_in_registers(*table, False, 2)
    if random and players == 3:
        return play_in_registers(*table, True, 3)
    return play_in_registers(*table, True, 4) if random else play_in_registers(*table, False, 4)


@helper
def _never(view, hands, policies, params, keys, words, opening, placements, path):
    """Stand in for :func:`play_fast` where a user's function is asked, so that the path is GENERAL."""
    return BLOCKED, 0


UNASKED[play_fast] = _never


@helper
def play_in_registers(view, hands, policies, params, keys, words, opening, placements, random, seats):
    """Play one round.

    Parameters
    ----------
    view, hands, policies, params, keys, opening, placements
        As for :func:`sim.fives_and_threes.kernel.play_round`; of the view only the scores, the knocks and
        the dropped events are kept up.
    words : int64 (WORDS,) array
        Scratch.
    random, seats : bool and int
        Whether everybody plays at random; how many seats there are, at least one a player. Constants: each
        case has code of its own.

    Returns
    -------
    ended, last : int64
        As :func:`sim.fives_and_threes.kernel.play_round`.
    """
    starter, size = view[know.STARTER], view[know.DEALT]
    if random:
        draw_words(view, keys, words)
    mover = sit(hands, words, starter, random)
    first = sit(hands, words, (starter + 1) % seats, random)
    second = sit(hands, words, (starter + 2) % seats, random) if seats > 2 else 0
    third = sit(hands, words, (starter + 3) % seats, random) if seats > 3 else 0
    with_partners = seats == MOST_PLAYERS and view[know.PLAYERS] == MOST_PLAYERS
    partners, sides = choose(with_partners, SET, 0), choose(with_partners, 1, 3)
    limit = view[know.TARGET] if view[know.TARGET] else know.NO_LIMIT
    scores, knocks, rejected = pack_scores(view), 0, 0
    moves, state, laid, ended = opening if opening else mover & SET, EMPTY, 0, BLOCKED
    while True:
        hand, player, upper = mover & SET, player_of(mover), mover >> UPPER
        shift = SCORE_BITS * (player & sides)
        room = limit - ((scores >> shift) & ONE_SCORE)
        out = hand & (hand - 1) == 0 and second & partners == 0
        bonus = view[know.BONUS] if out else 0
        if random:
            move = pick(moves, below_low(upper, popcount(moves)))
        else:
            move = simple_move(
                policies, params, keys, size, moves, state, laid, room, bonus,
                first, second, third, mover, partners, limit, scores, sides,
            )  # fmt: skip
        index = lowest_index(move)
        state = FOLLOWING[state, index]
        tile = tile_at(index)
        if random:
            # By the hand before, so that it does not wait for the tile.
            upper = shorten(words[player * MOST_WORDS + size + 1 - popcount(hand)])
        hand ^= tile
        laid |= tile
        mover = hand | player << PLAYER | upper << UPPER
        total = TOTAL_AT[state]
        event = POINTS[total] + bonus
        dropped = event > room
        placements[total + (TOTALS if dropped else 0)] += 1
        rejected += dropped
        scores += (0 if dropped else event) << shift
        fits = MOVES_AT[state]
        can_first, can_second = both_ends(first) & fits, both_ends(second) & fits
        can_third, can_last = both_ends(third) & fits, both_ends(hand) & fits
        if event == room:
            ended = TARGET
            break
        if out:
            ended = OUT
            break
        if can_first | can_second | can_third | can_last == 0:
            break
        moves = first_of(can_first, can_second, can_third, can_first, can_second, can_third, can_last)
        knocks += knocks_of(can_first, can_second, can_third, first, second, third)
        if not random:
            shown = tiles_of(fits) << UPPER
            first |= choose(can_first, 0, shown)
            second |= choose(can_first | can_second, 0, shown)
            third |= choose(can_first | can_second | can_third, 0, shown)
        if seats == 2:
            first, mover = choose(can_first, mover, first), choose(can_first, first, mover)
        elif seats == 3:
            first, second, mover = turn_of_three(can_first, can_second, first, second, mover)
        else:
            first, second, third, mover = turn(can_first, can_second, can_third, first, second, third, mover)
    write_round(view, hands, scores, knocks, rejected, first, second, third, mover)
    return ended, player_of(mover)


@helper
def simple_move(
    policies, params, keys, size, moves, state, laid, room, bonus,
    first, second, third, mover, partners, limit, scores, sides,
):  # fmt: skip
    """Move of a player by RANDOM, GREEDY or HEURISTIC."""
    if moves & (moves - 1) == 0:
        return moves
    hand, player = mover & SET, player_of(mover)
    policy = policies[player, BY_MOVE]
    if policy != HEURISTIC:
        if policy == GREEDY:
            moves = dearest_moves(moves, state, room - bonus)
        return random_move(moves, word(keys[player], size - popcount(hand)))
    return thoughtful_move(
        thoughtful.weights_of(params, player), moves, state, laid, room, bonus,
        first, second, third, mover, partners, limit, scores, sides,
    )  # fmt: skip


@helper
def thoughtful_move(
    weights, moves, state, laid, room, bonus, first, second, third, mover, partners, limit, scores, sides
):
    """Move of a player by HEURISTIC with these weights."""
    hand = mover & SET
    unseen = SET ^ (laid | hand)
    with_partner = second & partners != 0
    rival = first_of(first & SET, second & SET, 1, first, second, third, third)
    against = first & SET != 0 or not with_partner
    seen = outlook(rival, unseen, limit, scores, sides)
    mate = outlook(second, unseen, limit, scores, sides) if with_partner else seen
    return thoughtful.best_move(
        weights, hand, moves, state, SET ^ laid, room, bonus, seen, against, mate, with_partner
    )


@helper
def outlook(seat, unseen, limit, scores, sides):
    """What the deciding player knows of another one's hand and prospects."""
    score = (scores >> SCORE_BITS * (player_of(seat) & sides)) & ONE_SCORE
    return thoughtful.outlook(popcount(seat & SET), unseen & ~(seat >> UPPER), limit - score)


@helper
def draw_words(view, keys, words):
    """Make the random words of all players' moves."""
    for player in range(view[know.PLAYERS]):
        key, begin = keys[player], player * MOST_WORDS
        for number in range(view[know.DEALT]):
            words[begin + number] = word(key, number)


@helper
def sit(hands, words, player, random):
    """Seat of a player at the start of a round."""
    seat = hands[player] | player << PLAYER
    return seat | shorten(words[player * MOST_WORDS]) << UPPER if random else seat


@helper
def shorten(random_word):
    """Upper half of a random word, from which :func:`sim.core.rng.below` draws."""
    return (random_word >> 32) & 0xFFFFFFFF


@helper
def player_of(seat):
    """Player on a seat."""
    return (seat >> PLAYER) & 3


@helper
def tile_at(index):
    """Tile of the move with this bit."""
    return 1 << (index - choose(index >= RIGHT_SIDE, RIGHT_SIDE, 0))


@helper
def pack_scores(view):
    """Scores of all sides in one word."""
    return view[know.SCORE] | view[know.SCORE + 1] << SCORE_BITS | view[know.SCORE + 2] << 2 * SCORE_BITS


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
def turn_of_three(can_first, can_second, first, second, last):
    """Seats of three players after the turn has passed, as :func:`turn`."""
    return (
        choose(can_first, second, choose(can_second, last, first)),
        choose(can_first, last, choose(can_second, first, second)),
        choose(can_first, first, choose(can_second, second, last)),
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
        view[know.SCORE + side] = (scores >> SCORE_BITS * side) & ONE_SCORE
    view[know.KNOCKS], view[know.REJECTED] = knocks, rejected
    # Seats that are nobody's are written over.
    for seat in (third, second, first, mover):
        hands[player_of(seat)] = seat & SET
