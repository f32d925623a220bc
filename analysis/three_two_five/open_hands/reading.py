"""Cards, players and numbers of a record of 3-2-5; what is of another form is named with its place."""

from typing import Any

from analysis.records import listed, shown
from sim.three_two_five.cards import parse_card
from sim.three_two_five.rules import PLAYERS


def player_of(value: Any, where: str) -> int:
    """Read the number of a player."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in range(PLAYERS):
        raise ValueError(f"{where} {shown(value)}: valid are the players 0, 1 and 2")
    return value


def card_of(value: Any, where: str) -> int:
    """Read one card."""
    if not isinstance(value, str):
        raise ValueError(f"{where}: a card is needed, such as 'AS', not {shown(value)}")
    try:
        return parse_card(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def words_of(value: Any, where: str) -> list[str]:
    """Split a text of cards, or take a list of them."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        return list(value)
    raise ValueError(f"{where}: a list of cards is needed, such as ['AS', 'KS'], not {shown(value)}")


def three_of(value: Any, where: str) -> list[int]:
    """Read three whole numbers, by player."""
    given = listed(value, where)
    if len(given) != PLAYERS or any(isinstance(one, bool) or not isinstance(one, int) for one in given):
        raise ValueError(f"{where} {shown(value)}: three whole numbers are needed, by player")
    return given
