"""One self-contained HTML page about one or several runs.

The page needs no network and no other file: style and figures are in it. What it says about a game comes
from ``analysis/<game>/sections.py``; this module lays it out and tells where every number comes from. Only
counters are read, so that ten million deals take no longer than ten thousand.
"""

import contextlib
import importlib
import os
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from analysis.document import Block, Folded, Picture, Section, Table, Text
from analysis.figures import svg
from analysis.provenance import command, extent, labels, line_up, rules_text, seed_of
from sim.core.game import Game
from sim.results import Run

_TEMPLATE = "report.html"


def write_report(runs: Sequence[Run], path: str | Path) -> Path:
    """Write the report on some runs.

    Parameters
    ----------
    runs : sequence of Run
        At least one; runs of one game are compared, the first of each game comes first.
    path : path
        The HTML file; it is replaced in one step, and its folder is made if missing.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    ValueError
        If no run is given or one holds nothing, or the file cannot be written.
    """
    page = render(runs)
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(page, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        raise ValueError(f"cannot write the report {str(path)!r}: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return path


def render(runs: Sequence[Run]) -> str:
    """Return the page as text.

    Raises
    ------
    ValueError
        If no run is given or one holds nothing.
    """
    runs = list(runs)
    if not runs:
        raise ValueError("no run to report on: give at least one")
    for run in runs:
        if not (run.units or run.hands):
            raise ValueError(f"nothing was played in the run {line_up(run)}, seed {seed_of(run)}")
    games = list(dict.fromkeys(run.game for run in runs))
    chapters = [_chapter(game, [run for run in runs if run.game is game]) for game in games]
    environment = Environment(
        loader=PackageLoader("analysis"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(_TEMPLATE).render(
        title=" and ".join(game.title for game in games),
        games=chapters,
        runs=[facts for game in games for facts in _all_facts([r for r in runs if r.game is game])],
        partial=any(run.partial for run in runs),
    )


def _chapter(game: Game, runs: list[Run]) -> dict[str, Any]:
    """Lay out what a game's own module says about its runs."""
    module = importlib.import_module(f"analysis.{game.name}.sections")
    sections: list[Section] = module.sections(runs)
    return {
        "title": game.title,
        "sections": [
            {
                "title": section.title,
                "anchor": _anchor(f"{game.title} {section.title}"),
                "groups": list(_groups(section, f"{game.name}-{number}")),
            }
            for number, section in enumerate(sections)
        ],
    }


def _groups(section: Section, prefix: str) -> Iterator[tuple[str, list[Any]]]:
    """Return runs of blocks of one kind, so that pictures can stand side by side."""
    number = 0
    for kind, blocks in groupby(section.blocks, key=_kind):
        laid_out = []
        for block in blocks:
            number += 1
            laid_out.append(_laid_out(block, f"{prefix}-{number}"))
        yield kind, laid_out


def _kind(block: Block) -> str:
    return {Text: "text", Table: "table", Picture: "picture", Folded: "lines"}[type(block)]


def _laid_out(block: Block, name: str) -> Any:
    """Return what the template needs of a block; only a picture has markup of its own."""
    if isinstance(block, Picture):
        return {
            "caption": block.caption,
            "provenance": block.provenance,
            "svg": Markup(svg(block.axes, name)),
        }
    return block


def _all_facts(runs: list[Run]) -> Iterator[dict[str, Any]]:
    """Yield the provenance of a game's runs for the last chapter."""
    for label, run in zip(labels(runs), runs, strict=True):
        yield {"title": f"{run.game.title}: {label}", **_facts(run)}


def _facts(run: Run) -> dict[str, Any]:
    return {
        "partial": run.partial,
        "command": command(run),
        "facts": {
            "Rules": rules_text(run),
            "Strategies": ", ".join(f"player {number}: {name}" for number, name in enumerate(run.strategies)),
            "Seed": str(seed_of(run)),
            "Played": extent(run),
            "Digest": run.digest,
            "Time": f"{_duration(run.seconds)} on {run.jobs} {'job' if run.jobs == 1 else 'jobs'},"
            f" warm-up {_duration(run.warm_up)}",
            "Versions": ", ".join(f"{name} {version}" for name, version in run.versions.items()),
        },
    }


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else str(timedelta(seconds=round(seconds)))


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
