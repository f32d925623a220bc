"""The plain enumeration of endings once more, compiled: fast enough for ten thousand of them.

It is as naive as :mod:`reference.endings`, against which the tests check it, and shares nothing with the
solvers: a hand is a row of card numbers, 16 * suit + rank, and -1 where a card is gone.
"""

import numba
import numpy as np


def enumerate_positions(positions: np.ndarray) -> np.ndarray:
    """Play out every line of positions as :mod:`sim.three_two_five.solving.open_hands` writes them.

    Returns
    -------
    int64 (n, 6) array
        Tricks that five, three and two are sure of, each against the other two; and the tricks of all
        three if each plays for itself.
    """
    results = np.zeros((len(positions), 6), np.int64)
    for position, result in zip(positions.tolist(), results, strict=True):
        numbers = [[bit for bit in range(64) if cards >> bit & 1] for cards in position[:3]]
        size = max(map(len, numbers))
        hands = np.array([row + [-1] * (size - len(row)) for row in numbers], np.int64).reshape(3, size)
        table = np.array([max(card.bit_length() - 1, 0) for card in (*position[4:6], 0)], np.int64)
        lying = sum(card > 0 for card in position[4:6])
        _walk(hands, size, position[3], table, lying, position[6], result)
    return results


@numba.njit
def _beats(card, best, trump):
    if card // 16 == best // 16:
        return card > best
    return card // 16 == trump


@numba.njit
def _may_play(hand, card, led):
    if card < 0 or led < 0 or card // 16 == led // 16:
        return card >= 0
    for other in hand:
        if other >= 0 and other // 16 == led // 16:
            return False
    return True


@numba.njit
def _walk(hands, left, leader, table, lying, trump, result):
    """Fill the result of a position with ``left`` tricks to play and ``lying`` cards on the table."""
    mover = (leader + lying) % 3
    following = (mover + 1) % 3
    best, line = np.full(6, -1), np.zeros(6, np.int64)
    for number in range(hands.shape[1]):
        card = hands[mover, number]
        if not _may_play(hands[mover], card, table[0] if lying else -1):
            continue
        hands[mover, number] = -1
        table[lying] = card
        if lying < 2:
            _walk(hands, left, leader, table, lying + 1, trump, line)
        else:
            winner = 1 if _beats(table[1], table[0], trump) else 0
            winner = (leader + (2 if _beats(table[2], table[winner], trump) else winner)) % 3
            line[:] = 0
            if left > 1:
                _walk(hands, left - 1, winner, table.copy(), 0, trump, line)
            line[winner] += 1
            line[3 + winner] += 1
        hands[mover, number] = card
        for player in range(3):
            worse = line[player] > best[player] if player == mover else line[player] < best[player]
            if best[player] < 0 or worse:
                best[player] = line[player]
        more = line[3 + mover] - best[3 + mover]
        if more > 0 or (more == 0 and line[3 + following] < best[3 + following]):
            best[3:] = line[3:]
    result[:] = best
