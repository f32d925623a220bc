"""Users' own functions in a kernel: compiled, asked, and named whatever goes wrong.

A kernel is rebuilt around them (:func:`specialised`). Before a function is asked, the number of its decision,
what is legal and which round or deal it is are noted behind the parameters of its row, after it the answer:
so a wrong answer can be shown, and a function that raises or never answers has a name.
"""

import inspect
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.extending import intrinsic, overload

from sim.core.jit import allocating, plain, specialise

ASKED, ANSWER, LEGAL, NUMBER, COUNT, NOTES = range(6)
"""Notes behind the parameters: number of the kind of decision from 1, 0 where nothing is asked; the last
answer and what was legal; number of the round or deal in its match; decisions so far. NOTES counts them."""

_TICK = 0.1
"""Seconds between two looks whether somebody wants to interrupt."""
_PATIENCE = 1.0
"""Seconds after which a function that is asked all the while counts as one that does not answer."""
_ARGUMENTS = ("view", "params", "luck")


class StrategyError(ValueError):
    """A strategy answered outside the rules, or its function raised an error."""


class Places(NamedTuple):
    """Where a game's view holds what is noted.

    Parameters
    ----------
    row : int
        Number of the parameter row.
    legal : int
        What may be answered.
    number : int
        Number of the round or deal in its match.
    """

    row: int
    legal: int
    number: int


def compiled(decision: str, function: Callable, check: bool = False) -> Any:
    """Compile a user's function and see that it answers with a whole number.

    Parameters
    ----------
    decision : str
        What it decides, for messages.
    function : callable
        ``f(view, params, luck)``, compiled by numba or not.
    check : bool
        Whether to check the bounds of its indices.

    Raises
    ------
    ValueError
        If it is no such function.
    """
    python = plain(function)
    if not inspect.isfunction(python):
        raise ValueError(f"decision {decision!r}: a function is needed, not {function!r}")
    try:
        inspect.signature(python).bind(*_ARGUMENTS)
    except TypeError:
        raise ValueError(
            f"decision {decision!r}: a function of {', '.join(_ARGUMENTS)} is needed,"
            f" not of {inspect.signature(python)}"
        ) from None
    if check:
        own: Any = numba.njit(nogil=True, error_model="numpy", _nrt=True, boundscheck=True)(python)
    else:
        own = function if isinstance(function, Dispatcher) else allocating(function)
    if not isinstance(own, Dispatcher):
        return own
    arguments = (types.int64[::1], types.float64[::1], types.int64)
    try:
        own.compile(arguments)
        answer = own.overloads[arguments].signature.return_type
    except (NumbaError, TypeError, ValueError, KeyError, NotImplementedError, RuntimeError) as error:
        reason = next((line for line in str(error).splitlines() if line.strip()), "no reason given")
        raise ValueError(f"decision {decision!r}: numba cannot compile the function: {reason}") from None
    if not isinstance(answer, types.Integer | types.Boolean):
        raise ValueError(f"decision {decision!r}: the function answers with {answer}, not a whole number")
    return own


@lru_cache(maxsize=64)
def specialised(
    kernel: Any,
    functions: tuple[tuple[Callable, ...], ...],
    stand_ins: tuple[Any, ...],
    unasked: tuple[tuple[Any, Any], ...],
    places: Places,
) -> Any:
    """Return a kernel that asks the users' functions; the cached one itself where there are none.

    Parameters
    ----------
    kernel : Dispatcher
        Compiled entry point.
    functions : tuple of tuple of callable
        Users' functions by kind of decision, as ``own_functions`` gives them. Players, names and parameters
        are no part of it, so that other seats and a sweep of parameters compile nothing.
    stand_ins : tuple of Dispatcher
        For each kind of decision the function that stands in for a user's.
    unasked : tuple of (Dispatcher, Dispatcher)
        Functions that are never called where a user's function is asked for the first kind of decision, and
        what to compile in their place.
    places : Places
        Where a view holds what is noted.
    """
    replacements = {
        stand_in: _chain(own, number, stand_in, places)
        for number, (own, stand_in) in enumerate(zip(functions, stand_ins, strict=True), start=1)
        if own
    }
    if functions[0]:
        replacements |= dict(unasked)
    return specialise(kernel, replacements) if replacements else kernel


def _chain(functions: Sequence[Any], number: int, stand_in: Any, places: Places) -> Any:
    """Combine several functions into one that asks by place."""
    combined = stand_in
    for slot, function in enumerate(functions):
        combined = _link(slot, number, function, combined, *places)
    return combined


def _link(slot: int, decision: int, function: Any, others: Any, row: int, legal: int, number: int) -> Any:
    @allocating
    def ask(asked, view, params, luck):
        if asked == slot:
            own = params[view[row]]
            size = own.size - NOTES
            notes = own[size:].view(np.int64)
            notes[LEGAL], notes[NUMBER] = view[legal], view[number]
            notes[COUNT] += 1
            _write(notes, ASKED, decision)
            # Copies: what a function writes to its view or parameters stays with it.
            answer = np.int64(function(view.copy(), own[:size].copy(), luck))
            notes[ANSWER] = answer
            _write(notes, ASKED, 0)
            return answer
        return others(asked, view, params, luck)

    return ask


def _write(notes, place, value):
    """Write a note at once, where another thread reads it: no compiler may put it off or leave it out."""
    notes[place] = value


@overload(_write, inline="always")
def _write_compiled(notes, place, value):
    return lambda notes, place, value: _write_atomic(notes, place, np.int64(value))


@intrinsic
def _write_atomic(_typing, notes, place, value):
    def generate(context, builder, signature, args):
        array = context.make_array(signature.args[0])(context, builder, args[0])
        offset = context.cast(builder, args[1], signature.args[1], types.intp)
        builder.store_atomic(args[2], builder.gep(array.data, [offset]), "release", 8)
        return context.get_dummy_value()

    return types.void(notes, place, types.int64), generate


class Call(NamedTuple):
    """A kernel that is being called.

    Parameters
    ----------
    params : float64 (rows, P) array
        Parameters and notes of its players.
    complain : callable
        From a row of them and what its strategy did to a sentence.
    decisions : tuple of str
        Kinds of decision.
    """

    params: np.ndarray
    complain: Callable[[int, str], str]
    decisions: tuple[str, ...]

    def asked(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the rows whose function is being asked, with their notes."""
        for row, notes in enumerate(notes_of(self.params)):
            if notes[ASKED]:
                yield row, notes


_CALLS: dict[int, Call] = {}
"""Calls in progress, of all threads, by the identity of their parameters."""


def notes_of(params: np.ndarray) -> np.ndarray:
    """Return the notes behind parameters: int64 (rows, NOTES), a view."""
    return params[:, -NOTES:].view(np.int64)


def call(kernel: Any, arguments: tuple, call: Call | None) -> Any:
    """Call a kernel, so that what its users' functions do wrong has a name.

    Numba's code does not see Ctrl-C: in the main thread the call is made by a thread of its own, which a
    function that never answers keeps busy until the process ends, but nobody waits for it.

    Parameters
    ----------
    kernel : Dispatcher
        What to call; of :func:`specialised`.
    arguments : tuple
        Its arguments.
    call : Call or None
        Who is asked; None where no user's function is.

    Raises
    ------
    StrategyError
        If a function raises an error.
    KeyboardInterrupt
        If Ctrl-C comes meanwhile, with the name of a function that does not answer.
    """
    if call is None:
        return kernel(*arguments)
    _CALLS[id(call.params)] = call
    try:
        if isinstance(kernel, Dispatcher) and threading.current_thread() is threading.main_thread():
            return _in_thread(kernel, arguments)
        return kernel(*arguments)
    except Exception as error:
        for row, notes in call.asked():
            what = f"raised {type(error).__name__}: {error}, asked for its {call.decisions[notes[ASKED] - 1]}"
            raise StrategyError(call.complain(row, what)) from error
        raise
    except KeyboardInterrupt:
        raise KeyboardInterrupt(unanswered()) from None
    finally:
        del _CALLS[id(call.params)]


def _in_thread(kernel: Any, arguments: tuple) -> Any:
    """Call a kernel in a thread that ends with the process, and wait for it so that Ctrl-C gets through."""
    if not kernel.signatures:
        kernel.compile(tuple(map(numba.typeof, arguments)))
    done = threading.Event()
    results: list[Any] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(kernel(*arguments))
        except BaseException as error:
            errors.append(error)
        done.set()

    threading.Thread(target=work, daemon=True).start()
    while not done.wait(_TICK):
        pass
    if errors:
        raise errors[0]
    return results[0]


def unanswered() -> str:
    """Return who is asked and does not answer, as a sentence; nothing if all do. It takes a second."""
    before = _waiting()
    if not before:
        return ""
    time.sleep(_PATIENCE)
    after = _waiting()
    return next((text for key, text in before.items() if key in after), "")


def _waiting() -> dict[tuple[int, int, int], str]:
    """Return what is being asked at this moment: a sentence by call, row and number of the decision."""
    return {
        (place, row, int(notes[COUNT])): call.complain(
            row, f"does not answer, asked for its {call.decisions[notes[ASKED] - 1]},"
        )
        for place, call in list(_CALLS.items())
        for row, notes in call.asked()
    }
