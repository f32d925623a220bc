"""Standard streams as commands find them: open, closed, or with nobody at the other end."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import IO


@contextlib.contextmanager
def standard_streams() -> Iterator[None]:
    """See that there is an output to write to, and that it takes every character (case 26).

    Where a standard stream is closed its number is taken by the null device, or the next file that is opened
    would have it, and what is printed would be written there.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    before = sys.stdout, sys.stderr
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout, sys.stderr = (stream or nowhere for stream in before)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before


def write(text: str) -> None:
    """Write to standard output.

    Raises
    ------
    OSError
        If it cannot be written, ``BrokenPipeError`` if nobody reads it.
    """
    with _standard_output():
        sys.stdout.write(text)


def flush() -> None:
    """Write out what standard output holds; it raises as :func:`write` does."""
    with _standard_output():
        sys.stdout.flush()


@contextlib.contextmanager
def _standard_output() -> Iterator[None]:
    """Name standard output where it cannot be written, and write no more to it."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        silence(sys.stdout)
        raise OSError(error.errno, error.strerror, "standard output") from None


def complain(text: str) -> None:
    """Write a line to standard error, at once; where nobody reads it, what goes on goes on without."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def silence(stream: IO[str]) -> None:
    """Let what is written to a stream, and what it still holds, go nowhere: nobody reads it."""
    # A stream that is no file of the system has nothing to be told when Python ends.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
