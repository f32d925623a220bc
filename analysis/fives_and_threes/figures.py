"""The pictures of Fives and Threes: each takes the table of the same name and computes nothing."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analysis.figures import (
    FAINT,
    INK,
    INTERVAL,
    PALETTE,
    costs,
    dots,
    drawing,
    joined_dots,
    legend_above,
    legend_name,
    one_run,
    rows_from_top,
    shares_upward,
    signed,
    stacked_shares,
    zero_line,
)
from analysis.fives_and_threes.openings import HAND_BY_HAND

_BETTER, _WORSE = PALETTE[0], PALETTE[1]
_DEEPEST = 0.6
"""Opacity of the strongest shade: ink stays readable on it, on light and on dark ground."""
_NUMBERS = 7
_MARGIN = 26


def _height_of_rows(table: pd.DataFrame) -> float:
    """Inches for the rows of a table, and a line of provenance for each run."""
    return 1.3 + 0.3 * len(table) + 0.2 * len(set(table["run"]))


@drawing(_height_of_rows)
def draw_start_advantage(table: pd.DataFrame, ax: Axes) -> None:
    """Draw what the start is worth in points, a row for each run and phase of :func:`start_advantage`."""
    dots(ax, table, "advantage", range(len(table)))
    rows_from_top(ax, _row_names(table, [f"{phase} rounds" for phase in table["phase"]]))
    zero_line(ax)
    ax.grid(axis="x")
    ax.set_xlabel(f"points a round above the mean of the others\n({INTERVAL}, by match)")
    ax.set_title("What the start is worth in a round")


@drawing(_height_of_rows)
def draw_match_wins_by_place(table: pd.DataFrame, ax: Axes) -> None:
    """Draw matches won by place from the first starter, from :func:`match_wins_by_place`."""
    _draw_wins(table, ax, _row_names(table, table["place"]))
    ax.set_title("Matches won by place at the first round")
    legend_above(ax)


def _height_of_runs(table: pd.DataFrame) -> float:
    """Inches for a row and a line of provenance for each run."""
    return 1.3 + 0.5 * len(set(table["run"]))


@drawing(_height_of_runs)
def draw_side_wins(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the share of matches that the first side wins, a row for each run of :func:`side_wins`."""
    runs = [rows for _, rows in table.groupby("run", sort=False)]
    names = [f"{rows['players'].iloc[0]}: {_pairing(rows['strategy'].to_list())}" for rows in runs]
    _draw_wins(pd.DataFrame([rows.iloc[0] for rows in runs]), ax, names)
    ax.set_ylabel("players: line-up")
    ax.set_title("Matches won by the first side")
    legend_above(ax)


def _pairing(strategies: Sequence[str]) -> str:
    return f"{strategies[0]} against {' and '.join(dict.fromkeys(strategies[1:]))}"


def _draw_wins(table: pd.DataFrame, ax: Axes, names: Sequence[str]) -> None:
    """Draw shares of matches, and the share that would be fair."""
    dots(ax, table, "share", range(len(table)))
    ax.scatter(table["fair"], range(len(table)), marker="|", s=140, color=INK, label="fair share")
    rows_from_top(ax, names)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=5))
    ax.xaxis.set_major_formatter(PercentFormatter(1))
    ax.grid(axis="x")
    ax.set_xlabel(f"share of matches ({INTERVAL})")


@drawing()
def draw_placement_totals(table: pd.DataFrame, ax: Axes) -> None:
    """Draw which counts of the ends occur how often, of one run of :func:`placement_totals`."""
    run = one_run(table)
    colours = [PALETTE[0] if points else FAINT for points in run["points"]]
    bars = ax.bar(run["total"], run["share"], color=colours, width=0.8)
    ax.bar_label(bars, [points or "" for points in run["points"]], padding=1, fontsize=8, color=INK)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=13))
    shares_upward(ax)
    ax.set_xlabel("count of both ends (on the bars: points)")
    ax.set_ylabel(f"share of {run['n'].iloc[0]:,} tiles placed")
    ax.set_title("What a placement counts and scores")


@drawing()
def draw_round_points(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the points of a round by place, of one run of :func:`round_points`."""
    _draw_steps(one_run(table), ax, "points")
    ax.set_xlabel("points of a side in a round")
    ax.set_ylabel(f"share of {table['n'].iloc[0]:,} rounds")
    ax.set_title("Points in a round by place")
    legend_above(ax)


@drawing()
def draw_final_scores(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the final scores of a match below the target by place, of one run of :func:`final_scores`."""
    run = one_run(table)
    _draw_steps(run[run["score"] < run["score"].max()], ax, "score")
    ax.set_xlabel(f"final score of those who do not win ({run['score'].max()} wins)")
    ax.set_ylabel(f"share of {run['n'].iloc[0]:,} matches")
    ax.set_title("Final score by place at the first round")
    legend_above(ax)


def _draw_steps(table: pd.DataFrame, ax: Axes, x: str) -> None:
    """Draw one distribution a place."""
    for series, (place, rows) in enumerate(table.groupby("place", sort=False)):
        ax.step(rows[x], rows["share"], where="mid", color=PALETTE[series], label=legend_name(str(place)))
    shares_upward(ax)


def _height_of_legend(table: pd.DataFrame) -> float:
    """Inches with lines of legend and provenance for each run."""
    return 2.4 + 0.4 * len(set(table["run"]))


@drawing(_height_of_legend)
def draw_match_lengths(table: pd.DataFrame, ax: Axes) -> None:
    """Draw how many rounds matches take, every run of :func:`match_lengths`."""
    runs = list(dict.fromkeys(table["run"]))
    joined_dots(ax, table, "rounds", "share", "run", runs)
    shares_upward(ax)
    ax.set_xlabel("rounds in a match")
    ax.set_ylabel("share of matches")
    ax.set_title("How long a match is")
    legend_above(ax, 1)


@drawing(_height_of_legend)
def draw_near_target(table: pd.DataFrame, ax: Axes) -> None:
    """Draw how long sides stay near the target, every run of :func:`near_target`."""
    runs = list(table.groupby("run", sort=False))
    width = 0.8 / len(runs)
    for series, (run, rows) in enumerate(runs):
        # The axis runs from right to left, and so do the bars of a group.
        places = rows["lacking"] - width * (series - (len(runs) - 1) / 2)
        look: Any = {"width": width, "color": PALETTE[series % len(PALETTE)]}
        ax.bar(places, rows["a_match"], **look, label=legend_name(str(run)))
    ax.grid(axis="y")
    ax.invert_xaxis()
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("points that a side lacks at the start of a round")
    ax.set_ylabel("rounds a match, all sides")
    ax.set_title("The last points to the target")
    legend_above(ax, 1)


@drawing(lambda table: 1.7 + 0.5 * len(set(table["run"])))
def draw_round_endings(table: pd.DataFrame, ax: Axes) -> None:
    """Draw how rounds end, all rounds of every run of :func:`round_endings`."""
    whole = table[table["phase"] == "all"]
    runs = list(dict.fromkeys(whole["run"]))
    colours = {"out: the starter's side": PALETTE[0], "out: another": PALETTE[4], "blocked": FAINT}
    parts = {
        ending: (colour, [_ending_share(whole[whole["run"] == run], ending) for run in runs])
        for ending, colour in {**colours, "target": PALETTE[1]}.items()
    }
    stacked_shares(ax, parts, [_broken(run) for run in runs])
    ax.set_xlabel("share of rounds")
    ax.set_title("How a round ends")
    legend_above(ax, 2)


def _ending_share(rows: pd.DataFrame, ending: str) -> float:
    """Read the share of one ending; those of all places but the starter's stand together."""
    starts = rows["ending"].str.startswith
    own = starts("out: starter")
    which = {"out: the starter's side": own, "out: another": starts("out: ") & ~own}
    return float(rows.loc[which.get(ending, rows["ending"] == ending), "share"].sum())


@drawing(3.9)
def draw_opening_tiles(table: pd.DataFrame, ax: Axes) -> None:
    """Draw what each tile gains as the opener against the other tiles of its hand, as the set's triangle."""
    clear = (table["edge_low"] > 0) | (table["edge_high"] < 0)
    colours = [
        FAINT if not sure else _BETTER if edge > 0 else _WORSE
        for edge, sure in zip(table["edge"], clear, strict=True)
    ]
    depths = (table["edge"].abs() / table["edge"].abs().max()).where(clear, 1.0)
    _draw_triangle(ax, table, colours, depths, table["edge"].map(_short))
    for label, colour in (("better", _BETTER), ("as good", FAINT), ("worse", _WORSE)):
        ax.plot([], [], "s", color=colour, alpha=_DEEPEST, markersize=8, label=label)
    ax.legend(loc="upper right", title="than the others\nof its hand, at 95%", title_fontsize=8)
    ax.set_xlabel("lower half (in cells: points a round)")
    ax.set_title("Opening with a tile against the mean of its hand")


@drawing(3.9)
def draw_opening_shares(table: pd.DataFrame, ax: Axes) -> None:
    """Draw how often each tile is the best opener of its hand, from :func:`opening_tiles`."""
    words = [f"{share:.0%}" for share in table["best_on"]]
    _draw_triangle(ax, table, [_BETTER] * len(table), table["best_on"], words)
    ax.set_xlabel("lower half (in cells: share of the hands that hold it)")
    ax.set_title("How often a tile is the best opener of its hand")


def _draw_triangle(
    ax: Axes, table: pd.DataFrame, colours: Iterable[str], depths: Iterable[float], words: Iterable[str]
) -> None:
    """Draw a value for each tile where it stands in the set: lower half across, higher half down."""
    for tile, colour, depth, word in zip(table["tile"], colours, depths, words, strict=True):
        low, high = (int(half) for half in tile.split("|"))
        look: Any = {"color": colour, "alpha": _DEEPEST * depth, "linewidth": 0}
        ax.add_patch(Rectangle((low - 0.48, high - 0.47), 0.96, 0.94, **look))
        ax.text(low, high - 0.16, word, ha="center", va="center", fontsize=8.5, color=INK)
        ax.text(low, high + 0.24, tile, ha="center", va="center", fontsize=6.5, color=INK, alpha=0.75)
    ax.set_xlim(-0.5, _NUMBERS - 0.5)
    ax.set_xticks(range(_NUMBERS))
    rows_from_top(ax, [str(number) for number in range(_NUMBERS)])
    ax.tick_params(length=0)
    ax.set_ylabel("higher half")


@drawing(2.7)
def draw_opening_policies(table: pd.DataFrame, ax: Axes) -> None:
    """Draw what habits of opening cost against choosing hand by hand, from :func:`opening_policies`."""
    policies = table[table["policy"] != HAND_BY_HAND]
    costs(ax, policies, policies["policy"].to_list(), "points a round")


def _short(edge: float) -> str:
    return signed(edge, 1 if abs(edge) >= 1 else 2)


def _row_names(table: pd.DataFrame, own: Iterable[str]) -> list[str]:
    """Name rows by the number of players and what is their own, or by run where this is not enough."""
    own = list(own)
    short = [f"{players} players: {name}" for players, name in zip(table["players"], own, strict=True)]
    if len(set(short)) == len(short):
        return short
    return [f"{_broken(run)}: {name}" for run, name in zip(table["run"], own, strict=True)]


def _broken(label: str) -> str:
    """Break a long label, for the margin."""
    return label if len(label) <= _MARGIN else label.replace(", ", ",\n")
