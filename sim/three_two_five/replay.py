"""One deal as a record for programs and as text for people.

The record is the format that the documentation calls a *record*: cards as ``AS TH 7S``, players from 0.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sim.core.bits import pick
from sim.core.game import Experiment
from sim.core.rng import INDEX_STRIDE, SHUFFLE, bounded, stream_key
from sim.three_two_five import kernel
from sim.three_two_five.cards import (
    PACK,
    SUITS,
    SYMBOLS,
    card_name,
    format_cards,
    lower_sevens,
    parse_cards,
)
from sim.three_two_five.rules import PLAYERS, QUOTAS, SEATS, SEVENS

_PACKETS = ((range(0, 5), range(15, 18), range(24, 26)), (range(5, 10), range(18, 21), range(26, 28)))
_LAST_SEAT = (range(10, 15), range(21, 24), range(28, 30))
_DECK_SIZE = 30
FIVES_TURNED = slice(15, 18)
"""Places of the pack that the five turns up if it reveals (R10)."""


def shuffled_deck(seed: int, match: int, deal: int) -> list[int]:
    """Return the pack of a deal in dealt order, as one-card masks with plain sevens (R8).

    Draws 0–4, 5–7 and 8–9 are the five's packets and 10–19 the three's ten cards, as the kernel deals
    them; the draws after that order the two's cards, which no kernel has to look at.
    """
    key = stream_key(seed, SHUFFLE, match * INDEX_STRIDE + deal)
    left, drawn = PACK, []
    for number in range(_DECK_SIZE):
        # The draws count down within the stage they belong to, as in the kernel.
        card = int(pick(left, bounded(key, number, _DECK_SIZE - number)))
        left ^= card
        drawn.append(card)
    deck = [0] * _DECK_SIZE
    places = [place for packets in (*_PACKETS, _LAST_SEAT) for packet in packets for place in packet]
    for place, card in zip(places, drawn, strict=True):
        deck[place] = card
    return deck


def dealt(deck: Sequence[Any]) -> list[list[Any]]:
    """Return the hands by seat that a pack in dealt order makes (R8)."""
    return [[deck[place] for packet in packets for place in packet] for packets in (*_PACKETS, _LAST_SEAT)]


def record(
    experiment: Experiment, match: int, deal: int, row: np.ndarray, log: np.ndarray, totals: np.ndarray
) -> dict[str, Any]:
    """Return the record of one deal.

    Parameters
    ----------
    experiment : Experiment
        The run that the deal belongs to.
    match, deal : int
        Which deal.
    row : int8 (COLUMNS,) array
        The deal's row.
    log : int64 (LOG_SIZE,) array
        Its course.
    totals : int64 (3,) array
        Match scores by player before the deal; updated.
    """
    sevens = SEVENS.index(experiment.rules.sevens)
    dealer = int(row[kernel.DEALER])
    player = [(dealer + 1 + seat) % PLAYERS for seat in range(PLAYERS)]
    deck = [card_name(card) for card in shuffled_deck(experiment.seed, match, deal)]
    scores = _by_player([int(row[kernel.SCORE_FIVE + seat]) for seat in range(PLAYERS)], player)
    totals += scores

    def name(card: Any) -> str:
        return card_name(lower_sevens(int(card), sevens))

    return {
        "game": experiment.game.name,
        "rules": experiment.rules.as_dict(),
        "seed": experiment.seed,
        "strategies": [strategy.name for strategy in experiment.strategies],
        "match": match,
        "deal": deal,
        "dealer": dealer,
        "quota": _by_player(list(QUOTAS), player),
        "deck": deck,
        "hands": _by_player(dealt(deck), player),
        "maker": {
            "choice": "reveal" if row[kernel.CHOICE] else "call",
            "revealed": deck[FIVES_TURNED] if row[kernel.CHOICE] else [],
            "trump": SUITS[row[kernel.TRUMP]],
        },
        "pulls": _pulls(log, player, name),
        "tricks": _tricks(log, row, player, name),
        "tricks_won": _by_player([int(row[kernel.TRICKS_FIVE + seat]) for seat in range(PLAYERS)], player),
        "score": scores,
        "match_score": [int(total) for total in totals],
    }


def _by_player(by_seat: list, player: list[int]) -> list:
    """Reorder a list by seat into one by player."""
    return [by_seat[player.index(p)] for p in range(PLAYERS)]


def _pulls(log: np.ndarray, player: list[int], name: Any) -> list[dict[str, Any]]:
    pulls = []
    for number in range(int(log[kernel.LOG_PULLS])):
        taker, giver, drawn, returned = log[kernel.LOG_PULL + 4 * number :][:4]
        pulls.append(
            {"taker": player[taker], "giver": player[giver], "drawn": name(drawn), "returned": name(returned)}
        )
    return pulls


def _tricks(log: np.ndarray, row: np.ndarray, player: list[int], name: Any) -> list[dict[str, Any]]:
    """Return the tricks in order; a winner is the next trick's leader, the last one's what is left."""
    plays = log[kernel.LOG_TRICK :].reshape(-1, 4)
    won = [int(row[kernel.TRICKS_FIVE + seat]) for seat in range(PLAYERS)]
    winners = [int(seat) for seat in plays[1:, 0]]
    winners.append(next(seat for seat in range(PLAYERS) if winners.count(seat) < won[seat]))
    return [
        {"leader": player[leader], "cards": [name(card) for card in cards], "winner": player[winner]}
        for (leader, *cards), winner in zip(plays, winners, strict=True)
    ]


def describe(record: Mapping[str, Any], symbols: bool) -> str:
    """Return a deal as a person reads it: hands by suit, trump, pulls, tricks, score."""
    show = _symbol_names if symbols else str
    dealer = record["dealer"]
    seat_of = {(dealer + 1 + seat) % PLAYERS: SEATS[seat] for seat in range(PLAYERS)}
    who = [f"player {p} ({seat_of[p]})" for p in range(PLAYERS)]
    five = (dealer + 1) % PLAYERS
    lines = [f"Match {record['match']}, deal {record['deal']}, seed {record['seed']}: player {dealer} deals"]
    for step in range(PLAYERS):
        p = (five + step) % PLAYERS
        lines.append(f"  {who[p]:<17}{format_cards(parse_cards(record['hands'][p]), symbols)}")
    lines.append("  " + _decision(record, who[five], show))
    for pull in record["pulls"]:
        lines.append(
            f"  {who[pull['taker']]} draws {show(pull['drawn'])} from {who[pull['giver']]}"
            f" and returns {show(pull['returned'])}"
        )
    for number, trick in enumerate(record["tricks"], start=1):
        cards = "  ".join(show(card) for card in trick["cards"])
        lines.append(f"  {number:>2}. player {trick['leader']} leads  {cards}  → player {trick['winner']}")
    for p in range(PLAYERS):
        lines.append(
            f"  {who[p]:<17}{record['tricks_won'][p]:>2} of {record['quota'][p]} tricks,"
            f" score {record['score'][p]:+d}, match {record['match_score'][p]:+d}"
        )
    text = "\n".join(lines)
    return text if symbols else text.replace("→", "->")


def _decision(record: Mapping[str, Any], five: str, show: Any) -> str:
    maker = record["maker"]
    trump = show(maker["trump"])
    if maker["choice"] == "call":
        return f"{five} calls {trump}"
    turned = " ".join(show(card) for card in maker["revealed"])
    return f"{five} reveals {turned}: trump is {trump}"


def _symbol_names(card: str) -> str:
    return card[:-1] + SYMBOLS[SUITS.index(card[-1])]
