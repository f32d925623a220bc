"""What is said of users' functions of 3-2-5 that go wrong: who, what, where, and what would be legal."""

from collections.abc import Callable

import numpy as np

from sim.core.strategy import Strategy
from sim.core.users import ANSWER, LEGAL, NUMBER, Call, notes_of
from sim.three_two_five.cards import PACK, SUITS, card_names, lower_sevens
from sim.three_two_five.rules import PLAYERS, REVEAL
from sim.three_two_five.strategies import BY_TIE, BY_TRUMP, DECISIONS


def player_in(row: int) -> int:
    """Return the player of a row of policies, 3 * dealer + seat."""
    dealer, seat = divmod(row, PLAYERS)
    return (dealer + 1 + seat) % PLAYERS


def asking(strategies: tuple[Strategy, ...], params: np.ndarray, where: Callable[[int], str]) -> Call | None:
    """Return who is asked in a call of a kernel; None where no user's function is.

    Parameters
    ----------
    strategies : tuple of Strategy
        By player.
    params : float64 (9, P) array
        Of ``strategy_rows``.
    where : callable
        From the number of the deal in its match that a function was told to the place reached, as text.
    """
    if not any(strategy.functions for strategy in strategies):
        return None

    def complain(row: int, did: str) -> str:
        player = player_in(row)
        number = int(notes_of(params)[row, NUMBER])
        return f"strategy {strategies[player].name!r} of player {player} {did} in {where(number)}"

    return Call(params, complain, DECISIONS)


def answered(strategy: Strategy, decision: int, params: np.ndarray, row: int, sevens: int) -> str:
    """Write what a user's function answered and what was legal; nothing for a built-in strategy.

    Parameters
    ----------
    strategy : Strategy
        Whose answer it was.
    decision : int
        Kind of decision, a place in DECISIONS.
    params : float64 (9, P) array
        With the notes of the call.
    row : int
        The strategy's row.
    sevens : int
        Rule of the sevens, by number (R31).
    """
    if DECISIONS[decision] not in dict(strategy.functions):
        return ""
    notes = notes_of(params)[row].tolist()
    answer, legal = notes[ANSWER], notes[LEGAL]
    if decision in (BY_TRUMP, BY_TIE):
        valid = [f"{suit} {name}" for suit, name in enumerate(SUITS) if legal >> suit & 1]
        valid += [f"{REVEAL} to reveal"] if decision == BY_TRUMP else []
        return f": it answered {answer}, legal are {', '.join(valid)}"
    return f": it answered {_cards(answer, sevens)}, legal are {_cards(legal, sevens)}"


def _cards(cards: int, sevens: int) -> str:
    """Write cards by name, or the number where it is no set of cards."""
    lowered = lower_sevens(cards, sevens) if sevens and cards > 0 else cards
    if lowered <= 0 or lowered & ~PACK:
        return f"{cards}, no card"
    return " ".join(card_names(lowered))
