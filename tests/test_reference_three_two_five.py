"""The naive game of 3-2-5 against its rulebook: each rule R1–R32, and the reported failures 1–8."""

from itertools import combinations, product
from random import Random

import pytest
from reference.three_two_five import Deal, Match, Move, play_out
from reference.three_two_five_rules import (
    PACK,
    RANKS,
    Rules,
    deck_for,
    followers,
    highest_suits,
    owed_pulls,
    quotas,
    returnable,
    score,
    strength,
    suit_of,
    winning_place,
)

LOW, HEARTS, SPADES = Rules(), Rules(sevens="hearts_high"), Rules(sevens="spades_high")

# The hands of five, three and two as dealt: easy to follow, and all suits but one are short somewhere.
FIVE = "AS KS QS JS TS 9S 8S 7S AH KH".split()
THREE = "QH JH TH 9H 8H 7H AD KD QD JD".split()
TWO = "TD 9D 8D AC KC QC JC TC 9C 8C".split()


def stack(five=FIVE, three=THREE, two=TWO):
    return deck_for(five, three, two)


def shuffled(rng):
    return rng.sample(PACK, len(PACK))


def play(deal, cards):
    for card in cards.split():
        deal.play(card)


def test_r1_play_goes_round_from_player_to_player():
    deal = Deal(stack(), dealer=2)
    deal.call("S")
    order = []
    for card in "AS QD TD".split():
        order.append(deal.to_move)
        deal.play(card)
    assert order == [0, 1, 2]
    with pytest.raises(ValueError, match="dealer 3 is not a player"):
        Deal(stack(), dealer=3)


def test_r2_case_8_thirty_distinct_cards():
    assert len(set(PACK)) == len(PACK) == 30
    assert {suit: sum(card[1] == suit for card in PACK) for suit in "SHDC"} == {
        "S": 8,
        "H": 8,
        "D": 7,
        "C": 7,
    }
    assert "7S" in PACK and "7H" in PACK and "7D" not in PACK and "7C" not in PACK


@pytest.mark.parametrize(
    ("deck", "named"),
    [
        (["AS", *stack()[:29]], "twice .'AS'"),
        ([*stack()[:29], "7D"], "not cards .'7D'"),
        (stack()[1:], "missing .'AS'"),
    ],
)
def test_r2_a_wrong_pack_is_named(deck, named):
    with pytest.raises(ValueError, match=named):
        Deal(deck, dealer=0)


def test_r3_ranks_are_plain():
    assert [
        card[0] for card in sorted((c for c in PACK if c[1] == "H"), key=lambda c: strength(c, LOW))
    ] == list(RANKS)
    assert winning_place(["TH", "JH", "9H"], "S", LOW) == 1, (
        "in 28 and 29 jack and nine stand first, not here"
    )


@pytest.mark.parametrize("trump", "SHDC")
def test_r4_case_7_low_sevens_are_the_lowest_of_their_suit(trump):
    assert winning_place(["7S", "8S", "9S"], trump, LOW) == 2
    assert winning_place(["8H", "7H", "7S"], "H", LOW) == 0
    assert suit_of("7S", trump, LOW) == "S" and suit_of("7H", trump, LOW) == "H"


def test_r5_case_5_quotas_belong_to_seats():
    assert [quotas(dealer) for dealer in range(3)] == [(2, 5, 3), (3, 2, 5), (5, 3, 2)]


def test_r6_case_5_the_deal_moves_one_seat():
    rng, match = Random(6), Match(first_dealer=1, length=6)
    for _ in range(6):
        play_out(match.next_deal(shuffled(rng)), rng.choice)
    assert [deal.dealer for deal in match.deals] == [1, 2, 0, 1, 2, 0]
    for deal, following in zip(match.deals, match.deals[1:], strict=False):
        assert (following.two, following.three, following.five) == (deal.five, deal.two, deal.three)


@pytest.mark.parametrize("length", [0, -3, 1, 4, 10])
def test_r7_other_lengths_are_refused(length):
    with pytest.raises(ValueError, match="multiple of three"):
        Match(0, length=length)


def test_r7_everybody_holds_each_quota_equally_often():
    rng, match = Random(7), Match(first_dealer=2)
    while not match.over:
        play_out(match.next_deal(shuffled(rng)), rng.choice)
    assert len(match.deals) == 9
    for player in range(3):
        assert sorted(deal.quota[player] for deal in match.deals) == [2] * 3 + [3] * 3 + [5] * 3
    with pytest.raises(ValueError, match="the match is over after 9 deals"):
        match.next_deal(shuffled(rng))


def test_r7_an_equal_top_total_is_a_tie():
    match = Match(first_dealer=0)
    assert match.winners == (0, 1, 2)
    deal = match.next_deal(stack())
    with pytest.raises(ValueError, match="deal 0 is not over"):
        match.next_deal(stack())
    play_out(deal, lambda moves: moves[0])
    best = max(deal.score)
    assert match.winners == tuple(player for player in range(3) if deal.score[player] == best)


def test_r8_packets_of_five_three_and_two():
    deal = Deal(PACK, dealer=0)
    places = [tuple(PACK.index(card) for card in deal.dealt[player]) for player in (1, 2, 0)]
    assert places == [
        (0, 1, 2, 3, 4, 15, 16, 17, 24, 25),
        (5, 6, 7, 8, 9, 18, 19, 20, 26, 27),
        (10, 11, 12, 13, 14, 21, 22, 23, 28, 29),
    ]


def test_r9_r12_the_five_alone_makes_trump_from_five_cards():
    deal = Deal(stack(), dealer=2)
    assert deal.makers_five == tuple(FIVE[:5])
    assert {(move.player, move.verb, move.what) for move in deal.moves()} == {
        *((0, "call", suit) for suit in "SHDC"),
        (0, "reveal", ""),
    }
    assert [deal.knowledge(player).hand for player in range(3)] == [
        frozenset(hand[:5]) for hand in (FIVE, THREE, TWO)
    ]
    with pytest.raises(ValueError, match="R9: player 0 cannot call N; valid for player 0: call S, call H"):
        deal.call("N")
    with pytest.raises(ValueError, match="player 1 cannot call D"):
        deal.act(Move(1, "call", "D"))
    deal.call("C")
    assert deal.trump == "C" and not any(card[1] == "C" for card in deal.dealt[0]), (
        "a suit that it does not hold"
    )
    assert deal.knowledge(1).hand == frozenset(THREE)


def test_r10_the_highest_turned_card_makes_trump():
    deal = Deal(stack(five=[*FIVE[:5], "9S", "KH", "8S", "7S", "AH"]), dealer=2)
    assert deal.reveal() == ("9S", "KH", "8S")
    assert deal.trump == "H" and deal.phase == "play"
    assert {"9S", "KH", "8S"} <= deal.hands[0]
    assert deal.knowledge(1).held == {0: frozenset(("9S", "KH", "8S")), 2: frozenset()}


def test_r11_the_five_chooses_among_tied_suits_knowing_eight_cards():
    five = [*FIVE[:5], "AH", "9S", "AD", "8S", "7S"]
    deal = Deal(stack(five=five, three=[card if card != "AD" else "KH" for card in THREE]), dealer=2)
    deal.reveal()
    assert deal.trump is None and deal.legal_trumps() == ("H", "D")
    assert deal.knowledge(0).hand == frozenset(five[:8]) and len(deal.knowledge(1).hand) == 5
    with pytest.raises(
        ValueError, match="R11: player 0 cannot choose S; valid for player 0: choose H, choose D"
    ):
        deal.fix_trump("S")
    deal.fix_trump("D")
    assert deal.trump == "D"


def test_r10_r11_all_reveals_of_an_unseen_pack():
    tied, chance, ace = [0, 0, 0, 0], dict.fromkeys("SHDC", 0.0), 0
    for turned in combinations(PACK, 3):
        suits = highest_suits(turned)
        tied[len(suits)] += 1
        ace += any(card[0] == "A" for card in turned)
        for suit in suits:
            chance[suit] += 1 / len(suits) / 4060
    assert tied == [0, 4060 - 588 - 28, 588, 28]
    assert round(ace / 4060, 4) == 0.3596
    # A seven never stands highest, and from the eights up the suits are alike.
    assert chance == pytest.approx(dict.fromkeys("SHDC", 0.25))


def test_r13_the_hands_are_the_same_called_or_revealed():
    called, revealed = Deal(stack(), 0), Deal(stack(), 0)
    called.call("D")
    revealed.reveal()
    assert called.hands == revealed.hands and called.trump != revealed.trump


@pytest.mark.parametrize(
    ("debts", "dealer", "order"),
    [
        ((-3, 1, 2), 2, [(1, 0), (2, 0), (2, 0)]),
        ((3, -2, -1), 2, [(0, 2), (0, 1), (0, 1)]),
        ((1, 1, -2), 0, [(1, 2), (0, 2)]),
        ((-1, -1, 2), 0, [(2, 0), (2, 1)]),
        ((2, -1, -1), 0, [(0, 1), (0, 2)]),
        ((0, 0, 0), 1, []),
    ],
)
def test_r14_r16_pulls_in_order_of_the_new_seats(debts, dealer, order):
    """Takers five, three, two; each from the givers two, five, three, one giver at a time."""
    assert list(owed_pulls(debts, dealer)) == order


def test_r14_debts_must_balance():
    with pytest.raises(ValueError, match=r"debts \[1, 0, 0\]"):
        Deal(stack(), 0, debts=(1, 0, 0))


def test_r15_trump_then_pulls_then_the_lead():
    deal = Deal(stack(), dealer=2, debts=(1, -1, 0))
    phases = [deal.phase]
    while deal.phase != "over":
        deal.act(deal.moves()[0])
        phases.append(deal.phase)
    assert phases == ["maker", "draw", "return"] + ["play"] * 30 + ["over"]


def test_r17_a_pull_draws_one_of_the_givers_ten():
    deal = Deal(stack(), dealer=2, debts=(1, -1, 0))
    deal.call("S")
    assert deal.pending == [(0, 1)] and set(deal.legal_draws()) == set(THREE)
    with pytest.raises(ValueError, match="R17: player 0 cannot draw AC; valid for player 0: draw QH"):
        deal.draw("AC")
    deal.draw("AD")
    assert len(deal.hands[0]) == 11 and "AD" not in deal.hands[1]
    deal.return_card("7S")
    assert deal.pulls == [(0, 1, "AD", "7S")] and "7S" in deal.hands[1]
    assert [len(hand) for hand in deal.hands] == [10, 10, 10]


def test_r18_case_6_two_of_the_returned_suit_remain():
    eleven = "AS 9S 8S KH QH AD JD TD 8D KC 8C".split()
    assert returnable(eleven, "AS", "H", LOW) == ("9S", "8S", "AD", "JD", "TD", "8D")
    assert returnable(eleven, "8C", "H", LOW) == ("AS", "9S", "8S", "AD", "JD", "TD", "8D")


def test_r18_the_drawn_card_and_short_suits_stay():
    deal = Deal(stack(), dealer=2, debts=(1, -1, 0))
    deal.call("S")
    deal.draw("AD")
    assert set(deal.legal_returns()) == {card for card in FIVE if card[1] == "S"}
    for card in ("AD", "AH"):
        with pytest.raises(
            ValueError, match=f"R18: player 0 cannot return {card}; valid for player 0: return AS"
        ):
            deal.return_card(card)


@pytest.mark.parametrize("rules", [LOW, HEARTS, SPADES])
def test_r18_a_legal_return_always_exists(rules):
    rng = Random(18)
    for _ in range(2000):
        eleven = rng.sample(PACK, 11)
        assert returnable(eleven, eleven[0], rng.choice("SHDC"), rules)


def test_r20_pulls_are_compulsory():
    deal = Deal(stack(), dealer=2, debts=(1, -1, 0))
    deal.call("S")
    with pytest.raises(ValueError, match="R17: player 0 cannot play AS"):
        deal.play("AS")


def test_r20_only_this_pulls_card_is_barred():
    deal = Deal(stack(), dealer=2, debts=(3, -3, 0))
    deal.call("S")
    deal.draw("AD")
    deal.return_card("7S")
    deal.draw("7S")
    assert "7S" not in deal.legal_returns()
    deal.return_card("8S")
    deal.draw("8S")
    assert "7S" in deal.legal_returns() and "8S" not in deal.legal_returns()


def test_r21_no_pulls_at_first_nor_after_an_exact_deal():
    match = Match(first_dealer=0)
    assert match.next_deal(stack()).pending == []
    assert owed_pulls(score((2, 5, 3), quotas(0), "difference"), dealer=1) == ()


def test_r21_at_most_eight_pulls():
    debts = score((10, 0, 0), quotas(0), "difference")
    assert owed_pulls(debts, dealer=1) == ((0, 1),) * 5 + ((0, 2),) * 3
    with pytest.raises(ValueError, match="at most 8 owed"):
        Deal(stack(), 0, debts=(9, -5, -4))


def test_r22_the_five_leads_and_then_the_winner():
    deal = Deal(stack(), dealer=2)
    deal.call("D")
    assert deal.leader == deal.to_move == deal.five
    assert set(deal.legal_cards()) == set(FIVE)
    play(deal, "AS AD TD")
    assert deal.tricks[-1].winner == deal.leader == deal.to_move == 1


def test_r23_case_4_follow_suit_if_able():
    assert followers(["9D", "AS"], "D", "S", LOW) == ("9D",)
    assert followers(["9D", "AS"], "H", "S", LOW) == ("AS", "9D"), "no duty to trump"
    assert followers(["8D", "AD"], "D", "S", LOW) == ("AD", "8D"), "none to overtake"
    deal = Deal(stack(), dealer=2)
    deal.call("S")
    deal.play("AH")
    with pytest.raises(
        ValueError, match="R23: player 1 cannot play AD; valid for player 1: play QH, play JH"
    ):
        deal.play("AD")


@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [("H", "AS KS 8H", 2), ("S", "JC KD 8C", 0), ("D", "AC 8D 9D", 2), ("H", "TC KC QC", 1)],
    ids=["case 1", "case 2", "case 3", "no trump played"],
)
def test_r24_cases_1_to_3_highest_trump_else_highest_of_the_led_suit(trump, cards, winner):
    assert winning_place(cards.split(), trump, LOW) == winner


def test_r24_case_3_the_overtrumping_seat_leads_next():
    deal = Deal(stack(three=[*THREE[:-1], "TD"], two=["JD", *TWO[1:]]), dealer=2)
    deal.call("D")
    play(deal, "AS TD JD")
    assert deal.tricks == [(0, ("AS", "TD", "JD"), 2)]
    assert deal.leader == deal.to_move == 2


def test_r25_tricks_and_quotas_are_counted_as_they_fall():
    deal = Deal(stack(), dealer=2)
    deal.call("D")
    play(deal, "AS AD TD QD 9D KS")
    assert (deal.tricks_won, deal.quota) == ((0, 2, 0), (5, 3, 2))


@pytest.mark.parametrize(
    ("scoring", "points"), [("difference", (3, -3, 0)), ("surplus", (3, 0, 0)), ("tricks", (8, 0, 2))]
)
def test_r26_three_scorings(scoring, points):
    assert score((8, 0, 2), (5, 3, 2), scoring) == points


def test_r27_a_match_scores_the_sum_of_its_deals():
    rng, match = Random(27), Match(first_dealer=1, length=3)
    while not match.over:
        play_out(match.next_deal(shuffled(rng)), rng.choice)
    assert match.scores == tuple(sum(deal.score[player] for deal in match.deals) for player in range(3))


def test_r31_case_7_high_sevens():
    assert followers(["7S", "AS", "KD"], "C", "C", HEARTS) == ("7S",)
    assert followers(["7S", "9H"], "S", "C", HEARTS) == ("7S", "9H")
    assert winning_place(["AC", "7S", "7H"], "C", HEARTS) == 2
    assert winning_place(["AC", "7S", "7H"], "C", SPADES) == 1
    for trump, rules in product("SHDC", (HEARTS, SPADES)):
        assert suit_of("7S", trump, rules) == suit_of("7H", trump, rules) == trump
        assert winning_place(["AS", "7S", "A" + trump], trump, rules) == 1


def test_r31_leading_a_high_seven_asks_for_trumps():
    deal = Deal(stack(), dealer=2, rules=HEARTS)
    deal.call("D")
    deal.play("7S")
    assert set(deal.legal_cards()) == {"7H", "AD", "KD", "QD", "JD"}
    play(deal, "JD TD")
    assert deal.tricks[0].winner == 0
    assert deal.knowledge(1).voids == {0: frozenset(), 2: frozenset()}


def test_r31_high_sevens_count_as_trumps_for_r18():
    eleven = "AS 9S 7S KH QH 7H AD JD KC QC JC".split()
    assert returnable(eleven, "AS", "D", LOW) == ("9S", "7S", "KH", "QH", "7H", "KC", "QC", "JC")
    assert returnable(eleven, "AS", "D", HEARTS) == ("7S", "7H", "AD", "JD", "KC", "QC", "JC")


def test_r31_a_turned_seven_never_decides():
    deal = Deal(stack(five=[*FIVE[:5], "7S", "9S", "KH", "8S", "AH"]), dealer=2, rules=SPADES)
    deal.reveal()
    assert deal.trump == "H"


def test_r32_without_pulls_every_deal_is_like_a_first():
    deal = Deal(stack(), dealer=2, rules=Rules(pulls=False), debts=(1, -1, 0))
    deal.call("S")
    assert deal.phase == "play"


def test_options_outside_the_rulebook_are_named():
    for options in ({"sevens": "high"}, {"scoring": "points"}, {"pulls": "no"}):
        with pytest.raises(ValueError, match=f"{next(iter(options))}='.*' is not one of"):
            Rules(**options)


def test_the_log_tells_the_whole_deal():
    rng = Random(5)
    deal = play_out(Deal(shuffled(rng), 1, debts=(2, -1, -1)), rng.choice)
    again = Deal(deal.deck, 1, debts=(2, -1, -1))
    for move in deal.log:
        again.act(move)
    assert (again.tricks, again.pulls, again.trump) == (deal.tricks, deal.pulls, deal.trump)
    with pytest.raises(ValueError, match="nothing, the deal is over"):
        again.play("AS")
