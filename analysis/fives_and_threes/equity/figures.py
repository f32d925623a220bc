"""The pictures of match equity at Fives and Threes: the chance by both scores, and near the target."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import PercentFormatter

from analysis.figures import GROUND, INK, INTERVAL, MARKERS, PALETTE, drawing, legend_above

_COLOURS = LinearSegmentedColormap.from_list("chance", [PALETTE[1], GROUND, PALETTE[0]])
_CONTOURS = tuple(share / 10 for share in range(1, 10))
_NEAR = 8
_RIVALS = (1, 2, 3, 6)
"""Points that the other side lacks, a line each."""


@drawing(4.6)
def draw_equity_table(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the starter's chance to win by both scores, from :func:`equity_table`, with a line every 10%."""
    target = int(table["starter"].max()) + 1
    chance = table["chance"].to_numpy().reshape(target, target)
    edges = (-0.5, target - 0.5)
    ax.imshow(chance, cmap=_COLOURS, vmin=0, vmax=1, origin="lower", extent=(*edges, *edges), aspect="equal")
    lines = ax.contour(chance, levels=_CONTOURS, colors=INK, linewidths=0.6)
    ax.clabel(lines, fmt=lambda level: f"{level:.0%}", fontsize=7)
    ax.set_xlabel(f"the other side's score (standard errors under {_most(table['se']):.1%})")
    ax.set_ylabel("score of the side that starts the next round")
    ax.set_title("Chance of the starter to win the match")


@drawing(3.6)
def draw_equity_near_target(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the starter's chance by its last few scores, from :func:`equity_table`, a line a rival score."""
    target = int(table["starter"].max()) + 1
    near = range(max(0, target - _NEAR), target)
    for series, missing in enumerate(missing for missing in _RIVALS if missing <= target):
        rows = table[(table["other"] == target - missing) & table["starter"].isin(near)]
        ax.errorbar(
            rows["starter"],
            rows["chance"],
            yerr=1.96 * rows["se"],
            fmt=f"-{MARKERS[series]}",
            color=PALETTE[series],
            markersize=4,
            linewidth=1.1,
            elinewidth=1.4,
            label=f"other at {target - missing}",
        )
    ax.set_xticks(np.array(near))
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.grid(axis="y")
    ax.set_xlabel(f"the starter's score ({INTERVAL})")
    ax.set_ylabel("chance to win")
    ax.set_title("Near the target: a higher score need not be better")
    legend_above(ax, columns=2)


def _most(errors: pd.Series) -> float:
    """Return a round number above all errors."""
    return float(np.ceil(errors.max() * 1000) / 1000)
