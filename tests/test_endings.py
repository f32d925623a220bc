"""What the solvers of 3-2-5 take for equal or for sure, against naive definitions and plain enumeration."""

from itertools import combinations
from random import Random

import pytest
from drawn_positions import draw_positions, members, suit_number
from plain_endings import enumerate_positions

from sim.core.jit import plain
from sim.three_two_five.cards import LANE_WIDTH, PACK
from sim.three_two_five.solving import endings, lines, sure_tricks


def by_place(row):
    """Return the hands of a position in playing order, trumps in the highest lane."""
    hands = [plain(endings.trump_on_top)(int(hand), int(row[6])) for hand in row[:3]]
    return tuple(plain(endings.led_by)(int(row[3]), *hands))


@pytest.fixture(scope="module")
def starts():
    """Positions at the start of a trick, by place, and what each player can be sure of."""
    positions = draw_positions(11, 2000, [1, 2, 3, 3, 4, 4], lying=0)
    sure = enumerate_positions(positions)[:, :3].tolist()
    return [
        (by_place(row), plain(endings.led_by)(row[3], *by_seat))
        for row, by_seat in zip(positions, sure, strict=True)
    ]


def owners(hands):
    """Return who owns each card left, suit by suit in order of rank; trumps first, then the sorted others."""
    suits = ["", "", "", ""]
    for card in members(hands[0] | hands[1] | hands[2]):
        suits[suit_number(card)] += next(str(place) for place in range(3) if hands[place] & card)
    return suits[3], *sorted(suits[:3])


def test_positions_are_one_if_and_only_if_relative_ranks_are_equal(starts):
    pairs = {(plain(endings.position_key)(hands), owners(hands)) for hands, _ in starts}
    assert len(pairs) == len({key for key, _ in pairs}) == len({naive for _, naive in pairs})
    assert 500 < len(pairs) < len(starts)


def test_the_largest_key_leaves_room_for_the_place():
    """R31: nine trumps and twenty-one others, all in the last hand's name."""
    trumps, others = 0x01FF << 3 * LANE_WIDTH, PACK & ((1 << 3 * LANE_WIDTH) - 1)
    assert 1 << 59 < plain(endings.position_key)((0, 0, trumps | others)) < 1 << 60


def test_equal_cards_are_neighbours_among_those_in_play():
    """A card is left out if and only if the next lower one in play is in the hand, too."""
    rng = Random(12)
    for _ in range(2000):
        cards = rng.sample(members(PACK), rng.randrange(1, 16))
        hand, others = sum(cards[::3]), sum(cards) - sum(cards[::3])
        due = 0
        for card in members(hand):
            below = [other for other in cards if other < card and suit_number(other) == suit_number(card)]
            due |= 0 if below and max(below) & hand else card
        assert plain(lines.distinct)(hand, hand | others) == due


def test_trumps_change_lanes_and_back():
    for trump in range(4):
        moved = plain(endings.trump_on_top)(PACK, trump)
        assert plain(endings.trump_on_top)(moved, trump) == PACK
        assert moved >> 3 * LANE_WIDTH == PACK >> trump * LANE_WIDTH & 0x3FF


def test_what_counts_as_sure_is_sure(starts):
    """R23, R24: no bound promises a player, or the two against it, more than best play gives."""
    reached = 0
    for (a, b, c), sure in starts:
        left = a.bit_count()
        for own, (one, other), value in ((a, (b, c), sure[0]), (b, (a, c), sure[1]), (c, (a, b), sure[2])):
            assert plain(sure_tricks.sure_trumps)(own, one | other) <= value
            for opponent in (one, other):
                assert plain(sure_tricks.sure_trumps)(opponent, own) <= left - value
        bound = plain(sure_tricks.sure_on_lead)(a, b, c)
        assert bound <= sure[0]
        assert plain(sure_tricks.sure_of_side)(a, c, b) <= left - sure[1]
        assert plain(sure_tricks.sure_of_side)(a, b, c) <= left - sure[2]
        reached += bound == sure[0]
    assert reached > len(starts) / 2


def test_sure_trumps_are_those_that_no_pairing_beats():
    """At most one trump for each higher one of the others is lost: checked against all pairings."""
    lane = 3 * LANE_WIDTH
    for count in range(1, 6):
        for size in range(count + 1):
            for own in combinations(range(count), size):
                others = [rank for rank in range(count) if rank not in own]
                lost = _largest_matching(list(own), others)
                masks = [sum(1 << lane + rank for rank in ranks) for ranks in (own, others)]
                assert plain(sure_tricks.sure_trumps)(*masks) == size - lost


def _largest_matching(own, others):
    """Return how many of the own ranks can meet a higher one of the others, each once, by trying all."""
    if not own:
        return 0
    first, rest = own[0], own[1:]
    lost = [_largest_matching(rest, others)]
    for rank in others:
        if rank > first:
            lost.append(1 + _largest_matching(rest, [other for other in others if other != rank]))
    return max(lost)
