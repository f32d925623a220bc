"""The C loops beside which ``dealworth bench`` puts its rates, and what becomes of it without a compiler."""

import json
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from analysis import yardstick
from analysis.benchmarks import Case, measure
from analysis.yardstick import c_loop, processor
from sim import find_game
from sim.games import GAMES

UNITS = 200_000
# By game and options: mean tricks of five, three and two; share of blocked rounds, points of the first two
# sides, tiles. With 200,000 units their standard errors are under 0.02.
FIGURES = {
    ("three_two_five", ()): (3.355, 3.326, 3.320),
    ("fives_and_threes", (("players", 2),)): (0.7045, 5.709, 5.380, 10.36),
    ("fives_and_threes", (("players", 3),)): (0.4558, 4.228, 3.878, 10.83),
    ("fives_and_threes", (("players", 4),)): (0.7225, 8.689, 8.424, 15.94),
}


@pytest.mark.parametrize(("name", "options"), FIGURES)
def test_a_c_loop_plays_the_game(name, options):
    with c_loop(name) as loop:
        if loop is None:
            pytest.skip("needs a C compiler and a processor with BMI2")
        rules = find_game(name).rules_type(**dict(options))
        words = import_module(f"analysis.{name}.bench").yardstick_words(rules, UNITS)
        rate, figures = loop(*words)
        program = loop.program
    assert rate > 10_000
    np.testing.assert_allclose(figures, FIGURES[name, options], atol=0.08)
    assert not program.exists()


def test_every_game_has_its_loop_where_a_package_takes_it_from():
    """The sources lie in a folder that pyproject.toml ships; nothing of tests is needed."""
    folder = Path(yardstick.__file__).with_name("yardsticks")
    assert {path.stem for path in folder.glob("*.c")} == {game.name for game in GAMES}
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    assert '"yardsticks/*",' in project.read_text(encoding="utf-8")


@pytest.mark.parametrize("compiler", ["missing", "failing"])
def test_without_a_compiler_rates_stand_alone(dealworth, monkeypatch, compiler):
    """No compiler, or one that has not the instructions: no ratio, and no word of a C loop."""
    found = shutil.which("false") if compiler == "failing" else None
    monkeypatch.setattr(yardstick, "shutil", SimpleNamespace(which=lambda _name: found))
    words = ["bench", "three-two-five", "--strategy", "random", "--deals", 900, "--repeats", 1, "--jobs", 1]
    status, out, err = dealworth(*words, "--json")
    assert (status, err) == (0, "")
    (result,) = json.loads(out)["results"]
    assert result["of_c_loop"] is None and result["per_s"] > 0
    assert "the C loop plays" not in dealworth(*words).out


def test_a_rate_stands_beside_that_of_the_yardstick_just_before():
    """Of three repeats the median ratio: the yardstick's own rates are given by turns."""
    game, given = find_game("three_two_five"), iter([1e9, 4e9, 2e9])
    (alone,) = measure(game, Case("random"), lambda _run: 0, units=900, repeats=3, jobs=[1])
    assert alone.of_yardstick is None
    (timing,) = measure(
        game,
        Case("random"),
        lambda _run: 0,
        units=900,
        repeats=3,
        jobs=[1],
        yardstick=lambda _rules: next(given),
    )
    assert 0 < timing.of_yardstick < 0.1
    assert next(given, None) is None


def test_the_processor_is_named(dealworth):
    assert processor().endswith(")") and not processor().startswith("(")
    words = ["bench", "three-two-five", "--strategy", "random", "--deals", 9, "--repeats", 1, "--jobs", 1]
    assert f"processor: {processor()}" in dealworth(*words).out
    assert json.loads(dealworth(*words, "--json").out)["processor"] == processor()


def test_the_loops_compile_without_a_warning(tmp_path):
    compiler = shutil.which("cc")
    for source in yardstick._SOURCES.glob("*.c"):
        with c_loop(source.stem) as loop:
            if compiler is None or loop is None:
                pytest.skip("needs a C compiler and a processor with BMI2")
        command = [compiler, *yardstick._OPTIONS, "-Wall", "-Werror", "-o", tmp_path / "loop", source]
        subprocess.run(command, check=True)
