"""The games there are."""

from sim.core.game import Game
from sim.fives_and_threes.game import FivesAndThrees
from sim.three_two_five.game import ThreeTwoFive

GAMES: tuple[Game, ...] = (ThreeTwoFive(), FivesAndThrees())


def find_game(name: str) -> Game:
    """Return a game by its name, ``three_two_five`` or ``three-two-five``.

    Raises
    ------
    ValueError
        If there is no such game.
    """
    for game in GAMES:
        if name.replace("-", "_") == game.name:
            return game
    raise ValueError(f"no game {name!r}: valid are {', '.join(game.command for game in GAMES)}")
