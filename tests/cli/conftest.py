"""The command line in an empty folder, with the games compiled before."""

import numpy as np
import pytest

from analysis import solved_position
from analysis.three_two_five.open_hands.solved import sure_tricks
from sim import GAMES, experiment, find_game, run
from sim.book.book import build
from sim.book.plan import plan_type
from sim.three_two_five.book.hands import all_hands
from sim.three_two_five.book.plan import BookPlan
from sim.three_two_five.rules import Rules
from tests.cli.command import Command


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile the games once, so that no test meets the announcement of it by chance."""
    for game in GAMES:
        run(experiment(game, matches=1, hands=1, completions=2, strategies="random"))
    players = (find_game("three-two-five").book.parse("random"),) * 3
    solved_position({"trump": "S", "leader": 0, "hands": ["AS", "KS", "QS"]})
    sure_tricks(np.array([[1, 2, 4, 0, 0, 0, 0, 0]]))
    build(BookPlan(Rules(), players, precision=1.0, hands=(int(all_hands()[0]),)))
    dominoes = find_game("fives-and-threes")
    build(plan_type(dominoes)(dominoes.rules_type(), (dominoes.book.parse("random"),) * 2, hands=(127,)))


@pytest.fixture
def dealworth(capsys, monkeypatch, tmp_path, compiled) -> Command:
    """Command line of this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Command(capsys)
