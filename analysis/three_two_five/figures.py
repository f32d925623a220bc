"""The pictures of 3-2-5: each takes the table of the same name and computes nothing."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import PercentFormatter

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
    one_run,
    rows_from_top,
    shares_upward,
    short,
    signed,
    stacked_shares,
    zero_line,
)
from analysis.three_two_five.hands import FEATURES
from sim.three_two_five.rules import QUOTAS, SEATS

_NUDGE = 0.16
_CALL, _REVEAL = PALETTE[0], PALETTE[1]
_VERDICT_COLOURS = {"surely call": _CALL, "too close": FAINT, "surely reveal": _REVEAL}
_BETTER_COLOURS = {"call": _CALL, "too close": FAINT, "reveal": _REVEAL}
_TINT = 0.4
_MARGIN = 24


def _height_of_rows(table: pd.DataFrame) -> float:
    """Inches for a row of each run and phase, and room for a line of provenance for each run."""
    return 1.35 + 0.36 * len(table[["run", "phase"]].drop_duplicates()) + 0.25 * len(set(table["run"]))


@drawing(_height_of_rows)
def draw_seat_advantage(table: pd.DataFrame, ax: Axes) -> None:
    """Draw tricks minus quota by seat, a row for each run and phase of :func:`seat_advantage`."""
    several, phases = len(set(table["run"])) > 1, len(set(table["phase"])) > 1
    groups = table[["run", "phase"]].drop_duplicates().reset_index(drop=True)
    for series, seat in enumerate(SEATS):
        of_seat = groups.merge(table[table["seat"] == seat], on=["run", "phase"])
        dots(ax, of_seat, "advantage", range(len(groups)), series, seat)
    names = []
    for run, phase in groups.itertuples(index=False):
        parts = [run] * several + [f"{phase} deals"] * (phases or not several)
        names.append(_broken(": ".join(parts)))
    rows_from_top(ax, names)
    zero_line(ax)
    ax.grid(axis="x")
    ax.set_xlabel(f"tricks a deal above the quota\n({INTERVAL}, by match)")
    ax.set_title("What a seat is worth")
    legend_above(ax)


@drawing(2.6)
def draw_match_wins(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the share of matches won by each player and tied, of one run of :func:`match_wins`."""
    run = one_run(table)
    dots(ax, run, "share", range(len(run)))
    names = [f"{row.winner}\n{row.strategy}".strip() for row in run.itertuples()]
    rows_from_top(ax, names)
    ax.xaxis.set_major_formatter(PercentFormatter(1))
    ax.set_xlim(left=0)
    ax.grid(axis="x")
    ax.set_xlabel(f"share of {run['n'].iloc[0]:,} matches ({INTERVAL})")
    ax.set_title("Matches won")


@drawing()
def draw_tricks_by_seat(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the distribution of tricks by seat, of one run of :func:`tricks_by_seat`."""
    run = one_run(table)
    joined_dots(ax, run, "tricks", "share", "seat", SEATS)
    shares_upward(ax)
    for series, quota in enumerate(QUOTAS):
        ax.axvline(quota, color=PALETTE[series], linewidth=0.9, linestyle=":")
    ax.set_xlabel("tricks in a deal (dotted: the quotas 5, 3, 2)")
    ax.set_ylabel(f"share of {run['n'].iloc[0]:,} deals")
    ax.set_title("Tricks by seat")
    legend_above(ax)


@drawing()
def draw_deal_scores(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the distribution of the score of a deal by seat, of one run of :func:`deal_scores`."""
    run = one_run(table)
    joined_dots(ax, run, "score", "share", "seat", SEATS)
    shares_upward(ax)
    ax.set_xlabel("score of a deal, points")
    ax.set_ylabel(f"share of {run['n'].iloc[0]:,} deals")
    ax.set_title("Score of a deal by seat")
    legend_above(ax)


@drawing()
def draw_match_scores(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the distribution of match scores by player, of one run of :func:`match_scores`."""
    run = one_run(table)
    for series, (player, rows) in enumerate(run.groupby("player")):
        ax.step(
            rows["score"],
            rows["share"],
            where="mid",
            color=PALETTE[series],
            label=short(f"player {player}: {rows['strategy'].iloc[0]}"),
        )
    shares_upward(ax)
    ax.set_xlabel("score of a match, points")
    ax.set_ylabel(f"share of {run['n'].iloc[0]:,} matches")
    ax.set_title("Score of a match by player")
    legend_above(ax, 1)


@drawing(2.7)
def draw_cards_owed(table: pd.DataFrame, ax: Axes) -> None:
    """Draw how many cards are owed after a deal, of one run of :func:`cards_owed`."""
    run = one_run(table)
    ends = [run["share"] - run["low"], run["high"] - run["share"]]
    ax.bar(run["owed"], run["share"], yerr=ends, color=PALETTE[0], ecolor=INK, capsize=2, width=0.75)
    shares_upward(ax)
    ax.set_xlabel("cards owed after a deal")
    ax.set_ylabel(f"share of {run['n'].iloc[0]:,} deals")
    ax.set_title("Debts")


def _height_of_legend(table: pd.DataFrame) -> float:
    """Inches for the four shares, and lines of legend and provenance for each run."""
    return 2.2 + 0.4 * len(set(table["run"]))


@drawing(_height_of_legend)
def draw_quotas_met(table: pd.DataFrame, ax: Axes) -> None:
    """Draw how often each quota is met, all deals of every run of :func:`quotas_met`."""
    whole = table[table["phase"] == "all"]
    names = list(dict.fromkeys(whole["who"]))
    runs = list(dict.fromkeys(whole["run"]))
    for series, run in enumerate(runs):
        shift = _NUDGE * (series - (len(runs) - 1) / 2)
        rows = whole[whole["run"] == run]
        dots(ax, rows, "share", [place + shift for place in range(len(names))], series, run)
    rows_from_top(ax, [f"{name} met" if name in SEATS else name for name in names])
    ax.xaxis.set_major_formatter(PercentFormatter(1))
    ax.set_xlim(0, 1)
    ax.grid(axis="x")
    ax.set_xlabel(f"share of deals ({INTERVAL}, by match)")
    ax.set_title("How often a quota is met")
    if len(runs) > 1:
        legend_above(ax, 1)


@drawing()
def draw_tricks_by_pulls(table: pd.DataFrame, ax: Axes) -> None:
    """Draw mean tricks by net pulls and seat, of one run of :func:`tricks_by_pulls`."""
    run = one_run(table)
    joined_dots(ax, run, "pulls", "tricks", "seat", SEATS)
    zero_line(ax)
    ax.set_xlabel("cards pulled in the deal (negative: lost to pulls)")
    ax.set_ylabel("mean tricks a deal")
    ax.set_title(f"What pulls are worth ({INTERVAL})")
    legend_above(ax)


@drawing(2.5)
def draw_option_values(table: pd.DataFrame, ax: Axes) -> None:
    """Draw what each option loses against the best one, from :func:`option_values`."""
    dots(ax, table, "loss", range(len(table)), low="loss_low", high="loss_high")
    rows_from_top(ax, [_option_name(option) for option in table["option"]])
    zero_line(ax)
    ax.grid(axis="x")
    ax.set_xlabel(f"points a deal lost against the best\n({INTERVAL}, {table['hands'].iloc[0]:,} hands)")
    ax.set_title("The same option on every hand")


@drawing()
def draw_call_or_reveal(table: pd.DataFrame, ax: Axes) -> None:
    """Draw reveal minus best call by group, from :func:`call_or_reveal` with one feature."""
    feature = table.columns[0]
    dots(ax, table, "difference", range(len(table)))
    for place, value in enumerate(table["difference"]):
        ax.annotate(
            signed(value),
            (value, place),
            (0, 5),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=INK,
        )
    rows_from_top(
        ax, [f"{group}  ({share:.1%})" for group, share in zip(table[feature], table["share"], strict=True)]
    )
    zero_line(ax)
    ax.grid(axis="x")
    ax.set_ylabel(f"{feature} (share of hands)")
    ax.set_xlabel(
        f"← call better    points a deal    reveal better →\n({INTERVAL}, {table['hands'].sum():,} hands)"
    )
    ax.set_title(f"Reveal minus best call, by {feature}")


@drawing()
def draw_call_or_reveal_map(table: pd.DataFrame, ax: Axes) -> None:
    """Draw reveal minus best call by two features, from :func:`call_or_reveal`: numbers in cells."""
    rows, columns = table.columns[:2]
    across, down = (list(dict.fromkeys(table[name])) for name in (columns, rows))
    across.sort()
    for cell in table.to_dict("records"):
        x, y = across.index(cell[columns]), down.index(cell[rows])
        colour = _BETTER_COLOURS[cell["better"]]
        ax.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=colour, alpha=_TINT, linewidth=0))
        ax.text(x, y, signed(cell["difference"]), ha="center", va="center", fontsize=8.5, color=INK)
    ax.set_xlim(-0.5, len(across) - 0.5)
    ax.set_xticks(range(len(across)), [str(name) for name in across])
    rows_from_top(ax, [str(name) for name in down])
    ax.tick_params(length=0)
    ax.set_title(f"Reveal minus best call, {table['hands'].sum():,} hands")
    for better, colour in _BETTER_COLOURS.items():
        ax.plot([], [], "s", color=colour, alpha=_TINT, markersize=8, label=better)
    legend_above(ax)
    ax.set_xlabel(f"{FEATURES[columns]}\n(in cells: points a deal; colour: better at 95%)")
    ax.set_ylabel(rows)


@drawing(2.7)
def draw_reveal_share(table: pd.DataFrame, ax: Axes) -> None:
    """Draw the shares of hands judged call, close or reveal, from :func:`reveal_share` by one feature."""
    feature = table.columns[0] if table.columns[0] != "verdict" else None
    groups = list(dict.fromkeys(table[feature])) if feature else ["all hands"]
    parts = {
        verdict: (colour, table.loc[table["verdict"] == verdict, "share"].to_list())
        for verdict, colour in _VERDICT_COLOURS.items()
    }
    stacked_shares(ax, parts, [str(group) for group in groups])
    ax.set_xlabel("share of hands, each judged at 95%")
    if feature:
        ax.set_ylabel(feature)
    ax.set_title(f"How sure one can be, {table['hands'].sum():,} hands")
    legend_above(ax)


@drawing(3.1)
def draw_policy_costs(table: pd.DataFrame, ax: Axes) -> None:
    """Draw what simple policies cost against choosing hand by hand, from :func:`policy_costs`."""
    policies = table[1:]
    costs(ax, policies, [policy.replace(", by", ",\nby") for policy in policies["policy"]], "points a deal")


def _option_name(option: str) -> str:
    return option if option == "reveal" else f"call {option}"


def _broken(label: str) -> str:
    """Break a long label, for the margin."""
    run, colon, phase = label.partition(": ")
    run = run if len(run) <= _MARGIN else run.replace(", ", ",\n")
    return f"{run}:\n{phase}" if colon else run
