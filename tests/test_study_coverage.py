"""The intervals of option studies hold the truth as often as they say, at few deals of a hand and at more."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from analysis.fives_and_threes import openings
from analysis.three_two_five import options
from analysis.three_two_five.book.groups import (
    book_call_or_reveal,
    book_policy_costs,
    book_second_suit_gain,
)
from analysis.three_two_five.book.shipped import shipped_book
from analysis.three_two_five.book.summary import reveal_best
from sim import experiment, run

HANDS = 1000
FAINT = 1e-6
"""Chance that a figure that covers 94% is called wrong, of all the figures of a test."""
Figures = dict[str, tuple[float, float]]
Truth = dict[str, float]


def played(game, strategy, hands, completions, seed):
    return run(experiment(game, strategies=strategy, hands=hands, completions=completions, seed=seed), jobs=1)


def intervals(table: pd.DataFrame, key: str, name: str, prefix: str = "") -> Figures:
    ends = table[[f"{prefix}low", f"{prefix}high"]].to_numpy()
    return {f"{name} {row}": tuple(pair) for row, pair in zip(table[key], ends, strict=True)}


def of_calls(made) -> Figures:
    """Every figure of the option study of 3-2-5 that is no bound, with its interval."""
    found = options.study(made)
    costs = options.policy_costs(found)
    costs = costs[(costs["policy"] != options.HAND_BY_HAND) & ~costs["policy"].str.endswith(options.AT_MOST)]
    shapes = options.call_or_reveal(found, "shape")
    revealed = options.reveal_share(found).iloc[0]
    return {
        **intervals(options.policy_costs(found)[:5], "policy", "value of"),
        **intervals(costs, "policy", "cost of", "cost_"),
        **intervals(shapes[shapes["hands"] > 30], "shape", "reveal − call on"),
        **intervals(options.second_suit_gain(found), "first", "second suit if the first has"),
        "revealing is best": (revealed["best_on_low"], revealed["best_on_high"]),
    }


def true_calls() -> Truth:
    """The same by the shipped book."""
    book = shipped_book()
    costs, shapes = book_policy_costs(book), book_call_or_reveal(book, "shape")
    second = book_second_suit_gain(book)
    return {
        **{f"value of {row['policy']}": row["value"] for row in costs.to_dict("records")},
        **{f"cost of {row['policy']}": row["cost"] for row in costs.to_dict("records")},
        **{f"reveal − call on {row['shape']}": row["difference"] for row in shapes.to_dict("records")},
        **{
            f"second suit if the first has {row['first']}": row["difference"]
            for row in second.to_dict("records")
        },
        "revealing is best": reveal_best(book).mean,
    }


def of_tiles(made) -> Figures:
    """Policies and tiles of the opening study, with their intervals."""
    found = openings.opening_study(made)
    policies, tiles = openings.opening_policies(found), openings.opening_tiles(found)
    costs = policies[policies["policy"].isin([openings.ANY_TILE, *openings._POLICY_NAMES[3:]])]
    return {
        **intervals(policies, "policy", "value of"),
        **intervals(costs, "policy", "cost of", "cost_"),
        **intervals(tiles, "tile", "edge of", "edge_"),
    }


def true_tiles(made) -> Truth:
    """The same from many deals of many hands, where the best tile is nearly sure."""
    found = openings.opening_study(made)
    policies, tiles = openings.opening_policies(found), openings.opening_tiles(found)
    return {
        **{f"value of {row['policy']}": row["value"] for row in policies.to_dict("records")},
        **{f"cost of {row['policy']}": row["cost"] for row in policies.to_dict("records")},
        **{f"edge of {row['tile']}": row["edge"] for row in tiles.to_dict("records")},
    }


def coverage(studies, truth: Truth) -> pd.DataFrame:
    """Count by figure how often it was given with an interval, and how often that held the truth."""
    seen: dict[str, list[bool]] = {}
    for figures in studies:
        for name, (low, high) in figures.items():
            if not np.isnan(low):
                seen.setdefault(name, []).append(low <= truth[name] <= high)
    return pd.DataFrame(
        {"held": {n: sum(v) for n, v in seen.items()}, "n": {n: len(v) for n, v in seen.items()}}
    )


def misses(table: pd.DataFrame) -> list[str]:
    """Name the figures that cover so seldom that 94% is out of the question."""
    chance = binom.cdf(table["held"], table["n"], 0.94)
    return [f"{name}: {row.held} of {row.n}" for name, row in table[chance < FAINT].iterrows()]


@pytest.mark.parametrize("completions", [64, 256])
def test_figures_of_few_studies_hold_the_book(completions):
    studies = (
        of_calls(played("three-two-five", "heuristic", HANDS, completions, seed)) for seed in (1, 2, 3)
    )
    table = coverage(studies, true_calls())
    assert not misses(table)
    assert table["held"].sum() / table["n"].sum() > 0.75


@pytest.mark.long
@pytest.mark.parametrize("completions", [64, 256])
def test_figures_of_calls_cover(completions):
    """200 studies against the shipped book."""
    seeds = range(1001, 1201)
    studies = (of_calls(played("three-two-five", "heuristic", HANDS, completions, seed)) for seed in seeds)
    table = coverage(studies, true_calls())
    print(table.assign(covered=table["held"] / table["n"]))
    assert not misses(table)


@pytest.mark.long
@pytest.mark.parametrize("completions", [64, 256])
def test_figures_of_tiles_cover(completions):
    """200 studies against 1,024 deals of each of 30,000 hands."""
    truth = true_tiles(played("fives-and-threes", "heuristic", 30_000, 1024, 7002))
    seeds = range(1001, 1201)
    studies = (of_tiles(played("fives-and-threes", "heuristic", HANDS, completions, seed)) for seed in seeds)
    table = coverage(studies, truth)
    print(table.assign(covered=table["held"] / table["n"]))
    assert not misses(table)
