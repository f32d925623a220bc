"""The games there are: the one place that imports them, so that everything else finds them by name."""

from sim.core.game import Game, register
from sim.fives_and_threes.game import FivesAndThrees
from sim.three_two_five.game import ThreeTwoFive

GAMES: tuple[Game, ...] = (register(ThreeTwoFive()), register(FivesAndThrees()))
