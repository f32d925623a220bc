"""The one place that owns compile options and the folder of compiled kernels.

Numba checks a cached function only against its own source file, so a constant changed in another
module would keep its old value. The cache folder is therefore named by a hash of every source file
of ``sim`` and of the settings that change the machine code: an edit anywhere starts a new folder.
"""

import hashlib
import os
import platform
import shutil
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import filelock
import llvmlite
import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba import config
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic, overload

_SOURCES = Path(__file__).resolve().parent.parent
_FOLDERS_KEPT = 6
_SETTINGS = (
    "NUMBA_BOUNDSCHECK",
    "NUMBA_CPU_NAME",
    "NUMBA_CPU_FEATURES",
    "NUMBA_OPT",
    "NUMBA_DEBUGINFO",
    "DEALWORTH_PORTABLE",
)


def source_digest() -> str:
    """Hash of all that decides the machine code: sources, their data, versions and compiler settings."""
    digest = hashlib.sha256()
    for path in sorted([*_SOURCES.rglob("*.py"), *_SOURCES.rglob("*.npy")]):
        digest.update(str(path.relative_to(_SOURCES)).encode())
        digest.update(path.read_bytes())
    for part in (platform.python_version(), numba.__version__, llvmlite.__version__):
        digest.update(part.encode())
    for name in _SETTINGS:
        digest.update(f"{name}={os.environ.get(name, '')}".encode())
    return digest.hexdigest()[:16]


def _open_cache() -> Path | None:
    """Create the folder for today's sources; None where nothing is writable."""
    root = Path(os.environ.get("DEALWORTH_CACHE_DIR") or platformdirs.user_cache_dir("dealworth"))
    folder = root / f"kernels-{source_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
        os.utime(folder)
        _drop_old(root, folder)
    except OSError:
        return None
    return folder


def _drop_old(root: Path, current: Path) -> None:
    """Remove all but the most recently used cache folders."""
    folders = sorted(root.glob("kernels-*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for stale in folders[_FOLDERS_KEPT:]:
        if stale != current:
            shutil.rmtree(stale, ignore_errors=True)


CACHE_FOLDER = _open_cache()


@contextmanager
def _numba_cache_folder() -> Iterator[None]:
    """Point numba at our folder for one decoration only: a user's own caches stay where they are."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        yield
    finally:
        config.CACHE_DIR = before


class _Helper(CPUDispatcher):
    """A function compiled without the two wrappers by which Python and C would call it.

    Both hold a copy of all that is inlined into it, which LLVM would optimise each time: two thirds of the
    compiling. Python calls it by a twin that has them, compiled when it does.
    """

    def __call__(self, *arguments: Any) -> Any:
        """Call the twin."""
        if not hasattr(self, "_twin"):
            self._twin = numba.njit(**_HELPER)(self.py_func)
        return self._twin(*arguments)


_HELPER = {"nogil": True, "error_model": "numpy", "forceinline": True, "_nrt": False}
_BARE = {"nopython": True, "boundscheck": None, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def helper(function: Callable) -> Any:
    """Compile a function that is only called from kernels and allocates nothing; the kernel's cache holds it.

    Numba hands an array to a function as seven words or more and checks a status on return; inlined,
    a deal takes two thirds of the time. It also counts references to each array on the way in and out,
    with locked instructions that LLVM cannot prune from branching code: half of the time that is left.
    Who called the kernel holds the arrays, so nothing is counted here. An allocation in a helper, or in
    what is first compiled inside it, is refused by numba at compile time; see :func:`allocating`.
    """
    return function if config.DISABLE_JIT else _Helper(function, targetoptions={**_HELPER, **_BARE})


def wrapping(function: Callable) -> Any:
    """Compile as :func:`helper` does what lets whole numbers wrap round, for which NumPy would warn."""
    return np.errstate(over="ignore")(function) if config.DISABLE_JIT else helper(function)


def allocating(function: Callable) -> Any:
    """Compile as :func:`helper` does, for what makes arrays of its own: users' functions, scratch."""
    return numba.njit(nogil=True, error_model="numpy", forceinline=True, _nrt=True)(function)


def routine(function: Callable) -> Any:
    """Compile a large part of a kernel, not inlined, free to allocate; the kernel's cache holds it."""
    return numba.njit(nogil=True, error_model="numpy", _nrt=True)(function)


def kernel(function: Callable) -> Any:
    """Compile an entry point: releases the GIL, is a pure function of its arguments, caches to disk."""
    if CACHE_FOLDER is None or config.DISABLE_JIT:
        return allocating(function)
    with _numba_cache_folder():
        return numba.njit(nogil=True, error_model="numpy", cache=True)(function)


class Decider:
    """A function that kernels call by its address, so that it is compiled by itself and only when needed.

    Numba optimises whatever a kernel calls once more with every function on the way: what is large would
    be compiled many times over, in each kernel. An address travels in the policies as any other number.

    Parameters
    ----------
    function : Dispatcher
        ``f(view, params, luck) -> int64`` with an int64 array, a float64 (rows, P) array and an int64.
    """

    def __init__(self, function: Any):
        self.function = function
        self.name = f"decide_{function.__name__}"
        self._compiled: Any = None

    @property
    def address(self) -> int:
        """Where the machine code is; compiled, or read from the cache, at the first time of asking."""
        if self._compiled is None:
            with compile_lock():
                self._compiled = self._compile()
        return self._compiled.address

    @property
    def compiled(self) -> bool:
        """Whether asking for the address will not have to compile it."""
        if self._compiled is not None or config.DISABLE_JIT:
            return True
        return CACHE_FOLDER is not None and any(CACHE_FOLDER.rglob(f"*{self.name}-*.nbi"))

    def _compile(self) -> Any:
        if config.DISABLE_JIT:
            return _Interpreted(self.function)
        # By a global name: numba would take what a closure holds into the key of the cache.
        entry = types.FunctionType(_enter.__code__, {**globals(), "_decide": self.function}, self.name)
        entry.__qualname__ = self.name
        if CACHE_FOLDER is None:
            return numba.cfunc(_DECIDER, nopython=True)(entry)
        with _numba_cache_folder():
            return numba.cfunc(_DECIDER, nopython=True, cache=True)(entry)


def _decide(_view, _params, _luck):
    """Stand-in: each decider's copy of :func:`_enter` sees its own function under this name."""
    raise NotImplementedError


def _enter(view, size, params, rows, columns, luck):
    return _decide(numba.carray(view, size), numba.carray(params, (rows, columns)), luck)


_DECIDER = numba.types.int64(
    numba.types.CPointer(numba.types.int64), numba.types.int64,
    numba.types.CPointer(numba.types.float64), numba.types.int64, numba.types.int64,
    numba.types.int64,
)  # fmt: skip


class _Interpreted:
    """Stand-in for machine code where numba is switched off."""

    found: ClassVar[dict[int, Any]] = {}

    def __init__(self, function: Any):
        self.address = FIRST_ADDRESS + len(self.found)
        self.found[self.address] = function


FIRST_ADDRESS = 1 << 16
"""No machine code lies below."""


def ask(address, view, params, luck):
    """Call the decider at an address."""
    return _Interpreted.found[address](view, params, luck)


@overload(ask, inline="always")
def _ask(address, view, params, luck):
    return lambda address, view, params, luck: _call(address, view, params, luck)


@intrinsic
def _call(_typing, address, view, params, luck):
    """Call machine code by its address with the parts of both arrays."""

    def generate(context, builder, signature, args):
        place, seen, weights, random_bits = args
        view_array = context.make_array(signature.args[1])(context, builder, seen)
        rows = context.make_array(signature.args[2])(context, builder, weights)
        (size,) = cgutils.unpack_tuple(builder, view_array.shape, 1)
        row_count, columns = cgutils.unpack_tuple(builder, rows.shape, 2)
        arguments = [view_array.data, size, rows.data, row_count, columns, random_bits]
        function = ir.FunctionType(ir.IntType(64), [argument.type for argument in arguments])
        return builder.call(builder.inttoptr(place, function.as_pointer()), arguments)

    int64 = numba.types.int64
    return int64(int64, view, params, int64), generate


def plain(function: Any) -> Any:
    """Return the plain Python function of a helper, where a single call does not pay for compiling."""
    return getattr(function, "py_func", function)


def is_compiled(function: Any) -> bool:
    """Whether calling a kernel will not have to compile it: it ran before, or lies in the cache."""
    if isinstance(function, Decider):
        return function.compiled
    if not isinstance(function, Dispatcher) or function.signatures:
        return True
    folder = function.stats.cache_path
    if CACHE_FOLDER is None or folder is None:
        return False
    return any(Path(folder).glob(f"*{function.py_func.__name__}-*.nbi"))


@contextmanager
def compile_lock(*functions: Any) -> Iterator[None]:
    """Let one process at a time fill the cache: two that race can leave a broken index.

    Parameters
    ----------
    *functions : Dispatcher
        Kernels about to be called. If each ran in this process before, none can touch the cache, and
        nothing is locked. Locks may be nested.
    """
    ran = bool(functions) and all(getattr(function, "signatures", True) for function in functions)
    if CACHE_FOLDER is None or ran:
        yield
        return
    with filelock.FileLock(CACHE_FOLDER / ".lock", is_singleton=True):
        yield


def _is_part(function: Any) -> bool:
    """Whether a function is part of a kernel; where numba is switched off, they are plain ones."""
    if isinstance(function, Dispatcher):
        return True
    return config.DISABLE_JIT and isinstance(function, types.FunctionType)


def _rebuilt(original: Any, function: Callable) -> Any:
    """Compile a function by the options of another."""
    if isinstance(original, _Helper):
        return helper(function)
    return numba.jit(**getattr(original, "targetoptions", {}))(function)


def specialise(function: Dispatcher, replacements: Mapping[Dispatcher, Any]) -> Any:
    """Rebuild a kernel with some of the functions that it calls, directly or not, replaced.

    Parameters
    ----------
    function : Dispatcher
        A compiled function.
    replacements : mapping of Dispatcher to Dispatcher
        Which functions to replace by which. Callers refer to them by their plain global name.

    Returns
    -------
    Dispatcher
        The rebuilt function, or the same where nothing leads to a replaced one. It is compiled at
        its first call and never cached on disk, since the sources of the replacing functions are
        not part of the cache folder's hash.
    """
    rebuilt: dict[Any, Any] = dict(replacements)

    def rebuild(target: Any) -> Any:
        if target not in rebuilt:
            rebuilt[target] = target
            python = plain(target)
            changed = {}
            for name in python.__code__.co_names:
                called = python.__globals__.get(name)
                if _is_part(called) and (new := rebuild(called)) is not called:
                    changed[name] = new
            if changed:
                scope = {**python.__globals__, **changed}
                copy = types.FunctionType(python.__code__, scope, python.__name__, python.__defaults__)
                # As the original was compiled: one that allocates must be free to do so.
                rebuilt[target] = _rebuilt(target, copy)
        return rebuilt[target]

    return rebuild(function)
