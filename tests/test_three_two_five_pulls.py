"""The pulls of 3-2-5, R14–R21, on the compiled game."""

from itertools import pairwise, permutations
from math import sqrt
from random import Random

import numpy as np
import pytest
from reference.three_two_five_rules import PACK
from witness import HIGH, LOW, UNIFORM, bits, hands_in_play, mask, name_of, seats, witness

from sim import experiment, find_game, replay
from sim.three_two_five import kernel
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import returnable
from sim.three_two_five.game import play_rows

GAME = find_game("three-two-five")


def returns(eleven, drawn, trump="S", sevens="low"):
    """Names of the cards that may go back."""
    bit = bits(trump, sevens)
    allowed = returnable(mask(eleven.split(), trump, sevens), bit[drawn])
    return {name_of(1 << place, sevens) for place in range(64) if allowed >> place & 1}


def by_seat(record):
    """Return (taker, giver) of each pull of a record by seat: five 0, three 1, two 2."""
    seat = {player: number for number, player in enumerate(seats(record))}
    return [(seat[pull["taker"]], seat[pull["giver"]]) for pull in record["pulls"]]


def test_r14_a_surplus_pulls_what_a_deficit_loses(records):
    pulled = 0
    for before, after in pairwise(records("random", matches=30)):
        net = [0, 0, 0]
        for pull in after["pulls"]:
            net[pull["taker"]] += 1
            net[pull["giver"]] -= 1
        if after["deal"]:
            won = before["tricks_won"]
            assert net == [tricks - quota for tricks, quota in zip(won, before["quota"], strict=True)]
            pulled += len(after["pulls"])
    assert pulled > 300


def test_r15_trump_then_pulls_then_the_first_lead():
    """Who decides trump sees no pull; who returns a card knows the trump and sees no card played."""
    _, notes = witness({}, (LOW, HIGH, LOW), seed=15, matches=10)
    returned = 0
    for note in (note for row in notes.values() for note in row):
        if note.view[know.DRAWN]:
            returned += 1
            assert note.view[know.TRUMP] >= 0 and note.view[know.GONE] == 0
        elif note.view[know.TRUMP] < 0:
            assert not any(note.view[know.PULLED : know.PULLED + 9])
    assert returned > 30


# The orders of R16 read aloud, by seat: takers five, three, two; givers two, five, three.
GIVERS = (2, 0, 1)


def test_r16_takers_from_the_five_on_and_givers_from_the_dealer_on(records):
    """Among many deals every kind of debt: one taker or two, one giver or two."""
    kinds = {}
    for record in records("random", "first-suit", "random", matches=30):
        pulls = by_seat(record)
        places = [(taker, GIVERS.index(giver)) for taker, giver in pulls]
        assert places == sorted(places)
        kinds[frozenset(t for t, _ in pulls), frozenset(g for _, g in pulls)] = pulls
    ones = [frozenset({a}) for a in range(3)]
    twos = [frozenset(range(3)) - one for one in ones]
    pairs = [*zip(ones, twos, strict=True), *zip(twos, ones, strict=True)]
    assert kinds.keys() >= {*pairs, *((ones[a], ones[b]) for a, b in permutations(range(3), 2))}
    five_takes, three_takes, two_takes = (kinds[ones[taker], twos[taker]] for taker in range(3))
    assert (five_takes[0], five_takes[-1]) == ((0, 2), (0, 1))
    assert (three_takes[0], three_takes[-1]) == ((1, 2), (1, 0))
    assert (two_takes[0], two_takes[-1]) == ((2, 0), (2, 1))


def test_r17_each_of_the_givers_ten_cards_is_drawn_equally_often(records):
    """Blind and uniform: the place of the drawn card among the giver's ten, and both cards change hands."""
    counts = np.zeros(10)
    for record in records("random", matches=150, seed=17):
        hands = [set(hand) for hand in record["hands"]]
        for pull in record["pulls"]:
            taker, giver = hands[pull["taker"]], hands[pull["giver"]]
            counts[sorted(giver, key=bits().get).index(pull["drawn"])] += 1
            giver ^= {pull["drawn"], pull["returned"]}
            taker ^= {pull["drawn"], pull["returned"]}
    total = counts.sum()
    assert total > 2_500
    assert np.all(np.abs(counts / total - 0.1) < 4 * sqrt(0.09 / total))


@pytest.mark.parametrize("drawn", ["AS", "KS", "9S"])
def test_r18_case_6_six_of_eleven_may_go_back(drawn):
    """Spades three (one of them drawn), hearts two, diamonds four, clubs two."""
    eleven = "AS KS 9S QH 8H AD JD TD 8D KC 9C"
    assert returns(eleven, drawn) == {"AS", "KS", "9S", "AD", "JD", "TD", "8D"} - {drawn}


def test_r18_r31_high_sevens_count_as_trumps():
    eleven = "AS 9S 7S KH QH 7H AD JD KC QC JC"
    assert returns(eleven, "AS", "D") == {"9S", "7S", "KH", "QH", "7H", "KC", "QC", "JC"}
    assert returns(eleven, "AS", "D", "hearts_high") == {"7S", "7H", "AD", "JD", "KC", "QC", "JC"}


def test_r18_a_legal_return_always_exists():
    rng = Random(18)
    for _ in range(500):
        eleven = rng.sample(PACK, 11)
        allowed = returns(" ".join(eleven), eleven[0])
        suits = [card[1] for card in eleven]
        assert allowed == {card for card in eleven[1:] if suits.count(card[1]) >= 3} != set()


def test_r19_the_third_player_learns_nothing_of_the_cards():
    """After pulls between the two others a player is sure of no card of theirs and shown no drawn card."""
    _, notes = witness({"sevens": "spades_high"}, (HIGH, LOW, UNIFORM), seed=19, matches=10)
    outside = 0
    for view in (note.view for row in notes.values() for note in row):
        seat = view[know.SEAT]
        left, right = (seat + 1) % 3, (seat + 2) % 3
        made = {(a, b): view[know.PULLED + 3 * a + b] for a in range(3) for b in range(3)}
        own = sum(count for pair, count in made.items() if seat in pair)
        if view[know.TRUMP] >= 0 and not view[know.DRAWN] and not own and sum(made.values()):
            outside += 1
            assert view[know.GIVER] == know.NO_SEAT
            assert view[know.KNOWN + left] == view[know.KNOWN + right] == 0
    assert outside > 100


def test_r20_only_the_card_of_this_pull_is_barred_from_going_back(records):
    """A later pull may draw what an earlier one returned, and may return what an earlier one drew."""
    drawn_again = returned_later = 0
    for record in records("random", matches=150, seed=17):
        hands_in_play(record)
        for number, pull in enumerate(record["pulls"]):
            assert pull["drawn"] != pull["returned"]
            drawn_again += pull["drawn"] in [earlier["returned"] for earlier in record["pulls"][:number]]
            returned_later += pull["returned"] in [earlier["drawn"] for earlier in record["pulls"][:number]]
    assert drawn_again > 50 and returned_later > 50


def test_r21_no_pulls_in_a_first_deal_or_after_one_that_all_made(records):
    exact = 0
    for before, after in pairwise(records("random", matches=30)):
        if after["deal"] == 0:
            assert after["pulls"] == []
        elif before["tricks_won"] == before["quota"]:
            exact += 1
            assert after["pulls"] == []
        else:
            assert after["pulls"]
    assert exact > 3


def test_r21_the_two_that_takes_all_ten_pulls_eight():
    """Five from one giver and three from the other; the two of before sits three now."""
    made = experiment(GAME, matches=30_000, seed=21, strategies=["first-suit", "random", "random"])
    rows = np.empty((made.matches * 9, kernel.COLUMNS), np.int8)
    play_rows(made, 0, rows, np.zeros(kernel.LOG_SIZE, np.int64), traced=False)
    debts = rows[:, kernel.DEBT_FIVE : kernel.DEBT_TWO + 1]
    assert np.abs(debts).max() == 8 and not debts.sum(axis=1).any()
    match, deal = divmod(int(np.argmax(debts[:, 1])), 9)
    before, record = replay(made, match)[deal - 1 : deal + 1]
    assert before["tricks_won"][before["dealer"]] == 10
    assert by_seat(record) == [(1, 2)] * 5 + [(1, 0)] * 3
    assert {pull["taker"] for pull in record["pulls"]} == {before["dealer"]}
    hands_in_play(record)
