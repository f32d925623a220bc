"""The command ``dealworth``: read what is asked, do it, say it in one line if it cannot be done.

Commands are imported only when they run: each is a module here of its own name with ``main(args)``.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from analysis.cli.arguments import parse

_WRONG = 2
_INTERRUPTED = 130
_PIPE_CLOSED = 141


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
    _print_anywhere()
    try:
        args = parse(words)
        status = import_module(f"analysis.cli.{args.command}").main(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered must not raise again when Python shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except (ValueError, OSError) as error:
        print("dealworth:", _in_one_line(error), file=sys.stderr)
        return _WRONG
    except KeyboardInterrupt:
        print("dealworth: interrupted", file=sys.stderr)
        return _INTERRUPTED
    return status


def _in_one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename!r}: {error.strerror}"
    return " ".join(str(error).split())


def _print_anywhere() -> None:
    """Let no console fail on a character that it does not have (case 26)."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
