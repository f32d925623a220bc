"""The pictures of the opening book: chart, frontier of rules, sensitivity. They compute nothing."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.patches import Patch, Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FormatStrFormatter, MaxNLocator

from analysis.figures import (
    GROUND,
    INK,
    INTERVAL,
    MARKERS,
    PALETTE,
    dots,
    drawing,
    legend_above,
    rows_from_top,
    signed,
    zero_line,
)

CALL, REVEAL = PALETTE[0], PALETTE[1]
_SETTLED = 0.25
_FAINTEST, _STRONGEST = 0.08, 0.75
_GREY = "#8a8f96"
_KINDS = {"tree": "questions (tree)", "count": "points (count)"}
_LEAST_SIDE, _MOST_SIDE = 0.25, 0.96


def cell_anchor(row: int, column: int) -> str:
    """Name the place of a page to which a cell of the chart leads."""
    return f"cell-{row}-{column}"


def cell_places(table: pd.DataFrame) -> list[tuple[int, int]]:
    """Return row and column of each cell of a chart, from the top and from the left, empty ones left out."""
    rows, columns = (table[name].cat.remove_unused_categories().cat.codes for name in ("row", "column"))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def _height_of_chart(table: pd.DataFrame) -> float:
    return 1.6 + 0.33 * table["row"].nunique()


@drawing(_height_of_chart)
def draw_opening_chart(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the opening chart, from :func:`analysis.three_two_five.book.chart.opening_chart`.

    Colour tells the better option and by how much, area how frequent the cell is; hatched is a cell in which
    the book is sure of the better option on less than half of the hands. The number is call minus reveal.
    Each cell links to the place that :func:`cell_anchor` names.
    """
    rows, columns = (table[name].cat.remove_unused_categories() for name in ("row", "column"))
    side = np.maximum(_MOST_SIDE * np.sqrt(table["share"] / table["share"].max()), _LEAST_SIDE)
    for cell, (y, x), width in zip(table.to_dict("records"), cell_places(table), side, strict=True):
        _draw_cell(ax, cell, x, y, width).set_url("#" + cell_anchor(y, x))
    ax.set_xlim(-0.5, columns.cat.categories.size - 0.5)
    ax.set_xticks(range(columns.cat.categories.size), list(columns.cat.categories))
    ax.xaxis.tick_top()
    rows_from_top(ax, list(rows.cat.categories))
    ax.tick_params(length=0)
    for edge in ("left", "bottom"):
        ax.spines[edge].set_visible(False)
    ax.set_title("Call or reveal?", pad=22)
    ax.set_xlabel(
        f"across: {table.attrs['layout'][1]}\n"
        "suit to call: the longest; of equal ones the one without the ace, then ♦♣\n"
        "number: call minus reveal, in points; area: how frequent\n"
        "hatched: sure on less than half of the hands",
        fontsize=7.5,
        x=0.28,
    )
    for name, colour in (("call", CALL), ("reveal", REVEAL)):
        ax.plot([], [], "s", color=colour, alpha=_STRONGEST, markersize=8, label=name)
    ax.legend(loc="lower right", bbox_to_anchor=(0, 1), borderpad=0, handletextpad=0.2)


@drawing(3.4)
def draw_rule_costs(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the cost of rules against their length, from `rule_costs`."""
    for series, (kind, label) in enumerate(_KINDS.items()):
        rules = table[table["kind"] == kind].sort_values("length")
        ends = np.abs(rules[["cost_low", "cost_high"]].to_numpy().T - rules["cost"].to_numpy())
        ax.errorbar(
            rules["length"],
            rules["cost"],
            yerr=ends,
            fmt=f"-{MARKERS[series]}",
            color=PALETTE[series],
            markersize=4.5,
            linewidth=1.1,
            elinewidth=1.4,
            label=label,
        )
    for short in table[(table["kind"] == "tree") & (table["length"] <= 1)].to_dict("records"):
        ax.annotate(
            short["rule"].removesuffix(".").lower(),
            (short["length"], short["cost"]),
            (8, -3),
            textcoords="offset points",
            fontsize=8,
            color=INK,
        )
    for fixed in table[(table["kind"] == "book") & (table["cost"] > 0)].to_dict("records"):
        ax.axhline(
            fixed["cost"], color=INK, linewidth=0.9, linestyle=":", label=f"{fixed['rule']}, call by the book"
        )
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter(FormatStrFormatter("%g"))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y")
    ax.set_xlabel("things to remember")
    ax.set_ylabel("points a deal lost against the book")
    ax.set_title(f"What a rule costs ({INTERVAL})")
    legend_above(ax, 1)


def _height_of_tables(table: pd.DataFrame) -> float:
    """Inches for a row and two lines of provenance a book."""
    return 1.5 + 0.62 * len(table)


@drawing(_height_of_tables)
def draw_sensitivity(table: pd.DataFrame, ax: Axes) -> None:
    """Draw what being free to reveal is worth at several tables, from `sensitivity`."""
    dots(ax, table, "worth", range(len(table)), low="worth_low", high="worth_high")
    rows_from_top(
        ax,
        [
            f"{name}\nreveal on {share:.0%}"
            for name, share in zip(table["table"], table["reveal"], strict=True)
        ],
    )
    zero_line(ax)
    ax.grid(axis="x")
    ax.set_xlabel(
        f"points a deal that being free to reveal is worth\n({INTERVAL}, {_classes(table)} classes)"
    )
    ax.set_title("Who plays, and for what")


def _classes(table: pd.DataFrame) -> str:
    return " or ".join(f"{number:,}" for number in sorted(set(table["classes"])))


def _draw_cell(ax: Axes, cell: dict[Hashable, Any], x: float, y: float, side: float) -> Patch:
    """Draw one cell and its number, and return its square."""
    difference = cell["difference"]
    corner = (x - side / 2, y - side / 2)
    colour = to_rgba(CALL if difference > 0 else REVEAL, _alpha(difference))
    square = ax.add_patch(Rectangle(corner, side, side, color=colour, linewidth=0))
    if cell["uncertain"]:
        # Apart from the square: an SVG gives a hatch the opacity of what it is drawn on.
        ax.add_patch(Rectangle(corner, side, side, fill=False, edgecolor=_GREY, hatch="////", linewidth=0))
    # A halo: the number of a rare cell is wider than its square.
    halo = [withStroke(linewidth=2.0, foreground=GROUND, alpha=0.75)]
    ax.text(x, y, _short(difference), ha="center", va="center", fontsize=7, color=INK, path_effects=halo)
    return square


def _alpha(difference: float) -> float:
    """Strength of a colour: what is better by a quarter of a point is as good as settled."""
    return _FAINTEST + (_STRONGEST - _FAINTEST) * min(abs(difference) / _SETTLED, 1.0)


def _short(difference: float) -> str:
    """Write +0.07 as +.07, and 1.54 as +1.5."""
    rounded = round(difference, 2) + 0.0  # no minus before a zero
    return signed(rounded).replace("0.", ".") if abs(difference) < 1 else signed(difference, 1)
