"""``dealworth report``: figures and tables of runs as one HTML page."""

import argparse
from pathlib import Path

from analysis.cli.terminal import say, warn
from analysis.report import write_report
from sim.results import load

_REPORT = Path("results") / "report.html"


def main(args: argparse.Namespace) -> int:
    """Run the command; see :func:`analysis.cli.main`."""
    runs = [load(folder) for folder in args.folders]
    for folder, run in zip(args.folders, runs, strict=True):
        if run.partial:
            warn(f"dealworth: {folder} is a partial run, and the report says so")
    path = Path(args.out) if args.out is not None else _REPORT
    if path.is_dir():
        raise ValueError(f"{str(path)!r} is a folder: name a file for the report")
    path.parent.mkdir(parents=True, exist_ok=True)
    say(f"report      {write_report(runs, path)}")
    return 0
