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
from typing import Any

import filelock
import llvmlite
import numba
import platformdirs
from numba import config
from numba.core.dispatcher import Dispatcher

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
    """Hash of all that decides the machine code: sources, versions and compiler settings."""
    digest = hashlib.sha256()
    for path in sorted(_SOURCES.rglob("*.py")):
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


def helper(function: Callable) -> Any:
    """Compile a function that is only called from kernels; the kernel's cache holds its code.

    Numba hands an array to a function as seven words or more and checks a status on return; inlined,
    a deal takes two thirds of the time.
    """
    return numba.njit(nogil=True, error_model="numpy", forceinline=True)(function)


def routine(function: Callable) -> Any:
    """Compile a large part of a kernel without inlining it; the kernel's cache holds its code."""
    return numba.njit(nogil=True, error_model="numpy")(function)


def kernel(function: Callable) -> Any:
    """Compile an entry point: releases the GIL, is a pure function of its arguments, caches to disk."""
    if CACHE_FOLDER is None or config.DISABLE_JIT:
        return helper(function)
    with _numba_cache_folder():
        return numba.njit(nogil=True, error_model="numpy", cache=True)(function)


def plain(function: Any) -> Any:
    """Return the plain Python function of a helper, where a single call does not pay for compiling."""
    return getattr(function, "py_func", function)


def is_compiled(function: Any) -> bool:
    """Whether calling a kernel will not have to compile it: it ran before, or lies in the cache."""
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
    rebuilt: dict[Dispatcher, Any] = dict(replacements)

    def rebuild(target: Dispatcher) -> Any:
        if target not in rebuilt:
            rebuilt[target] = target
            python = target.py_func
            changed = {}
            for name in python.__code__.co_names:
                called = python.__globals__.get(name)
                if isinstance(called, Dispatcher) and (new := rebuild(called)) is not called:
                    changed[name] = new
            if changed:
                scope = {**python.__globals__, **changed}
                copy = types.FunctionType(python.__code__, scope, python.__name__, python.__defaults__)
                rebuilt[target] = helper(copy)
        return rebuilt[target]

    return rebuild(function)
