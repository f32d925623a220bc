"""The rules of 3-2-5 with their numbers on the compiled game: deal, trump, play, score, options.

Pulls (R14–R21) have their own file.
"""

from itertools import combinations, pairwise, product
from math import sqrt

import numpy as np
import pytest
from reference.three_two_five_rules import PACK, RANKS, SCORINGS, SEVENS, SUITS
from witness import HIGH, LOW, bits, hands_in_play, lanes, mask, name_of, seats, witness

from sim import experiment, find_game, run
from sim.three_two_five import kernel
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import PACK as PACK_MASK
from sim.three_two_five.cards import card_names, lane_of, raise_sevens, suit_of, top_suits
from sim.three_two_five.game import play_rows
from sim.three_two_five.rules import QUOTAS, Rules
from sim.three_two_five.tricks import legal_cards, winning_place

GAME = find_game("three-two-five")
PACKETS = (
    (0, 1, 2, 3, 4, 15, 16, 17, 24, 25),
    (5, 6, 7, 8, 9, 18, 19, 20, 26, 27),
    (10, 11, 12, 13, 14, 21, 22, 23, 28, 29),
)


def winner(cards, trump, sevens="low"):
    """Place of the card that takes a trick, asking the compiled comparison card by card."""
    bit, best = bits(trump, sevens), 0
    names = cards.split()
    for place in (1, 2):
        if know.beats(bit[names[place]], bit[names[best]], SUITS.index(trump)):
            best = place
    assert strongest([bit[name] for name in names], SUITS.index(trump)) == best
    return best


def strongest(cards, trump):
    """Place of the card that takes the trick by the numbers that play in registers compares."""
    return winning_place(*cards, lane_of(suit_of(cards[0])), lane_of(trump))


def legal(hand, led, trump, sevens="low"):
    """Names of the cards that a hand may play to a led card, or to none."""
    lane = lane_of(suit_of(bits(trump, sevens)[led])) if led else 0
    allowed = legal_cards(mask(hand.split(), trump, sevens), lane)
    return {name_of(1 << place, sevens) for place in range(64) if allowed >> place & 1}


# Table, pack, quotas.


def test_r1_play_goes_from_player_to_player(records):
    for record in records("random", matches=2):
        hands = hands_in_play(record)
        for trick in record["tricks"]:
            for step, card in enumerate(trick["cards"]):
                hands[(trick["leader"] + step) % 3].remove(card)
        assert hands == [set(), set(), set()]


def test_r2_case_8_thirty_cards(records):
    """Eight spades and hearts, seven diamonds and clubs, each card once in every deal."""
    assert PACK_MASK == mask(PACK) and PACK_MASK.bit_count() == 30
    assert [len(card_names(PACK_MASK & lanes(suit))) for suit in SUITS] == [8, 8, 7, 7]
    assert set(card_names(PACK_MASK)) == set(PACK)
    for record in records("random", matches=2):
        assert sorted(record["deck"]) == sorted(PACK)
        played = [card for trick in record["tricks"] for card in trick["cards"]]
        assert len(record["tricks"]) == 10 and sorted(played) == sorted(PACK)


@pytest.mark.parametrize(("suit", "trump"), list(product(SUITS, repeat=2)))
def test_r3_ranks_are_plain(suit, trump):
    """A K Q J T 9 8 7 within each suit, trump or not."""
    held = [rank + suit for rank in RANKS if rank + suit in PACK]
    for lower, higher in combinations(held, 2):
        assert know.beats(mask([higher]), mask([lower]), SUITS.index(trump))
        assert not know.beats(mask([lower]), mask([higher]), SUITS.index(trump))


@pytest.mark.parametrize("trump", SUITS)
def test_r4_case_7_low_sevens_are_the_lowest_of_their_suit(trump):
    assert winner("7S 8S 9S", trump) == 2 and winner("8H 7H 9H", trump) == 2
    assert raise_sevens(PACK_MASK, SUITS.index(trump), 0) == PACK_MASK
    assert suit_of(mask(["7S"])) == 0 and suit_of(mask(["7H"])) == 1


def test_r5_case_5_quotas_belong_to_seats(records):
    assert QUOTAS == tuple(kernel.quota_of(seat) for seat in range(3)) == (5, 3, 2)
    due = {0: [2, 5, 3], 1: [3, 2, 5], 2: [5, 3, 2]}
    seen = {record["dealer"]: record["quota"] for record in records("random", matches=1)}
    assert seen == due


def test_r6_case_5_the_deal_moves_one_seat(records):
    for before, after in pairwise(records("random", matches=3)):
        if after["deal"]:
            assert after["dealer"] == (before["dealer"] + 1) % 3
            old, new = seats(before), seats(after)
            assert (new[2], new[1], new[0]) == (old[0], old[2], old[1])


@pytest.mark.parametrize("length", [0, -3, 1, 2, 10, 1002])
def test_r7_other_lengths_are_refused(length):
    with pytest.raises(ValueError, match=rf"deals per match {length}: must be a multiple of three.*\(R7\)"):
        Rules(deals_per_match=length)


def test_r7_matches_of_nine_or_of_another_multiple_of_three(records):
    assert Rules().deals_per_match == 9
    for length in (3, 9, 12):
        played = records("random", matches=1, deals_per_match=length)
        assert [record["deal"] for record in played] == list(range(length))
        for player in range(3):
            quotas = [record["quota"][player] for record in played]
            assert sorted(quotas) == sorted([2, 3, 5] * (length // 3))


def test_r7_the_first_dealer_is_drawn_uniformly():
    rows = play("random", 30_000, deals_per_match=3)[::3]
    share = np.bincount(rows[:, kernel.DEALER], minlength=3) / 30_000
    assert np.all(np.abs(share - 1 / 3) < 4 * sqrt(2 / 9 / 30_000))


def test_r7_debts_lapse_after_the_last_deal_and_ties_are_told_apart():
    made = run(experiment(GAME, matches=3_000, seed=1, strategies="random", rules={"deals_per_match": 3}))
    assert made.counters["winners"][[0b011, 0b101, 0b110, 0b111]].sum() > 100
    assert made.counters["winners"].sum() == 3_000 and made.counters["winners"][0] == 0
    rows = play("random", 300, deals_per_match=3)
    assert not rows[::3, kernel.DEBT_FIVE :].any() and rows[2::3, kernel.TRICKS_FIVE].std() > 0


def play(strategies, matches, seed=1, **rules):
    """Rows of whole matches."""
    made = experiment(GAME, matches=matches, seed=seed, strategies=strategies, rules=rules)
    rows = np.empty((matches * made.rules.deals_per_match, kernel.COLUMNS), np.int8)
    play_rows(made, 0, rows, np.zeros(kernel.LOG_SIZE, np.int64), traced=False)
    return rows


# Deal and trump.


def test_r8_packets_of_five_three_and_two(records):
    for record in records("random", matches=2):
        for places, player in zip(PACKETS, seats(record), strict=True):
            assert record["hands"][player] == [record["deck"][place] for place in places]


def test_r9_the_five_sees_its_first_five_cards_and_may_take_any_option():
    rows, notes = witness({"pulls": False}, (LOW, LOW, LOW), seed=9, matches=20)
    decisions = [note for number in (0, 3, 6) for note in notes[number] if note.view[know.CHOICE] < 0]
    assert len(decisions) == len(rows) == 180
    assert {note.answer for note in decisions} == {0, 1, 2, 3, 4}
    for note in decisions:
        assert note.view[know.HAND].bit_count() == 5 and note.view[know.SEAT] == 0
        assert note.view[know.TURNED] == 0 and note.view[know.TRUMP] == -1


def test_r10_the_suit_of_the_highest_turned_card_is_trump(records):
    for record in records("first-suit+always-reveal", matches=5):
        maker = record["maker"]
        assert maker["choice"] == "reveal" and maker["revealed"] == record["deck"][15:18]
        assert set(maker["revealed"]) <= set(record["hands"][seats(record)[0]])
        highest = max(RANKS.index(card[0]) for card in maker["revealed"])
        assert RANKS[highest] + maker["trump"] in maker["revealed"]


def test_r10_r11_all_4060_reveals_of_an_unseen_pack():
    """Two suits tie in 588 and three in 28 reveals; only tied suits may be chosen; an ace tops 0.3596."""
    sizes, chance, aces = [0, 0, 0, 0], np.zeros(4), 0
    for turned in combinations(PACK, 3):
        highest = max(RANKS.index(card[0]) for card in turned)
        due = [suit for suit in range(4) if RANKS[highest] + SUITS[suit] in turned]
        suits = top_suits(mask(turned))
        assert suits == sum(1 << suit for suit in due)
        sizes[len(due)] += 1
        chance[due] += 1 / len(due)
        aces += highest == RANKS.index("A")
    assert sizes == [0, 4060 - 588 - 28, 588, 28]
    assert round(aces / 4060, 4) == 0.3596
    np.testing.assert_allclose(chance / 4060, 0.25)


def test_r11_at_a_tie_the_five_knows_eight_cards_and_chooses_among_the_tied_suits():
    ties = 0
    for number in range(8):
        _, notes = witness({}, (LOW, HIGH, LOW), seed=number, matches=12)
        for row in (0, 3, 6):
            for note in notes[row]:
                if note.view[know.TRUMP] < 0 and note.view[know.CHOICE] == 1:
                    ties += 1
                    turned = note.view[know.TURNED]
                    assert note.view[know.HAND].bit_count() == 8 and turned & ~note.view[know.HAND] == 0
                    assert (
                        note.view[know.LEGAL] == top_suits(turned) and note.view[know.LEGAL].bit_count() > 1
                    )
                    assert note.view[know.LEGAL] >> note.answer & 1
    assert ties > 20


def test_r12_a_suit_may_be_called_that_the_caller_does_not_hold(records):
    """Every deal has one of the four trumps; nobody but the five is asked."""
    called = records("random", matches=10)
    assert {record["maker"]["trump"] for record in called} == set(SUITS)
    without = [r for r in called if r["maker"]["trump"] not in {card[1] for card in r["deck"][:5]}]
    assert len(without) > 5
    _, notes = witness({}, (LOW, LOW, LOW), seed=12)
    for row in range(9):
        assert all(row % 3 == 0 or note.view[know.TRUMP] >= 0 for note in notes[row])


def test_r13_hands_are_the_same_called_or_revealed(records):
    called = records("random", matches=3, pulls=False)
    revealed = records("random+always-reveal", matches=3, pulls=False)
    for one, other in zip(called, revealed, strict=True):
        assert (one["deck"], one["hands"]) == (other["deck"], other["hands"])
        assert hands_played(one) == hands_played(other) == [set(hand) for hand in one["hands"]]
    assert any(a["maker"]["trump"] != b["maker"]["trump"] for a, b in zip(called, revealed, strict=True))


def hands_played(record):
    """Cards by player as they were played."""
    hands = [set(), set(), set()]
    for trick in record["tricks"]:
        for step, card in enumerate(trick["cards"]):
            hands[(trick["leader"] + step) % 3].add(card)
    return hands


# Play and score.


def test_r22_the_five_leads_first_and_a_winner_leads_next(records):
    for record in records("random", matches=2):
        leaders = [trick["leader"] for trick in record["tricks"]]
        assert leaders[0] == seats(record)[0]
        assert leaders[1:] == [trick["winner"] for trick in record["tricks"]][:-1]
    assert legal_cards(mask(["AS", "9D"]), 0) == mask(["AS", "9D"]), "any card may be led"


def test_r23_case_4_follow_suit_else_any_card():
    assert legal("9D AS", "KD", "S") == {"9D"}
    assert legal("9D AS", "KC", "S") == {"9D", "AS"}, "no duty to trump"
    assert legal("9D AD 8C", "KD", "S") == {"9D", "AD"}, "none to overtake"


def test_r23_nobody_revokes(records):
    for record in records("heuristic", matches=2):
        hands = hands_in_play(record)
        for trick in record["tricks"]:
            led = trick["cards"][0][1]
            for step, card in enumerate(trick["cards"]):
                hand = hands[(trick["leader"] + step) % 3]
                assert card[1] == led or all(held[1] != led for held in hand)
                hand.remove(card)


@pytest.mark.parametrize(
    ("trump", "cards", "place"),
    [("H", "AS KS 8H", 2), ("S", "JC KD 8C", 0), ("D", "AC 8D 9D", 2), ("H", "TC KC QC", 1)],
    ids=["case 1", "case 2", "case 3", "no trump played"],
)
def test_r24_cases_1_to_3_highest_trump_else_highest_of_the_led_suit(trump, cards, place):
    assert winner(cards, trump) == place


def test_r24_case_3_every_trick_goes_to_its_winner_who_leads_next(records):
    overtrumped = 0
    for record in records("random", matches=30):
        trump = record["maker"]["trump"]
        for trick in record["tricks"]:
            place = winner(" ".join(trick["cards"]), trump)
            assert trick["winner"] == (trick["leader"] + place) % 3
            overtrumped += place == 2 and [card[1] == trump for card in trick["cards"]] == [False, True, True]
    assert overtrumped > 10


def test_r25_tricks_are_public_as_they_fall():
    rows, notes = witness({}, (HIGH, LOW, HIGH), seed=25)
    for row in notes.values():
        for note in row:
            if note.view[know.TRUMP] >= 0:
                assert sum(note.view[know.TRICKS : know.TRICKS + 3]) == note.view[know.TRICK]
    assert np.all(rows[:, kernel.TRICKS_FIVE : kernel.TRICKS_TWO + 1].sum(axis=1) == 10)


def test_r26_three_scorings_of_the_same_play():
    """Tricks are the same whatever the scoring; difference sums to zero."""
    tricks = slice(kernel.TRICKS_FIVE, kernel.TRICKS_TWO + 1)
    score = slice(kernel.SCORE_FIVE, kernel.SCORE_TWO + 1)
    by_scoring = {scoring: play("random", 50, scoring=scoring) for scoring in SCORINGS}
    won = by_scoring["tricks"][:, tricks]
    assert all(np.array_equal(rows[:, tricks], won) for rows in by_scoring.values())
    np.testing.assert_array_equal(by_scoring["tricks"][:, score], won)
    np.testing.assert_array_equal(by_scoring["difference"][:, score], won - [5, 3, 2])
    np.testing.assert_array_equal(by_scoring["surplus"][:, score], np.maximum(won - [5, 3, 2], 0))
    assert not by_scoring["difference"][:, score].sum(axis=1).any()


@pytest.mark.parametrize(
    ("scoring", "points"), [("difference", [3, -3, 0]), ("surplus", [3, 0, 0]), ("tricks", [8, 0, 2])]
)
def test_r26_a_deal_scored_by_hand(scoring, points):
    code = SCORINGS.index(scoring)
    assert [kernel.score_of(*pair, code) for pair in ((8, 5), (0, 3), (2, 2))] == points


@pytest.mark.parametrize("scoring", SCORINGS)
def test_r27_a_match_scores_the_sum_of_its_deals(records, scoring):
    played = records("random", matches=2, scoring=scoring)
    for match in range(2):
        total = [0, 0, 0]
        for record in played[9 * match : 9 * match + 9]:
            total = [old + new for old, new in zip(total, record["score"], strict=True)]
            assert record["match_score"] == total


# Options.


def test_r31_case_7_high_sevens():
    assert legal("7S AS KD", "9C", "C", "hearts_high") == {"7S"}
    assert legal("7S 9H", "KS", "C", "hearts_high") == {"7S", "9H"}
    assert winner("AC 7S 7H", "C", "hearts_high") == 2
    assert winner("AC 7S 7H", "C", "spades_high") == 1


@pytest.mark.parametrize(("sevens", "trump"), list(product(("hearts_high", "spades_high"), SUITS)))
def test_r31_the_sevens_are_the_two_highest_trumps(sevens, trump):
    above, top = ("7S", "7H") if sevens == "hearts_high" else ("7H", "7S")
    assert winner(f"A{trump} {above} {top}", trump, sevens) == 2
    assert winner(f"{above} A{trump} K{trump}", trump, sevens) == 0
    raised = raise_sevens(PACK_MASK, SUITS.index(trump), list(SEVENS).index(sevens))
    assert raised == mask(PACK, trump, sevens) and raised.bit_count() == 30
    assert {suit_of(bits(trump, sevens)[seven]) for seven in ("7S", "7H")} == {SUITS.index(trump)}


def test_r31_leading_a_high_seven_asks_for_trumps():
    assert legal("AD JD 9S 7H", "7S", "D", "hearts_high") == {"AD", "JD", "7H"}
    assert legal("AS 9S", "7S", "D", "hearts_high") == {"AS", "9S"}
    assert legal("AS 9S", "7S", "D", "low") == {"AS", "9S"}
    assert legal("AD 9S", "7S", "D", "low") == {"9S"}


def test_r31_a_turned_seven_never_decides(records):
    """As a turned card a seven keeps its plain rank, and trump is as it would be with low sevens."""
    assert top_suits(mask(["7S", "9S", "KH"])) == 0b0010
    low = records("first-suit+always-reveal", matches=20, pulls=False)
    high = records("first-suit+always-reveal", matches=20, pulls=False, sevens="hearts_high")
    turned = 0
    for one, other in zip(low, high, strict=True):
        assert one["maker"]["revealed"] == other["maker"]["revealed"]
        if any(card[0] == "7" for card in one["maker"]["revealed"]):
            turned += 1
            tops = {card for card in one["maker"]["revealed"] if card[0] != "7"}
            assert other["maker"]["trump"] in {card[1] for card in tops}
    assert turned > 10


def test_r32_without_pulls_every_deal_is_like_a_first(records):
    assert not any(record["pulls"] for record in records("random", matches=3, pulls=False))
    assert not play("random", 200, pulls=False)[:, kernel.DEBT_FIVE :].any()
    assert play("random", 200)[:, kernel.DEBT_FIVE :].any()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sevens": "high"}, "rule sevens='high': valid are low, hearts_high, spades_high"),
        ({"scoring": "points"}, "rule scoring='points': valid are difference, surplus, tricks"),
        ({"pulls": "perhaps"}, "rule pulls='perhaps': valid are true and false"),
        ({"deals_per_match": "nine"}, "deals per match 'nine': a whole number is needed"),
        ({"deals_per_match": 4.5}, "deals per match 4.5: a whole number is needed"),
        ({"deals_per_match": True}, "deals per match True: a whole number is needed"),
        ({"jokers": 2}, "no rule 'jokers' in 3-2-5: valid are deals_per_match, pulls, scoring, sevens"),
    ],
)
def test_options_outside_the_rulebook_are_named(options, said):
    with pytest.raises(ValueError) as caught:
        experiment(GAME, matches=1, rules=options)
    assert str(caught.value) == said


def test_options_may_be_text_as_typed():
    typed = {"pulls": "off", "deals_per_match": "12", "sevens": "spades_high", "scoring": "tricks"}
    assert Rules.from_options(typed) == Rules("spades_high", "tricks", False, 12)
    assert Rules.from_options(Rules("hearts_high").as_dict()) == Rules("hearts_high")
    assert Rules("spades_high", "tricks", False, 12).row().tolist() == [2, 2, 0, 12]
