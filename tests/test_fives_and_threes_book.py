"""The opening book of Fives and Threes: its deals, values against enumeration, promises, advice."""

import json
import re
from collections import defaultdict
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from exact_dominoes import TILES, end_of, lay

import analysis
from analysis.book.table import TOO_CLOSE, columns
from analysis.fives_and_threes.book import shipped
from analysis.fives_and_threes.book.book import book_command, book_table, option_names, tiles_of
from analysis.fives_and_threes.book.packed import STEPS, pack, unpack
from analysis.fives_and_threes.book.summary import THE_BOOK, chosen, opening_verdicts, policies, valued
from sim import strategy
from sim.book.book import build, play_piece
from sim.book.folder import load, save
from sim.book.plan import FRESH, SEARCH, from_dict
from sim.book.schedule import standing
from sim.experiment import experiment
from sim.fives_and_threes.book.hands import all_hands, locate
from sim.fives_and_threes.book.plan import BookPlan
from sim.fives_and_threes.game import study_hands
from sim.fives_and_threes.options import consecutive_hands
from sim.fives_and_threes.rules import Rules
from sim.fives_and_threes.tiles import parse_tiles

GAME = "fives-and-threes"
HAND = "6|6 5|4 1|2 3|3 0|5"
EVERY = {2: 100_000, 3: 9000, 4: 9000}


def players_of(name, count):
    return (strategy(GAME, name),) * count


def short_plan(**options):
    """Two tiles each, both players at random: every round can be gone through."""
    return BookPlan(Rules(hand=2), players_of("random", 2), **{"every": 3, "precision": 0.05, **options})


def mean_of(found):
    return sum(
        chance * sum(event if side == 0 else -event for side, event in events)
        for events, chance in found.items()
    )


def exact_value(hand, tile):
    """Points of the starter less the other's, over all hands of the other and all choices (F5 to F11)."""
    low, high = tile
    ends = (end_of(low, low == high), end_of(high, low == high))
    total, rest = low + high, [other for other in TILES if other not in hand]
    sums = 0.0
    for other in combinations(rest, 2):
        found = defaultdict(float)
        lay([list(hand), list(other)], 0, tile, *ends, total, (), 1.0, found)
        sums += mean_of(found)
    return sums / comb(len(rest), 2)


@pytest.fixture(scope="module")
def short():
    """A book of short hands, and the true values of its options."""
    book = build(short_plan())
    names = tiles_of(book.plan.cards, 2)
    hands = [[tuple(int(pip) for pip in name.split("|")) for name in hand] for hand in names]
    return book, np.array([[exact_value(hand, tile) for tile in hand] for hand in hands])


@pytest.fixture(scope="module")
def made():
    """A small book of three players."""
    return build(BookPlan(Rules(players=3), players_of("heuristic", 3), every=4000, precision=0.1))


# Hands and plans.


@pytest.mark.parametrize(("size", "hands"), [(2, 378), (5, 98_280), (7, 1_184_040)])
def test_every_hand_is_there_once_in_the_order_of_masks(size, hands):
    """F2."""
    every = all_hands(size)
    assert every.size == hands and (np.diff(every) > 0).all() and (np.bitwise_count(every) == size).all()
    rules = Rules(hand=size)
    assert (every[:50] == consecutive_hands(0, 50, rules)).all() and every[-1] == 2**28 - 2 ** (28 - size)


def test_a_hand_is_found_by_its_number():
    hand = parse_tiles(HAND)
    assert all_hands(5)[locate(hand, 5)] == hand
    with pytest.raises(ValueError, match="has 7 tiles of the set, not 5"):
        locate(hand, 7)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"rules": Rules(hand=1)}, "rule hand=1: an opening book needs 2 to 9 tiles"),
        ({"rules": Rules(hand=14)}, "rule hand=14"),
        ({"rules": Rules(players=3)}, "2 strategies for a book: 3 are needed"),
        ({"every": 379}, "every 379"),
        ({"budget": 1000}, "this book needs at least"),
        ({"every": 1, "hands": (7,)}, "hands of a book"),
    ],
)
def test_a_plan_out_of_range_is_named(options, named):
    with pytest.raises(ValueError, match=named):
        replace(short_plan(), **options)


def test_plans_are_read_back_by_name():
    for plan in (short_plan(), short_plan(every=1, hands=(3, 5)), short_plan(seed=7, budget=10**6)):
        assert from_dict(plan.game, json.loads(json.dumps(plan.as_dict()))) == plan


# Values.


def test_values_are_the_true_ones_within_their_errors(short):
    """Unbiased, with errors of the right size, against every round that there can be."""
    book, truth = short
    table, names = book_table(book), option_names(2)
    away = (columns(table, "value", names) - truth) / columns(table, "se", names)
    assert abs(away.mean()) < 4 / np.sqrt(away.size)
    assert 0.9 < (np.abs(away) < 1.96).mean() < 0.99
    rows, found = np.arange(len(truth)), chosen(table, "found")
    ahead = truth[rows, found] - truth[rows, 1 - found]
    seen = np.where(found == chosen(table, "best"), 1, -1) * table["difference"]
    away = ((seen - ahead) / table["difference_se"]).to_numpy()
    # No winner's curse: what the search chose is valued on fresh deals.
    assert abs(away.mean()) < 4 / np.sqrt(len(away)) and 0.8 < away.std() < 1.2


def test_errors_are_small_where_the_best_is_in_question_and_sure_verdicts_are_true(short):
    book, truth = short
    table = book_table(book)
    close = (table["verdict"] == TOO_CLOSE).to_numpy()
    assert table["difference_se"][close].max() < 1.15 * book.plan.precision
    assert (table["difference_se"] > 1.5 * book.plan.precision).any()
    best = truth.argmax(axis=1)[~close]
    wrong = (chosen(table, "best")[~close] != best).sum()
    assert (~close).sum() > 80 and wrong <= 2


def test_policies_have_their_true_values(short):
    book, truth = short
    table = book_table(book)
    rows = np.arange(len(truth))
    for name, policy in policies(table).items():
        value, cost = valued(table, policy)
        own = truth[rows, policy]
        # The error of a part of the hands includes how they differ; of these very hands it is smaller.
        assert abs(value.mean - own.mean()) < value.se
        lost = (truth[rows, chosen(table, "found")] - own).mean()
        assert cost.mean == pytest.approx(lost, abs=0.03), name
    assert valued(table, policies(table)[THE_BOOK])[1].mean == 0


@pytest.mark.parametrize(("players", "others"), [(2, 1), (3, 2), (4, 1)])
def test_a_value_is_that_of_the_opening_study(players, others):
    """The mean over hands and tiles is that of the study, which plays other deals of the same hands."""
    plan = BookPlan(
        Rules(players=players), players_of("heuristic", players), every=100_000 if players == 2 else 9000
    )
    size = plan.cards.size
    begin = np.zeros(size, np.int64)
    alive = np.ones((size, plan.options), bool)
    own = plan.tally(play_piece(plan, FRESH, plan.cards, begin, begin + 4000, alive), FRESH)
    rules = {"players": players}
    asked = experiment(GAME, strategies="heuristic", rules=rules, hands=1, completions=4000, seed=3)
    study = study_hands(asked, plan.cards)
    theirs = study["sums"].sum(axis=1) / others / 4000
    variance = np.einsum("hoo->ho", own.products) / 4000 - (own.sums / 4000) ** 2
    away = (own.sums / 4000 - theirs) / np.sqrt(2 * variance / 4000)
    assert np.abs(away).max() < 4.5 and 0.6 < away.std() < 1.4


def test_a_tile_is_the_same_whatever_else_is_played():
    """Case 15 in kind: what is played for one tile shifts no hidden tile and no choice of another."""
    plan = BookPlan(Rules(players=4), players_of("random", 4), hands=(parse_tiles(HAND),))
    begin, alone = np.zeros(1, np.int64), np.zeros((1, 5), bool)
    alone[0, 3] = True
    together = play_piece(plan, SEARCH, plan.cards, begin, begin + 60, np.ones((1, 5), bool))
    single = play_piece(plan, SEARCH, plan.cards, begin, begin + 60, alone)
    assert together["sums"][0, SEARCH, 3] == single["sums"][0, SEARCH, 3] != 0
    assert single["count"].sum() == 60 and not single["gram"][0, SEARCH, 0].any()
    parts = [(0, 20), (20, 40)]
    halves = [
        play_piece(plan, SEARCH, plan.cards, begin + first, begin + more, alone) for first, more in parts
    ]
    assert all((single[name] == halves[0][name] + halves[1][name]).all() for name in single)


# The machinery on these deals.


def test_search_goes_on_where_it_is_in_question(made):
    count, (_, live) = made.counters["count"], standing(made.plan, made.counters)
    searched = count[:, SEARCH].max(axis=1)
    assert searched.min() == 256 and searched.max() == 8192 and (count[:, FRESH] >= 512).all()
    assert (live.sum(axis=1) >= 2).all() and made.complete


def test_the_digest_is_the_same_for_any_jobs_and_piece(made):
    """Case 22."""
    assert {build(made.plan, 2, piece=piece).digest for piece in (777, 100_000)} == {made.digest}


def test_an_interrupted_book_goes_on_to_the_same(made, tmp_path):
    book, cuts, seen = None, 0, []

    def stop(event):
        seen.append(event)
        if event.stage != "compile" and len(seen) % 9 == 0:
            raise KeyboardInterrupt

    while book is None or not book.complete:
        book = build(made.plan, 2, resume=book, piece=20_000, on_progress=stop)
        cuts += not book.complete
        save(book, tmp_path)
        book = load(tmp_path)
    assert cuts >= 2 and book.digest == made.digest


# Packed, shipped and asked.


def test_packing_loses_less_than_half_a_step(made):
    table, names = book_table(made), option_names(5)
    back = unpack(pack(table))
    assert list(back.columns) == list(table.columns)
    for quantity, step in STEPS.items():
        lost = np.abs(columns(back, quantity, names) - columns(table, quantity, names))
        assert lost.max() <= 0.5001 * step
    same = ["hand", "cards", "weight", "best", "second", "found", "verdict"]
    pd.testing.assert_frame_equal(back[same], table[same])
    assert table["hand"].map(parse_tiles).tolist() == table["cards"].tolist()
    assert set(opening_verdicts(table)["verdict"]) == {"sure", TOO_CLOSE}


def test_a_book_says_where_it_comes_from(made):
    said = book_table(made).attrs["provenance"]
    assert (
        "Fives and Threes (3 players, 5 tiles each, a round alone). heuristic ×3. Seed 1. 25 of 98,280"
        in said
    )
    assert book_command(made) == (
        "dealworth book fives-and-threes --precision 0.1 --seed 1 --strategy heuristic --rules players=3"
        " --every 4000"
    )


def test_advice_is_read_off_a_shipped_book_and_else_played(tmp_path, monkeypatch):
    """The tiles of a hand as the book has them; another seed, strategy or error is played out now."""
    monkeypatch.setattr(shipped, "DATA", tmp_path)
    plan = BookPlan(Rules(players=3, hand=2), players_of("heuristic", 3), precision=0.3)
    shipped.ship(save(build(plan), tmp_path / "made"))
    table = shipped.shipped_openings(3)
    assert len(table) == 378 and shipped.shipped_plan(3) == plan and shipped.shipped_plan(2) is None
    row = table.set_index("hand").loc["0|0 1|4"]
    rules = {"players": 3, "hand": 2}
    answer = analysis.advise(GAME, "4|1 0-0", rules=rules)
    assert answer.source == "book" and np.isnan(answer.seconds)
    assert {option.name: option.value.mean for option in answer.options} == {
        "0|0": row["value_0"],
        "1|4": row["value_1"],
    }
    assert answer.options[0].name == row["best"] and answer.options[0].loss.se == 0
    assert re.search(r"verdict: .*", answer.notes[1]) and f"{row['difference']:.3f} ±" in answer.notes[2]
    for asked in ({"seed": 2}, {"precision": 0.2}, {"strategies": "greedy"}, {"rules": {**rules, "hand": 3}}):
        hand = "4|1 0|0 2|2" if "rules" in asked else "4|1 0|0"
        played = analysis.advise(GAME, hand, **{"rules": rules, "precision": 0.3, **asked})
        assert played.source == "simulated" and played.seconds > 0
    two = analysis.advise(GAME, "4|1 0|0", rules={"hand": 2}, precision=0.3)
    assert two.source == "simulated"


def test_only_a_whole_book_can_be_shipped(made, tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "DATA", tmp_path / "data")
    with pytest.raises(ValueError, match="holds a part of a book"):
        shipped.ship(save(made, tmp_path / "made"))
    with pytest.raises(ValueError, match="dealworth book"):
        shipped.shipped_openings(3)
