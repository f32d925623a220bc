"""Sets as bit masks in int64: count, pick, lowest and highest member; a choice of two without a jump.

Each function is plain Python for reading and for ``NUMBA_DISABLE_JIT=1``; compiled code gets the
processor's instruction through the overloads below. Masks must be non-negative.
"""

import os

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic, overload

from sim.core.jit import helper
from sim.core.lanes import LANES, MASK, WIDTH, as_lanes, as_mask, spread


def popcount(mask):
    """Return the number of members of a set."""
    return np.bitwise_count(mask).astype(np.int64) if isinstance(mask, np.ndarray) else int(mask).bit_count()


def lowest_index(mask):
    """Position of the lowest member of a non-empty set."""
    if isinstance(mask, np.ndarray):
        return np.array([lowest_index(one) for one in mask])
    return (int(mask) & -int(mask)).bit_length() - 1


def highest_index(mask):
    """Position of the highest member of a non-empty set."""
    return int(mask).bit_length() - 1


def deposit(source, mask):
    """Scatter the low bits of ``source`` to the set bits of ``mask`` (the instruction PDEP)."""
    result, position, left = 0, 0, int(mask)
    while left:
        lowest = left & -left
        if (int(source) >> position) & 1:
            result |= lowest
        position += 1
        left ^= lowest
    return result


def extract(source, mask):
    """Gather the bits of ``source`` at the set bits of ``mask`` into the low bits (the instruction PEXT)."""
    result, position, left = 0, 0, int(mask)
    while left:
        lowest = left & -left
        if int(source) & lowest:
            result |= 1 << position
        position += 1
        left ^= lowest
    return result


def choose(condition, yes, no):
    """Return ``yes`` where the condition holds, else ``no``; both are evaluated, and no jump is compiled.

    For conditions that are as good as random: LLVM turns an ordinary choice of several values back into
    a jump, which a processor predicts wrongly half of the time.
    """
    if isinstance(condition, np.ndarray):
        return np.where(condition, yes, no)
    return yes if condition else no


@helper
def larger(one, other):
    """Return the larger of two numbers, or of each two in lanes."""
    return choose(one > other, one, other)


@helper
def smaller(one, other):
    """Return the smaller of two numbers, as :func:`larger`."""
    return choose(one < other, one, other)


@helper
def lowest(mask):
    """Lowest member of a set as a one-bit mask; 0 for the empty set."""
    return mask & -mask


def highest(mask):
    """Highest member of a non-empty set as a one-bit mask."""
    if isinstance(mask, np.ndarray):
        return np.array([1 << highest_index(one) for one in mask])
    return 1 << highest_index(mask)


@helper
def pick(mask, n):
    """Member number ``n`` (from 0, lowest first) of a set as a one-bit mask."""
    return deposit(1 << n, mask)


def _count(builder, name, words):
    """Call an LLVM bit-counting function of a word or a vector of words."""
    extra = [] if name == "ctpop" else [ir.Constant(ir.IntType(1), 0)]
    kind = ir.FunctionType(words.type, [words.type, *(one.type for one in extra)])
    suffix = f"v{WIDTH}i64" if isinstance(words.type, ir.VectorType) else "i64"
    function = builder.module.declare_intrinsic(f"llvm.{name}.{suffix}", fnty=kind)
    return builder.call(function, [words, *extra])


def _unary(name):
    """Intrinsic for an LLVM bit-counting function of one int64."""

    @intrinsic
    def call(_typing, value):
        kind = LANES if value == LANES else types.int64

        def generate(context, builder, _signature, args):
            return _count(builder, name, context.cast(builder, args[0], value, kind))

        return kind(value), generate

    return call


_ctpop, _cttz, _ctlz = _unary("ctpop"), _unary("cttz"), _unary("ctlz")


def _of_two(name):
    """Intrinsic for a BMI2 instruction of two int64, for processors that have it."""

    @intrinsic
    def call(_typing, source, mask):
        def generate(context, builder, _signature, args):
            word = ir.IntType(64)
            function = builder.module.declare_intrinsic(name, fnty=ir.FunctionType(word, [word, word]))
            first = context.cast(builder, args[0], source, types.int64)
            second = context.cast(builder, args[1], mask, types.int64)
            return builder.call(function, [first, second])

        return types.int64(source, mask), generate

    return call


_pdep, _pext = _of_two("llvm.x86.bmi.pdep.64"), _of_two("llvm.x86.bmi.pext.64")


def _has_pdep() -> bool:
    """Whether the code will run where BMI2 is: the target is this processor and it has it."""
    if config.CPU_NAME or config.CPU_FEATURES or os.environ.get("DEALWORTH_PORTABLE"):
        return False
    return bool(llvm.get_host_cpu_features().get("bmi2", False))


HAS_PDEP = _has_pdep()


@intrinsic
def _select(typing, condition, yes, no):
    """LLVM's ``select``, marked as one whose outcome no processor can predict."""
    if {LANES, MASK} & {condition, yes, no}:
        return _blend(condition, yes, no)
    chosen = typing.unify_types(types.unliteral(yes), types.unliteral(no))

    def generate(context, builder, _signature, args):
        holds = context.cast(builder, args[0], condition, types.boolean)
        first = context.cast(builder, args[1], yes, chosen)
        second = context.cast(builder, args[2], no, chosen)
        choice = builder.select(holds, first, second)
        choice.set_metadata("unpredictable", builder.module.add_metadata([]))
        return choice

    return chosen(condition, yes, no), generate


def _blend(condition, yes, no):
    """As :func:`_select` where any of the three is in lanes."""

    def generate(context, builder, _signature, args):
        holds = as_mask(context, builder, args[0], condition)
        first, second = as_lanes(context, builder, args[1], yes), as_lanes(context, builder, args[2], no)
        return builder.select(holds, first, second)

    return LANES(condition, yes, no), generate


@intrinsic
def _highest_of_lanes(_typing, mask):
    """Highest members: the uppermost bit moved down by the zeros above each."""

    def generate(_context, builder, _signature, args):
        zeros = _count(builder, "ctlz", args[0])
        return builder.lshr(spread(builder, ir.Constant(ir.IntType(64), 1 << 63)), zeros)

    return LANES(mask), generate


@overload(highest, inline="always")
def _highest(mask):
    if mask == LANES:
        return lambda mask: _highest_of_lanes(mask)
    return lambda mask: 1 << highest_index(mask)


@overload(choose, inline="always")
def _choose(condition, yes, no):
    return lambda condition, yes, no: _select(condition, yes, no)


@overload(popcount, inline="always")
def _popcount(mask):
    return lambda mask: _ctpop(mask)


@overload(lowest_index, inline="always")
def _lowest_index(mask):
    return lambda mask: _cttz(mask)


@overload(highest_index, inline="always")
def _highest_index(mask):
    return lambda mask: 63 - _ctlz(mask)


def deposit_portably(source, mask):
    """Do what ``deposit`` does, for processors without the instruction."""
    result = 0
    while mask:
        lowest_bit = mask & -mask
        if source & 1:
            result |= lowest_bit
        source >>= 1
        mask ^= lowest_bit
    return result


@overload(deposit)
def _deposit(source, mask):
    if HAS_PDEP:
        return lambda source, mask: _pdep(source, mask)
    return deposit_portably


def extract_portably(source, mask):
    """Do what ``extract`` does, for processors without the instruction."""
    result, member = 0, 1
    while mask:
        lowest_bit = mask & -mask
        if source & lowest_bit:
            result |= member
        member <<= 1
        mask ^= lowest_bit
    return result


@overload(extract)
def _extract(source, mask):
    if HAS_PDEP:
        return lambda source, mask: _pext(source, mask)
    return extract_portably
