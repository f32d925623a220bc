"""How ``dealworth solve`` reads and shows deals of 3-2-5."""

import argparse
import sys
from collections.abc import Hashable, Mapping
from typing import Any

from analysis.cli.terminal import has_symbols, note, say, show_table
from analysis.three_two_five.open_hands.deals import OpenDeal, Position
from analysis.three_two_five.open_hands.records import GAME, read_deal
from analysis.three_two_five.open_hands.solved import solved_players, solved_plays, solved_position
from sim.core.game import find_game
from sim.three_two_five.cards import SUITS, SYMBOLS, format_cards, lower_sevens
from sim.three_two_five.rules import PLAYERS, QUOTAS, SEVENS
from sim.three_two_five.solving.open_hands import guarantees, value_cards

OPTIONS = ("deal", "trick", "card")
"""Options of the command that only this game has."""
_OPEN = (
    "All hands are open: these are values for somebody who sees every card, which no player does. What is"
    " given away need not be a mistake."
)
_SURE = (
    "sure of: tricks of the whole deal that the player has for certain after the card, whatever the other two"
    " do, who see all cards as well and play as one against it"
)
_ALONE = (
    "the last columns: tricks of the whole deal for all three if each plays for itself (max^n); among options"
    " that bring it equally many a player takes one that leaves the next the fewest"
)

Row = Mapping[Hashable, Any]

Asked = tuple[OpenDeal, int | None, int]
"""A deal, and the position asked about: trick, or None for the whole deal, and card of the trick."""


def read(record: Any, args: argparse.Namespace) -> Asked:
    """Read a record, and what is asked about it.

    Raises
    ------
    ValueError
        If the record is not valid or has no such position.
    """
    deal, order = read_deal(record), args.card or 1
    if args.trick is not None:
        deal.at(args.trick, order)
    return deal, args.trick, order


def kernels(asked: Asked, for_programs: bool) -> list[Any]:
    """Return what has to be compiled: one solver for a deal, another one for a position."""
    deal, trick, _ = asked
    positions = for_programs or trick is not None or not deal.complete
    return [guarantees] * (trick is None) + [value_cards] * positions


def show(asked: Asked) -> None:
    """Print the whole deal, with the position to be played if there is one, or a single position."""
    deal, trick, order = asked
    if trick is None:
        _show_deal(deal)
    if trick is not None or not deal.complete:
        _show_position(deal, trick, order)
    note(_OPEN)


def _show_deal(deal: OpenDeal) -> None:
    """Print what every card played was worth, and what each player was sure of."""
    say(f"{_deal(deal)}, at the first lead")
    _show_hands(deal, deal.start)
    say("")
    plays = solved_plays(deal)
    rows: list[tuple[str, ...] | None] = []
    for row in plays.to_dict("records"):
        if row["order"] == 1 and rows:
            rows.append(None)
        lost = str(row["gave_away"]) if row["gave_away"] else "–"
        cells = _card(row["card"]), str(row["sure"]), _best(row), str(row["possible"]), lost
        rows.append(
            (str(row["trick"]) if row["order"] == 1 else "", _who(row["player"], row["seat"]), *cells)
        )
    if rows:
        heads = ("trick", "player", "card", "sure of", "best", "at best", "gave away")
        show_table(heads, rows, right=(0, 3, 5, 6))
        say("")
    _show_players(deal)
    if deal.complete:
        note(_SURE)
    else:
        say("")


def _best(row: Row) -> str:
    """Write the best cards of a position, in a word where there was no choice or none that mattered."""
    if row["choices"] == 1:
        return "forced"
    best = row["best"].split()
    return f"any of {row['choices']}" if len(best) == row["choices"] else " ".join(map(_card, best))


def _show_players(deal: OpenDeal) -> None:
    """Print what each player was sure of from the first lead on, and what became of it."""
    rows = [
        (
            _who(row["player"], row["seat"]),
            row["strategy"] or "–",
            str(row["quota"] or "–"),
            *(str(row[name]) for name in ("sure", "gave_away", "was_given", "now")),
        )
        for row in solved_players(deal).to_dict("records")
    ]
    now = "took" if deal.complete else "sure of now"
    heads = ("player", "strategy", "quota", "sure of at first", "gave away", "was given", now)
    show_table(heads, rows, right=(2, 3, 4, 5, 6))


def _show_position(deal: OpenDeal, trick: int | None, order: int) -> None:
    """Print what every legal card of one position is worth."""
    position, played = deal.last() if trick is None else deal.at(trick, order)
    mover = position.mover
    who = _who(deal.player(mover), deal.seat_name(mover))
    say(f"{_deal(deal)}, trick {position.trick}, card {position.order}: player {who} to play")
    _show_hands(deal, position, taken=True)
    if position.table:
        lying = (
            f"{_card(deal.name(card))} of player {deal.player((position.leader + place) % PLAYERS)}"
            for place, card in enumerate(position.table)
        )
        say(f"  on the table: {', '.join(lying)}")
    if played:
        say(f"  played: {_card(deal.name(played))}")
    say("")
    table = solved_position(deal, trick, order)
    players = [deal.player(seat) for seat in range(PLAYERS)]
    values = [f"tricks_{player}" for player in players]
    rows = [
        (
            " ".join(map(_card, cards["card"])),
            str(sure),
            "best" if best else "",
            *map(str, tricks),
            "best" if alone else "",
        )
        for (sure, best, *tricks, alone), cards in table.groupby(
            ["sure", "best", *values, "best_alone"], sort=False
        )
    ]
    names = [
        _who(player, deal.seat_name(seat)) if deal.seated else f"player {player}"
        for seat, player in enumerate(players)
    ]
    show_table(("cards", "sure of", "", *names, ""), rows, right=(1, 3, 4, 5))
    note(_SURE)
    note(_ALONE)


def _show_hands(deal: OpenDeal, position: Position, taken: bool = False) -> None:
    """Print the three hands, and what has been taken if wanted."""
    symbols = has_symbols(sys.stdout)
    for seat in range(PLAYERS):
        who = _who(deal.player(seat), deal.seat_name(seat))
        quota = f" of {QUOTAS[seat]}" if deal.seated else ""
        so_far = f"{position.taken[seat]}{quota} taken   " if taken else ""
        hand = format_cards(lower_sevens(position.hands[seat], deal.sevens), symbols)
        say(f"  player {who:<11}{so_far}{hand}")


def _deal(deal: OpenDeal) -> str:
    """Name a deal: its game, number, trump, and sevens that are not low."""
    known = [f"{name} {n}" for name, n in (("match", deal.match), ("deal", deal.number)) if n is not None]
    sevens = [f"sevens={SEVENS[deal.sevens]}"] if deal.sevens else []
    return ", ".join([find_game(GAME).title, *known, f"trump {SYMBOLS[deal.start.trump]}", *sevens])


def _who(player: int, seat: str) -> str:
    return f"{player} ({seat})" if seat else str(player)


def _card(name: str) -> str:
    """Write a card with its symbol; a terminal without it gets the letter."""
    return name[:-1] + SYMBOLS[SUITS.index(name[-1])]


def as_record(asked: Asked) -> dict[str, Any]:
    """Return a solved deal, or one position of it, as one object for programs."""
    deal, trick, order = asked
    steps = list(deal.steps()) if trick is None else [deal.at(trick, order)]
    dealer = (deal.first + PLAYERS - 1) % PLAYERS if deal.seated else None
    return {
        "game": GAME,
        "match": deal.match,
        "deal": deal.number,
        "sevens": SEVENS[deal.sevens],
        "dealer": dealer,
        "leader": deal.player(deal.start.leader),
        "trump": SUITS[deal.start.trump],
        "strategies": list(deal.strategies),
        "all_hands_open": True,
        "positions": [_position(deal, *step) for step in steps],
        **({"players": _players(deal)} if trick is None else {}),
    }


def _players(deal: OpenDeal) -> list[dict[Hashable, Any]]:
    """Return the players' balances, None where a quota or a name is not known."""
    unknown = ("seat", "strategy", "quota")
    return [
        {name: (value or None) if name in unknown else value for name, value in row.items()}
        for row in solved_players(deal).to_dict("records")
    ]


def _position(deal: OpenDeal, position: Position, played: int) -> dict[str, Any]:
    """Return a position with the values of its cards; tricks are those of the whole deal."""
    table = solved_position(deal, position.trick, position.order)
    tricks = [table.pop(f"tricks_{player}") for player in range(PLAYERS)]
    values = [
        {**row, "tricks": list(of_all)}
        for row, of_all in zip(table.to_dict("records"), zip(*tricks, strict=True), strict=True)
    ]
    return {
        "trick": position.trick,
        "card": position.order,
        "player": deal.player(position.mover),
        "seat": deal.seat_name(position.mover) or None,
        "hands": [deal.names(hand) for hand in deal.by_player(position.hands)],
        "table": [deal.name(card) for card in position.table],
        "taken": deal.by_player(position.taken),
        "played": deal.name(played) if played else None,
        "sure": int(table["sure"].max()),
        "values": values,
    }
