"""Numbers side by side: every operation on lanes is that on each number alone."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim.core import bits
from sim.core.jit import helper, plain, routine
from sim.core.lanes import WIDTH, load, store

masks = st.lists(st.integers(1, 2**56), min_size=WIDTH, max_size=WIDTH).map(np.array)
places = st.lists(st.integers(0, 9), min_size=WIDTH, max_size=WIDTH).map(np.array)
whole = st.integers(0, 2**56)
TABLE = np.arange(20).reshape(2, 10) ** 3


@helper
def reckon(one, other, place, number, table):
    """Each operation once, on lanes and on numbers."""
    total = (one & other) + (one ^ number) - (number | other)
    total += (one >> place) * 3 + (1 << place) - -place
    total ^= ~other
    total &= number | one
    smaller = (one < other) & (number != one) | (place == 3)
    total |= bits.choose(smaller, table[1, place], table[0, 9 - place])
    return bits.choose(place & 1, total, number) + bits.choose((number > other) & (place <= 5), 1, 0)


@helper
def count(one, other, number):
    """What :mod:`sim.core.bits` does with lanes."""
    found = bits.popcount(one) + 64 * bits.lowest_index(other) + bits.choose(number & 1, one, other)
    return (
        found + (bits.highest(one) | bits.lowest(other)) - bits.larger(one, other) + bits.smaller(one, number)
    )


@routine
def run_reckon(one, other, place, number, table, out):
    store(out, 2, reckon(load(one, 0), load(other, 0), load(place, 0), number, table))


@routine
def run_count(one, other, number, out):
    store(out, 0, count(load(one, 0), load(other, 0), number))


def each(function, one, other, *rest):
    """What plain Python makes of the whole numbers, one lane after the other."""
    lanes = zip(one.tolist(), other.tolist(), strict=True)
    return [
        plain(function)(first, second, *(part(i) for part in rest)) for i, (first, second) in enumerate(lanes)
    ]


@given(masks, masks, places, whole)
def test_every_operation_is_that_of_each_lane(one, other, place, number):
    """Between lanes, with numbers, looked up in a row; stored without touching what lies beside."""
    out = np.full(WIDTH + 4, -7)
    run_reckon(one, other, place, number, TABLE, out)
    due = each(reckon, one, other, lambda i: int(place[i]), lambda _: number, lambda _: TABLE)
    assert out.tolist() == [-7, -7, *due, -7, -7]


@given(masks, masks, whole)
def test_sets_are_counted_and_chosen_in_each_lane(one, other, number):
    out = np.zeros(WIDTH, np.int64)
    run_count(one, other, number, out)
    assert out.tolist() == each(count, one, other, lambda _: number)


@given(masks, masks)
def test_in_plain_python_lanes_are_an_array(one, other):
    for function in (bits.popcount, bits.lowest_index, bits.highest):
        assert function(one).tolist() == [function(number) for number in one.tolist()]
    due = [max(pair) for pair in zip(one.tolist(), other.tolist(), strict=True)]
    assert bits.choose(one > other, one, other).tolist() == due
    assert load(one, 0) is not one
