"""Who imports whom, read from the sources: arrows run one way and never in a circle."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GAMES = ("three_two_five", "fives_and_threes")


def name_of(path: Path) -> str:
    """Name of a source file's module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {name_of(path): path for top in ("sim", "analysis") for path in (ROOT / top).rglob("*.py")}


def module_of(name: str) -> str | None:
    """Module of the project that a dotted name is, or is in; None for what is not of the project."""
    while name and name not in SOURCES:
        name = name.rpartition(".")[0]
    return name or None


def imported(module: str) -> set[str]:
    """Modules of the project that one imports, anywhere in its source."""
    named = []
    for node in ast.walk(ast.parse(SOURCES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are written out"
            named += [f"{node.module}.{alias.name}" for alias in node.names]
    return {found for name in named if (found := module_of(name))} - {module}


ARROWS = {module: imported(module) for module in SOURCES}


def within(module: str, room: str) -> bool:
    return module == room or module.startswith(room + ".")


def arrows(source: str, *targets: str) -> list[str]:
    """Imports of some rooms from another, as text."""
    return [
        f"{module} -> {other}"
        for module, others in ARROWS.items()
        if within(module, source)
        for other in others
        if any(within(other, target) for target in targets)
    ]


def test_no_imports_run_in_a_circle() -> None:
    try:
        TopologicalSorter(ARROWS).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_the_simulations_know_nothing_of_the_analysis() -> None:
    assert not arrows("sim", "analysis")


def test_the_core_imports_nothing_above_it() -> None:
    assert not [arrow for arrow in arrows("sim.core", "sim") if " -> sim.core" not in arrow]


def test_the_games_know_nothing_of_each_other() -> None:
    for top in ("sim", "analysis"):
        for one, other in (GAMES, GAMES[::-1]):
            assert not arrows(f"{top}.{one}", f"sim.{other}", f"analysis.{other}")


def test_what_the_games_share_finds_them_by_name() -> None:
    """One file imports the games; the experiment, the batch, the results and the core do not."""
    shared = ("experiment", "batch", "results", "folders", "parallel", "core", "book")
    games = [f"sim.{game}" for game in GAMES]
    assert not [arrow for room in shared for arrow in arrows(f"sim.{room}", *games)]


def test_only_one_file_knows_joblib() -> None:
    knowing = {
        module for module, path in SOURCES.items() if "import joblib" in path.read_text(encoding="utf-8")
    }
    knowing |= {
        module for module, path in SOURCES.items() if "from joblib" in path.read_text(encoding="utf-8")
    }
    assert knowing == {"sim.parallel"}
