"""The command line in an empty folder, with the games compiled before."""

import pytest

from sim import GAMES, experiment, run
from tests.cli.command import Command


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile the games once, so that no test meets the announcement of it by chance."""
    for game in GAMES:
        run(experiment(game, matches=1, hands=1, completions=2, strategies="random"))


@pytest.fixture
def dealworth(capsys, monkeypatch, tmp_path, compiled) -> Command:
    """Command line of this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Command(capsys)
