"""The solvers of 3-2-5 with all hands open against plain enumeration, and what may not change a value."""

from random import Random

import numpy as np
import pytest
from drawn_positions import LANE_WIDTH, draw_position, draw_positions, members
from plain_endings import enumerate_positions
from reference.endings import enumerate_ending
from reference.three_two_five_rules import SUITS, Rules
from witness import mask, name_of

from sim.core.jit import plain
from sim.three_two_five.cards import parse_cards
from sim.three_two_five.solving.endings import NODES, new_solver
from sim.three_two_five.solving.lines import FIELD
from sim.three_two_five.solving.open_hands import card_values, guarantees, position_row, vectors

ENDINGS = 10_000
FIVE, THREE, TWO = range(3)


def solve(positions, size=16, fresh=False):
    """Return guarantees and max^n vectors, int64 (n,) and (n, 3)."""
    sure, packed = np.zeros((2, len(positions)), np.int64)
    scratch = plain(new_solver)(size)
    guarantees(positions, fresh, scratch, sure)
    vectors(positions, fresh, scratch, packed)
    return sure, packed[:, None] >> FIELD * np.arange(3) & ((1 << FIELD) - 1)


def for_each_player(positions):
    """Repeat positions, asking about each of the three players."""
    asked = np.repeat(positions, 3, axis=0)
    asked[:, 7] = np.tile([FIVE, THREE, TWO], len(positions))
    return asked


def left_in(positions):
    """Tricks left, from the hand that plays last to the trick."""
    rows = np.arange(len(positions))
    return np.bitwise_count(positions[rows, (positions[:, 3] + 2) % 3]).astype(np.int64)


@pytest.fixture(scope="module")
def endings():
    """Ten thousand positions of one to four tricks, and what plain enumeration makes of them."""
    positions = draw_positions(1, ENDINGS, [1, 2, 3, 4])
    return positions, enumerate_positions(positions)


def test_the_compiled_enumeration_is_the_naive_one():
    rng = Random(2)
    drawn = [draw_position(rng, rng.choice([1, 2, 2, 3])) for _ in range(250)]
    found = enumerate_positions(np.array([row for row, _ in drawn])).tolist()
    for (row, sevens), values in zip(drawn, found, strict=True):
        hands = [[name_of(card, sevens) for card in members(int(hand))] for hand in row[:3]]
        table = [name_of(card, sevens) for card in row[4:6] if card]
        due = enumerate_ending(hands, int(row[3]), table, SUITS[row[6]], Rules(sevens))
        assert values == [*due.sure, *due.tricks]


@pytest.mark.parametrize("size, fresh", [(16, False), (16, True), (3, False), (0, False)])
def test_every_ending_of_up_to_four_tricks(endings, size, fresh):
    """R22–R25, R31: no mismatch, with tables large, emptied each time, tiny, and of a single place."""
    positions, due = endings
    sure, tricks = solve(positions, size, fresh)
    np.testing.assert_array_equal(sure, due[np.arange(ENDINGS), positions[:, 7]])
    np.testing.assert_array_equal(tricks, due[:, 3:])


@pytest.mark.parametrize("left, count", [(5, 400), (6, 150), (7, 30)])
def test_larger_positions_do_not_depend_on_the_table(left, count):
    positions = draw_positions(left, count, [left])
    large, tiny = solve(positions, 18), solve(positions, 6, fresh=True)
    for values, same in zip(large, tiny, strict=True):
        np.testing.assert_array_equal(values, same)


def test_five_tricks():
    """R22–R25: a few positions of five tricks, too, since a table and a stack matter more there."""
    positions = draw_positions(8, 25, [5])
    due = enumerate_positions(positions)
    sure, tricks = solve(positions)
    np.testing.assert_array_equal(sure, due[np.arange(len(positions)), positions[:, 7]])
    np.testing.assert_array_equal(tricks, due[:, 3:])


@pytest.mark.parametrize("left, count", [(6, 40), (8, 15), (10, 6)])
def test_a_position_is_worth_what_its_best_card_is(left, count):
    """One step of the definition, where enumeration is out of reach; with the tie rule of max^n."""
    for row in draw_positions(left, count, [left]):
        hands, leader, trump = row[:3].tolist(), int(row[3]), int(row[6])
        table = [card for card in row[4:6].tolist() if card]
        mover = (leader + len(table)) % 3
        values = card_values(hands, leader, table, trump)
        row[7] = mover
        (sure,), (tricks,) = solve(row[None])
        assert sure == max(value.guaranteed for value in values)
        best = max(values, key=lambda value: (value.tricks[mover], -value.tricks[(mover + 1) % 3]))
        assert tuple(tricks) == best.tricks


@pytest.mark.parametrize("left, count", [(6, 40), (8, 15), (10, 6)])
def test_opponents_choose_the_card_that_is_worst_for_the_player(left, count):
    for row in draw_positions(left + 1, count, [left], lying=0):
        row[7] = (row[3] + 1) % 3
        after = []
        for card in members(int(row[row[3]])):
            played = row.copy()
            played[row[3]] ^= card
            played[4] = card
            after.append(played)
        (sure,), _ = solve(row[None])
        assert sure == min(solve(np.array(after))[0])


def test_a_kept_table_saves_work():
    """What was found out in one position helps with the next."""
    positions = draw_positions(9, 200, [6])
    looked = {}
    for kernel in (guarantees, vectors):
        for fresh in (True, False):
            scratch = plain(new_solver)(14)
            kernel(positions, fresh, scratch, np.zeros(len(positions), np.int64))
            looked[kernel, fresh] = scratch[NODES]
        assert looked[kernel, False] < looked[kernel, True]


def test_values_add_up():
    """Each guarantee is at most the max^n value; guarantees fit into, max^n fills the tricks left."""
    positions = draw_positions(3, 300, [4, 5, 6])
    asked = for_each_player(positions)
    sure, tricks = solve(asked)
    left = left_in(positions)
    sure, tricks = sure.reshape(-1, 3), tricks[::3]
    assert (sure <= tricks).all()
    np.testing.assert_array_equal(tricks.sum(axis=1), left)
    assert (sure.sum(axis=1) <= left).all() and (sure.sum(axis=1) < left).any()


def test_whole_deals():
    """R22: guarantees from the first lead fit into ten tricks and do not depend on the table."""
    positions = for_each_player(draw_positions(4, 12, [10], lying=0))
    scratch = plain(new_solver)(16)
    kept, fresh = np.zeros((2, len(positions)), np.int64)
    guarantees(positions, False, scratch, kept)
    guarantees(positions, True, scratch, fresh)
    np.testing.assert_array_equal(kept, fresh)
    assert (kept.reshape(-1, 3).sum(axis=1) <= 10).all()
    assert (kept <= 10).all() and len(set(kept.tolist())) > 3


@pytest.mark.parametrize("lanes", [(1, 0, 2, 3), (0, 1, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)])
def test_suits_are_names(lanes):
    """Exchanging suits, the trump with them, changes no value."""
    positions = draw_positions(5, 300, [2, 3, 4, 5])
    renamed = positions.copy()
    for column in (0, 1, 2, 4, 5):
        renamed[:, column] = 0
        for suit, lane in enumerate(lanes):
            cards = positions[:, column] >> LANE_WIDTH * suit & 0x3FF
            renamed[:, column] |= cards << LANE_WIDTH * lane
    renamed[:, 6] = np.array(lanes)[positions[:, 6]]
    for values, same in zip(solve(positions), solve(renamed), strict=True):
        np.testing.assert_array_equal(values, same)


def test_seats_turn():
    """The same cards one seat further on are worth the same to the player that holds them."""
    positions = draw_positions(6, 300, [2, 3, 4, 5])
    turned = positions[:, [2, 0, 1, 3, 4, 5, 6, 7]]
    turned[:, [3, 7]] = (turned[:, [3, 7]] + 1) % 3
    sure, tricks = solve(positions)
    same_sure, same_tricks = solve(turned)
    np.testing.assert_array_equal(same_sure, sure)
    np.testing.assert_array_equal(np.roll(same_tricks, -1, axis=1), tricks)


HANDS = ("AS KS 9H", "QS JS AH", "KH TS 9S")
"""Two spade tricks for the five, and a heart that three's ace takes."""


def test_each_card_has_its_values():
    """R22–R24: trump S, the five to lead three tricks."""
    hands = [parse_cards(cards) for cards in HANDS]
    values = card_values(hands, FIVE, [], SUITS.index("S"))
    due = {"9H": (2, (2, 1, 0)), "KS": (2, (2, 1, 0)), "AS": (2, (2, 1, 0))}
    assert {name_of(value.card): tuple(value[1:]) for value in values} == due


@pytest.mark.parametrize("lying", [0, 1, 2])
def test_card_values_are_those_of_the_positions_after(lying):
    """R23: every legal card and no other, each worth what enumeration says of the position after it."""
    rng = Random(7 + lying)
    for _ in range(60):
        row, sevens = draw_position(rng, rng.choice([1, 2, 3]), lying)
        hands, table = row[:3].tolist(), [card for card in row[4:6].tolist() if card]
        mover = (int(row[3]) + lying) % 3
        trump = SUITS[row[6]]
        for value in card_values(hands, int(row[3]), table, int(row[6])):
            left = [[name_of(card, sevens) for card in members(hand & ~value.card)] for hand in hands]
            names = [name_of(card, sevens) for card in (*table, value.card)]
            due = enumerate_ending(left, int(row[3]), names, trump, Rules(sevens))
            assert (value.guaranteed, value.tricks) == (due.sure[mover], due.tricks)


def test_only_cards_that_follow_are_valued():
    """Case 4: hand 9D AS, D led, trump S: only 9D. Case 7: high sevens follow trumps."""
    hands = [mask(["KD"]), mask(["9D", "AS"]), mask(["AD", "KS"])]
    values = card_values(hands, FIVE, [mask(["8D"])], SUITS.index("S"))
    assert [name_of(value.card) for value in values] == ["9D"]
    high = "hearts_high"
    hands = [mask(["9D"]), mask(["7S", "AS"], "C", high), mask(["TC", "KS"])]
    values = card_values(hands, FIVE, [mask(["9C"])], SUITS.index("C"))
    assert [name_of(value.card, high) for value in values] == ["7S"]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"hands": ["AS KS", "QS JS AH", "KH TS 9S"]}, "equal numbers"),
        ({"hands": ["AS KS 9H", "AS JS AH", "KH TS 9S"]}, "two places: AS"),
        ({"hands": ["", "", ""]}, "equal numbers"),
        ({"hands": ["AS", "KS"]}, "2 hands"),
        ({"leader": 3}, "leader=3: valid are 0 to 2"),
        ({"trump": 4}, "trump=4: valid are 0 to 3"),
        ({"player": -1}, "player=-1: valid are 0 to 2"),
        ({"table": ["8S 8H"], "hands": ["AS KS", "QS JS AH", "KH TS 9S"]}, "no card, or several"),
        ({"table": ["8S", "AH"], "hands": ["AS KS", "QS JS", "KH TS 9S"]}, "three played AH but could"),
    ],
)  # fmt: skip
def test_what_is_no_position_is_refused(change, message):
    asked = {"hands": HANDS, "leader": FIVE, "table": [], "trump": 0, "player": FIVE, **change}
    asked["hands"] = [parse_cards(cards) for cards in asked["hands"]]
    asked["table"] = [parse_cards(cards) for cards in asked["table"]]
    with pytest.raises(ValueError, match=message):
        position_row(**asked)


def test_sevens_are_high_or_low_but_not_both():
    """R31: a seven among the trumps' high places and another one low are of no pack."""
    hands = [mask(["7S"], "C", "hearts_high"), mask(["7H"]), mask(["AC"])]
    with pytest.raises(ValueError, match="no part of a pack with trump C"):
        position_row(hands, FIVE, [], SUITS.index("C"), FIVE)


PLAIN = """
from sim.three_two_five.cards import parse_cards
from sim.three_two_five.solving.open_hands import card_values
hands = [parse_cards(cards) for cards in ("AS 9H KD", "QS AH TD", "KH TS AD")]
print([tuple(value) for value in card_values(hands, 0, [], 0)])
print([tuple(value) for value in card_values([hands[0] ^ 128, *hands[1:]], 0, [128], 1)])
"""


def test_plain_python_finds_the_same(python):
    """NUMBA_DISABLE_JIT=1: the same functions without the compiler."""
    assert python(PLAIN, NUMBA_DISABLE_JIT="1") == python(PLAIN)
