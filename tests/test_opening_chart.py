"""The opening chart of 3-2-5, its figures, the report's chapter on the book, and books side by side."""

import re

import numpy as np
import pandas as pd
import pytest
from made_up_books import book_of, values_by_points
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

import analysis
from analysis.figures import svg
from analysis.report import render
from analysis.three_two_five.book import figures as book_figures
from analysis.three_two_five.book import sections as book_sections
from analysis.three_two_five.book.chart import COLUMNS, LAYOUT, ROWS, cell_of
from analysis.three_two_five.book.trump_lengths import trump_lengths
from analysis.three_two_five.sensitivity import TABLES, sensitivity, small_books
from sim import experiment, run
from sim.three_two_five.book.plan import BookPlan
from sim.three_two_five.cards import PACK, lane_of, parse_cards
from sim.three_two_five.rules import Rules
from sim.three_two_five.strategies import BOOK

ALL_HANDS = 142_506
ROWS_SHOWN = [
    "5", "4-1", "3-2", "3-1-1",
    "2-2-1 ♠♥, no side ace", "2-2-1 ♠♥, one side ace", "2-2-1 ♠♥, two side aces",
    "2-2-1 ♦♣, no side ace", "2-2-1 ♦♣, one side ace", "2-2-1 ♦♣, two side aces",
    "2-1-1-1 ♠♥", "2-1-1-1 ♦♣",
]  # fmt: skip


@pytest.fixture(scope="module")
def book():
    """Return a book in which a count is right: 2 a card, 1 for ♦♣, 1 off for the ace; call from 5 on."""
    return book_of(values_by_points({"length": 2, "short": 1, "ace": -1}, 4.5), error=0.3)


@pytest.fixture(scope="module")
def cells(book):
    return analysis.opening_chart(book)


def test_every_hand_is_in_one_cell(book, cells):
    assert cells["hands"].sum() == ALL_HANDS and cells["classes"].sum() == len(book)
    assert cells["share"].sum() == pytest.approx(1)
    assert not cells.duplicated(["row", "column"]).any()


@pytest.mark.parametrize(
    ("text", "row", "column"),
    [
        ("AS KS QS JS TS", "5", "AKQ"),
        ("KS 9S 8S QD 8D", "3-2", "K"),
        ("AS 9S KD QD 8H", "2-2-1 ♦♣, one side ace", "KQ"),
        ("AS 9S AH 9H 8D", "2-2-1 ♠♥, one side ace", "A"),
        ("QS 9S JH 9H AD", "2-2-1 ♠♥, one side ace", "Q"),
        ("9S 8S JH 8H TD", "2-2-1 ♠♥, no side ace", "–"),
        ("AD 9D AS 9S AH", "2-2-1 ♦♣, two side aces", "A"),
        ("AC 9C AS KH AD", "2-1-1-1 ♦♣", "A"),
    ],
)
def test_a_hand_lies_where_a_player_looks(text, row, column):
    where = cell_of(book_of_one(text))
    assert (where["row"].iloc[0], where["column"].iloc[0]) == (row, column)


def book_of_one(text):
    return pd.DataFrame({"cards": np.array([parse_cards(text)], np.int64)})


def test_a_cell_sums_up_its_hands(book, cells):
    """Means over hands, not classes; the loss is what the minority would gain."""
    where = cell_of(book)
    for cell in cells.to_dict("records")[::9]:
        of_cell = book[((where["row"] == cell["row"]) & (where["column"] == cell["column"])).to_numpy()]
        weight, margin = of_cell["weight"], of_cell["call_minus_reveal"]
        assert cell["hands"] == weight.sum()
        assert cell["difference"] == pytest.approx(np.average(margin, weights=weight))
        assert cell["se"] == pytest.approx(0.3 * np.sqrt((weight**2).sum()) / weight.sum())
        wrong = np.minimum(margin, 0) if cell["better"] == "call" else np.maximum(margin, 0)
        assert cell["loss"] == pytest.approx(abs((weight * wrong).sum()) / ALL_HANDS)
        agree = weight[of_cell["verdict"] == cell["better"]].sum() / weight.sum()
        assert cell["sure"] == pytest.approx(agree) and cell["uncertain"] == (agree < 0.5)


def test_layouts_are_ranked_by_what_they_lose(book, cells):
    table = analysis.chart_layouts(book)
    assert len(table) == len(ROWS) * len(COLUMNS) and table["loss"].is_monotonic_increasing
    own = table[(table["rows"] == LAYOUT[0]) & (table["columns"] == LAYOUT[1])].iloc[0]
    assert own["loss"] == pytest.approx(cells["loss"].sum()) and own["cells"] == len(cells)
    # This book looks at length, kind of suit and ace alone, which the layout shows: it separates perfectly.
    assert own["loss"] == pytest.approx(0, abs=1e-12)


def test_the_chart_draws_every_cell(cells):
    axes = analysis.draw_opening_chart(cells)
    numbers = [text.get_text() for text in axes.texts]
    squares = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_fill()]
    hatched = [patch for patch in axes.patches if patch.get_hatch()]
    assert len(numbers) == len(squares) == len(cells) and len(hatched) == cells["uncertain"].sum() > 0
    for cell, square in zip(cells.to_dict("records"), squares, strict=True):
        expected = book_figures.CALL if cell["difference"] > 0 else book_figures.REVEAL
        assert to_hex(square.get_facecolor()) == expected.lower()
    largest = int(np.argmax(cells["share"]))
    area = np.array([square.get_width() ** 2 for square in squares])
    big = area > area.min()
    assert np.allclose(area[big] / area[largest], (cells["share"] / cells["share"].max())[big])
    assert [label.get_text() for label in axes.get_yticklabels()] == ROWS_SHOWN


def test_cells_link_to_the_page_and_not_into_the_figure(cells):
    text = svg(analysis.draw_opening_chart(cells), "chart")
    links = re.findall(r'href="#(cell-\d+-\d+)"', text)
    assert len(links) == len(set(links)) == len(cells)
    assert all(used in text for used in re.findall(r"url\(#([^)]+)\)", text))


@pytest.fixture(scope="module")
def studied():
    return run(experiment("three-two-five", strategies="random", hands=60, completions=8, seed=3))


@pytest.fixture(scope="module")
def page(book, studied):
    """Return the report on a run of the book's players, with the book in the place of the shipped one."""
    plan = BookPlan(Rules(), (BOOK.parse("random"),) * 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(book_sections, "shipped_plan", lambda: plan)
        patch.setattr(book_sections, "shipped_book", lambda: book)
        yield render([studied])


def test_the_chapter_says_the_rule_and_leads_to_every_class(page, book, cells):
    assert (
        "Count for each suit 2 for every card and 1 if it is diamonds or clubs, less 1 for the ace." in page
    )
    assert len(page) < 3_000_000
    anchors = re.findall(r'id="(cell-\d+-\d+)"', page)
    assert sorted(anchors) == sorted(set(re.findall(r'href="#(cell-\d+-\d+)"', page)))
    assert len(anchors) == len(cells)
    classes = re.findall(r"^[AKQJT987-]+ [AKQJT987-]+ [AKQJT987-]+ [AKQJT987-]+  [+−]", page, re.MULTILINE)
    assert len(classes) == len(book)


def test_the_chapter_is_left_out_for_other_players_and_rules(book):
    plan = BookPlan(Rules(), (BOOK.parse("heuristic"),) * 3)
    others = run(experiment("three-two-five", strategies="random", hands=4, completions=2))
    surplus = run(
        experiment(
            "three-two-five", strategies="heuristic", hands=4, completions=2, rules={"scoring": "surplus"}
        )
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(book_sections, "shipped_plan", lambda: plan)
        assert book_sections.shipped_chapters([others, surplus], []) == []
        patch.setattr(book_sections, "shipped_plan", lambda: None)
        assert book_sections.shipped_chapters([others], []) == []


def test_the_frontier_is_drawn_as_measured(book, studied):
    costs = analysis.rule_costs(book, analysis.table_rules(book, 4), studied)
    axes = analysis.draw_rule_costs(costs)
    for container, kind in zip(axes.containers, ("tree", "count"), strict=True):
        drawn = np.column_stack(container[0].get_data())
        assert np.allclose(drawn, costs.loc[costs["kind"] == kind, ["length", "cost"]])
    assert {"always reveal", "always call the longest suit"} <= {text.get_text() for text in axes.texts}


def test_tables_with_the_same_decisions_are_alike():
    """R26: tricks and difference differ by the quota alone, the same for every option."""
    books = {}
    for scoring in ("difference", "tricks"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(TABLES, "random ×3", (("random",) * 3, scoring))
            books[scoring] = small_books(every=2000, precision=0.5, jobs=1, tables=["random ×3"])["random ×3"]
    table = sensitivity(books)
    first, second = (table.drop(columns="table").iloc[row] for row in (0, 1))
    assert np.allclose(first.to_numpy(float), second.to_numpy(float), atol=1e-9)
    assert books["tricks"]["value_S"].to_numpy() == pytest.approx(
        books["difference"]["value_S"].to_numpy() + 5
    )
    axes = analysis.draw_sensitivity(table)
    assert axes.get_yticklabels()[0].get_text() == f"difference\nreveal on {first['reveal']:.0%}"
    assert "scoring difference" in table.attrs["provenance"] and "scoring tricks" in table.attrs["provenance"]


def test_tables_can_be_set_up():
    """Every table that is compared can be set up by the rules and strategies that exist."""
    for players, scoring in TABLES.values():
        assert Rules(scoring=scoring).scoring == scoring
        assert [BOOK.parse(player).name for player in players] == list(players)


@pytest.mark.parametrize("text", ["AS KS 9H TD 8C", "9S 8S 7S AD KD", "KD QD 9S 8S AH"])
def test_expected_trumps_are_those_of_random_deals(text):
    """R10: the suit of the highest of three turned cards; of tied ones the first is taken here."""
    hand = parse_cards(text)
    expected = trump_lengths(np.array([hand])).iloc[0]
    deck = np.array([1 << place for place in range(64) if (PACK ^ hand) >> place & 1])
    rng = np.random.default_rng(4)
    drawn = rng.permuted(np.tile(deck, (20_000, 1)), axis=1)
    place = np.bitwise_count(drawn - 1).astype(int)
    highest = (10 * (place[:, :3] % 16) - place[:, :3] // 16).argmax(axis=1)
    suit = place[np.arange(len(drawn)), highest] // 16
    mine = (place[:, :5] // 16 == suit[:, None]).sum(axis=1) + [
        (hand & lane_of(s)).bit_count() for s in suit.tolist()
    ]
    pack = np.array([8, 8, 7, 7])[suit]
    for sample, name in ((mine, "reveal_own"), (pack - mine, "reveal_others")):
        assert sample.mean() == pytest.approx(expected[name], abs=4 * sample.std() / np.sqrt(len(drawn)))
    called = {"AS KS 9H TD 8C": 0, "9S 8S 7S AD KD": 0, "KD QD 9S 8S AH": 2}[text]
    held = (hand & lane_of(called)).bit_count()
    own = held + (place[:, :5] // 16 == called).sum(axis=1)
    assert own.mean() == pytest.approx(expected["call_own"], abs=4 * own.std() / np.sqrt(len(drawn)))
    assert expected["call_own"] + expected["call_others"] == pytest.approx([8, 8, 7, 7][called])
