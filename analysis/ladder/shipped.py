"""The ladders that come with the package: the usual rungs under the usual rules, at full size.

``analysis/<game>/ladder/data`` is a ladder folder as :mod:`sim.ladder.folder` describes it, or holds several,
named after their rules. ``make ladder`` plays them again; the digests must be those of the manifests.
``probe.json`` in each has the digest of a first match of every pair, quick to play again: whether the players
still are those of the ladder.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from sim.core.game import Game, find_game
from sim.folders import MANIFEST, counters_digest, replace
from sim.ladder.folder import load, save
from sim.ladder.ladder import Ladder
from sim.ladder.model import model_type
from sim.ladder.plan import LadderPlan, usual_ladders

PACKAGE = Path(__file__).parents[1]
PROBE = "probe.json"
_FIRST_MATCHES = "first_matches"


def folder_of(game: Game, rules: Mapping[str, Any]) -> Path:
    """Return where the usual ladder by some rules is, given as its model's ``usual_rules`` has them."""
    return PACKAGE.joinpath(game.name, "ladder", "data", *map(str, rules.values()))


def shipped_ladders(game: str | Game = "three-two-five") -> list[Ladder]:
    """Return the shipped ladders of a game: none, one or several.

    Raises
    ------
    ValueError
        If there is no such game.
    """
    game = find_game(game) if isinstance(game, str) else game
    folders = (folder_of(game, rules) for rules in model_type(game).usual_rules)
    return [_stored(folder) for folder in folders if (folder / MANIFEST).exists()]


def shipped_ladder(game: str | Game = "three-two-five") -> Ladder | None:
    """Return the first shipped ladder of a game; None if the package came without one."""
    return next(iter(shipped_ladders(game)), None)


@lru_cache(maxsize=8)
def _stored(folder: Path) -> Ladder:
    return load(folder)


def ship(folder: str | Path) -> None:
    """Make the ladder in a folder one that comes with the package.

    Raises
    ------
    ValueError
        If it is not complete, or is not a usual one.
    """
    ladder = load(folder)
    usual = usual_ladders(ladder.game)
    if ladder.partial or ladder.plan not in usual:
        raise ValueError(f"{str(folder)!r} holds another ladder: only the whole usual one can be shipped")
    place = folder_of(ladder.game, model_type(ladder.game).usual_rules[usual.index(ladder.plan)])
    save(ladder, place)
    text = json.dumps({_FIRST_MATCHES: first_matches(ladder.plan)}, indent=2)
    replace(place / PROBE, lambda path: path.write_text(text + "\n", encoding="utf-8"))
    _stored.cache_clear()


def shipped_probe(place: Path) -> str:
    """Return the digest of first matches that was shipped in a folder."""
    return json.loads((place / PROBE).read_text(encoding="utf-8"))[_FIRST_MATCHES]


def first_matches(plan: LadderPlan) -> str:
    """Play a first match of every pair, the one strategy in its first place, and hash what happened."""
    principal = plan.model.seatings[0]
    return counters_digest(
        {
            f"{cell.one}.{cell.two}": plan.model.first_match(plan.line_up(cell, 0))
            for cell in plan.cells
            if cell.seating == principal
        }
    )
