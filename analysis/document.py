"""What a report is made of: sections of text, tables and figures, without a thought for HTML.

Each game's ``analysis/<game>/sections.py`` has ``sections(runs) -> list[Section]``; `analysis.report` lays
them out. All text is plain: the page escapes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import pandas as pd
from matplotlib.axes import Axes

from analysis.estimates import chance_text, decimals, places_off_zero

_PLACES = 3


@dataclass(frozen=True)
class Text:
    """A paragraph.

    Parameters
    ----------
    text : str
        Plain text.
    emphasis : bool
        Whether it is an answer that must be seen first.
    """

    text: str
    emphasis: bool = False


@dataclass(frozen=True)
class Table:
    """A table with its heads and caption.

    Parameters
    ----------
    frame : DataFrame
        Texts and numbers as they are to be read.
    caption : str
        What the numbers are: units, interval, n.
    provenance : str
        Runs behind it, one line each.
    folded : bool
        Whether it is opened on demand: for long tables behind a figure.
    """

    frame: pd.DataFrame
    caption: str
    provenance: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Picture:
    """A figure with its caption.

    Parameters
    ----------
    axes : Axes
        Drawn already.
    caption : str
        What it shows.
    provenance : str
        Runs behind it, one line each.
    """

    axes: Axes
    caption: str
    provenance: str = ""


@dataclass(frozen=True)
class Lines:
    """Short lines under a heading.

    Parameters
    ----------
    title : str
        Heading.
    lines : tuple of str
        One below the other, in a fixed-width face.
    anchor : str
        Name of the place, distinct within the page: what links to ``#anchor`` in a figure leads here.
    """

    title: str
    lines: tuple[str, ...]
    anchor: str


@dataclass(frozen=True)
class Folded:
    """Many short lines, opened on demand: what is too long for a table.

    Parameters
    ----------
    caption : str
        What they are; it is seen before they are opened.
    parts : tuple of Lines
        Below each other.
    """

    caption: str
    parts: tuple[Lines, ...]


Block: TypeAlias = Text | Table | Picture | Folded


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Parameters
    ----------
    title : str
        Heading.
    blocks : tuple
        Text, tables and pictures in reading order.
    """

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Source:
    """Where numbers of a report come from.

    Parameters
    ----------
    title : str
        Heading.
    facts : mapping of str to str
        What was played, by what is told of it: rules, strategies, seed, size.
    command : str or None
        Command line that gives the same numbers again, if one can.
    versions : mapping of str to str
        Of the libraries that made them.
    """

    title: str
    facts: Mapping[str, str]
    command: str | None
    versions: Mapping[str, str]


Formats: TypeAlias = Mapping[str, tuple[str, str]]
"""Columns to show: by column of a table, its head and how it is written (:func:`columns`)."""


def picture(draw: Callable[..., Axes], table: pd.DataFrame, caption: str) -> Picture:
    """Draw a table for a page, which sets the provenance under it."""
    return Picture(draw(table, small_print=False), caption, _provenance(table))


def listing(table: pd.DataFrame, formats: Formats, caption: str, folded: bool = False) -> Table:
    """Lay out a table for a page, with its own provenance."""
    return Table(columns(table, formats), caption, _provenance(table), folded)


def columns(table: pd.DataFrame, formats: Formats) -> pd.DataFrame:
    """Choose, name and format columns for reading.

    Parameters
    ----------
    table : DataFrame
        Numbers, unrounded.
    formats : mapping of str to (str, str)
        By column: its head, and how to write it. ``"text"`` as it is; ``"count"`` with thousands;
        ``"chance"`` in whole percent; ``"percent"``, ``"number"`` and ``"signed"`` with the digits that
        their error supports where the table has the interval. A key of two columns with a blank between
        them is written as an interval, ``low to high``.

    Returns
    -------
    DataFrame of str
        One column a format.
    """
    rows = table.to_dict("records")
    return pd.DataFrame(
        {head: [_written(row, key, style) for row in rows] for key, (head, style) in formats.items()},
        dtype=object,
    )


def distribution_formats(by: tuple[str, ...], unit: str) -> Formats:
    """Return the formats of a distribution's table: run, what it is by, counts, shares and intervals."""
    return {
        "run": ("run", "text"),
        **{name: (name, "text") for name in by},
        unit: (unit, "count"),
        "share": ("share", "percent"),
        "low high": ("95% interval", "percent"),
    }


def _written(row: Mapping[Any, Any], key: str, style: str) -> str:
    if style == "text":
        return str(row[key])
    if style == "count":
        return f"{row[key]:,}"
    if style == "chance":
        return chance_text(float(row[key]))
    values = [float(row[name]) for name in key.split()]
    if any(value != value for value in values):
        return "–"
    scale, unit = (100, "%") if style.startswith("percent") else (1, "")
    places = _places(row, key, scale)
    sign = "+" if style.startswith("signed") else ""
    written = [f"{value * scale:{sign}z.{places}f}".replace("-", "−") + unit for value in values]
    return " to ".join(written)


def _provenance(table: pd.DataFrame) -> str:
    return str(table.attrs.get("provenance", ""))


def _places(row: Mapping[Any, Any], key: str, scale: int) -> int:
    """Return the decimals that the width of an interval supports, the one that belongs to the column."""
    prefix = key.split()[0].removesuffix("low") if " " in key else f"{key}_"
    ends = [row.get(prefix + end, row.get(end)) for end in ("low", "high")]
    if None in ends or not ends[1] > ends[0]:
        return _PLACES if scale == 1 else 1
    quarter = (ends[1] - ends[0]) * scale / 4
    return places_off_zero(ends[0] * scale, ends[1] * scale, min(max(decimals(quarter), 0), 6))
