"""What a ladder says: cross play, order, exploitability, the answers at each rung, and their pictures."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

import analysis
from analysis import exploitability, intransitivities, order_in_words, ranking, sensitivity_by_rung
from analysis.estimates import from_values
from analysis.figures import FAINT, PALETTE
from analysis.ladder import sections as ladder_sections
from analysis.ladder import shipped as shipped_ladder
from analysis.ladder.gains import ITSELF, cross_play, ladder_command, ladder_sources
from analysis.ladder.order import (
    BEATS,
    BOTH_GAIN,
    CYCLE,
    LOSES,
    NOT_PLAYED,
    UNDECIDED,
    exception_in_words,
    open_pairs,
)
from analysis.ladder.sections import ladder_section
from analysis.report import render
from analysis.three_two_five.ladder.measures import seat_gains
from analysis.three_two_five.options import call_or_reveal
from analysis.three_two_five.seats import seat_advantage
from sim import experiment, run
from sim.folders import MANIFEST
from sim.ladder.folder import save
from sim.ladder.ladder import Ladder, play_ladder
from sim.ladder.plan import plan_ladder as plan_any_ladder
from sim.ladder.plan import usual_ladders
from sim.ladder.sizes import Sizes, TableSize
from tests.figure_checks import check_figure, check_given_axes
from tests.made_up_ladders import ALIKE, ladder_of, matrix
from tests.test_report import read

WEAK = ("random", "first-suit")
SIZES = Sizes(cells=((60,),), tables=(TableSize(40, 12, 8),))
ORDER = {"AB": 0.3, "BA": -0.2, "BC": 0.2, "CB": -0.3, "AC": 0.6, "CA": -0.4}
ROCK_PAPER_SCISSORS = {"AB": 0.3, "BA": -0.3, "BC": 0.3, "CB": -0.3, "CA": 0.3, "AC": -0.3}


def plan_ladder(*strategies, **options):
    """Plan a ladder of 3-2-5."""
    return plan_any_ladder("three-two-five", *strategies, **options)


@pytest.fixture(scope="module")
def made():
    """A small ladder with a challenger."""
    return play_ladder(plan_ladder(WEAK, ("heuristic",), sizes=SIZES, seed=2))


# Gains.


def test_gains_are_means_over_matches_by_hand():
    """Nine deals in three places: a gain of 27 in a match is one a deal; errors are over matches."""
    cells = [[27, 54, 0, 81], [-27, -27, -27, -27]]
    table = cross_play(ladder_of(cells))
    first, second = table.to_dict("records")
    expected = from_values([1, 2, 0, 3])
    assert (first["one"], first["two"], second["one"]) == ("first-suit", "random", "random")
    assert (first["gain"], first["se"]) == pytest.approx((1.5, expected.se))
    assert (first["low"], first["high"]) == pytest.approx(expected.interval())
    assert (second["gain"], second["se"], second["low"], second["high"]) == (-1, 0, -1, -1)
    assert list(table["matches"]) == [4, 4] and table["rung"].all()
    assert table.attrs["unit"] == "tricks a deal"


def test_gains_by_seat_average_to_the_gain(made):
    """R7: everybody sits on each seat equally often, so that the three differences average to the gain."""
    by_seat, table = seat_gains(made), cross_play(made)
    tricks = by_seat.groupby(["one", "two"], sort=False)["tricks"].sum()
    assert tricks.to_numpy() / 3 - 10 / 3 == pytest.approx(table["gain"].to_numpy())
    own = by_seat[by_seat["two"] == "random"].drop_duplicates("seat").set_index("seat")["own"]
    assert own.sum() == pytest.approx(10)
    advantage = seat_advantage(made.tables[0], ("all",)).set_index("seat")["tricks"]
    assert own.to_dict() == pytest.approx(advantage.to_dict())
    assert not table["rung"][1] and table["rung"].sum() == 2


# Order.


def test_a_ladder_without_doubt_is_ranked_with_its_gaps():
    table = matrix(ORDER)
    ranked = ranking(table)
    assert list(ranked["strategy"]) == ["A", "B", "C"] and list(ranked["rank"]) == [1, 2, 3]
    assert list(ranked["beats"]) == [2, 1, 0] and list(ranked["below"]) == ["B", "C", ""]
    first = ranked.iloc[0]
    assert (first["gain"], first["gain_low"], first["gain_high"]) == pytest.approx((0.3, 0.28, 0.32))
    assert (first["back"], first["back_low"], first["back_high"]) == pytest.approx((-0.2, -0.22, -0.18))
    assert first["mean_gain"] == pytest.approx(0.45)
    # Errors of cells that share their deals add up at worst.
    assert first["mean_gain_high"] - first["mean_gain_low"] == pytest.approx(0.04)
    assert list(ranked["verdict"]) == [BEATS, BEATS, ""] and math.isnan(ranked.iloc[2]["gain"])
    assert intransitivities(table).empty
    assert (
        order_in_words(table) == "C < B < A: each surely beats every weaker one (3 pairs, both ways at 95%)."
    )


def test_the_order_is_by_dominance_not_by_mean_gain():
    """Who fleeces the weakest most need not be the strongest."""
    gains = ORDER | {"BC": 5.0, "CB": -1.0}
    assert list(ranking(matrix(gains))["strategy"]) == ["A", "B", "C"]
    assert ranking(matrix(gains))["mean_gain"].argmax() == 1


def test_no_rung_is_dominated_by_the_next():
    """Five rungs in a ring, each of which beats the next two and loses to the two before."""
    names = "ABCDE"
    gains = {}
    for number, one in enumerate(names):
        for ahead in (1, 2):
            other = names[(number + ahead) % 5]
            gains |= {one + other: 0.1 * ahead, other + one: -0.1}
    for seed in range(20):
        gains = dict(np.random.default_rng(seed).permutation(list(gains.items())).tolist())
        gains = {pair: float(gain) for pair, gain in gains.items()}
        assert (ranking(matrix(gains))["verdict"][:4] == BEATS).all()
    assert (intransitivities(matrix(gains))["kind"] == CYCLE).sum() == 5


def test_a_cycle_is_found_once():
    found = intransitivities(matrix(ROCK_PAPER_SCISSORS)).to_dict("records")
    assert [row["kind"] for row in found] == [LOSES, CYCLE]
    assert (found[0]["higher"], found[0]["lower"]) == ("A", "C")
    assert (found[0]["gain"], found[0]["back"]) == (-0.3, 0.3) and found[0]["matches"] == 100
    assert [found[1][name] for name in ("higher", "lower", "third")] == ["A", "B", "C"]
    assert exception_in_words(found[0]) == "A stands higher but loses to C"
    assert exception_in_words(found[1]) == "A beats B, which beats C, which beats A"
    assert order_in_words(matrix(ROCK_PAPER_SCISSORS)).endswith(
        "in 2 of 3 pairs (both ways at 95%); 1 cycle."
    )


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"AB": 0.01}, UNDECIDED),
        ({"BA": 0.01}, UNDECIDED),
        ({"BA": 0.1}, BOTH_GAIN),
        ({"AB": -0.1}, "each loses among the other"),
    ],
)
def test_pairs_that_are_no_order_are_named(changes, kind):
    """Each gap needs both intervals: A gains among two of B, and B loses among two of A."""
    table = matrix(ORDER | changes)
    (row,) = intransitivities(table).to_dict("records")
    assert (row["kind"], row["higher"], row["lower"], row["third"]) == (kind, "A", "B", "")
    assert ranking(table)["verdict"][0] == kind and ranking(table)["beats"][0] == 1
    assert "2 of 3 pairs" in order_in_words(table)
    assert "A" in exception_in_words(row) and "B" in exception_in_words(row)


def test_a_pair_is_undecided_by_its_own_error():
    assert intransitivities(matrix(ORDER, AB=0.2))["kind"].to_list() == [UNDECIDED]
    assert intransitivities(matrix(ORDER, error=0.09)).empty


def test_challengers_are_not_ranked():
    table = matrix(ORDER | {"XA": 1.0, "XB": 1.0, "XC": 1.0})
    assert list(ranking(table)["strategy"]) == ["A", "B", "C"] and intransitivities(table).empty


def test_without_all_pairs_there_is_no_order():
    plan = plan_ladder((*WEAK, "heuristic"), sizes=ALIKE)
    table = cross_play(Ladder.blank(plan))
    assert table["gain"].isna().all() and ranking(table)["mean_gain"].isna().all()
    assert intransitivities(table).empty and set(ranking(table)["verdict"][:-1]) == {NOT_PLAYED}
    assert order_in_words(table) == "No order yet: 3 of 3 pairs not played both ways."
    assert open_pairs(table) == [
        ("random", "first-suit"), ("random", "heuristic"), ("first-suit", "heuristic"),
    ]  # fmt: skip


def test_a_ladder_of_one_rung_has_a_rank():
    ladder = play_ladder(plan_ladder(("random",), ("first-suit",), sizes=ALIKE))
    assert list(ranking(ladder)["strategy"]) == ["random"] and intransitivities(ladder).empty
    assert exploitability(ladder)["responder"][0] == "first-suit"


# Exploitability.


def test_the_best_response_is_chosen_on_one_half_and_valued_on_the_other():
    """Even matches favour the challenger, odd ones first-suit: each is valued where it was not chosen."""
    cells = [[0, 27] * 2, [54, -27] * 2, [0] * 4, [0] * 4]
    found = exploitability(ladder_of(cells, ("heuristic",)))
    row = found.iloc[0]
    assert (row["strategy"], row["responder"]) == ("random", "heuristic / first-suit")
    # heuristic, chosen on even matches, takes -1 on odd ones; first-suit the other way round 0.
    assert row["gain"] == pytest.approx(-0.5) and (row["matches"], row["tried"]) == (4, 2)
    assert (found["responder"][1], found["gain"][1], found["se"][1]) == (ITSELF, 0, 0)
    assert math.isnan(found["low"][1]) and math.isnan(found["high"][1]), "no measurement, no interval"


def test_exploiting_is_not_overrated():
    """Six challengers that all gain nothing: the naive best looks good, the evaluated one does not."""
    draws = np.random.default_rng(4)
    names = [f"heuristic:cover=0.{digit}" for digit in range(1, 6)]
    gains, held, naive = [], [], []
    for _ in range(200):
        cells = [draws.integers(-30, 31, 40) for _ in range(12)]
        row = exploitability(ladder_of(cells, names)).iloc[0]
        gains.append(row["gain"])
        held.append(row["low"] <= 0 <= row["high"])
        naive.append(max(cell.mean() for cell in cells[:6]) / 27)
    error = np.std(gains) / np.sqrt(len(gains))
    assert np.mean(naive) > 8 * error and abs(np.mean(gains)) < 3 * error
    assert np.mean(held) > 0.93


def test_a_clear_responder_is_valued_on_all_matches():
    draws = np.random.default_rng(5)
    best = draws.integers(20, 40, 40)
    row = exploitability(ladder_of([best, draws.integers(-20, 0, 40)] * 2, ("heuristic",))).iloc[0]
    assert row["responder"] == "first-suit" and row["gain"] == pytest.approx(best.mean() / 27)
    assert from_values(best / 27).se <= row["se"] < 1.5 * from_values(best / 27).se


# The answers at each rung.


def test_the_answers_at_each_rung_are_those_of_runs_of_its_own(made):
    table = sensitivity_by_rung(made)
    assert list(dict.fromkeys(table["rung"])) == list(WEAK) and len(table) == 10
    for name in WEAK:
        alone = run(
            experiment("three-two-five", matches=40, hands=12, completions=8, strategies=name, seed=2)
        )
        own = table[table["rung"] == name].set_index(["quantity", "seat"])
        seats = seat_advantage(alone, ("all",)).set_index("seat")
        for seat in ("five", "three", "two"):
            for column, theirs in (("value", "advantage"), ("low", "low"), ("high", "high")):
                assert own.loc[("seat advantage", seat), column] == seats.loc[seat, theirs]
        margin, found = own.loc[("call − reveal", "")], call_or_reveal(alone).iloc[0]
        assert (margin["value"], margin["se"], margin["n"]) == (-found["difference"], found["se"], 12)
        assert (margin["low"], margin["high"]) == pytest.approx((-found["high"], -found["low"]))
        assert own.loc[("reveals", ""), "value"] == alone.counters["trumps"][1].sum() / alone.units
    assert "Three of the same: 40 matches, 12 hands × 8 deals each." in table.attrs["provenance"]


def test_what_a_rung_s_table_lacks_is_left_out():
    sizes = Sizes(cells=((4,),), tables=(TableSize(4, 0, 2),))
    ladder = play_ladder(plan_ladder(WEAK, sizes=sizes))
    assert set(sensitivity_by_rung(ladder)["quantity"]) == {"seat advantage", "reveals"}
    assert sensitivity_by_rung(Ladder.blank(ladder.plan)).empty
    analysis.draw_sensitivity_by_rung(sensitivity_by_rung(ladder)).figure.canvas.draw()


# Provenance.


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "--seed 1"),
        ({"quick": True, "seed": 4}, "--seed 4 --quick"),
        ({"matches": 12, "challengers": ("heuristic",)}, "--challengers heuristic --seed 1 --matches 12"),
        ({"quick": True, "matches": 12}, "--seed 1 --quick --matches 12"),
        ({"rules": {"scoring": "surplus", "pulls": False}}, "--rules scoring=surplus pulls=false --seed 1"),
    ],
)
def test_a_ladder_is_repeated_by_its_command(options, words):
    ladder = Ladder.blank(plan_ladder(WEAK, **options))
    assert ladder_command(ladder) == f"dealworth ladder three-two-five --strategy random first-suit {words}"


def test_a_ladder_of_its_own_sizes_has_no_command(made):
    assert ladder_command(made) is None


def test_sources_tell_rules_strategies_seed_and_size(made):
    text = ladder_sources(made)
    for part in (
        "scoring difference",
        "random, first-suit.",
        "Challengers: heuristic.",
        "Seed 2",
        "60 matches",
    ):
        assert part in text
    assert "(partial)" not in text
    assert "0 matches a cell (partial)" in ladder_sources(Ladder.blank(made.plan))


# Pictures.


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_the_heat_map_shows_every_gain_with_its_error():
    axes = analysis.draw_cross_play(matrix(ORDER | {"AB": 0.012, "XA": 0.5, "XB": 0.6, "XC": 0.7}))
    shown = dict(
        zip([(text.get_position()) for text in axes.texts], texts(axes), strict=True),
    )
    assert shown[1, 0] == "+0.012\n±0.010" and shown[0, 1] == "−0.200\n±0.010"
    assert shown[0, 3] == "+0.500\n±0.010" and [shown[n, n] for n in range(3)] == ["0"] * 3
    colours = {
        (round(patch.get_x() + 0.48), round(patch.get_y() + 0.47)): patch.get_facecolor()
        for patch in axes.patches
    }
    assert colours[1, 0][:3] == to_rgba(FAINT)[:3]
    assert colours[2, 0][:3] == to_rgba(PALETTE[0])[:3] and colours[0, 2][:3] == to_rgba(PALETTE[1])[:3]
    assert colours[2, 0][3] > colours[2, 1][3]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["A", "B", "C", "X"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["A", "B", "C"]


def test_pictures_name_units_sizes_and_sources(made):
    parts = ("random, first-suit", "Challengers: heuristic", "Seed 2", "pulls on")
    table = cross_play(made)
    check_figure("draw_cross_play", table, "tricks a deal", parts)
    check_given_axes("draw_cross_play", table)
    assert "60 matches a cell" in analysis.draw_cross_play(table).get_xlabel()
    answers = sensitivity_by_rung(made)
    before = answers.copy()
    axes = analysis.draw_sensitivity_by_rung(answers)
    small_print = " ".join(axes.figure.get_supxlabel().split())
    assert all(part in small_print for part in parts) and answers.equals(before)
    check_given_axes("draw_sensitivity_by_rung", answers)


def test_the_answers_share_the_rungs_in_three_panels(made):
    answers = sensitivity_by_rung(made)
    axes = analysis.draw_sensitivity_by_rung(answers)
    panels = axes.child_axes
    titles = [panel.get_title(loc="left") for panel in panels]
    assert titles == [
        "Tricks a deal above the quota",
        "Share of deals in which the five reveals",
        "Best call minus reveal, tricks a deal",
    ]
    assert "95% interval" in panels[2].get_xlabel() and "12 hands" in panels[2].get_xlabel()
    assert [label.get_text() for label in panels[2].get_xticklabels()] == list(WEAK)
    assert [len(panel.containers) for panel in panels] == [3, 1, 1]
    drawn = panels[2].containers[0].lines[0].get_ydata()
    assert drawn == pytest.approx(answers.loc[answers["quantity"] == "call − reveal", "value"].to_numpy())
    axes.figure.canvas.draw()


def test_pictures_of_a_ladder_hardly_begun_can_be_drawn():
    plan = plan_ladder(WEAK, sizes=ALIKE)
    axes = analysis.draw_cross_play(cross_play(Ladder.blank(plan)))
    assert isinstance(axes.figure, Figure) and texts(axes) == ["0", "0"]
    axes.figure.canvas.draw()


# The report.


def test_the_chapter_says_the_order_first(made):
    section = ladder_section(made)
    assert section.title == "How strong are the players?"
    assert section.blocks[0].emphasis
    assert section.blocks[0].text == f"Tricks a deal: {order_in_words(made)}"
    _, words = read(render([made]))
    for text in (
        order_in_words(made).split(":")[1],
        "a lower bound",
        "ladder of 2",
        made.digest,
        "random, first-suit",
        "Challengers",
        "At a table of random and at one of first-suit: the five takes",
    ):
        assert text in words
    assert "dealworth" in words and "repeated from Python only" in words
    assert re.search(r"3,?\d+ deals", words) is None or f"{made.units:,} deals" in words


def test_doubts_are_said_in_the_chapter():
    ladder = ladder_of([[27, -27, 27, -27], [27, -27, -27, 27]])
    section = ladder_section(ladder)
    said = [block.text for block in section.blocks if hasattr(block, "text")]
    doubts = [text for text in said if text.startswith("Where it is no order, or not beyond doubt:")]
    assert len(doubts) == 1 and "undecided" in doubts[0]


def test_a_report_on_runs_shows_the_shipped_ladder_of_their_rules(made, tmp_path, monkeypatch):
    save(made, tmp_path / "three_two_five" / "ladder" / "data")
    monkeypatch.setattr(shipped_ladder, "PACKAGE", tmp_path)
    usual = run(experiment("three-two-five", matches=4, strategies="random"))
    other = run(experiment("three-two-five", matches=4, strategies="random", rules={"pulls": False}))
    (chapter,) = ladder_sections.chapters([], [other, usual])
    assert chapter.title == "How strong are the players?"
    assert made.digest in chapter.blocks[-1].text and "make ladder" in chapter.blocks[-1].text
    assert ladder_sections.chapters([], [other]) == []
    _, words = read(render([usual]))
    assert "How strong are the players?" in words and "ladder of 2" not in words
    monkeypatch.setattr(shipped_ladder, "PACKAGE", tmp_path / "none")
    assert ladder_sections.chapters([], [usual]) == []


def test_ladders_that_are_given_take_the_shipped_one_s_place(made):
    usual = run(experiment("three-two-five", matches=4, strategies="random"))
    checker, words = read(render([usual, made, made]))
    assert words.count("How strong are the players? (2)") == 2
    assert len(checker.ids) == len(set(checker.ids))


def test_a_ladder_on_which_nothing_was_played_is_no_report(made):
    with pytest.raises(ValueError, match="nothing was played on the ladder of random, first-suit"):
        render([Ladder.blank(made.plan)])


def test_only_the_whole_usual_ladder_can_be_shipped(made, tmp_path, monkeypatch):
    save(made, tmp_path / "kept")
    monkeypatch.setattr(shipped_ladder, "usual_ladders", lambda game: [plan_ladder(WEAK)])
    with pytest.raises(ValueError, match="only the whole usual one can be shipped"):
        shipped_ladder.ship(tmp_path / "kept")
    monkeypatch.setattr(shipped_ladder, "PACKAGE", tmp_path / "data")
    monkeypatch.setattr(shipped_ladder, "usual_ladders", lambda game: [made.plan])
    assert shipped_ladder.shipped_ladder() is None
    shipped_ladder.ship(tmp_path / "kept")
    assert shipped_ladder.shipped_ladder().digest == made.digest
    place = shipped_ladder.folder_of(made.game, {})
    assert (place / MANIFEST).exists()
    assert shipped_ladder.shipped_probe(place) == shipped_ladder.first_matches(made.plan)


def test_the_shipped_ladder_is_one_of_today_s_players():
    """A first match of every pair is played again, and the order is the expected one."""
    ladder = shipped_ladder.shipped_ladder()
    assert [ladder.plan] == usual_ladders("three-two-five") and not ladder.partial
    probe = shipped_ladder.shipped_probe(shipped_ladder.folder_of(ladder.game, {}))
    assert shipped_ladder.first_matches(ladder.plan) == probe
    ranked = ranking(cross_play(ladder))
    assert ranked["strategy"].tolist() == list(reversed(ladder.plan.model.rungs))
    assert (ranked["verdict"].iloc[:-1] == "beats").all()
    assert intransitivities(cross_play(ladder)).empty


def test_tables_are_frames(made):
    for table in (
        cross_play(made),
        ranking(made),
        intransitivities(made),
        exploitability(made),
        seat_gains(made),
    ):
        assert isinstance(table, pd.DataFrame) and table.attrs["provenance"] == ladder_sources(made)
