"""One self-contained HTML page about one or several runs, opening books and ladders.

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

from analysis.document import Block, Folded, Picture, Section, Source, Table, Text
from analysis.figures import svg
from analysis.provenance import command, counted, extent, labels, line_up, rules_text, seed_of
from sim.core.game import Game
from sim.results import Run

_TEMPLATE = "report.html"


def write_report(results: Sequence[Any], path: str | Path) -> Path:
    """Write the report on some results.

    Parameters
    ----------
    results : sequence of Run, or of what a game has besides
        At least one; runs of one game are compared, the first of each game comes first. Both games have
        ladders besides, and 3-2-5 opening books.
    path : path
        The HTML file; it is replaced in one step, and its folder is made if missing.

    Returns
    -------
    Path
        The file written.

    Raises
    ------
    ValueError
        If nothing is given or a result holds nothing, or the file cannot be written.
    """
    page = render(results)
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


def render(results: Sequence[Any]) -> str:
    """Return the page as text; see :func:`write_report`.

    Raises
    ------
    ValueError
        If nothing is given or a result holds nothing.
    """
    results = list(results)
    if not results:
        raise ValueError("no run to report on: give at least one")
    for result in results:
        if isinstance(result, Run) and not (result.units or result.hands):
            raise ValueError(f"nothing was played in the run {line_up(result)}, seed {seed_of(result)}")
    by_game: dict[Game, list[Any]] = {}
    for result in results:
        by_game.setdefault(result.game, []).append(result)
    chapters = [_chapter(game, of_game) for game, of_game in by_game.items()]
    environment = Environment(
        loader=PackageLoader("analysis"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(_TEMPLATE).render(
        title=" and ".join(game.title for game in by_game),
        games=chapters,
        runs=[facts for of_game in by_game.values() for facts in _all_facts(of_game)],
        partial=any(result.partial for result in results),
    )


def _chapter(game: Game, results: list[Any]) -> dict[str, Any]:
    """Lay out what a game's own module says about its results."""
    module = importlib.import_module(f"analysis.{game.name}.sections")
    sections: list[Section] = module.sections(results)
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


def _all_facts(results: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield the provenance of a game's results for the last chapter, runs first."""
    runs = [result for result in results if isinstance(result, Run)]
    for label, run in zip(labels(runs) if runs else [], runs, strict=True):
        yield _source(_of_run(run, label), run)
    for result in results:
        if not isinstance(result, Run):
            module = importlib.import_module(f"analysis.{result.game.name}.report_sources")
            yield _source(module.source(result), result)


def _of_run(run: Run, label: str) -> Source:
    return Source(
        label,
        {
            "Rules": rules_text(run.rules),
            "Strategies": ", ".join(f"player {number}: {name}" for number, name in enumerate(run.strategies)),
            "Seed": str(seed_of(run)),
            "Played": extent(run),
        },
        command(run),
        run.versions,
    )


def _source(source: Source, result: Any) -> dict[str, Any]:
    """Return what the template needs of a source; digest and timing are those of any result."""
    return {
        "title": f"{result.game.title}: {source.title}",
        "partial": result.partial,
        "command": source.command,
        "facts": {
            **source.facts,
            "Digest": result.digest,
            "Time": f"{_duration(result.seconds)} on {counted(result.jobs, 'job')},"
            f" warm-up {_duration(result.warm_up)}",
            "Versions": ", ".join(f"{name} {version}" for name, version in source.versions.items()),
        },
    }


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else str(timedelta(seconds=round(seconds)))


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
