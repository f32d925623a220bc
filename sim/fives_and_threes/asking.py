"""What is said of users' functions of Fives and Threes that go wrong: who, what, where, and what is legal."""

from collections.abc import Callable

import numpy as np

from sim.core.strategy import Strategy
from sim.core.users import ANSWER, LEGAL, NUMBER, Call, notes_of
from sim.fives_and_threes.chain import RIGHT_SIDE
from sim.fives_and_threes.kernel import DECISIONS
from sim.fives_and_threes.tiles import SET, tile_names


def asking(strategies: tuple[Strategy, ...], params: np.ndarray, where: Callable[[int], str]) -> Call | None:
    """Return who is asked in a call of a kernel; None where no user's function is.

    Parameters
    ----------
    strategies : tuple of Strategy
        By player.
    params : float64 (players, P) array
        Of ``seat_rows``.
    where : callable
        From the number of the round in its match that a function was told to the place reached, as text.
    """
    if not any(strategy.functions for strategy in strategies):
        return None

    def complain(player: int, did: str) -> str:
        number = int(notes_of(params)[player, NUMBER])
        return f"strategy {strategies[player].name!r} of player {player} {did} in {where(number)}"

    return Call(params, complain, DECISIONS)


def answered(strategy: Strategy, params: np.ndarray, player: int) -> str:
    """Write what a user's function answered and what was legal; nothing for a built-in strategy."""
    if not strategy.functions:
        return ""
    notes = notes_of(params)[player].tolist()
    return f": it answered {_moves(notes[ANSWER])}, legal are {_moves(notes[LEGAL])}"


def _moves(moves: int) -> str:
    """Write moves as tile and end, or the number where it is no set of moves."""
    ends = {"left": moves & SET, "right": moves >> RIGHT_SIDE}
    if moves <= 0 or ends["right"] & ~SET:
        return f"{moves}, no move"
    return ", ".join(f"{tile} {end}" for end, tiles in ends.items() for tile in tile_names(tiles))
