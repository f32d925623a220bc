"""Sets as bit masks: the processor's instructions against plain Python, with and without BMI2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.core import bits
from sim.core.jit import helper, routine

masks = st.integers(0, 2**63 - 1)
some = st.integers(1, 2**63 - 1)


@helper
def compiled_popcount(mask):
    return bits.popcount(mask)


@helper
def compiled_lowest_index(mask):
    return bits.lowest_index(mask)


@helper
def compiled_highest_index(mask):
    return bits.highest_index(mask)


@helper
def compiled_deposit(source, mask):
    return bits.deposit(source, mask)


@helper
def compiled_extract(source, mask):
    return bits.extract(source, mask)


@routine
def compiled_choose(first, second, yes, no):
    return bits.choose(first < second, yes, no) + bits.choose(first == second, no, yes)


compiled_portably = helper(bits.deposit_portably)
compiled_extract_portably = helper(bits.extract_portably)


def members(mask):
    """Return the members of a set, lowest first, from its binary digits."""
    return [1 << place for place, digit in enumerate(reversed(f"{mask:b}")) if digit == "1"]


@given(masks, masks, masks)
def test_a_choice_takes_what_the_condition_says(first, second, value):
    """Of whole numbers, of floats, and of a float and a whole number, which is then a float."""
    for yes, no in ((value & 0xFFFF, 3), (0.5, 2.25), (0.5, 4)):
        due = (yes if first < second else no) + (no if first == second else yes)
        assert (
            compiled_choose(first, second, yes, no) == compiled_choose.py_func(first, second, yes, no) == due
        )


def test_a_choice_is_no_jump():
    assert compiled_choose(1, 2, 3, 4) == 3 + 3
    (code,) = (compiled_choose.inspect_llvm(signature) for signature in compiled_choose.signatures[:1])
    assert "!unpredictable" in code


@given(masks)
def test_number_of_members(mask):
    assert compiled_popcount(mask) == bits.popcount(mask) == len(members(mask))


@given(some)
def test_lowest_and_highest_member(mask):
    first, last = members(mask)[0], members(mask)[-1]
    assert bits.lowest(mask) == first and bits.highest(mask) == last
    assert 1 << compiled_lowest_index(mask) == 1 << bits.lowest_index(mask) == first
    assert 1 << compiled_highest_index(mask) == 1 << bits.highest_index(mask) == last


def test_the_empty_set():
    assert bits.lowest(0) == compiled_popcount(0) == bits.popcount(0) == 0
    assert bits.deposit(5, 0) == bits.extract(5, 0) == 0


@given(some, st.data())
def test_pick_takes_the_member_of_that_number(mask, data):
    number = data.draw(st.integers(0, len(members(mask)) - 1))
    assert bits.pick(mask, number) == members(mask)[number]


@given(masks, masks)
def test_deposit_scatters_bits_over_the_members(source, mask):
    """The instruction, the loop for other processors and plain Python agree with the definition."""
    digits = reversed(f"{source:b}".zfill(64))
    due = sum(member for member, digit in zip(members(mask), digits, strict=False) if digit == "1")
    assert bits.deposit(source, mask) == bits.deposit_portably(source, mask) == due
    assert compiled_deposit(source, mask) == compiled_portably(source, mask) == due


@given(masks, masks)
def test_extract_gathers_the_bits_at_the_members(source, mask):
    """The instruction, the loop for other processors and plain Python agree with the definition."""
    due = sum(1 << place for place, member in enumerate(members(mask)) if source & member)
    assert bits.extract(source, mask) == bits.extract_portably(source, mask) == due
    assert compiled_extract(source, mask) == compiled_extract_portably(source, mask) == due


@given(masks, masks)
def test_extract_undoes_deposit(source, mask):
    assert bits.deposit(bits.extract(source, mask), mask) == source & mask


@pytest.mark.parametrize("mask", [1, 2**62, 2**63 - 1, 0x00FE_00FE_00FF_00FF])
def test_pick_at_the_edges(mask):
    for number, member in enumerate(members(mask)):
        assert bits.pick(mask, number) == member


DEALS = """
import hashlib
import numpy as np
from sim.core import bits
from sim.core.jit import helper
from sim.core.rng import below, word
from sim.three_two_five.cards import PACK
from sim.core.draw import draw
from sim.three_two_five.kernel import deal_rest

@helper
def deal(hands):
    for number in range(hands.shape[0]):
        five = draw(PACK, word(1, number), 0, 5)
        next_three, last_two, three, two = deal_rest(PACK ^ five, word(1, number))
        drawn = bits.pick(three, below(word(2, number), 10))
        hands[number, :5] = five, next_three, last_two, three, drawn

hands = np.zeros((20_000, 5), np.int64)
deal(hands)
print(bits.HAS_PDEP, hashlib.sha256(hands.tobytes()).hexdigest())
"""


def test_processors_without_the_instruction_deal_the_same_cards(python):
    """DEALWORTH_PORTABLE=1: twenty thousand deals and blind draws, to the card."""
    fast, digest = python(DEALS).split()
    portable, same = python(DEALS, DEALWORTH_PORTABLE="1").split()
    assert portable == "False" and digest == same
    assert fast == str(bits.HAS_PDEP)
