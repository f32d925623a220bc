"""The command ``dealworth``: read what is asked, do it, say it in one line if it cannot be done.

Commands are imported only when they run: each is a module here of its own name with ``main(args)``.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from analysis.cli.arguments import parse
from analysis.cli.streams import complain, flush, silence, standard_streams

_WRONG = 2
_INTERRUPTED = 130
_PIPE_CLOSED = 141
_BOUNDS = "NUMBA_BOUNDSCHECK"
_NAMES = ("out", "resume", "run", "folders", "config", "record", "figure")
"""Options that name files and folders."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    words : sequence of str, optional
        Words after ``dealworth``; those of the process if left out.

    Returns
    -------
    int
        Exit status: 0, or 2 if what was asked is not valid, 130 after Ctrl-C, 141 if nobody read on.
    """
    with standard_streams():
        try:
            return _run(words)
        except BrokenPipeError:
            silence(sys.stdout)
            return _PIPE_CLOSED
        except (ValueError, OSError) as error:
            complain(f"dealworth: {_in_one_line(error)}")
            return _WRONG
        except KeyboardInterrupt:
            complain("dealworth: interrupted")
            return _INTERRUPTED


def _run(words: Sequence[str] | None) -> int:
    """Read what is asked and do it; all output is written out, also that of ``--help``."""
    try:
        args = parse(words)
        if getattr(args, "check", None):
            _check_bounds()
        _check_names(args)
        return import_module(f"analysis.cli.{args.command}").main(args)
    finally:
        flush()


def _check_bounds() -> None:
    """Let numba check the bounds of every index, which it asks its environment for when it is loaded.

    Raises
    ------
    ValueError
        If it is loaded already, without.
    """
    if "numba" in sys.modules and os.environ.get(_BOUNDS) != "1":
        raise ValueError(f"--check needs a process of its own, or {_BOUNDS}=1 in its environment")
    os.environ[_BOUNDS] = "1"


def _check_names(args: argparse.Namespace) -> None:
    """Refuse names of files and folders that no line of text can hold as they are."""
    from sim.core.strategy import printable

    for option in _NAMES:
        given = getattr(args, option, None) or ()
        for name in (given,) if isinstance(given, str) else given:
            printable("name", name)


def _in_one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename!r}: {error.strerror}"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(reason.split())
