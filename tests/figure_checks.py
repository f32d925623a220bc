"""What every figure of a game must do, whatever it draws."""

import re
from collections.abc import Iterable

import pandas as pd
from matplotlib.axes import Axes

import analysis
from analysis import figures


def figures_of(module: str) -> list[str]:
    """Names of the public figures that a module has."""
    return sorted(
        name
        for name in analysis.__all__
        if name.startswith("draw_") and getattr(analysis, name).__module__ == module
    )


def check_figure(name: str, table: pd.DataFrame, units: str, provenance: Iterable[str]) -> None:
    """A figure names its axes, its numbers and where they come from, and leaves the table alone."""
    before = table.copy()
    axes = getattr(analysis, name)(table)
    assert isinstance(axes, Axes) and axes.get_title(loc="left")
    assert re.search(units, axes.get_xlabel() + axes.get_ylabel() + axes.get_title(loc="left"))
    small_print = " ".join(axes.figure.get_supxlabel().split())
    assert all(part in small_print for part in provenance), small_print
    assert table.equals(before)
    axes.figure.canvas.draw()


def check_given_axes(name: str, table: pd.DataFrame) -> None:
    """A figure draws on Axes that it is given, and leaves their caption to the caller."""
    given = figures.new_axes()
    assert getattr(analysis, name)(table, given) is given
    assert given.figure.get_supxlabel() == ""


def bar_ends(axes: Axes) -> list[float]:
    """Where the stacked bars of each row end."""
    ends: dict[int, float] = {}
    for bar in axes.patches:
        row = round(bar.get_y() + bar.get_height() / 2)
        ends[row] = max(ends.get(row, 0), bar.get_x() + bar.get_width())
    return list(ends.values())
