"""The picture of what was given away: takes the table of the same name and computes nothing."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.figures import INTERVAL, drawing, joined_dots, legend_above


def _height_of_lines(table: pd.DataFrame) -> float:
    """Inches for the lines, and for one of legend and one of provenance for each."""
    return 2.7 + 0.35 * table["players"].nunique()


@drawing(_height_of_lines)
def draw_given_away(table: pd.DataFrame, ax: Axes) -> None:
    """Draw tricks given away by number of the trick, a line a run and strategy of :func:`given_away`."""
    by_trick = table[table["trick"] > 0]
    joined_dots(ax, by_trick, "trick", "gave", "players", list(dict.fromkeys(by_trick["players"])))
    ax.set_ylim(bottom=0)
    ax.set_xlabel(f"number of the trick\n({INTERVAL}, by match)")
    ax.set_ylabel("tricks given away a player and deal")
    ax.set_title("What players give away, all hands open")
    legend_above(ax, 1)
