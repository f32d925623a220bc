"""Where a number comes from: rules, strategies, seed and size of a run, in words and as a command."""

import shlex
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from sim.core.game import Game
from sim.results import Run

Runs = Run | Sequence[Run]


def listed(runs: Runs) -> list[Run]:
    """Return one run or several as a list.

    Raises
    ------
    ValueError
        If there is none, or the runs are of different games.
    """
    runs = [runs] if isinstance(runs, Run) else list(runs)
    if not runs:
        raise ValueError("no run given: at least one is needed")
    games = sorted({run.game.title for run in runs})
    if len(games) > 1:
        raise ValueError(f"runs of {' and '.join(games)} in one table: give those of one game")
    return runs


def line_up(run: Run) -> str:
    """Name the strategies of a run by player, equal neighbours once."""
    return people(run.strategies)


def people(strategies: Sequence[str]) -> str:
    """Name strategies by player, equal neighbours once: ``heuristic ×3``, ``random, heuristic ×2``."""
    groups = [(name, len(list(same))) for name, same in groupby(strategies)]
    return ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in groups)


def seed_of(run: Run) -> int:
    """Return the seed of a run."""
    return int(run.description["seed"])


def rule_changes(game: Game, rules: Any) -> dict[str, Any]:
    """Return the rules that differ from the rulebook's defaults and do not follow from other ones."""
    build = game.rules_type.from_options
    usual = build({}).as_dict()
    changes = {name: value for name, value in rules.as_dict().items() if value != usual[name]}

    def without(left_out: str) -> Any:
        return build({name: value for name, value in changes.items() if name != left_out})

    return {name: value for name, value in changes.items() if without(name) != rules}


def rule_options(game: Game, rules: Any) -> list[str]:
    """Return the words of a command line that stand for the rules that differ from the defaults."""
    changes = rule_changes(game, rules)
    return ["--rules", *(f"{name}={_spell(value)}" for name, value in changes.items())] if changes else []


def rules_text(rules: Any) -> str:
    """Say the rules: ``sevens low, scoring difference, pulls on, …``."""
    return ", ".join(_settings(rules.as_dict()))


def labels(runs: Runs) -> list[str]:
    """Return a short label a run: the line-up and what is unusual about it, distinct in any case."""
    runs = listed(runs)
    names = [", ".join([line_up(run), *_settings(rule_changes(run.game, run.rules))]) for run in runs]
    for distinguish in (_seed, _size):
        names = [
            f"{name}, {distinguish(run)}" if names.count(name) > 1 else name
            for name, run in zip(names, runs, strict=True)
        ]
    return [
        f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def extent(run: Run) -> str:
    """Say how much was played: ``90,000 deals in 10,000 matches``, and of how many if it is partial."""
    unit = run.game.unit
    alone = run.description["units"] == run.description["matches"]
    parts = []
    if run.matches or run.description["matches"]:
        parts.append(counted(run.units, unit) + ("" if alone else f" in {counted(run.matches, 'match')}"))
        if run.matches < run.description["matches"]:
            parts[-1] += f" of {run.description['matches']:,} (partial)"
    if run.hands or run.description["hands"]:
        parts.append(f"option study of {counted(run.hands, 'hand')} × {run.description['completions']:,}")
        if run.hands < run.description["hands"]:
            parts[-1] += f" of {run.description['hands']:,} (partial)"
    return "; ".join(parts)


def provenance(run: Run) -> str:
    """Return one line: game and rules, strategies, seed, how much was played."""
    return f"{run.game.title} ({rules_text(run.rules)}). {line_up(run)}. Seed {seed_of(run)}. {extent(run)}."


def study_counters(run: Run) -> dict[str, np.ndarray]:
    """Return the counters of a run's option study.

    Raises
    ------
    ValueError
        If the run has none.
    """
    counters = run.study_counters()
    if not counters:
        raise ValueError("the run has no option study: simulate it with hands above 0")
    return counters


def sources(runs: Runs) -> str:
    """Return the provenance behind a table or figure: what all runs share once, then a line for each."""
    runs = listed(runs)
    if len(runs) == 1:
        return provenance(runs[0])
    rules, seeds = {rules_text(run.rules) for run in runs}, {seed_of(run) for run in runs}
    shared = f"{runs[0].game.title}{f' ({min(rules)})' if len(rules) == 1 else ''}."
    if len(seeds) == 1:
        shared += f" Seed {min(seeds)}."
    lines = [shared]
    for run in runs:
        own = [line_up(run) + (f" ({rules_text(run.rules)})" if len(rules) > 1 else "")]
        own += [f"seed {seed_of(run)}"] if len(seeds) > 1 else []
        lines.append(f"{', '.join(own)}: {extent(run)}.")
    return "\n".join(lines)


def with_sources(table: pd.DataFrame, runs: Runs) -> pd.DataFrame:
    """Note on a table (in ``table.attrs["provenance"]``) which runs it comes from, for its figure."""
    table.attrs["provenance"] = sources(runs)
    return table


def command(run: Run) -> str | None:
    """Return the command line that reproduces a run; None if a strategy is a user's own."""
    try:
        run.experiment  # noqa: B018 - asks whether the strategies can be found by name
    except ValueError:
        return None
    description = run.description
    words = ["dealworth", "simulate", run.game.command]
    if description["units"]:
        words += [f"--{run.game.unit}s", str(description["units"])]
    elif description["matches"]:
        words += ["--matches", str(description["matches"])]
    words += ["--seed", str(seed_of(run)), "--strategy"]
    words += run.strategies[:1] if len(set(run.strategies)) == 1 else run.strategies
    words += rule_options(run.game, run.rules)
    words += ["--hands", str(description["hands"])]
    if description["hands"]:
        words += ["--completions", str(description["completions"])]
    return shlex.join(words)


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: ``1 match``, ``2 matches``, ``9,000 deals``."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}{'es' if noun.endswith(('ch', 's', 'x')) else 's'}"


def _settings(rules: dict[str, Any]) -> list[str]:
    """Write rules as people say them: ``pulls off``, ``sevens low``, ``9 deals per match``, ``target 61``."""
    return [_setting(name.replace("_", " "), value) for name, value in rules.items()]


def _setting(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"{name} {'on' if value else 'off'}"
    if isinstance(value, int) and name.split()[0].endswith("s"):
        return f"{value} {name}"
    return f"{name} {str(value).replace('_', ' ')}"


def _spell(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool | None) else str(value)


def _seed(run: Run) -> str:
    return f"seed {seed_of(run)}"


def _size(run: Run) -> str:
    return counted(run.units, run.game.unit)
