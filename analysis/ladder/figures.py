"""The pictures of the ladder: cross play as a heat map, and what the answers are at each rung."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle
from matplotlib.ticker import PercentFormatter

from analysis.estimates import decimals
from analysis.figures import (
    FAINT,
    INK,
    INTERVAL,
    MARKERS,
    PALETTE,
    drawing,
    legend_above,
    rows_from_top,
    short,
    signed,
)

_GAINS, _LOSES = PALETTE[0], PALETTE[1]
_FAINTEST, _STRONGEST = 0.12, 0.75
_ROOT = 0.5
"""Colours follow the root of a gain: small gains among the strong are what a ladder is about."""
_MOST_PLACES = 3
_LONG, _MOST_LETTERS = 12, 48


def _height_of_matrix(table: pd.DataFrame) -> float:
    """Inches for a row of each strategy, heads, legend and provenance."""
    return 2.1 + 0.42 * table["one"].nunique()


@drawing(_height_of_matrix)
def draw_cross_play(table: pd.DataFrame, ax: Axes) -> None:
    """Draw what one strategy gains among others of another, from :func:`cross_play`, in rows and columns.

    Colour tells gain from loss and how much; in grey cells the interval holds zero. Under the gain stands its
    standard error. Nothing is gained among one's own kind.
    """
    columns = list(dict.fromkeys(table["two"]))
    rows = [*columns, *(name for name in dict.fromkeys(table["one"]) if name not in columns)]
    most = max(table["gain"].abs().max(), 1e-9)
    for cell in table.to_dict("records"):
        _draw_cell(ax, cell, columns.index(cell["two"]), rows.index(cell["one"]), most)
    for place in range(len(columns)):
        ax.text(place, place, "0", ha="center", va="center", fontsize=7.5, color=INK, alpha=0.5)
    ax.set_xlim(-0.5, len(columns) - 0.5)
    _name_columns(ax, columns)
    rows_from_top(ax, [_broken(short(name, _MOST_LETTERS)) for name in rows])
    ax.tick_params(length=0)
    for edge in ("left", "bottom"):
        ax.spines[edge].set_visible(False)
    ax.set_ylabel(table.attrs["one"])
    ax.set_xlabel(
        f"{table.attrs['two']}\nin cells: {table.attrs['unit']} that the first gains ± standard error\n"
        f"(grey: the 95% interval holds 0;\n{_span(table['matches'])} matches a cell)",
        fontsize=8,
    )
    ax.set_title(f"What {table.attrs['gains']}")
    for name, colour in (("gains", _GAINS), ("loses", _LOSES), ("undecided", FAINT)):
        ax.plot([], [], "s", color=colour, alpha=_STRONGEST, markersize=8, label=name)
    legend_above(ax)


def _draw_cell(ax: Axes, cell: dict[Hashable, Any], x: int, y: int, most: float) -> None:
    """Draw one cell with its gain and the error below it."""
    gain, error = cell["gain"], cell["se"]
    if not cell["matches"]:
        return
    undecided = not (cell["low"] > 0 or cell["high"] < 0)
    strength = _FAINTEST + (_STRONGEST - _FAINTEST) * (abs(gain) / most) ** _ROOT
    colour = to_rgba(FAINT, _STRONGEST) if undecided else to_rgba(_GAINS if gain > 0 else _LOSES, strength)
    ax.add_patch(Rectangle((x - 0.48, y - 0.47), 0.96, 0.94, color=colour, linewidth=0))
    places = min(max(decimals(error), 0), _MOST_PLACES) if error > 0 else _MOST_PLACES
    text = f"{signed(gain, places)}\n±{error:.{places}f}" if error == error else signed(gain)
    ax.text(x, y, text, ha="center", va="center", fontsize=7.5, color=INK, linespacing=1.05)


@drawing(6.2)
def draw_sensitivity_by_rung(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the game's answers over the rungs, from :func:`sensitivity_by_rung`: a panel a quantity.

    The panels below each other share the rungs, which stand in the ladder's order.
    """
    rungs = list(dict.fromkeys(table["rung"]))
    titles, by_hands = table.attrs["titles"], table.attrs["by_hands"]
    ax.set_axis_off()
    ax.set_title("How the answers move with the table", pad=10)
    for (quantity, title), bottom in zip(titles.items(), (0.72, 0.37, 0.02), strict=True):
        panel = ax.inset_axes((0, bottom, 1, 0.24))
        rows = table[table["quantity"] == quantity]
        for series, seat in enumerate(dict.fromkeys(rows["seat"])):
            _draw_line(panel, rows[rows["seat"] == seat], rungs, series, seat)
        panel.set_title(title, fontsize=9, fontweight="normal")
        panel.set_xlim(-0.4, len(rungs) - 0.6)
        panel.set_xticks(range(len(rungs)), [""] * len(rungs))
        panel.grid(axis="y")
        panel.margins(y=0.12)
        if quantity in table.attrs["share"]:
            panel.set_ylim(0, 1.12 * max(rows["high"].max(), 1e-9) if len(rows) else 1)
            panel.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        elif quantity not in table.attrs["level"]:
            panel.axhline(0, color=INK, linewidth=0.9, zorder=1)
        if (seats := rows["seat"].nunique()) > 1:
            panel.legend(
                loc="lower right", bbox_to_anchor=(1.02, 1), ncols=seats, borderpad=0, handlelength=1.2
            )
    _name_columns(panel, rungs)
    of_hands = table["quantity"].isin(by_hands)
    hands = f", {_span(table.loc[of_hands, 'n'])} hands" if by_hands else ""
    panel.set_xlabel(
        f"{table.attrs['table']} ({INTERVAL};\n{_span(table.loc[~of_hands, 'n'])} matches{hands})"
    )


def _draw_line(panel: Axes, rows: pd.DataFrame, rungs: list[str], series: int, label: str) -> None:
    """Draw one quantity over the rungs, with its intervals."""
    ends = [rows["value"] - rows["low"], rows["high"] - rows["value"]]
    panel.errorbar(
        [rungs.index(name) for name in rows["rung"]],
        rows["value"],
        yerr=np.nan_to_num(np.abs(ends)),
        fmt=f"-{MARKERS[series]}",
        color=PALETTE[series],
        markersize=4.5,
        linewidth=1.1,
        elinewidth=1.6,
        capsize=2.5,
        label=label,
    )


def _span(numbers: pd.Series) -> str:
    """Write ``200`` or ``12 to 8,000``."""
    if numbers.empty:
        return "0"
    least, most = int(numbers.min()), int(numbers.max())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _name_columns(axes: Axes, names: list[str]) -> None:
    """Label places 0, 1, 2 … from left to right; long names are broken as often as it takes."""
    names = [short(name, _MOST_LETTERS) for name in names]
    broken = [_broken(name).replace("-", "-\n") if len(name) > _LONG else name for name in names]
    axes.set_xticks(range(len(names)), broken, fontsize=8 if broken == names else 7)


def _broken(name: str) -> str:
    """Break a long name where it is joined."""
    return name if len(name) <= _LONG else name.replace("+", "\n+").replace(":", "\n:")
