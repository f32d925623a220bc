"""Tiny variants of Fives and Threes solved exactly: one or two tiles each, two players who choose at random.

All deals and all choices are gone through in plain Python, written from the rulebook alone, and the chance to
win follows from them by the recursion over scores. Nothing is shared with the package.
"""

from collections import defaultdict
from functools import lru_cache
from itertools import combinations

import numpy as np
from reference.dominoes import points_of

TILES = [(low, high) for high in range(7) for low in range(high + 1)]
BONUS = 1


def end_of(number, double):
    """An open end: its number and what it counts (F7)."""
    return number, 2 * number if double else number


def replies(hand, left, right):
    """Tile-and-end pairs that a hand has: tile, whether it goes left, the new end."""
    for goes_left, (number, _) in ((True, left), (False, right)):
        for tile in hand:
            if number in tile:
                beyond = tile[0] + tile[1] - number
                yield tile, goes_left, end_of(beyond, tile[0] == tile[1])


def go_through(hands, player, left, right, events, chance, found):
    """Add the chance of every way in which a round can go on, as a tuple of (side, event)."""
    for turn in (player, 1 - player):
        moves = list(replies(hands[turn], left, right))
        if moves:
            break
    else:
        found[events] += chance
        return
    for tile, goes_left, end in moves:
        ends = (end, right) if goes_left else (left, end)
        lay(hands, turn, tile, *ends, ends[0][1] + ends[1][1], events, chance / len(moves), found)


def lay(hands, player, tile, left, right, total, events, chance, found):
    """Lay a tile, score it (F8, F9) and go on."""
    rest = [[other for other in hand if other != tile] for hand in hands]
    out = not rest[player]
    events = (*events, (player, points_of(total) + BONUS * out))
    if out:
        found[events] += chance
    else:
        go_through(rest, 1 - player, left, right, events, chance, found)


@lru_cache(maxsize=2)
def courses(size):
    """Chance of every course of events of a round of so many tiles each, player 0 starting."""
    found = defaultdict(float)
    deals = [
        (own, other)
        for own in combinations(TILES, size)
        for other in combinations([tile for tile in TILES if tile not in own], size)
    ]
    for own, other in deals:
        for tile in own:
            low, high = tile
            left, right = end_of(low, low == high), end_of(high, low == high)
            lay([list(own), list(other)], 0, tile, left, right, low + high, (), 1 / size / len(deals), found)
    return dict(found)


def after_events(scores, events, target):
    """Scores after a course of events: what would pass the target is dropped, the target ends all (F13)."""
    scores = list(scores)
    for side, event in events:
        if scores[side] + event <= target:
            scores[side] += event
        if scores[side] == target:
            break
    return tuple(scores)


def exact_chances(size, target):
    """Chance of the starter to win by its score and the other's: float64 (target, target)."""
    chance = np.full((target, target), np.nan)
    for own, other in sorted(np.ndindex(target, target), key=lambda cell: -sum(cell)):
        if not np.isnan(chance[own, other]):
            continue
        pair = ((own, other), (other, own))
        known, stay = zip(*(once(chance, cell, size, target) for cell in pair), strict=True)
        # x = known + stay (1 - y), y likewise.
        matrix = np.array([[1, stay[0]], [stay[1], 1]])
        x, y = np.linalg.solve(matrix, np.array(known) + np.array(stay))
        chance[own, other], chance[other, own] = x, y
    return chance


def once(chance, cell, size, target):
    """What one round brings: the part of the chance that is known already, and the chance of no change."""
    known = stay = 0.0
    for events, probability in courses(size).items():
        own, other = after_events(cell, events, target)
        if (own, other) == cell:
            stay += probability
        elif own == target:
            known += probability
        elif other != target:
            known += probability * (1 - chance[other, own])
    return known, stay
