"""Play-outs of sampled worlds, against matches of the kernel and against the naive game."""

from itertools import permutations
from random import Random

import numpy as np
import pytest
from drawn_decisions import draw_decision, members, params_of
from plain_playouts import Table, best, play_on, ranked, think_on
from reference.three_two_five import Deal
from reference.three_two_five_rules import SCORINGS, SEVENS, SUITS, Rules
from witness import bits, hands_in_play, lanes, mask

from sim.core.rng import word
from sim.three_two_five.cards import lane_of
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.solving.lines import distinct
from sim.three_two_five.strategies import FIRST_SUIT, HEURISTIC, RANDOM
from sim.three_two_five.thinking.candidates import MOST, bring_forward, list_members, worth
from sim.three_two_five.thinking.nested import laid, play_out_thinking, think_briefly
from sim.three_two_five.thinking.playout import by_turn, play_out_against
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
