"""The command line in an empty folder, with the game compiled before."""

import pytest

from sim import experiment, run
from tests.cli.command import Command


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile the game once, so that no test meets the announcement of it by chance."""
    run(experiment("three-two-five", matches=1, hands=1, completions=2, strategies="random"))


@pytest.fixture
def dealworth(capsys, monkeypatch, tmp_path, compiled) -> Command:
    """Command line of this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Command(capsys)
