"""One look for all figures: palette, error bars, captions, SVG for a page.

Figures compute nothing: a ``draw_…`` function takes a finished table and, if wanted, the Axes to draw on, and
returns the Axes. A figure that makes its own Axes writes the table's provenance under them, unless told not
to (``small_print=False``); whoever gives the Axes captions them.
"""

import io
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Okabe and Ito's colours, told apart by colour-blind readers on light and on dark ground."""
MARKERS = ("o", "s", "D", "^", "v", "P")
INK, FAINT, GROUND = "#1b1c1d", "#c9ccd0", "#ffffff"
INTERVAL = "bars: 95% interval"

_SIZE = (4.8, 3.1)
_STYLE: Any = {
    "figure.figsize": _SIZE,
    "figure.dpi": 120,
    "figure.facecolor": GROUND,
    "axes.facecolor": "none",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "font.family": "sans-serif",
    "svg.fonttype": "none",
    # A dollar in a strategy's name is a dollar.
    "text.parse_math": False,
    "svg.hashsalt": "dealworth",
}
_LONGEST_LABEL, _LONGEST_ROW, _LONGEST_WORD = 64, 32, 40
_CAPTION_SIZE = 6.5
_CAPTION_WIDTH = 92
_LEGEND_ROW = 14


def new_axes(height: float = _SIZE[1]) -> Axes:
    """Make a figure in the house style, narrow enough for a phone, and return its Axes.

    The figure belongs to no window or global list, so that nothing has to be closed.
    """
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(_SIZE[0], height), layout="constrained")
        return figure.add_subplot()


def drawing(height: float | Callable[[pd.DataFrame], float] = _SIZE[1]) -> Callable:
    """Decorate a function that draws a table: house style, new Axes if none are given, provenance.

    Parameters
    ----------
    height : float or callable
        Inches of a figure of its own, or how they follow from the table.
    """

    def decorate(draw: Callable[[pd.DataFrame, Axes], None]) -> Callable[..., Axes]:
        def drawn(table: pd.DataFrame, ax: Axes | None = None, small_print: bool = True) -> Axes:
            inches = height(table) if callable(height) else height
            axes = new_axes(inches) if ax is None else ax
            with mpl.rc_context(_STYLE):
                draw(table, axes)
                if ax is None and small_print:
                    caption(axes, table.attrs.get("provenance", ""))
            return axes

        drawn.__name__, drawn.__qualname__ = draw.__name__, draw.__qualname__
        drawn.__doc__, drawn.__module__ = draw.__doc__, draw.__module__
        return drawn

    return decorate


def caption(axes: Axes, text: str) -> None:
    """Write small print under a figure: where its numbers come from."""
    lines = [piece for line in text.splitlines() for piece in _wrapped(line)]
    axes.figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=_CAPTION_SIZE, color=INK)


def dots(
    axes: Axes,
    table: pd.DataFrame,
    value: str,
    at: Sequence[float],
    series: int = 0,
    label: str | None = None,
    low: str = "low",
    high: str = "high",
) -> None:
    """Draw values as dots with their intervals, one a row of the table, at heights from top to bottom."""
    middle = table[value].to_numpy(float)
    # An interval that is not known (a single cluster) is drawn as none.
    ends = np.nan_to_num(np.abs(table[[low, high]].to_numpy(float).T - middle))
    axes.errorbar(
        middle,
        at,
        xerr=ends,
        fmt=MARKERS[series % len(MARKERS)],
        color=PALETTE[series % len(PALETTE)],
        markersize=5,
        elinewidth=1.6,
        capsize=2.5,
        label=label and legend_name(label),
    )


def joined_dots(
    axes: Axes,
    table: pd.DataFrame,
    x: str,
    y: str,
    by: str,
    names: Sequence[str],
) -> None:
    """Draw values as points joined by lines, with their intervals, one line a name."""
    for series, name in enumerate(names):
        rows = table[table[by] == name]
        axes.errorbar(
            rows[x],
            rows[y],
            yerr=[rows[y] - rows["low"], rows["high"] - rows[y]],
            fmt=f"-{MARKERS[series % len(MARKERS)]}",
            color=PALETTE[series % len(PALETTE)],
            markersize=4,
            linewidth=1.1,
            elinewidth=1.4,
            label=legend_name(name),
        )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y")


def shares_upward(axes: Axes) -> None:
    """Let the vertical axis show shares, from zero."""
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")


def stacked_shares(
    axes: Axes, parts: Mapping[str, tuple[str, Sequence[float]]], names: Sequence[str]
) -> None:
    """Draw parts of a whole side by side, a bar a row: by label of the part its colour and its shares."""
    start = [0.0] * len(names)
    for label, (colour, shares) in parts.items():
        look: Any = {"color": colour, "edgecolor": GROUND, "height": 0.7}
        axes.barh(range(len(names)), shares, left=start, label=label, **look)
        start = [a + b for a, b in zip(start, shares, strict=True)]
    rows_from_top(axes, names)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlim(0, 1)


def costs(axes: Axes, table: pd.DataFrame, names: Sequence[str], unit: str) -> None:
    """Draw what policies cost against choosing hand by hand, one a row."""
    dots(axes, table, "cost", range(len(table)), low="cost_low", high="cost_high")
    rows_from_top(axes, names)
    zero_line(axes)
    axes.grid(axis="x")
    hands = table["hands"].iloc[0]
    axes.set_xlabel(f"{unit} lost against choosing hand by hand\n({INTERVAL}, {hands:,} hands)")
    axes.set_title("What a fixed rule costs")


def one_run(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table if it holds one run only.

    Raises
    ------
    ValueError
        If it holds several.
    """
    runs = len(set(table["run"]))
    if runs != 1:
        raise ValueError(f"table of {runs} runs: this figure shows one")
    return table


def rows_from_top(axes: Axes, names: Sequence[str]) -> None:
    """Label rows 0, 1, 2 … from top to bottom."""
    axes.set_yticks(range(len(names)), [short(name, _LONGEST_ROW) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def zero_line(axes: Axes) -> None:
    """Mark zero on the horizontal axis."""
    axes.axvline(0, color=INK, linewidth=0.9, zorder=1)


def legend_above(axes: Axes, columns: int = 3) -> None:
    """Put the legend between title and data, where it covers nothing."""
    entries = len(axes.get_legend_handles_labels()[1])
    axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=columns, borderpad=0, handletextpad=0.4)
    axes.set_title(axes.get_title(loc="left"), loc="left", pad=8 + _LEGEND_ROW * -(-entries // columns))


def short(text: str, most: int = _LONGEST_LABEL) -> str:
    """Cut the middle out of lines that no figure has room for, such as a user's very long names."""
    return "\n".join(
        line if len(line) <= most else f"{line[: most - most // 3]}…{line[1 - most // 3 :]}"
        for line in text.split("\n")
    )


def legend_name(name: str) -> str:
    """Return a name as matplotlib takes it into a legend: short, and not hidden for a leading underscore."""
    return short(f" {name}" if name.startswith("_") else name)


@contextmanager
def any_characters() -> Iterator[None]:
    """Save a figure whatever characters its names have: a font without one draws a box, silently."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def signed(value: float, places: int = 2) -> str:
    """Write a difference with its sign, a true minus included."""
    return f"{value:+.{places}f}".replace("-", "−")


def svg(axes: Axes, name: str) -> str:
    """Return a figure as SVG to put into a page.

    Parameters
    ----------
    axes : Axes
        Any Axes of the figure.
    name : str
        Distinct within the page: it begins all identifiers of the SVG.

    Returns
    -------
    str
        An ``<svg>`` element without fixed size, whose ink, grid and ground follow the page's colours by
        the variables ``--ink``, ``--faint`` and ``--ground``, and whose font is the page's.
    """
    stream = io.StringIO()
    with mpl.rc_context(_STYLE), any_characters():
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure: Any = axes.figure
        figure.savefig(stream, format="svg", facecolor="none", metadata=nothing)
    text = stream.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(
        r' xmlns(:xlink)?="[^"]*"| (width|height)="[\d.]+pt"(?=[^<]*viewBox)| version="1.1"', "", text
    )
    text = _name_identifiers(text.replace("xlink:href", "href"), name)
    text = re.sub(r" font-family: [^;\"]*;?", "", text)
    for colour, variable in ((INK, "--ink"), (FAINT, "--faint"), (GROUND, "--ground")):
        text = re.sub(rf"(?i){colour}\b", f"var({variable})", text)
    return text


def _name_identifiers(text: str, name: str) -> str:
    """Put a name before all identifiers of an SVG; links to other places of the page stay as they are."""
    own = set(re.findall(r'\bid="([^"]+)"', text))
    return re.sub(
        r'(\bid="|href="#|url\(#)([^")]+)',
        lambda found: found[1] + (f"{name}-" if found[2] in own else "") + found[2],
        text,
    )


def _wrapped(line: str) -> list[str]:
    words, lines = line.split(), [""]
    for word in (short(word, _LONGEST_WORD) for word in words):
        if lines[-1] and len(lines[-1]) + len(word) >= _CAPTION_WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
