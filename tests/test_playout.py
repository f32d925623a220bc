"""Play-outs of sampled worlds, against matches of the kernel and against the naive game."""

from itertools import permutations
from random import Random

import numpy as np
import pytest
from drawn_decisions import draw_decision, members, params_of
from plain_playouts import Table, after_card, best, play_on, ranked, think_on
from reference.three_two_five import Deal
from reference.three_two_five_rules import SCORINGS, SEVENS, SUITS, Rules
from witness import bits, hands_in_play, lanes, mask

from sim.core.draw import draw
from sim.core.lanes import WIDTH
from sim.core.rng import word
from sim.three_two_five.cards import PACK, lane_of, raise_sevens
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.solving.lines import distinct
from sim.three_two_five.strategies import FIRST_SUIT, HEURISTIC, RANDOM
from sim.three_two_five.thinking.candidates import MOST, bring_forward, list_members, worth
from sim.three_two_five.thinking.nested import play_out_thinking, think_briefly
from sim.three_two_five.thinking.playout import by_turn, laid, play_out_against
from sim.three_two_five.thinking.side_by_side import add_deals, add_side_by_side, trump_last
from sim.three_two_five.tricks import is_single

PARAMS = params_of("rollout-50")
RANKS = rank_promises(PARAMS)


def compiled(table, player, others=HEURISTIC, key=0, inner=0):
    """Tricks that the compiled play-out gives a player from a table on."""
    order = [(table.leader + place) % 3 for place in range(3)]
    hands = [table.bits(table.hands[at]) for at in order]
    voids = [lanes(table.voids[at]) for at in order]
    lying = [*map(bits(table.deal.trump, table.deal.rules.sevens).get, table.lying), 0, 0, 0][:3]
    mine, trump_lane = order.index(player), lane_of(SUITS.index(table.deal.trump))
    if inner:
        return play_out_thinking(*hands, *voids, *lying, mine, trump_lane, RANKS, 0, key, inner)
    return play_out_against(*hands, *voids, *lying, mine, trump_lane, RANKS, 0, others, key)


def moments(record):
    """Yield a table at each card of a record; its tricks are counted from the beginning of the deal."""
    deal = Deal(record["deck"], record["dealer"], Rules(record["rules"]["sevens"]))
    deal.trump = record["maker"]["trump"]
    table = Table(deal, hands_in_play(record), deal.five)
    for trick in record["tricks"]:
        for card in trick["cards"]:
            yield table
            table.play(card)


@pytest.mark.parametrize("sevens", list(SEVENS))
def test_three_heuristic_players_play_as_in_the_kernel(records, sevens):
    """From each of a deal's thirty cards on, for each player; nobody knows a card of another (R10)."""
    checked = 0
    for record in records("heuristic", matches=12, pulls=False, sevens=sevens):
        if record["maker"]["choice"] == "call":
            for table in moments(record):
                for player in range(3):
                    won = table.taken[player] + compiled(table, player)
                    assert won == record["tricks_won"][player]
                checked += 1
    assert checked > 1000


def test_one_heuristic_player_among_others_plays_as_in_the_kernel(records):
    """``first-suit`` twice and ``heuristic``, in all places, from each card of a deal on."""
    checked = 0
    for names in set(permutations(["heuristic", "first-suit", "first-suit"])):
        mine = names.index("heuristic")
        for record in records(*names, matches=4, pulls=False):
            if record["maker"]["choice"] == "call":
                for table in moments(record):
                    won = table.taken[mine] + compiled(table, mine, FIRST_SUIT)
                    assert won == record["tricks_won"][mine]
                    checked += 1
    assert checked > 1000


@pytest.mark.parametrize("others", [HEURISTIC, FIRST_SUIT, RANDOM])
def test_play_outs_are_those_of_the_naive_game(others):
    """R22–R24, R31: from the middle of tricks on, in the very hands and in hands that break no void."""
    rng = Random(others)
    for number in range(150):
        decision = draw_decision(rng, "play", rng.randrange(30))
        table = Table.of(decision)
        player, key = rng.randrange(3), int(word(3, number))
        due = play_on(table.copy(), player, PARAMS, others, key)
        assert compiled(table, player, others, key) == due


def around(table):
    """The player to move and the two after it, in the order of play."""
    return [(table.mover + step) % 3 for step in range(3)]


def dealt_again(table, rng):
    """The same table with the cards of the other two mixed, where no void forbids it."""
    _, left, right = around(table)
    other, cards = table.copy(), sorted(table.hands[left] | table.hands[right])
    other.taken = list(table.taken)
    for _ in range(20):
        rng.shuffle(cards)
        hands = {left: cards[: len(table.hands[left])], right: cards[len(table.hands[left]) :]}
        if all(table.suit(card) not in table.voids[seat] for seat in hands for card in hands[seat]):
            for seat, hand in hands.items():
                other.hands[seat] = set(hand)
            return other
    return other


@pytest.mark.parametrize("count", [1, 3, WIDTH, WIDTH + 5])
def test_worlds_side_by_side_are_played_as_one_by_one_in_the_naive_game(count):
    """At any card, in as many worlds as there are lanes, fewer and more; in sum, a score under surplus."""
    rng = Random(count)
    for number in range(12):
        decision = draw_decision(rng, "play", rng.randrange(29))
        table = Table.of(decision)
        tables = [dealt_again(table, rng) for _ in range(count)]
        mover, left, right = around(table)
        worlds = np.array([[one.bits(one.hands[seat]) for seat in (left, right)] for one in tables])
        voids = [lanes(table.voids[seat]) for seat in (mover, left, right)]
        lying = [*map(table.bits, ([card] for card in table.lying)), 0, 0][:2]
        cards, values = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
        candidates = list_members(table.bits(table.legal()), cards)
        taken, seat, scoring = number % 4, number % 3, number % 3
        add_side_by_side(
            table.bits(table.hands[mover]), worlds, *voids, len(table.lying), *lying,
            lane_of(SUITS.index(table.deal.trump)), RANKS, 0, taken, seat, scoring, cards, candidates, values,
        )  # fmt: skip
        for card, value in zip(cards[:candidates].tolist(), values.tolist(), strict=False):
            tricks = [after_card(one, card, PARAMS) - one.taken[mover] for one in tables]
            assert value == sum(worth(taken + won, seat, scoring) for won in tricks)


@pytest.mark.parametrize("trump", range(4))
def test_whole_deals_side_by_side_are_played_as_one_by_one(trump):
    """For every seat and number of deals, with and without high sevens (R31)."""
    for used in (1, WIDTH - 1, WIDTH):
        for sevens in range(3):
            deals = np.zeros((3, WIDTH), np.int64)
            for lane in range(used):
                five = draw(PACK, int(word(sevens, lane)), 0, 10)
                three = draw(PACK ^ five, int(word(used, lane)), 0, 10)
                for seat, hand in enumerate((five, three, PACK ^ five ^ three)):
                    deals[seat, lane] = raise_sevens(hand, trump, sevens)
            moved = np.array([[trump_last(int(hand), trump) for hand in hands] for hands in deals])
            for seat, scoring in ((0, 0), (1, 1), (2, 2)):
                due = 0
                for hands in deals[:, :used].T.tolist():
                    out = (*hands, 0, 0, 0, 0, 0, 0, seat, lane_of(trump), RANKS, 0, HEURISTIC, 0)
                    due += worth(play_out_against(*out), seat, scoring)
                assert add_deals(moved.ravel().copy(), used, seat, RANKS, scoring) == due


def test_trumps_go_to_the_highest_lane_and_the_others_stay_in_order():
    cards = mask(["7S", "AS", "KH", "9D", "TC", "AC"])
    suits = [cards >> 16 * suit & 0xFFFF for suit in range(4)]
    for trump in range(4):
        due = [*suits[:trump], *suits[trump + 1 :], suits[trump]]
        assert [trump_last(cards, trump) >> 16 * suit & 0xFFFF for suit in range(4)] == due


def test_thinking_play_outs_are_those_of_the_naive_game():
    """All three sample two or three worlds for a card, of hands that they do not see."""
    rng = Random(4)
    for number in range(20):
        decision = draw_decision(rng, "play", rng.randrange(16, 29))
        table = Table.of(decision)
        player, key, inner = rng.randrange(3), int(word(4, number)), rng.choice((2, 3))
        due = think_on(table.copy(), player, PARAMS, key, inner)
        assert compiled(table, player, key=key, inner=inner) == due


def test_a_brief_thought_knows_the_others_cards_by_their_union_alone():
    """The leader's card is the same however the unseen cards lie."""
    rng = Random(5)
    for number in range(50):
        cards = rng.sample(sorted(bits().values()), 18)
        chosen = set()
        for _ in range(5):
            rng.shuffle(others := cards[6:])
            hand, left, right = sum(cards[:6]), sum(others[:6]), sum(others[6:])
            lane, key = lane_of(number % 4), int(word(5, number))
            chosen.add(think_briefly(hand, hand, left, right, 0, 0, 0, 0, 0, 0, lane, RANKS, 0, key, 3))
        assert len(chosen) == 1


def test_the_order_of_a_trick():
    """Who leads, follows and comes last, by the place of the one asked about."""
    player, following, last = 1, 2, 3
    assert by_turn(0, player, following, last) == (player, following, last)
    assert by_turn(1, player, following, last) == (last, player, following)
    assert by_turn(2, player, following, last) == (following, last, player)
    assert laid(0, 7, 8, 1) == (1, 0, 0)
    assert laid(1, 7, 8, 1) == (7, 1, 0)
    assert laid(2, 7, 8, 1) == (7, 8, 1)


def test_candidates_are_cards_that_differ():
    """Of neighbours among the cards in play the lowest; listed in ascending order."""
    rng, fewer = Random(6), 0
    for _ in range(300):
        decision = draw_decision(rng, "play", rng.randrange(30))
        table = Table.of(decision)
        in_play = sum(map(table.bits, (*table.hands, table.lying)))
        listed, legal = np.zeros(MOST, np.int64), table.bits(table.legal())
        number = list_members(distinct(table.bits(table.hands[table.mover]), in_play) & legal, listed)
        assert listed[:number].tolist() == table.distinct()
        fewer += number < legal.bit_count()
    assert fewer > 50


def test_sets_are_listed_and_single_members_told():
    listed = np.zeros(MOST, np.int64)
    assert list_members(mask(["8C", "AS", "9S"]), listed) == 3
    assert listed[:3].tolist() == members(mask(["AS", "9S", "8C"])) == [2**2, 2**7, 2**49]
    assert list_members(0, listed) == 0
    assert is_single(mask(["AC"])) and not is_single(mask(["AC", "KC"]))


@pytest.mark.parametrize("kept", range(1, 6))
def test_the_best_candidates_come_first(kept):
    """Of equal ones the preferred, else the lowest."""
    rng = Random(kept)
    for _ in range(200):
        options = rng.sample(range(1, 99), 5)
        values, preferred = [rng.randrange(3) for _ in options], rng.choice((*options, 0))
        listed, worths = np.array(options), np.array(values)
        bring_forward(listed, worths, 5, kept, preferred)
        given = dict(zip(options, values, strict=True))
        assert listed[:kept].tolist() == ranked(given, preferred)[:kept]
        assert sorted(zip(listed.tolist(), worths.tolist(), strict=True)) == sorted(given.items())
        assert best(given, preferred) == listed[0]


def test_what_tricks_are_worth():
    """R5, R26: tricks, and under surplus first of all those above the quota."""
    for seat, quota in enumerate((5, 3, 2)):
        for number, scoring in enumerate(SCORINGS):
            ordered = [(max(0, won - quota) if scoring == "surplus" else won, won) for won in range(11)]
            worths = [worth(won, seat, number) for won in range(11)]
            assert sorted(range(11), key=worths.__getitem__) == sorted(range(11), key=ordered.__getitem__)
            if scoring == "surplus":
                assert np.diff(worths).tolist() == [1] * quota + [101] * (10 - quota)
            else:
                assert worths == list(range(11))
