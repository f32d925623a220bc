"""Sets as bit masks in int64: count, pick, lowest and highest member; a choice of two without a jump.

Each function is plain Python for reading and for ``NUMBA_DISABLE_JIT=1``; compiled code gets the
processor's instruction through the overloads below. Masks must be non-negative.
"""

import os

import llvmlite.binding as llvm
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic, overload

from sim.core.jit import helper


def popcount(mask):
    """Return the number of members of a set."""
    return int(mask).bit_count()


def lowest_index(mask):
    """Position of the lowest member of a non-empty set."""
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
    return yes if condition else no


@helper
def lowest(mask):
    """Lowest member of a set as a one-bit mask; 0 for the empty set."""
    return mask & -mask


@helper
def highest(mask):
    """Highest member of a non-empty set as a one-bit mask."""
    return 1 << highest_index(mask)


@helper
def pick(mask, n):
    """Member number ``n`` (from 0, lowest first) of a set as a one-bit mask."""
    return deposit(1 << n, mask)


def _unary(name):
    """Intrinsic for an LLVM bit-counting function of one int64."""

    @intrinsic
    def call(_typing, value):
        def generate(context, builder, _signature, args):
            word = context.cast(builder, args[0], value, types.int64)
            if name == "ctpop":
                return builder.ctpop(word)
            return getattr(builder, name)(word, ir.Constant(ir.IntType(1), 0))

        return types.int64(value), generate

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
    chosen = typing.unify_types(types.unliteral(yes), types.unliteral(no))

    def generate(context, builder, _signature, args):
        holds = context.cast(builder, args[0], condition, types.boolean)
        first = context.cast(builder, args[1], yes, chosen)
        second = context.cast(builder, args[2], no, chosen)
        choice = builder.select(holds, first, second)
        choice.set_metadata("unpredictable", builder.module.add_metadata([]))
        return choice

    return chosen(condition, yes, no), generate


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
