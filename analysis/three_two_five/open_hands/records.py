"""From records of deals to deals with all hands open, checked by the rules.

A record is what ``dealworth replay three-two-five --json`` prints: one JSON object a line. One made by hand
needs only what matters once trump is fixed:

``trump``    ``"S"``, ``"H"``, ``"D"`` or ``"C"``; or within ``maker``
``hands``    three, by player, each a list of cards or a text such as ``"AS KS 9H"``: as dealt if ``pulls``
             follow, else as they are at the first lead; fewer than ten cards each make an ending
``dealer``   or ``leader``, who leads first: of whole hands the five does, and either tells the other (R22)
``tricks``   what was played, if anything: cards in order of play; the last trick may be incomplete
``rules``    ``{"sevens": "hearts_high"}`` where the sevens are not low (R31)

All that is given is checked, up to the scores and the shuffled pack.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from analysis.provenance import counted
from analysis.records import listed, mapping, shown, whole_number
from analysis.three_two_five.open_hands.checks import check_deck, check_pulls, check_scores
from analysis.three_two_five.open_hands.deals import OpenDeal, Position, lane_of_card, members
from analysis.three_two_five.open_hands.reading import card_of, player_of, words_of
from sim.core.jit import plain
from sim.core.strategy import printable
from sim.three_two_five.cards import (
    LANE_WIDTH,
    SUITS,
    SYMBOLS,
    card_name,
    parse_cards,
    raise_sevens,
)
from sim.three_two_five.rules import PLAYERS, QUOTAS, SEVENS, TRICKS_PER_DEAL, Rules

GAME = "three_two_five"
_CHOICES = ("call", "reveal")
_TURNED = 3


def read_deal(record: Any) -> OpenDeal:
    """Read one record.

    Parameters
    ----------
    record : mapping
        As the module says; further keys are welcome.

    Returns
    -------
    OpenDeal

    Raises
    ------
    ValueError
        If something is missing, not of the record's form or against the rules.
    """
    record = mapping(record, "a record")
    if record.get("game", GAME) != GAME:
        raise ValueError(f"game {record['game']!r}: valid is {GAME}")
    rules = Rules.from_options(dict(mapping(record.get("rules", {}), "rules")))
    sevens = SEVENS.index(rules.sevens)
    trump = _trump(record)
    hands = _hands(record)
    tricks = [_trick(trick, n) for n, trick in enumerate(listed(record.get("tricks", []), "tricks"), 1)]
    hands_dealt = hands[0].bit_count() == TRICKS_PER_DEAL
    leader, five = _first_leader(record, tricks, hands[0].bit_count())
    _check_turned(record, trump, hands, five)
    match, number = whole_number(record, "match"), whole_number(record, "deal")
    check_deck(record, hands, five)
    hands = _after_pulls(record, hands, trump, sevens)
    check_pulls(record, rules, number, five)
    first = 0 if five is None else five
    a, b, c = (plain(raise_sevens)(hands[(first + seat) % PLAYERS], trump, sevens) for seat in range(PLAYERS))
    start = Position(1, (leader - first) % PLAYERS, (a, b, c), (), (0, 0, 0), trump)
    blank = OpenDeal(start, (), first, five is not None, sevens, _strategies(record), match, number)
    deal = _played(blank, tricks)
    won = deal.by_player(deal.end.taken)
    if deal.complete and record.get("tricks_won", won) != won:
        raise ValueError(f"tricks won {shown(record['tricks_won'])}: by the cards played {won} (R25)")
    check_scores(record, rules, number, five, won if deal.complete and hands_dealt else None)
    return deal


def _trump(record: Mapping[str, Any]) -> int:
    """Read the trump suit, from the record itself or from what the trump maker chose (R9, R10)."""
    maker = mapping(record.get("maker", {}), "maker")
    given = [source["trump"] for source in (record, maker) if "trump" in source]
    if not given:
        raise ValueError("no trump: give one of S, H, D, C")
    suits = [_suit(text) for text in given]
    if suits[0] != suits[-1]:
        raise ValueError(f"trump {given[0]!r}, and {given[-1]!r} of the maker: they must agree")
    return suits[0]


def _suit(text: Any) -> int:
    spelled = text.strip().upper() if isinstance(text, str) else ""
    for names in (SUITS, SYMBOLS):
        if len(spelled) == 1 and spelled in names:
            return names.index(spelled)
    raise ValueError(f"trump {shown(text)}: valid are {', '.join(SUITS)}")


def _hands(record: Mapping[str, Any]) -> list[int]:
    """Read three equal hands with plain sevens, by player (R2)."""
    given = listed(record.get("hands"), "hands")
    if len(given) != PLAYERS:
        raise ValueError(f"{counted(len(given), 'hand')}: three are needed, one a player")
    hands: list[int] = []
    for player, hand in enumerate(given):
        where = f"hand of player {player}"
        try:
            hands.append(parse_cards(words_of(hand, where)))
        except ValueError as error:
            raise ValueError(f"{where}: {error}" if where not in str(error) else str(error)) from None
        for other in range(player):
            for card in members(hands[other] & hands[player]):
                raise ValueError(f"card {card_name(card)} in the hands of players {other} and {player}")
    sizes = [hand.bit_count() for hand in hands]
    if len(set(sizes)) > 1 or not 1 <= sizes[0] <= TRICKS_PER_DEAL:
        raise ValueError(
            f"hands of {', '.join(map(str, sizes))} cards: valid are equal numbers, 1 to {TRICKS_PER_DEAL}"
        )
    return hands


def _first_leader(
    record: Mapping[str, Any], tricks: list[dict[str, Any]], size: int
) -> tuple[int, int | None]:
    """Return the player that leads first, and the five, None where an ending does not tell (R5, R22)."""
    dealer = player_of(record["dealer"], "dealer") if "dealer" in record else None
    leader = player_of(record["leader"], "leader") if "leader" in record else None
    if leader is None and tricks:
        leader = tricks[0]["leader"]
    five = None if dealer is None else (dealer + 1) % PLAYERS
    if size == TRICKS_PER_DEAL:
        leader = five if leader is None else leader
        five = leader if five is None else five
        if leader is not None and leader != five:
            raise ValueError(f"leader {leader}: player {five}, the five, leads to the first trick (R22)")
    if leader is None:
        raise ValueError("no leader: give the player that leads first, 0, 1 or 2")
    if five is not None and "quota" in record:
        due = [QUOTAS[(player - five) % PLAYERS] for player in range(PLAYERS)]
        if record["quota"] != due:
            raise ValueError(f"quota {shown(record['quota'])}: {due} where player {five} is the five (R5)")
    return leader, five


def _check_turned(record: Mapping[str, Any], trump: int, hands: list[int], five: int | None) -> None:
    """Check that a reveal turned up this trump, out of the five's own cards (R10, R11)."""
    maker = mapping(record.get("maker", {}), "maker")
    if maker.get("choice", _CHOICES[0]) not in _CHOICES:
        raise ValueError(f"choice {shown(maker['choice'])}: valid are {', '.join(_CHOICES)}")
    words = words_of(maker.get("revealed", []), "revealed cards")
    if not words and not ("revealed" in maker and maker.get("choice") == _CHOICES[1]):
        return
    turned = members(parse_cards(words))
    if len(turned) != _TURNED or maker.get("choice") == _CHOICES[0]:
        raise ValueError(f"revealed {' '.join(words)}: three cards after a reveal, none after a call (R10)")
    ranks = [(card.bit_length() - 1) % LANE_WIDTH for card in turned]
    highest = [card_name(card)[-1] for card, rank in zip(turned, ranks, strict=True) if rank == max(ranks)]
    if SUITS[trump] not in highest:
        valid = " or ".join(highest)
        raise ValueError(f"trump {SUITS[trump]}: after {' '.join(words)} it is {valid} (R10, R11)")
    if "pulls" in record and five is not None:
        for card in turned:
            if not card & hands[five]:
                raise ValueError(f"revealed {card_name(card)}: not dealt to player {five}, the five (R10)")


def _after_pulls(record: Mapping[str, Any], hands: list[int], trump: int, sevens: int) -> list[int]:
    """Return the hands after the pulls (R17, R18)."""
    hands = list(hands)
    for number, pull in enumerate(listed(record.get("pulls", []), "pulls"), start=1):
        where = f"pull {number}"
        pull = mapping(pull, where)
        taker, giver = (player_of(pull.get(role), f"{where}: {role}") for role in ("taker", "giver"))
        drawn, returned = (card_of(pull.get(move), f"{where}: {move}") for move in ("drawn", "returned"))
        if hands[0].bit_count() != TRICKS_PER_DEAL or taker == giver:
            raise ValueError(f"{where}: one of two players with ten cards draws from the other (R17)")
        if not hands[giver] & drawn:
            raise ValueError(f"{where}: {card_name(drawn)} drawn from player {giver}, who does not hold it")
        eleven = hands[taker] | drawn
        if not eleven & returned:
            raise ValueError(
                f"{where}: {card_name(returned)} returned by player {taker}, who does not hold it"
            )
        raised, card = (plain(raise_sevens)(cards, trump, sevens) for cards in (eleven, returned))
        if returned == drawn or (raised & lane_of_card(card)).bit_count() < _TURNED:
            raise ValueError(
                f"{where}: {card_name(returned)} returned: valid are cards other than the drawn one, of suits"
                " with three or more among the eleven (R18)"
            )
        hands[giver] ^= drawn | returned
        hands[taker] = eleven ^ returned
    return hands


def _played(blank: OpenDeal, tricks: list[dict[str, Any]]) -> OpenDeal:
    """Play the cards of a record (R22 to R24)."""
    position = blank.start
    plays: list[int] = []
    for number, trick in enumerate(tricks, start=1):
        words, last = trick["cards"], number == len(tricks)
        if len(words) > PLAYERS or (len(words) < PLAYERS and not last):
            raise ValueError(
                f"trick {number}: {counted(len(words), 'card')}: valid are three, and fewer in the last trick"
            )
        if not any(position.hands):
            raise ValueError(f"trick {number}: no cards are left, it was over after {number - 1} tricks")
        _agrees(trick, "leader", number, blank.player(position.leader))
        for place, word in enumerate(words, start=1):
            card = _legal_card(blank, position, plays, word, f"trick {number}, card {place}")
            position = position.after(card)
            plays.append(card)
        if len(words) == PLAYERS:
            _agrees(trick, "winner", number, blank.player(position.leader))
    return replace(blank, plays=tuple(plays))


def _legal_card(deal: OpenDeal, position: Position, plays: list[int], word: str, where: str) -> int:
    """Read a card that is played, which must be held, and follow suit if it can (R23)."""
    card = plain(raise_sevens)(card_of(word, where), position.trump, deal.sevens)
    if card & position.legal:
        return card
    seat = position.mover
    who = f"player {deal.player(seat)}" + (f" ({deal.seat_name(seat)})" if deal.seated else "")
    if card & position.hands[seat]:
        follow = " ".join(deal.names(position.legal))
        raise ValueError(f"{where}: {who} plays {word} but must follow suit: valid are {follow} (R23)")
    why = "was played already" if card in plays else f"is not in the hand of {who}"
    raise ValueError(f"{where}: {word} {why}")


def _trick(trick: Any, number: int) -> dict[str, Any]:
    """Read one trick: the words of its cards, and who leads and wins where that is said."""
    where = f"trick {number}"
    given = trick if isinstance(trick, Mapping) else {"cards": trick}
    roles = {
        role: None if given.get(role) is None else player_of(given[role], f"{where}: {role}")
        for role in ("leader", "winner")
    }
    return {"cards": words_of(given.get("cards"), where), **roles}


def _agrees(trick: Mapping[str, Any], role: str, number: int, due: int) -> None:
    if trick[role] is not None and trick[role] != due:
        rule = "R22" if role == "leader" else "R24"
        raise ValueError(f"trick {number}: {role} {trick[role]}: it is player {due} ({rule})")


def _strategies(record: Mapping[str, Any]) -> tuple[str, ...]:
    given = listed(record.get("strategies", []), "strategies")
    if not given:
        return ()
    if len(given) != PLAYERS or not all(isinstance(name, str) for name in given):
        raise ValueError(f"strategies {shown(given)}: three names are needed, by player")
    return tuple(printable("strategy", name) for name in given)
