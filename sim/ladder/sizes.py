"""How much the strategies of a ladder play, by what they cost."""

from dataclasses import dataclass

from sim.core.game import Game
from sim.core.strategy import Strategy


@dataclass(frozen=True)
class TableSize:
    """How much players of one rung play among themselves.

    Parameters
    ----------
    matches : int
        Whole matches.
    hands, completions : int
        Of the option study (each game's ``options``).
    """

    matches: int
    hands: int = 0
    completions: int = 2


@dataclass(frozen=True)
class Sizes:
    """How much is played by players of each class of cost.

    Parameters
    ----------
    cells : tuple of tuple of int
        Matches of a cell: a row for the class of the dearer of its two strategies, in it a column for that
        of the cheaper.
    tables : tuple of TableSize
        What a table of the same plays, by class.
    """

    cells: tuple[tuple[int, ...], ...]
    tables: tuple[TableSize, ...]

    def cell(self, game: Game, one: Strategy, two: Strategy) -> int:
        """Return the matches of a cell."""
        cheaper, dearer = sorted((game.cost([one]), game.cost([two])))
        return self.cells[dearer][cheaper]

    def table(self, game: Game, strategy: Strategy) -> TableSize:
        """Return what a table of one strategy plays."""
        return self.tables[game.cost([strategy])]
