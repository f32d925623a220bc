"""Sixteen whole numbers side by side, on which every operation works at once.

Where the same steps are taken in many sampled worlds, a helper that is written without branches runs on
sixteen of them together: given lanes instead of numbers it is compiled to vector instructions, as wide as
the processor has them. In plain Python lanes are an int64 array.

Between lanes, or lanes and a number, there are ``& | ^ + - * << >>``, ``~``, unary minus and the comparisons,
whose outcome is a mask; masks have ``& |``. :mod:`sim.core.bits` chooses and counts in lanes, and
``table[row, lanes]`` looks up sixteen places of a row.
"""

import operator

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.extending import (
    intrinsic,
    lower_builtin,
    lower_cast,
    models,
    overload,
    register_model,
    type_callable,
)

WIDTH = 16
"""How many. Twice what the widest registers hold: one half works while the other waits."""

_WORD, _BIT, _NUMBER = ir.IntType(64), ir.IntType(1), ir.IntType(32)


class Lanes(types.Type):
    """Type of WIDTH int64."""

    def can_convert_from(self, _typing, other):
        """Let a number stand for as many equal ones."""
        return Conversion.safe if isinstance(other, types.Integer) else None


class Mask(types.Type):
    """Type of WIDTH truth values."""


LANES, MASK = Lanes("lanes"), Mask("mask")
_VECTORS = {LANES: ir.VectorType(_WORD, WIDTH), MASK: ir.VectorType(_BIT, WIDTH)}


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _VECTORS[kind])


@register_model(Mask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _VECTORS[kind])


def spread(builder, value):
    """Fill a vector with one number."""
    vector = ir.VectorType(value.type, WIDTH)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, _NUMBER(0))
    order = ir.Constant(ir.VectorType(_NUMBER, WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), order)


def as_lanes(context, builder, value, kind):
    """Return lanes as they are, and a number in all of them."""
    if kind == LANES:
        return value
    return spread(builder, context.cast(builder, value, kind, types.int64))


def as_mask(context, builder, value, kind):
    """Return where a condition holds: a mask, lanes that are not 0, or one truth value for all."""
    if kind == MASK:
        return value
    if kind == LANES:
        return builder.icmp_signed("!=", value, ir.Constant(value.type, [0] * WIDTH))
    return spread(builder, context.cast(builder, value, kind, types.boolean))


@lower_cast(types.Integer, LANES)
def _spread_number(context, builder, kind, _to, value):
    return as_lanes(context, builder, value, kind)


def _define(function, emit, result, kinds, convert):
    """Teach numba an operation of two, at least one of which is of the first of the kinds."""
    own, *others = kinds

    @type_callable(function)
    def _type(_context):
        def typer(one, other):
            if own in (one, other) and all(isinstance(kind, (type(own), *others)) for kind in (one, other)):
                return result
            return None

        return typer

    def lower(context, builder, signature, args):
        first, second = (
            convert(context, builder, value, kind) for value, kind in zip(args, signature.args, strict=True)
        )
        return emit(builder, first, second)

    for signature in [(own, own), *((own, other) for other in others), *((other, own) for other in others)]:
        lower_builtin(function, *signature)(lower)


def _compare(sign):
    return lambda builder, first, second: builder.icmp_signed(sign, first, second)


_OF_TWO = {
    "and_": ir.IRBuilder.and_,
    "or_": ir.IRBuilder.or_,
    "xor": ir.IRBuilder.xor,
    "add": ir.IRBuilder.add,
    "sub": ir.IRBuilder.sub,
    "mul": ir.IRBuilder.mul,
    "lshift": ir.IRBuilder.shl,
    "rshift": ir.IRBuilder.ashr,
}
for _name, _emit in _OF_TWO.items():
    for _function in (getattr(operator, _name), getattr(operator, f"i{_name.rstrip('_')}")):
        _define(_function, _emit, LANES, (LANES, types.Integer), as_lanes)
for _name in ("and_", "or_"):
    for _function in (getattr(operator, _name), getattr(operator, f"i{_name.rstrip('_')}")):
        _define(_function, _OF_TWO[_name], MASK, (MASK,), as_mask)
for _name, _sign in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    _define(getattr(operator, _name), _compare(_sign), MASK, (LANES, types.Integer), as_lanes)


def _define_unary(function, emit):
    @type_callable(function)
    def _type(_context):
        return lambda value: LANES if value == LANES else None

    @lower_builtin(function, LANES)
    def _lower(_context, builder, _signature, args):
        return emit(builder, args[0])


_define_unary(operator.invert, lambda builder, value: builder.not_(value))
_define_unary(operator.neg, lambda builder, value: builder.neg(value))


@type_callable(operator.getitem)
def _type_look_up(_context):
    def typer(table, index):
        if isinstance(table, types.Array) and isinstance(index, types.Tuple) and index.types[1:] == (LANES,):
            return LANES if table.dtype == types.int64 and table.ndim == 2 and table.layout == "C" else None
        return None

    return typer


@lower_builtin(operator.getitem, types.Array, types.Tuple)
def _look_up(context, builder, signature, args):
    """Look up places of a row, one after the other: no slower than the instructions that gather."""
    kind, index = signature.args
    table = context.make_array(kind)(context, builder, args[0])
    row = context.cast(builder, builder.extract_value(args[1], 0), index.types[0], types.int64)
    places, found = builder.extract_value(args[1], 1), ir.Constant(_VECTORS[LANES], ir.Undefined)
    start = builder.gep(table.data, [builder.mul(row, cgutils.unpack_tuple(builder, table.shape, 2)[1])])
    for lane in range(WIDTH):
        place = builder.extract_element(places, _NUMBER(lane))
        found = builder.insert_element(found, builder.load(builder.gep(start, [place])), _NUMBER(lane))
    return found


def load(numbers, first):
    """Return the lanes that begin at a place of an array of whole numbers."""
    return numbers[first : first + WIDTH].astype(np.int64)


def store(numbers, first, lanes):
    """Write lanes to an array of whole numbers from a place on; they must fit."""
    numbers[first : first + WIDTH] = lanes


@intrinsic
def _load(_typing, numbers, first):
    def generate(context, builder, signature, args):
        place = _place(context, builder, signature, args)
        value = builder.load(place)
        value.align = signature.args[0].dtype.bitwidth // 8
        return builder.sext(value, _VECTORS[LANES]) if value.type != _VECTORS[LANES] else value

    return LANES(numbers, first), generate


@intrinsic
def _store(_typing, numbers, first, lanes):
    def generate(context, builder, signature, args):
        place, value = _place(context, builder, signature, args), args[2]
        kind = place.type.pointee
        value = builder.trunc(value, kind) if value.type != kind else value
        builder.store(value, place, align=signature.args[0].dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(numbers, first, lanes), generate


def _place(context, builder, signature, args):
    kind = signature.args[0]
    numbers = context.make_array(kind)(context, builder, args[0])
    first = context.cast(builder, args[1], signature.args[1], types.int64)
    vector = ir.VectorType(ir.IntType(kind.dtype.bitwidth), WIDTH)
    return builder.bitcast(builder.gep(numbers.data, [first]), vector.as_pointer())


@overload(load, inline="always")
def _overload_load(numbers, first):
    return lambda numbers, first: _load(numbers, first)


@overload(store, inline="always")
def _overload_store(numbers, first, lanes):
    return lambda numbers, first, lanes: _store(numbers, first, lanes)
