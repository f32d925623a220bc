"""What a player of 3-2-5 knows: the compiled rows against the naive game, and nothing of the hidden cards."""

from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.three_two_five import Deal
from reference.three_two_five_rules import PACK, SEVENS, Rules, deck_for
from witness import SUITS, due_legal, due_view, lanes, mask, shown_voids

from sim.core.rng import word
from sim.three_two_five import knowledge as know
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.strategies import BOOK, choose_card, choose_return, choose_tie, choose_trump
from sim.three_two_five.thinking.decisions import DECIDERS
from sim.three_two_five.thinking.parameters import THINKING

DEBTS = ((0, 0, 0), (1, -1, 0), (0, -2, 2), (-1, -1, 2), (3, -2, -1), (-3, 5, -2))
SCORES, LENGTH = (4, -1, -3), 9
KIND_OF = {"maker": "trump", "tie": "tie", "return": "return", "play": "card"}
CHOOSE = {"trump": choose_trump, "tie": choose_tie, "return": choose_return, "card": choose_card}
FEW = {
    "worlds": 6.0,
    "inner": 2.0,
    "solve": 3.0,
    "infer": 1.0,
    "dealt": 3.0,
    "mixed": 2.0,
    "trump_worlds": 2.0,
}
PARAMS = np.array([list((BOOK.parameters | FEW).values())] * 9, np.float64)
RANKS = rank_promises(PARAMS)


class Rows:
    """The compiled rows of knowledge, told the moves of a naive deal as the kernel would tell them."""

    def __init__(self, deal, debts):
        self.deal, self.debts, self.seats = deal, debts, (deal.five, deal.three, deal.two)
        self.view = np.zeros(know.VIEW_SIZE, np.int64)
        self.private = np.zeros((3, know.PRIVATE_SIZE), np.int64)
        self.view[know.SEVENS] = list(SEVENS).index(deal.rules.sevens)
        self.view[know.LENGTH], self.view[know.FIRST_ROW] = LENGTH, 3 * deal.dealer
        for seat, player in enumerate(self.seats):
            self.view[know.DEBT + seat], self.view[know.SCORE + seat] = debts[player], SCORES[player]
        know.start_deal(self.view, self.private, mask(deal.makers_five))

    def act(self, move):
        """Do a move on the naive deal and tell it to the rows."""
        open_trump = self.deal.trump is None
        self.deal.act(move)
        if move.verb == "reveal":
            know.see_turned(self.view, self.private, mask(self.deal.revealed))
        elif move.verb in ("draw", "return"):
            self._pull(move)
        elif move.verb == "play":
            know.see_card(self.view, self.private, self.seats.index(move.player), self.cards([move.what]))
            if not self.deal.table:
                know.close_trick(self.view)
        if open_trump and self.deal.trump:
            know.see_trump(self.view, self.private, SUITS.index(self.deal.trump))
            for seat, player in enumerate(self.seats):
                self.private[seat, know.CARDS] = self.cards(self.deal.dealt[player])

    def _pull(self, move):
        taker, giver = self.seats.index(move.player), self.seats.index(move.giver)
        if move.verb == "draw":
            know.see_draw(self.view, self.private, taker, giver, self.cards([move.what]))
        else:
            drawn = self.cards([self.deal.pulls[-1].drawn])
            know.see_pull(self.view, self.private, taker, giver, drawn, self.cards([move.what]))

    def cards(self, names):
        """Return named cards as they stand under the trump."""
        return mask(names, self.deal.trump, self.deal.rules.sevens)

    def shown(self):
        """Return the view of the player to move, as the kernel would show it."""
        know.show(self.view, self.private, self.seats.index(self.deal.to_move), due_legal(self.deal))
        return self.view.copy()

    def due(self):
        """Return the view that the naive game says is due."""
        return due_view(self.deal, number=0, length=LENGTH, scores=SCORES, before=self.debts)


def random_rows(rng, sevens):
    debts = rng.choice(DEBTS)
    return Rows(Deal(rng.sample(PACK, 30), rng.randrange(3), Rules(sevens=sevens), debts), debts)


def check_everybody(rows):
    """Compare what each of the three players knows with the naive game's account of it."""
    voids = shown_voids(rows.deal)
    for seat, player in enumerate(rows.seats):
        know.show(rows.view, rows.private, seat, 0)
        known = rows.deal.knowledge(player)
        assert rows.view[know.HAND] == rows.cards(known.hand)
        assert rows.view[know.GONE] == rows.cards(known.played)
        assert rows.view[know.KNOWN + seat] == 0
        for other, cards in known.held.items():
            at = rows.seats.index(other)
            assert rows.view[know.KNOWN + at] == rows.cards(cards)
            assert rows.view[know.VOIDS + at] == lanes(known.voids[other]) == lanes(voids[other])


@settings(max_examples=120)
@given(seed=st.integers(0, 2**32), sevens=st.sampled_from(list(SEVENS)))
def test_everybody_knows_what_the_naive_game_says_at_every_card(seed, sevens):
    """R17–R20, R23, R31: voids and sure cards, through reveals, draws, returns and thirty cards."""
    rng = Random(seed)
    rows = random_rows(rng, sevens)
    while moves := rows.deal.moves():
        if rows.deal.phase != "draw":
            assert rows.shown().tolist() == rows.due()
        rows.act(rng.choice(moves))
        if rows.deal.trump and not rows.deal.drawn:
            check_everybody(rows)


FIVE = "AS KS QS JS TS 9S 8S 7S AH KH".split()
THREE = "QH JH TH 9H 8H 7H AD KD QD JD".split()
TWO = "TD 9D 8D AC KC QC JC TC 9C 8C".split()


def after_moves(debts, *moves):
    """Return rows of the deal of the hands above after moves such as ``draw 8S``; player 2 deals."""
    rows = Rows(Deal(deck_for(FIVE, THREE, TWO), 2, Rules(), debts), debts)
    for text in moves:
        verb, _, what = text.partition(" ")
        rows.act(next(m for m in rows.deal.moves() if m.verb == verb and m.what == what))
    return rows


def sure(rows, seat, other):
    know.show(rows.view, rows.private, seat, 0)
    return rows.view[know.KNOWN + other]


def test_turned_cards_are_sure_until_played():
    """R10: both others know the three turned cards in the five's hand."""
    rows = after_moves((0, 0, 0), "reveal", "play 8S", "play QH", "play TD")
    assert sure(rows, 1, 0) == sure(rows, 2, 0) == mask(["9S", "7S"])
    assert rows.view[know.VOIDS + 1] == rows.view[know.VOIDS + 2] == lanes("S")


def test_a_pull_from_the_five_hides_the_turned_cards_from_the_third_player():
    """R19: the taker loses sight of the drawn card alone, the third player of all."""
    rows = after_moves((-1, 1, 0), "reveal", "draw 8S")
    assert sure(rows, 1, 0) == mask(["9S", "7S"]), "the drawn card is in the taker's own hand"
    rows = after_moves((-1, 1, 0), "reveal", "draw 8S", "return 7H")
    assert sure(rows, 1, 0) == mask(["9S", "7S", "7H"])
    assert sure(rows, 0, 1) == mask(["8S"])
    assert sure(rows, 2, 0) == sure(rows, 2, 1) == 0


@pytest.mark.parametrize("card", ["8S", "AS"])
def test_the_third_player_sees_nothing_of_a_pull(card):
    """R19: its view after the pull is the same whatever was drawn and returned."""
    views = []
    for drawn, returned in (("8S", "7H"), ("AS", "QD"), (card, "QH")):
        rows = after_moves((-1, 1, 0), "call C", f"draw {drawn}", f"return {returned}")
        know.show(rows.view, rows.private, 2, 0)
        views.append(rows.view.tolist())
    assert views[0] == views[1] == views[2]
    assert views[0][know.DRAWN] == 0 and views[0][know.GIVER] == know.NO_SEAT


def test_a_second_pull_from_a_hand_hides_what_was_returned_to_it():
    rows = after_moves((1, 1, -2), "call S", "draw AC", "return 7S")
    assert sure(rows, 0, 2) == mask(["7S"])
    rows = after_moves((1, 1, -2), "call S", "draw AC", "return 7S", "draw KC", "return JD")
    assert sure(rows, 0, 1) == sure(rows, 0, 2) == 0
    assert sure(rows, 2, 0) == mask(["AC"]) and sure(rows, 2, 1) == mask(["KC"])


def ever_seen(deal, player):
    """Cards that a player has ever seen: its own, those it drew or gave, turned ones, played ones."""
    known = deal.knowledge(player)
    seen = known.hand | known.played | set(deal.revealed)
    if deal.trump:
        seen |= set(deal.dealt[player])
    own = [move for move in deal.log if player in (move.player, move.giver)]
    return seen | {move.what for move in own if move.verb in ("draw", "return")}


def other_world(rng, rows):
    """Return rows of another deal that the player to move cannot tell from this one, or None.

    Cards that it has never seen change places, in the hands and in all that the others did unseen; the
    naive game then says whether the others could have done so.
    """
    deal = rows.deal
    hidden = sorted(set(PACK) - ever_seen(deal, deal.to_move))
    swap = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    if len(hidden) > 4 and rng.random() < 0.8:
        a, b = rng.sample(hidden, 2)
        swap = {a: b, b: a}
    deck = [swap.get(card, card) for card in deal.deck]
    other = Rows(Deal(deck, deal.dealer, deal.rules, rows.debts), rows.debts)
    try:
        for move in deal.log:
            other.act(move._replace(what=swap.get(move.what, move.what)))
    except ValueError:
        return None
    return other if other.deal.hands != deal.hands else None


@cache
def built_in_numbers(decision):
    """Return what stands for all built-in strategies and additions in the policies of a kind of decision."""
    numbers = {p.choices[decision] for p in (*BOOK.policies, *BOOK.overlays) if decision in p.choices}
    return [DECIDERS[decision, n].address if n >= THINKING else n for n in sorted(numbers)]


def answers(decision, view, luck):
    """Return what each built-in policy answers to a view, and check that it leaves the view alone."""
    before = view.copy()
    weights = (PARAMS, RANKS) if decision in ("return", "card") else (PARAMS,)
    given = [int(CHOOSE[decision](number, view, *weights, luck)) for number in built_in_numbers(decision)]
    np.testing.assert_array_equal(view, before)
    return given


@pytest.mark.parametrize("sevens", list(SEVENS))
def test_cases_14_and_15_hidden_cards_change_no_view_and_no_choice(sevens):
    """Cases 14, 15: in every world that a player cannot tell apart, its view and each choice are the same."""
    rng, compared = Random(sevens), dict.fromkeys(KIND_OF.values(), 0)
    for number in range(400):
        rows = random_rows(rng, sevens)
        wanted = rng.choice(("maker", "tie", "return", "play", "play", "play"))
        delay = {"play": rng.randrange(1, 30), "return": rng.randrange(3)}.get(wanted, 0)
        while moves := rows.deal.moves():
            if rows.deal.phase == wanted and (delay := delay - 1) < 0:
                break
            rows.act(moves[-1] if wanted == "tie" else rng.choice(moves))
        if not moves:
            continue
        decision = KIND_OF[rows.deal.phase]
        view, luck = rows.shown(), int(word(325, number))
        chosen = answers(decision, view, luck)
        assert legal_answers(decision, view, chosen)
        for other in filter(None, (other_world(rng, rows) for _ in range(4))):
            seen = other.shown()
            assert seen.tolist() == view.tolist() == other.due()
            assert answers(decision, seen, luck) == chosen
            compared[decision] += 1
    assert min(compared.values()) > 5 and sum(compared.values()) > 500, compared


def legal_answers(decision, view, chosen):
    """Whether all answers are among the legal ones."""
    if decision == "trump":
        return all(0 <= option <= len(SUITS) for option in chosen)
    if decision == "tie":
        return all(view[know.LEGAL] >> suit & 1 for suit in chosen)
    return all(card & view[know.LEGAL] and card.bit_count() == 1 for card in chosen)


@pytest.mark.parametrize(("phase", "trumps"), [("maker", 1), ("tie", 2)])
def test_case_15_the_trump_maker_knows_five_cards_or_eight(phase, trumps):
    """R9, R11: whatever the other twenty-five or twenty-two cards are, the maker's view is the same."""
    rng, views = Random(phase), []
    while True:
        rows = random_rows(rng, "low")
        if phase == "tie":
            rows.act(next(move for move in rows.deal.moves() if move.verb == "reveal"))
        if rows.deal.phase == phase and len(rows.deal.legal_trumps()) >= trumps:
            break
    fixed = [*range(5), *(range(15, 18) if phase == "tie" else ())]
    for _ in range(20):
        rest = [place for place in range(30) if place not in fixed]
        deck = list(rows.deal.deck)
        for place, source in zip(rest, rng.sample(rest, len(rest)), strict=True):
            deck[place] = rows.deal.deck[source]
        other = Rows(Deal(deck, rows.deal.dealer, rows.deal.rules, rows.debts), rows.debts)
        for move in rows.deal.log:
            other.act(move)
        views.append(other.shown().tolist())
    assert all(view == rows.shown().tolist() for view in views)
    assert views[0][know.HAND].bit_count() == len(fixed)


def test_shown_voids_are_never_broken():
    """Case 14, R23: of 10,000 hands during play none holds a suit that it has failed to follow."""
    rng, seen = Random(14), 0
    while seen < 10_000:
        rows = random_rows(rng, rng.choice(list(SEVENS)))
        while moves := rows.deal.moves():
            rows.act(rng.choice(moves))
            if rows.deal.tricks:
                for seat in range(3):
                    seen += 1
                    assert rows.private[seat, know.CARDS] & rows.view[know.VOIDS + seat] == 0
