"""Text and tables for any terminal: symbols where the encoding has them, letters where not."""

import io
import sys
from collections.abc import Sequence
from textwrap import fill
from typing import IO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from analysis.cli.streams import complain, write

_PLAIN = str.maketrans(
    {
        "±": "+/-",
        "→": "->",
        "−": "-",
        "–": "-",
        "×": "x",
        "·": "-",
        "…": "...",
        "♠": "S",
        "♥": "H",
        "♦": "D",
        "♣": "C",
    }
)

_WIDEST = 1000
_PARAGRAPH = 100


def has_symbols(stream: IO[str]) -> bool:
    """Whether a stream's encoding has all symbols that we would write."""
    try:
        "".join(map(chr, _PLAIN)).encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def fitting(text: str, stream: IO[str]) -> str:
    """Return a text as the stream can show it."""
    return text if has_symbols(stream) else text.translate(_PLAIN)


def say(text: str) -> None:
    """Write a line to standard output."""
    write(fitting(text, sys.stdout) + "\n")


def note(text: str) -> None:
    """Write a paragraph to standard output."""
    say(fill(text, _PARAGRAPH, subsequent_indent="  "))


def warn(text: str) -> None:
    """Write a line to standard error, at once."""
    complain(fitting(text, sys.stderr))


def show_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str] | None],
    title: str = "",
    right: Sequence[int] = (),
    fold: bool = False,
) -> None:
    """Print a table on standard output.

    Parameters
    ----------
    heads : sequence of str
        Heads of columns.
    rows : sequence of sequences of str
        Cells; None stands for a gap between groups.
    title : str
        Line above.
    right : sequence of int
        Columns to align at the right.
    fold : bool
        Break long cells to the width of the terminal; numbers are better left whole.
    """
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for place, head in enumerate(heads):
        table.add_column(
            Text(fitting(head, sys.stdout)), justify="right" if place in right else "left", overflow="fold"
        )
    for row in rows:
        if row is None:
            table.add_section()
        else:
            table.add_row(*(Text(fitting(cell, sys.stdout)) for cell in row))
    if title:
        say(title)
    held = _Held()
    console = Console(file=held, force_terminal=sys.stdout.isatty() or None, highlight=False)
    if not fold:
        unbounded = console.options.update(max_width=_WIDEST)
        console.width = max(console.width, Measurement.get(console, unbounded, table).maximum)
    console.print(table)
    write(held.getvalue())


class _Held(io.StringIO):
    """Text for standard output, held back from it: Rich would end the process where nobody reads on."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Return the encoding of standard output, by which Rich chooses its lines."""
        return getattr(sys.stdout, "encoding", None) or "utf-8"


def short(number: float) -> str:
    """Write a large number with three digits: ``3.42 million``, ``812 thousand``, ``95.1``."""
    for size, name in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if number >= 0.9995 * size:
            return f"{number / size:#.3g}".rstrip(".") + name
    return f"{number:.3g}"


def clock(seconds: float) -> str:
    """Write a time as ``0:07``, ``12:34`` or ``1:02:03``."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"
