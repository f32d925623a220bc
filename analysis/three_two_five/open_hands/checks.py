"""What a record of 3-2-5 says besides the cards played: pack, pulls and scores, checked by the rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.records import listed, mapping, shown
from analysis.three_two_five.open_hands.reading import three_of, words_of
from sim.three_two_five.cards import PACK, card_name, parse_cards
from sim.three_two_five.replay import FIVES_TURNED, dealt
from sim.three_two_five.rules import PLAYERS, QUOTAS, SEATS, TRICKS_PER_DEAL, Rules

_MOST_PULLS = 8
_GIVERS = (2, 0, 1)
"""Seats in the order in which a taker draws from them (R16)."""
_BEFORE = (1, 2, 0)
"""Seat in the deal before of five, three and two (R6)."""


def check_deck(record: Mapping[str, Any], hands: Sequence[int], five: int | None) -> None:
    """Check the shuffled pack: thirty cards, and the hands and turned cards that it deals (R2, R8, R10).

    Raises
    ------
    ValueError
        If something does not agree.
    """
    if "deck" not in record:
        return
    words = words_of(record["deck"], "deck")
    try:
        cards = [parse_cards([word]) for word in words]
        if parse_cards(words) != PACK:
            raise ValueError(f"{len(words)} cards: the thirty of the pack are needed (R2)")
    except ValueError as error:
        raise ValueError(f"deck: {error}") from None
    if five is None or hands[0].bit_count() < TRICKS_PER_DEAL:
        return
    maker = mapping(record.get("maker", {}), "maker")
    turned = [card_name(card) for card in cards[FIVES_TURNED]]
    revealed = words_of(maker.get("revealed", []), "revealed cards")
    if revealed and parse_cards(revealed) != parse_cards(turned):
        raise ValueError(f"revealed {' '.join(revealed)}: the deck turns up {' '.join(turned)} (R8, R10)")
    if "pulls" not in record:
        return
    for seat, due in enumerate(dealt(cards)):
        player = (five + seat) % PLAYERS
        for card in due:
            if not card & hands[player]:
                raise ValueError(
                    f"deck: it deals {card_name(card)} to player {player} (R8), not so the hands"
                )


def check_pulls(record: Mapping[str, Any], rules: Rules, number: int | None, five: int | None) -> None:
    """Check how many pulls there are, and who draws from whom in which order (R14, R16, R21, R32).

    Raises
    ------
    ValueError
        If they are against the rules.
    """
    pulls = listed(record.get("pulls", []), "pulls")
    if pulls and not rules.pulls:
        raise ValueError(f"{len(pulls)} pulls: there are none by rule pulls=false (R32)")
    if pulls and number == 0:
        raise ValueError(f"{len(pulls)} pulls: there are none in the first deal of a match (R21)")
    if len(pulls) > _MOST_PULLS:
        raise ValueError(f"{len(pulls)} pulls: there are at most {_MOST_PULLS} (R21)")
    if five is None or not pulls:
        return
    made = [tuple((pull[role] - five) % PLAYERS for role in ("taker", "giver")) for pull in pulls]
    takes, gives = ([sum(pull[role] == seat for pull in made) for seat in range(PLAYERS)] for role in (0, 1))
    _check_debts(takes, gives, five)
    for n, (pull, due) in enumerate(zip(made, _in_order(takes, gives), strict=True), 1):
        if pull != due:
            taker, giver = ((five + seat) % PLAYERS for seat in due)
            raise ValueError(f"pull {n}: it is player {taker} who draws, from player {giver} (R16)")


def _check_debts(takes: Sequence[int], gives: Sequence[int], five: int) -> None:
    """Check that the deal before can have left such debts (R6, R14)."""
    for seat in range(PLAYERS):
        player, quota = (five + seat) % PLAYERS, QUOTAS[_BEFORE[seat]]
        who = f"player {player} ({SEATS[seat]})"
        if takes[seat] and gives[seat]:
            raise ValueError(f"pulls: {who} draws and is drawn from (R14)")
        if takes[seat] > TRICKS_PER_DEAL - quota or gives[seat] > quota:
            raise ValueError(
                f"pulls: {who} draws {takes[seat]} and loses {gives[seat]}: after a quota of {quota} at most"
                f" {TRICKS_PER_DEAL - quota} and {quota} (R14)"
            )


def _in_order(takes: Sequence[int], gives: Sequence[int]) -> list[tuple[int, int]]:
    """Return takers and givers, by seat, in the order of R16."""
    left, order = list(gives), []
    for taker in range(PLAYERS):
        owed = takes[taker]
        for giver in _GIVERS:
            drawn = min(owed, left[giver])
            order += [(taker, giver)] * drawn
            owed, left[giver] = owed - drawn, left[giver] - drawn
    return order


def check_scores(
    record: Mapping[str, Any], rules: Rules, number: int | None, five: int | None, won: Sequence[int] | None
) -> None:
    """Check the score of the deal by the tricks taken (R26), and what can be known of the match (R7, R27).

    Raises
    ------
    ValueError
        If a score is against the rules.
    """
    if number is not None and number >= rules.deals_per_match:
        raise ValueError(f"deal {number}: a match has deals 0 to {rules.deals_per_match - 1} (R7)")
    score, total = (three_of(record[key], key) if key in record else None for key in ("score", "match_score"))
    if score and won and five is not None:
        quotas = [QUOTAS[(player - five) % PLAYERS] for player in range(PLAYERS)]
        due = [_score(tricks, quota, rules.scoring) for tricks, quota in zip(won, quotas, strict=True)]
        if score != due:
            raise ValueError(f"score {shown(score)}: {due} by scoring={rules.scoring} (R26)")
    if total is None or number is None:
        return
    if score and number == 0 and total != score:
        raise ValueError(f"match_score {shown(total)}: {shown(score)} after the first deal (R27)")
    due_sum = {"difference": 0, "tricks": TRICKS_PER_DEAL * (number + 1)}.get(rules.scoring)
    if due_sum is not None and sum(total) != due_sum:
        raise ValueError(
            f"match_score {shown(total)}: it adds up to {due_sum} by scoring={rules.scoring} (R26)"
        )


def _score(tricks: int, quota: int, scoring: str) -> int:
    return {"difference": tricks - quota, "surplus": max(0, tricks - quota), "tricks": tricks}[scoring]
