"""The pictures of match equity at 3-2-5: what a lead is worth, and calling for the match."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analysis.figures import INK, INTERVAL, MARKERS, PALETTE, drawing, joined_dots, legend_above
from sim.three_two_five.rules import SEATS


@drawing(3.6)
def draw_equity_by_lead(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the chance to win by a lead over two equal others, from :func:`equity_by_lead`.

    One line a seat, for the fewest deals left that the table has.
    """
    deals = int(table["deals_left"].min())
    joined_dots(ax, table[table["deals_left"] == deals], "lead", "chance", "seat", SEATS)
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set_xlabel(f"points ahead of each of the two others ({INTERVAL})")
    ax.set_ylabel("chance to win alone")
    ax.set_title(f"What a lead is worth with {deals} deal{'s' if deals > 1 else ''} left")
    legend_above(ax)


@drawing(3.6)
def draw_calls_for_the_match(table: pd.DataFrame, ax: Axes) -> None:
    """Draw what choosing for the match gains over the book, from :func:`calls_for_the_match`."""
    for series, deals in enumerate(sorted(set(table["deals_left"]))):
        rows = table[table["deals_left"] == deals]
        ax.errorbar(
            rows["lead"],
            rows["gain"],
            yerr=[rows["gain"] - rows["low"], rows["high"] - rows["gain"]],
            fmt=f"-{MARKERS[series]}",
            color=PALETTE[series],
            markersize=4,
            linewidth=1.1,
            elinewidth=1.4,
            label=f"{deals} left",
        )
    ax.axhline(0, color=INK, linewidth=0.9, zorder=1)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=2))
    ax.grid(axis="y")
    ax.set_xlabel(f"points by which the five leads each of the others ({INTERVAL})")
    ax.set_ylabel("chance to win the match")
    ax.set_title("What choosing for the match gains over the book")
    legend_above(ax)
