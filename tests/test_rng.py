"""Random words: known answers, a naive twin, uniform and independent draws, the rulebook's exact figures."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.core.bits import pick, popcount
from sim.core.draw import draw
from sim.core.jit import helper
from sim.core.rng import (
    HANDS,
    INDEX_STRIDE,
    PLAYER,
    PULLS,
    SHUFFLE,
    START,
    below,
    below_low,
    bounded,
    stream_key,
    word,
)
from sim.three_two_five.cards import PACK, suit_length, top_suits
from sim.three_two_five.kernel import deal_rest
from sim.three_two_five.replay import shuffled_deck

WORDS = 2**64
DEALS = 1_000_000
keys = st.integers(-(2**63), 2**63 - 1)


def splitmix64(state, count):
    """Return the first outputs of SplitMix64, advanced step by step as it was published."""
    outputs = []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) % WORDS
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORDS
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORDS
        outputs.append(z ^ (z >> 31))
    return outputs


def test_known_answers_of_splitmix64():
    known = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [word(1234567, position) % WORDS for position in range(5)] == known == splitmix64(1234567, 5)


@given(keys, st.integers(0, 200))
def test_any_word_is_the_one_that_stepping_there_gives(key, position):
    assert word(key, position) % WORDS == splitmix64(key, position + 1)[-1]


@given(st.integers(0, 2**63 - 1), st.integers(0, 20), st.integers(0, 50))
def test_streams_are_a_tree_of_keys(seed, stream, index):
    root = splitmix64(seed, stream + 1)[-1]
    assert stream_key(seed, stream, index) % WORDS == splitmix64(root, index + 1)[-1]


@given(keys, st.integers(1, 2**20))
def test_bounded_draws_are_fixed_point_products_of_half_words(random_word, n):
    high, low = divmod(random_word % WORDS, 2**32)
    assert below(random_word, n) == high * n >> 32 < n
    assert below_low(random_word, n) == low * n >> 32 < n


@given(keys, st.integers(0, 60), st.integers(1, 30))
def test_two_draws_share_a_word(key, position, n):
    random_word = word(key, position // 2)
    assert bounded(key, position, n) == (below_low if position % 2 else below)(random_word, n)


def excess(counts, expected, degrees=None, scale=1.0):
    """Chi-square of counts with one expectation, as standard deviations above its degrees of freedom."""
    degrees = degrees or counts.size - 1
    return (scale * ((counts - expected) ** 2).sum() / expected - degrees) / sqrt(2 * degrees)


@helper
def count_places(first, deals, places, pairs):
    """Deal whole packs in dealt order; count the cards by draw, and the pairs of the first two draws."""
    for deal in range(first, first + deals):
        key = stream_key(1, SHUFFLE, deal)
        left, before = PACK, 0
        for number in range(30):
            card = pick(left, bounded(key, number, 30 - number))
            index = popcount(PACK & (card - 1))
            left ^= card
            places[number, index] += 1
            if number & 1:
                pairs[number >> 1, before, index] += 1
            before = index
    return left


def test_each_card_comes_equally_often_at_each_place_and_each_pair_at_neighbouring_places():
    deals = 300_000
    places, pairs = np.zeros((30, 30), np.int64), np.zeros((15, 30, 30), np.int64)
    assert count_places(0, deals, places, pairs) == 0
    # Each deal fills every row and every column once: 29 * 29 cells are free, and the sum of squares is
    # 30/29 of a chi-square.
    assert abs(excess(places, deals / 30, degrees=29 * 29, scale=29 / 30)) < 4
    other = ~np.eye(30, dtype=bool)
    for pair in pairs:
        assert not pair[~other].any()
        assert abs(excess(pair[other], deals / 870)) < 4


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((1, SHUFFLE, 0), (1, PULLS, 0)),
        ((1, SHUFFLE, 0), (1, START, 0)),
        ((1, SHUFFLE, 0), (1, HANDS, 0)),
        ((1, PLAYER, 0), (1, PLAYER + 1, 0)),
        ((1, PLAYER + 1, 0), (1, PLAYER + 2, 0)),
        ((1, SHUFFLE, 0), (1, SHUFFLE, 1)),
        ((1, SHUFFLE, 0), (1, SHUFFLE, INDEX_STRIDE)),
        ((1, SHUFFLE, 0), (2, SHUFFLE, 0)),
        ((0, SHUFFLE, 0), (2**62, SHUFFLE, 0)),
    ],
    ids=str,
)
def test_streams_deals_and_seeds_are_independent(left, right):
    """Of two words at the same place half of the bits differ, each bit half of the time."""
    n = 100_000
    flips = np.zeros(64, np.int64)
    same = np.zeros((16, 16), np.int64)
    compare_streams(left, right, n, flips, same)
    assert np.all(np.abs(flips / n - 0.5) < 4.5 * 0.5 / sqrt(n))
    assert abs(flips.sum() / n - 32) < 4 * 4 / sqrt(n)
    assert abs(excess(same, n / 256)) < 4


@helper
def compare_streams(left, right, n, flips, same):
    """Count by bit how often two streams differ, and their upper four bits together."""
    for number in range(n):
        a = word(stream_key(left[0], left[1], left[2] + number), 0)
        b = word(stream_key(right[0], right[1], right[2] + number), 0)
        for bit in range(64):
            flips[bit] += ((a ^ b) >> bit) & 1
        same[below(a, 16), below(b, 16)] += 1


@helper
def fill_hands(first, hands):
    """Deal as the kernel does; write the sets of each deal."""
    for deal in range(hands.shape[0]):
        key = stream_key(1, SHUFFLE, first + deal)
        five = draw(PACK, key, 0, 5)
        hands[deal, 0] = five
        hands[deal, 1], hands[deal, 2], hands[deal, 3], hands[deal, 4] = deal_rest(PACK ^ five, key)


def test_case_21_ten_thousand_deals_are_distinct():
    hands = np.zeros((10_000, 5), np.int64)
    fill_hands(0, hands)
    assert len(np.unique(hands, axis=0)) == 10_000
    assert np.all(np.bitwise_or.reduce(hands, axis=1) == PACK)
    assert np.all(hands.sum(axis=1) == PACK), "no card lies in two places"


def test_the_kernel_deals_the_deck_of_the_replay():
    """R8: the sets that the kernel deals are those of the pack in dealt order."""
    hands = np.zeros((50, 5), np.int64)
    fill_hands(3 * INDEX_STRIDE, hands)
    for deal, dealt in enumerate(hands.tolist()):
        deck = shuffled_deck(1, 3, deal)
        packets = (range(5), range(15, 18), (24, 25), (5, 6, 7, 8, 9, 18, 19, 20, 26, 27))
        assert [sum(deck[place] for place in places) for places in packets] == dealt[:4]


@helper
def count_figures(deals, longest, seen, trumps):
    """Count the longest suit, aces and reveals of many deals."""
    aces = 0x0080_0080_0080_0080
    for deal in range(deals):
        key = stream_key(3, SHUFFLE, deal)
        five = draw(PACK, key, 0, 5)
        turned = draw(PACK ^ five, key, 5, 3)
        length = 0
        for suit in range(4):
            length = max(length, suit_length(five, suit))
        longest[length] += 1
        seen[0] += (five & aces) == 0
        seen[1] += (turned & aces) != 0
        suits = top_suits(turned)
        seen[1 + popcount(suits)] += 1
        for suit in range(4):
            if suits >> suit & 1:
                trumps[suit] += 12 // popcount(suits)


def test_exact_figures_of_the_rulebook():
    """Longest suit of the first five, no ace in them, trump and top card of a reveal, ties; 4 errors."""
    longest, seen, trumps = np.zeros(6, np.int64), np.zeros(5, np.int64), np.zeros(4, np.int64)
    count_figures(DEALS, longest, seen, trumps)

    def close(count, share):
        return abs(count / DEALS - share) < 4 * sqrt(share * (1 - share) / DEALS) + 5e-5

    assert all(map(close, longest[2:], (0.6602, 0.3058, 0.0329, 0.0011))) and not longest[:2].any()
    no_ace, ace_on_top, single, two_tied, three_tied = seen
    assert close(no_ace, 0.4616) and close(ace_on_top, 0.3596)
    assert close(two_tied, 588 / 4060) and close(three_tied, 28 / 4060) and close(single, 3444 / 4060)
    assert all(close(count / 12, 0.25) for count in trumps)


def test_the_first_dealer_is_fair():
    """R7: below three from its own stream."""
    n = 300_000
    counts = np.zeros(3, np.int64)
    count_starts(n, counts)
    assert abs(excess(counts, n / 3)) < 4


@helper
def count_starts(n, counts):
    for match in range(n):
        counts[below(stream_key(5, START, match), 3)] += 1
