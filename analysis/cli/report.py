"""``dealworth report``: figures and tables of runs as one HTML page."""

import argparse
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from analysis.cli.progress import ProgressDisplay, announce_compiling
from analysis.cli.terminal import say, warn
from analysis.report import write_report
from analysis.standard import standard_experiments
from sim.batch import Progress, run
from sim.core.jit import is_compiled
from sim.folders import RUN, kind_of
from sim.parallel import core_count
from sim.results import Run

_LOADERS = {
    RUN: "sim.results",
    "book": "sim.book.folder",
    "ladder": "sim.ladder.folder",
}
_REPORT = Path("results") / "report.html"


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    if args.standard == bool(args.folders):
        raise ValueError(
            "say what to report on: run folders, or those of books and ladders,"
            " or --standard to play the usual line-ups now"
        )
    path = Path(args.out) if args.out is not None else _REPORT
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder: name a file for the report")
    results = list(_played() if args.standard else _loaded(args.folders))
    _announce(results)
    say(f"report      {write_report(results, path)}")
    return 0


def _announce(results: list[Any]) -> None:
    """Say that replaying and solving has to compile first, where it does (case 24)."""
    runs = [made for made in results if isinstance(made, Run)]
    if not all(is_compiled(kernel) for made in runs for kernel in _kernels(made)):
        announce_compiling(Progress("compile"))


def _kernels(made: Run) -> list[Any]:
    """Return what the chapter on what was played and possible has to compile for a run."""
    played = import_module(f"analysis.{made.game.name}.open_hands.played")
    return played.kernels([made]) if played.can_be_sampled(made) else []


def _loaded(folders: list[str]) -> Iterator[Any]:
    """Read folders of results of any kind."""
    for folder in folders:
        kind = kind_of(Path(folder)) or RUN
        if kind not in _LOADERS:
            raise ValueError(f"{folder!r} holds a {kind}: a report shows {', '.join(_LOADERS)}")
        made = import_module(_LOADERS[kind]).load(folder)
        if made.partial:
            warn(f"dealworth: {folder} is a partial {kind}, and the report says so")
        yield made


def _played() -> Iterator[Run]:
    """Play the standard runs; they are not kept, as the report says how to repeat each."""
    planned = standard_experiments()
    for number, (name, experiment) in enumerate(planned.items(), start=1):
        warn(f"run {number} of {len(planned)}: {name}")
        with ProgressDisplay(experiment.game) as display:
            made = run(experiment, core_count(), on_progress=display.show)
        if made.partial:
            raise KeyboardInterrupt
        yield made
