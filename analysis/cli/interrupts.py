"""Ctrl-C and termination that never tear a run: signals wait for a place where counters are whole."""

import signal
import sys
import threading
import traceback
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_STATUS_OF_SIGNAL = 128


class Stopped(BaseException):
    """A signal ended the work where there was nothing to keep yet."""


def discard(stopped: Stopped) -> None:
    """Throw away what the compiler had half built; its finalisers would complain on standard error."""
    hook = sys.unraisablehook
    sys.unraisablehook = lambda _complaint: None
    try:
        traceback.clear_frames(stopped.__traceback__)
    finally:
        sys.unraisablehook = hook


class Interrupts:
    """Hold signals back while it is entered, until the run asks for them.

    A run calls :meth:`check` between two pieces; a signal that has come in the meantime then surfaces as
    ``KeyboardInterrupt``, which ends the run with whole counters. While :attr:`compiling`, which takes
    long and has nothing to lose, the first signal surfaces at once, as :class:`Stopped`. Further signals
    change nothing: the run is being saved already.
    """

    def __init__(self) -> None:
        self.received: int | None = None
        self.compiling = False
        self._before: dict[int, Any] = {}

    @property
    def status(self) -> int:
        """Exit status by the custom of shells: 130 after Ctrl-C, 143 after termination."""
        return _STATUS_OF_SIGNAL + (self.received or signal.SIGINT)

    def check(self) -> None:
        """Raise ``KeyboardInterrupt`` if a signal has come."""
        if self.received is not None:
            raise KeyboardInterrupt

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        first = self.received is None
        self.received = self.received or number
        if first and self.compiling:
            raise Stopped

    def __enter__(self) -> "Interrupts":
        # Python lets only the main thread set handlers; elsewhere no signal arrives either.
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._receive) for number in _SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
