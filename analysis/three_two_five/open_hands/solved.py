"""Deals of 3-2-5 solved with all hands open: what each card was worth, and what was given away.

A player is *sure* of a number of tricks if it has a way to take them whatever the other two do, who see all
cards as it does and play as one against it. A card *gives away* what its player was sure of before it and is
no longer after it. Nobody can know so much at the table: what is given away need not be a mistake.

All numbers are tricks of the whole deal, those taken so far included.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from analysis.three_two_five.open_hands.deals import OpenDeal, Position, members
from analysis.three_two_five.open_hands.records import read_deal
from sim.core.jit import compile_lock, plain
from sim.three_two_five.rules import PLAYERS, QUOTAS
from sim.three_two_five.solving.endings import new_solver
from sim.three_two_five.solving.open_hands import card_values, guarantees

Deal = OpenDeal | Mapping[str, Any]
"""A deal read already, or a record of one (:mod:`analysis.three_two_five.open_hands.records`)."""

_TABLE_BITS = 16


def sure_tricks(positions: np.ndarray) -> np.ndarray:
    """Tricks that players are sure of from the current trick on, for many positions.

    Parameters
    ----------
    positions : int64 (n, 8) array
        As :meth:`~analysis.three_two_five.open_hands.deals.Position.row` writes them. Those of one deal are
        solved fastest next to each other, the last ones first.

    Returns
    -------
    int64 (n,) array
        0 where no card is left.
    """
    values = np.zeros(len(positions), np.int64)
    with compile_lock(guarantees):
        guarantees(np.asarray(positions, np.int64), False, plain(new_solver)(_TABLE_BITS), values)
    return values


def solved_options(deal: Deal) -> pd.DataFrame:
    """Value every card that could be played, in every position of a deal.

    Parameters
    ----------
    deal : OpenDeal or mapping
        Complete or not.

    Returns
    -------
    DataFrame
        A row a legal card, in order of play and, of a position, suit by suit, highest first:

        ``trick, order``  which position: trick and card of the trick, from 1
        ``player``        who is to play
        ``seat``          its seat, empty where that is not known
        ``card``          the card, ``AS``
        ``played``        whether it was
        ``sure``          tricks that the player is sure of after it, in the whole deal
        ``best``          whether no other card leaves it more
        ``gave_away``     tricks that it is sure of before the card and no longer after it

    Raises
    ------
    ValueError
        If the record is not valid.
    """
    deal = _opened(deal)
    options = [
        (position, played, card) for position, played in deal.steps() for card in members(position.legal)
    ]
    sure = _sure_in_all([(position.after(card), position.mover) for position, _, card in options])
    rows = [
        {
            "trick": position.trick,
            "order": position.order,
            "player": deal.player(position.mover),
            "seat": deal.seat_name(position.mover),
            "card": deal.name(card),
            "played": card == played,
            "sure": value,
        }
        for (position, played, card), value in zip(options, sure, strict=True)
    ]
    table = pd.DataFrame(rows)
    most = table.groupby(["trick", "order"])["sure"].transform("max")
    return table.assign(best=table["sure"] == most, gave_away=most - table["sure"])


def solved_plays(deal: Deal) -> pd.DataFrame:
    """Value every card that was played in a deal, against the best that could be.

    Parameters
    ----------
    deal : OpenDeal or mapping
        Complete or not.

    Returns
    -------
    DataFrame
        A row a card played: ``trick``, ``order``, ``player``, ``seat``, ``card``, ``sure`` and ``gave_away``
        as :func:`solved_options` has them, and

        ``best``       the best cards, ``AS KS``
        ``possible``   tricks that the player is sure of after one of them
        ``choices``    cards that could be played

    Raises
    ------
    ValueError
        If the record is not valid.
    """
    options = solved_options(deal)
    position = ["trick", "order"]
    best = options[options["best"]].groupby(position).agg(best=("card", " ".join), possible=("sure", "first"))
    best["choices"] = options.groupby(position).size()
    played = options[options["played"]].drop(columns=["played", "best"])
    return played.join(best, on=position).reset_index(drop=True)


def solved_players(deal: Deal) -> pd.DataFrame:
    """What each player was sure of from the first lead on, and what became of it.

    Parameters
    ----------
    deal : OpenDeal or mapping
        Complete or not.

    Returns
    -------
    DataFrame
        A row a player, the five first, where that is known:

        ``player``     number
        ``seat``       its seat, empty where that is not known
        ``strategy``   that it plays, empty where that is not known
        ``quota``      of its seat; 0 where that is not known
        ``sure``       tricks that it was sure of before the first card
        ``gave_away``  that it gave away by its own cards
        ``was_given``  that it won through cards of the others
        ``now``        tricks that it is sure of now, ``sure - gave_away + was_given``: those that it took, if
                       the deal is complete

    Raises
    ------
    ValueError
        If the record is not valid.
    """
    deal = _opened(deal)
    sure, now = (_sure_in_all([(place, seat) for seat in range(PLAYERS)]) for place in (deal.start, deal.end))
    plays = solved_plays(deal)
    rows = []
    for seat in range(PLAYERS):
        player = deal.player(seat)
        gave = int(plays.loc[plays["player"] == player, "gave_away"].sum()) if len(plays) else 0
        rows.append(
            {
                "player": player,
                "seat": deal.seat_name(seat),
                "strategy": deal.strategies[player] if deal.strategies else "",
                "quota": QUOTAS[seat] if deal.seated else 0,
                "sure": sure[seat],
                "gave_away": gave,
                "was_given": now[seat] - sure[seat] + gave,
                "now": now[seat],
            }
        )
    return pd.DataFrame(rows)


def solved_position(deal: Deal, trick: int | None = None, order: int = 1) -> pd.DataFrame:
    """Value every card that could be played in one position, in two ways.

    Parameters
    ----------
    deal : OpenDeal or mapping
        Complete or not.
    trick, order : int
        Which position: trick and card of the trick, from 1; the last one if left out, which is the one to be
        played if the deal is not complete.

    Returns
    -------
    DataFrame
        A row a legal card, the best first:

        ``card``        the card, ``AS``
        ``played``      whether it was
        ``sure``        tricks that the player is sure of after it, in the whole deal
        ``best``        whether no other card leaves it more
        ``tricks_0``    tricks that player 0 takes in the whole deal if each plays for itself (max^n); among
                        options that bring it equally many a player takes one that leaves the next player
                        the fewest; ``tricks_1`` and ``tricks_2`` the same
        ``best_alone``  whether it is such an option

    Raises
    ------
    ValueError
        If the record is not valid or the deal has no such position.
    """
    deal = _opened(deal)
    position, played = deal.last() if trick is None else deal.at(trick, order)
    mover, taken = position.mover, position.taken
    rows = []
    for value in card_values(position.hands, position.leader, position.table, position.trump):
        a, b, c = (tricks + before for tricks, before in zip(value.tricks, taken, strict=True))
        liking = (a, b, c)[mover], -(a, b, c)[(mover + 1) % PLAYERS]
        rows.append((value.card, value.guaranteed + taken[mover], liking, deal.by_player((a, b, c))))
    most, liked = max(sure for _, sure, _, _ in rows), max(liking for _, _, liking, _ in rows)
    in_hand = members(position.legal)
    rows.sort(key=lambda row: (-row[1], -row[2][0], -row[2][1], in_hand.index(row[0])))
    return pd.DataFrame(
        {
            "card": deal.name(card),
            "played": card == played,
            "sure": sure,
            "best": sure == most,
            **{f"tricks_{player}": tricks for player, tricks in enumerate(by_player)},
            "best_alone": liking == liked,
        }
        for card, sure, liking, by_player in rows
    )


def _opened(deal: Deal) -> OpenDeal:
    return deal if isinstance(deal, OpenDeal) else read_deal(deal)


def _sure_in_all(asked: list[tuple[Position, int]]) -> list[int]:
    """Return what seats are sure of in positions, what they have taken before included."""
    sure = sure_tricks(np.array([position.row(seat) for position, seat in asked[::-1]]))
    return [
        value + position.taken[seat]
        for value, (position, seat) in zip(sure[::-1].tolist(), asked, strict=True)
    ]
