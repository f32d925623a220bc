"""Scripted strategies of 3-2-5 that note down every view they are shown, and the view that is due.

The three players' functions are compiled into the kernel. They choose by a script of their own from the
legal set of the view, and write what they saw behind the parameters of their row. :func:`due_view` says from
the naive game alone, hence only from what the rulebook lets a player know, what a view must hold.
"""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from reference.three_two_five import Deal
from reference.three_two_five_rules import PACK, winning_place
from reference.three_two_five_rules import suit_of as naive_suit_of

from sim import Strategy, experiment, strategy
from sim.core import users
from sim.core.jit import allocating, helper, specialise
from sim.three_two_five import kernel, strategies
from sim.three_two_five import knowledge as know
from sim.three_two_five.replay import shuffled_deck
from sim.three_two_five.strategies import strategy_rows

SUITS, RANKS = "SHDC", "789TJQKA"
CARD, RETURN, TRUMP, TIE = range(4)
STYLE = len(strategies.BOOK.parameters)
BREAKS, HOW, NOTES = STYLE + 1, STYLE + 2, STYLE + 3
"""Places in a script's row behind the parameters: its style; which kind of decision breaks the rules, and
how; the number of notes and the notes."""
NOTE = know.VIEW_SIZE + 2
"""Size of a note: kind of decision, answer, view."""

UNIFORM, LOW, HIGH, MIXED = range(4)
"""Styles."""
NOTHING, MINUS_ONE, TWO_CARDS, STRANGER, REVOKE = range(10, 15)
"""Ways to break the rules; for trumps and ties any number is one, too."""


@helper
def _member(mask, number):
    """Member ``number`` of a set, counted from the lowest."""
    for _ in range(number):
        mask &= mask - 1
    return mask & -mask


@helper
def _size(mask):
    size = 0
    while mask:
        mask &= mask - 1
        size += 1
    return size


@helper
def _by_style(style, legal, luck):
    """Choose from a set as the style has it."""
    size = _size(legal)
    if style == LOW:
        return _member(legal, 0)
    if style == HIGH:
        return _member(legal, size - 1)
    if style == MIXED:
        return _member(legal, ((luck >> 7) & 1023) * (size - 1) // 1023)
    return _member(legal, ((luck >> 20) & 0xFFFF) % size)


@helper
def _broken(how, view):
    """Answer against the rules: the legal set where this view offers no way to break them."""
    if how == NOTHING:
        return 0
    if how == MINUS_ONE:
        return -1
    if how == TWO_CARDS:
        return view[know.HAND]
    if how == STRANGER:
        return _member(view[know.WHOLE] & ~view[know.HAND] & ~view[know.GONE], 0)
    wrong = view[know.HAND] & ~view[know.LEGAL]
    return _member(wrong if wrong else view[know.LEGAL], 0)


@helper
def _write(view, params, kind, answer):
    """Note a decision, if the row has room for notes."""
    if params.size > NOTES:
        notes = params[NOTES:].view(np.int64)
        place = 1 + notes[0] * NOTE
        notes[place] = kind
        notes[place + 1] = answer
        for index in range(know.VIEW_SIZE):
            notes[place + 2 + index] = view[index]
        notes[0] += 1
    return answer


@helper
def script_card(view, params, luck):
    """Choose a card by style, or break the rules."""
    if params[BREAKS] == CARD:
        return _broken(params[HOW], view)
    return _write(view, params, CARD, _by_style(params[STYLE], view[know.LEGAL], luck))


@helper
def script_return(view, params, luck):
    """Choose a card to return by style, or break the rules."""
    if params[BREAKS] == RETURN:
        return _broken(params[HOW], view)
    return _write(view, params, RETURN, _by_style(params[STYLE], view[know.LEGAL], luck))


@helper
def script_trump(view, params, luck):
    """Call any suit, or reveal every other time."""
    if params[BREAKS] == TRUMP:
        return np.int64(params[HOW])
    option = 4 if luck & 1024 else (luck >> 30) & 3
    return _write(view, params, TRUMP, option)


@helper
def script_tie(view, params, luck):
    """Choose one of the tied suits by style, or the lowest suit that is not tied."""
    if params[BREAKS] == TIE:
        others = 15 ^ view[know.LEGAL]
        return _size(_member(others, 0) - 1) if params[HOW] == REVOKE else np.int64(params[HOW])
    return _write(view, params, TIE, _size(_by_style(params[STYLE], view[know.LEGAL], luck) - 1))


_SCRIPT = strategy(
    "three-two-five", "script", base="random", card=script_card, trump=script_trump, tie=script_tie,
    **{"return": script_return},
)  # fmt: skip


def scripted(style: int = UNIFORM, breaks: int = -1, how: int = 0, name: str = "script") -> Strategy:
    """Return a strategy that decides everything by script; all of them share one compiled kernel.

    Parameters
    ----------
    style : int
        UNIFORM, LOW, HIGH or MIXED.
    breaks, how : int
        Kind of decision that is taken against the rules, and in which way.
    name : str
        Name for messages.
    """
    return replace(_SCRIPT, name=name, params=(*_SCRIPT.params, float(style), float(breaks), float(how)))


class Note(NamedTuple):
    """One decision: its kind, the answer, and the view that was shown."""

    kind: int
    answer: int
    view: list[int]


def witness(rules, styles, *, seed=1, first=0, matches=1):
    """Play matches between scripts.

    Returns
    -------
    rows : int8 (deals, COLUMNS) array
    notes : dict of int to iterator of Note
        By row of the parameters, 3 * dealer + seat, in the order of play.
    """
    made = experiment(
        "three-two-five", matches=first + matches, seed=seed, rules=rules, strategies=[*map(scripted, styles)]
    )
    policies, params = strategy_rows(made.strategies)
    params = params[:, : -users.NOTES]
    room = matches * made.rules.deals_per_match * 20 * NOTE
    params = np.concatenate([params, np.zeros((9, 1 + room))], axis=1)
    rows = np.empty((matches * made.rules.deals_per_match, kernel.COLUMNS), np.int8)
    log = np.zeros(kernel.LOG_SIZE, np.int64)
    assert _noting_kernel()(seed, first, made.rules.row(), policies, params, rows, log, False) == (
        kernel.OK,
        0,
    )
    return rows, {number: _notes(row[NOTES:].view(np.int64)) for number, row in enumerate(params)}


@cache
def _noting_kernel():
    """Return the kernel that asks the scripts with their rows themselves, where they can write notes."""
    functions, kinds = dict(_SCRIPT.functions), zip(strategies.DECISIONS, strategies.STAND_INS, strict=True)
    asked = {stand_in: _link(functions[kind]) for kind, stand_in in kinds}
    return specialise(kernel.play_matches, asked)


def _link(script):
    @allocating
    def ask(_slot, view, params, luck):
        return np.int64(script(view.copy(), params[view[know.PARAMS]], luck))

    return ask


def _notes(written):
    for note in written[1 : 1 + written[0] * NOTE].reshape(-1, NOTE).tolist():
        yield Note(note[0], note[1], note[2:])


def naive_deck(seed, match, deal):
    """Return the pack of a deal as the naive game names cards."""
    return [name_of(card) for card in shuffled_deck(seed, match, deal)]


def name_of(card, sevens="low"):
    """Name of a one-bit card; places above the ace are the raised sevens."""
    lane, rank = divmod(int(card).bit_length() - 1, 16)
    if rank >= 8:
        return "7H" if (rank == 9) == (sevens == "hearts_high") else "7S"
    return RANKS[rank] + SUITS[lane]


def seats(record):
    """Return the players in the seats five, three and two of a record: the dealer is the two (R5)."""
    return [(record["dealer"] + step) % 3 for step in (1, 2, 3)]


def hands_in_play(record):
    """Return the hands by player of a record after its pulls (R17, R20)."""
    hands = [set(hand) for hand in record["hands"]]
    for pull in record["pulls"]:
        taker, giver = hands[pull["taker"]], hands[pull["giver"]]
        giver.remove(pull["drawn"])
        assert len(giver) == 9
        taker.add(pull["drawn"])
        taker.remove(pull["returned"])
        giver.add(pull["returned"])
    assert [len(hand) for hand in hands] == [10, 10, 10]
    return hands


@cache
def bits(trump=None, sevens="low"):
    """Return the bit of each card by name, the sevens raised to the trump lane where a rule has it (R31)."""
    bit = {card: 1 << (16 * SUITS.index(card[1]) + RANKS.index(card[0])) for card in PACK}
    if trump and sevens != "low":
        above = 16 * SUITS.index(trump) + 8
        bit["7H"] = 1 << (above + (sevens == "hearts_high"))
        bit["7S"] = 1 << (above + (sevens == "spades_high"))
    return bit


def mask(cards, trump=None, sevens="low"):
    """Return a set of named cards as bits."""
    bit = bits(trump, sevens)
    return sum(bit[card] for card in cards)


def lanes(suits):
    """Return all places of the suits: eight ranks and two for raised sevens."""
    return sum(0x3FF << 16 * SUITS.index(suit) for suit in suits)


def due_view(deal: Deal, *, number, length, scores, before) -> list[int]:
    """Return the view that the player to move must be shown.

    Parameters
    ----------
    deal : Deal
        The naive deal, waiting for a decision.
    number, length : int
        Its number in its match, and the length of the match.
    scores, before : tuple of int
        Match scores and debts (tricks less quota in the deal before) by player.
    """
    rules, player, trump = deal.rules, deal.to_move, deal.trump
    seats = (deal.five, deal.three, deal.two)
    seat = seats.index(player)
    known, won, voids = deal.knowledge(player), deal.tricks_won, shown_voids(deal)
    bit = bits(trump, rules.sevens)
    view = [0] * know.VIEW_SIZE

    def cards(names):
        return sum(bit[name] for name in names)

    view[know.SEVENS] = ("low", "hearts_high", "spades_high").index(rules.sevens)
    view[know.SCORING] = ("difference", "surplus", "tricks").index(rules.scoring)
    view[know.DEAL], view[know.LENGTH] = number, length
    view[know.CHOICE] = -1 if deal.phase == "maker" else int(bool(deal.revealed))
    view[know.TURNED] = mask(deal.revealed)
    view[know.TRUMP] = SUITS.index(trump) if trump else -1
    for pull in deal.pulls:
        view[know.PULLED + 3 * seats.index(pull.taker) + seats.index(pull.giver)] += 1
    view[know.TRICK], view[know.ORDER] = len(deal.tricks), len(deal.table)
    view[know.LEADER] = seats.index(deal.leader)
    view[know.BEST_SEAT] = know.NO_SEAT
    # Of places not yet filled in this trick the cards of the trick before remain, known to all.
    lying = [*deal.table, *(deal.tricks[-1].cards[len(deal.table) :] if deal.tricks else ())]
    view[know.TABLE : know.TABLE + len(lying)] = [bit[card] for card in lying]
    if deal.table:
        view[know.LED] = lanes(naive_suit_of(deal.table[0], trump, rules))
        place = winning_place(deal.table, trump, rules)
        view[know.BEST] = bit[deal.table[place]]
        view[know.BEST_SEAT] = (view[know.LEADER] + place) % 3
    view[know.GONE] = cards(known.played)
    for who, at in enumerate(seats):
        view[know.DEBT + who] = before[at] if rules.pulls else 0
        view[know.SCORE + who] = scores[at]
        view[know.PLAYED + who] = cards(played_by(deal, at))
        view[know.VOIDS + who] = lanes(voids[at])
        view[know.TRICKS + who] = won[at]
        view[know.KNOWN + who] = cards(known.held[at]) if at != player else 0
        assert at == player or known.voids[at] == voids[at]
        once, strayed = lost_sight(deal, player)
        view[know.ONCE + who] = cards(once.get(at, ()))
        view[know.KEPT + who] = kept_by(deal, at, player) + (strayed[at] << 16) if at != player else 0
    history = [card for trick in deal.tricks for card in trick.cards] + list(deal.table)
    view[know.HISTORY : know.HISTORY + len(history)] = [bit[card] for card in history]
    view[know.WHOLE] = cards(PACK)
    view[know.FIRST_ROW] = 3 * deal.dealer
    view[know.SEAT], view[know.PARAMS] = seat, 3 * deal.dealer + seat
    view[know.HAND], view[know.LEGAL] = cards(known.hand), due_legal(deal)
    view[know.DRAWN] = bit[deal.drawn] if deal.drawn else 0
    view[know.GIVER] = seats.index(deal.pending[0][1]) if deal.drawn else know.NO_SEAT
    return view


def kept_by(deal: Deal, taker: int, giver: int) -> int:
    """Return what a giver knows of the length of a taker's suits (R18), four bits a suit.

    A card of a suit goes back only if two of the suit stay. What the giver saw drawn adds to what it knew to
    be left; a return to somebody else leaves two of its suit, whichever that is.
    """
    least = dict.fromkeys(SUITS, 0)
    for pull in deal.pulls:
        if pull.taker == taker and pull.giver == giver:
            least[naive_suit_of(pull.drawn, deal.trump, deal.rules)] += 1
            suit = naive_suit_of(pull.returned, deal.trump, deal.rules)
            least[suit] = max(2, least[suit] - 1)
        elif pull.taker == taker:
            least = {suit: min(2, count) for suit, count in least.items()}
    return sum(count << 4 * SUITS.index(suit) for suit, count in least.items())


def lost_sight(deal: Deal, player: int) -> tuple[dict[int, set[str]], dict[int, int]]:
    """Return what a player was once sure that each other one held, before the two of them pulled (R19).

    Besides, how many of these cards it has since seen come from the wrong one of the two.
    """
    others = [(player + step) % 3 for step in (1, 2)]
    sure, once, strayed = ({other: set() for other in others} for _ in range(3))
    strayed = dict.fromkeys(others, 0)
    if deal.trump and deal.five != player:
        sure[deal.five] |= set(deal.revealed)

    def seen_to_come(source, card):
        elsewhere = 3 - player - source
        strayed[elsewhere] += card in once[elsewhere]
        for known in (sure, once):
            known[source].discard(card)
            known[elsewhere].discard(card)

    for pull in [*deal.pulls, *([None] if deal.drawn else [])]:
        if pull is None:
            taker, giver = deal.pending[0]
            if taker == player:
                seen_to_come(giver, deal.drawn)
        elif pull.taker == player:
            seen_to_come(pull.giver, pull.drawn)
            sure[pull.giver].add(pull.returned)
        elif pull.giver == player:
            seen_to_come(pull.taker, pull.returned)
            sure[pull.taker].add(pull.drawn)
        else:
            for hand in (pull.taker, pull.giver):
                once[hand] |= sure[hand]
                sure[hand] = set()
    return once, strayed


def due_legal(deal: Deal) -> int:
    """Return the legal set of the player to move: suits as bits while trump is open, else cards."""
    if deal.phase in ("maker", "tie"):
        return sum(1 << SUITS.index(suit) for suit in deal.legal_trumps())
    legal = deal.legal_returns() if deal.phase == "return" else deal.legal_cards()
    return mask(legal, deal.trump, deal.rules.sevens)


def played_by(deal: Deal, player: int) -> list[str]:
    """Return the cards that a player has played, from the log."""
    return [move.what for move in deal.log if move.verb == "play" and move.player == player]


def shown_voids(deal: Deal) -> list[set[str]]:
    """Return by player the suits that it has failed to follow."""
    voids = [set(), set(), set()]
    for leader, cards in [*((trick.leader, trick.cards) for trick in deal.tricks), (deal.leader, deal.table)]:
        for place in range(1, len(cards)):
            led, shown = (naive_suit_of(cards[at], deal.trump, deal.rules) for at in (0, place))
            if shown != led:
                voids[(leader + place) % 3].add(led)
    return voids
