"""The table of the opening book, what it says over all hands, and the book that is shipped."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from analysis.book import shipped as shelf
from analysis.book.table import TOO_CLOSE, chances_best, is_valued
from analysis.three_two_five.book import shipped
from analysis.three_two_five.book.book import CALL, book_table
from analysis.three_two_five.book.packed import STEPS, pack, unpack
from analysis.three_two_five.book.precision import precision, precision_in_words
from analysis.three_two_five.book.shipped import (
    ship,
    shipped_book,
    shipped_manifest,
    shipped_plan,
    verdicts_of,
)
from analysis.three_two_five.book.summary import (
    ALWAYS_REVEAL,
    HIGHEST,
    LONGEST,
    NEVER_REVEAL,
    THE_BOOK,
    book_policies,
    columns,
    is_whole,
    numbers,
    option_worth,
    policies,
    policy_cost,
    policy_value,
    reveal_best,
    reveal_shares,
)
from sim import strategy
from sim.book.book import Book, build
from sim.book.folder import save
from sim.book.plan import DUEL, FRESH
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.hands import hand_classes
from sim.three_two_five.book.plan import BookPlan, twins
from sim.three_two_five.rules import REVEAL, Rules
from sim.three_two_five.thinking import opening

HEURISTIC = (strategy("three-two-five", "heuristic"),) * 3


@pytest.fixture(scope="module")
def book():
    return build(BookPlan(Rules(), HEURISTIC, every=400, precision=0.1))


@pytest.fixture(scope="module")
def table(book):
    return book_table(book)


@pytest.fixture(scope="module")
def whole():
    """The shipped book: every hand."""
    return shipped_book()


# The table.


def test_columns_follow_from_each_other(table):
    rows = np.arange(len(table))
    value, loss, loss_se = (columns(table, name) for name in ("value", "loss", "loss_se"))
    best, second, call = (numbers(table[name]) for name in ("best", "second", "call"))
    assert np.allclose(table["difference"], value[rows, best] - value[rows, second])
    assert np.allclose(table["difference_se"], loss_se[rows, second])
    assert np.allclose(table["call_minus_reveal"], value[rows, call] - value[:, REVEAL])
    assert np.allclose(loss, value[rows, best][:, None] - value) and not loss_se[rows, best].any()
    assert (table["difference"] >= 0).all() and (best != second).all() and (call != REVEAL).all()
    assert np.allclose(columns(table, "best").sum(axis=1), 1)


def test_shares_of_tricks_are_those_counted(book, table):
    for option, name in enumerate(OPTIONS):
        shares = table[[f"tricks_{name}_{taken}" for taken in range(11)]].to_numpy()
        played = ~twins(book.plan.cards)[:, option]
        counted = book.counters["tricks"][:, FRESH, option]
        if option == REVEAL:
            counted = counted + book.counters["tricks"][:, DUEL, option]
        assert np.allclose(shares[played] * table[f"n_{name}"].to_numpy()[played, None], counted[played])
        assert np.allclose(shares[:, 5:].sum(axis=1), table[f"makes_{name}"])
        # Control variates move a value by less than its error without them.
        plain = shares @ np.arange(11) - 5
        bound = 5 * np.sqrt((shares @ np.arange(11) ** 2 - (plain + 5) ** 2) / table[f"n_{name}"]) + 1e-9
        assert (np.abs(table[f"value_{name}"] - plain) <= bound).all()


def test_equal_suits_have_the_numbers_of_one(book, table):
    same = twins(book.plan.cards)
    for suit, other in ((1, "S"), (3, "D")):
        rows = table[same[:, suit]]
        assert len(rows) > 5
        for quantity in ("value", "se", "n", "loss", "loss_se", "best", "makes"):
            assert (rows[f"{quantity}_{OPTIONS[suit]}"] == rows[f"{quantity}_{other}"]).all()
        for name in ("best", "second", "found", "call"):
            assert (rows[name] != OPTIONS[suit]).all()


def test_verdicts_follow_the_level(book, table):
    strict, loose = book_table(book, level=0.001), book_table(book, level=0.3)
    sure = [(made["verdict"] != TOO_CLOSE).sum() for made in (strict, table, loose)]
    assert sure[0] < sure[1] < sure[2] < len(table)
    assert (table.loc[table["verdict"] == CALL, "wrong_to_call"] <= 0.025).all()
    assert (table.loc[table["verdict"] == "reveal", "wrong_to_reveal"] <= 0.025).all()
    assert (table["wrong_to_call"] + table["wrong_to_reveal"] >= 1 - 1e-12).all()


@pytest.mark.parametrize("level", [0, 0.5, -1, 1])
def test_a_level_that_is_none_is_named(book, level):
    with pytest.raises(ValueError, match=f"level {level}"):
        book_table(book, level)


def test_a_book_that_is_only_begun_has_no_table():
    begun = Book.blank(BookPlan(Rules(), HEURISTIC, every=4000))
    assert not is_valued(begun)
    with pytest.raises(ValueError, match="only begun"):
        book_table(begun)


def test_the_scoring_that_never_differs_leaves_an_error_above_zero():
    """Under surplus (R26) weak options score nothing on every deal, which does not make them equal."""
    plan = BookPlan(Rules(scoring="surplus"), HEURISTIC, every=1500, precision=0.1)
    made = book_table(build(plan))
    distinct = ~twins(plan.cards)
    best = numbers(made["best"])
    others = distinct & (np.arange(len(OPTIONS)) != best[:, None])
    assert (columns(made, "loss_se")[others] > 0).all() and made.notna().all(axis=None)


def test_tricks_and_difference_are_five_points_apart():
    """R26: the same deals, the same differences."""
    plan = BookPlan(Rules(), HEURISTIC, every=4000, precision=0.2)
    by_difference = book_table(build(plan))
    by_tricks = book_table(build(replace(plan, rules=Rules(scoring="tricks"))))
    assert np.allclose(columns(by_tricks, "value"), columns(by_difference, "value") + 5)
    assert np.allclose(by_tricks["difference_se"], by_difference["difference_se"])


def test_debts_change_the_values_and_keep_the_hands():
    """R14: a five that may pull four cards of the others does better than one that suffers four pulls."""
    plan = BookPlan(Rules(), HEURISTIC, every=4000, precision=0.2)
    gains, losses = (book_table(build(replace(plan, debts=debts))) for debts in ((4, -2, -2), (-4, 2, 2)))
    assert (gains["cards"] == losses["cards"]).all()
    assert columns(gains, "value").max(axis=1).mean() > columns(losses, "value").max(axis=1).mean() + 0.5
    assert "debts 4, -2, -2" in gains.attrs["provenance"]


# Chances to be the best.


def test_the_chance_to_be_the_best_of_two_is_the_normal_one():
    value, errors = np.array([[1.0, 0.0, 0.9, -9.0, 0.0]]), np.eye(5)[None] * 0.005
    live = np.array([[True, False, True, True, False]])
    chances = chances_best(value, errors, live)[0]
    assert chances == pytest.approx([0.84134, 0, 0.15866, 0, 0], abs=1e-4)


def test_options_that_are_one_share_their_chance():
    errors = np.zeros((1, 5, 5))
    errors[0, :2, :2] = 0.01
    errors[0, 2, 2] = errors[0, 4, 4] = 0.01
    for value in ([[1.0, 1.0, 0.9, 0.0, 0.0]], [[1.0, 1.0, 0.9, 0.0, 0.95]]):
        chances = chances_best(np.array(value), errors, np.array([[True, True, True, False, True]]))[0]
        assert chances[0] == pytest.approx(chances[1]) and chances.sum() == pytest.approx(1)
        assert chances[0] > chances[2] > 0 and chances[3] == 0


def test_drawn_chances_are_those_of_independent_draws():
    value, errors = np.array([[0.2, 0.1, 0.0, -0.1, 0.15]]), np.diag([0.01, 0.02, 0.01, 0.03, 0.01])[None]
    chances = chances_best(value, errors, np.ones((1, 5), bool))[0]
    drawn = np.random.default_rng(9).multivariate_normal(value[0], errors[0], 200_000).argmax(axis=1)
    assert chances == pytest.approx(np.bincount(drawn, minlength=5) / 200_000, abs=0.04)


# Over all hands.


def made_up(weight, values, errors):
    """Make a table of few columns whose best option is valued as told."""
    values, errors = np.array(values, float), np.array(errors, float)
    best = values.argmax(axis=1)
    table = pd.DataFrame({"weight": weight, "found": np.array(OPTIONS, object)[best]})
    for option, name in enumerate(OPTIONS):
        table[f"value_{name}"], table[f"se_{name}"] = values[:, option], errors[:, option]
        table[f"loss_se_{name}"] = np.where(option == best, 0.0, errors[:, option])
    return table


def test_policies_count_hands_by_weight():
    """Errors add up over classes as those of independent values do."""
    weight = np.array([142_500, 6])
    table = made_up(weight, [[1, 0, 0, 0, 0], [0, 0, 0, 0, 2]], [[0.3, 0.1, 0.1, 0.1, 0.1]] * 2)
    assert is_whole(table)
    value = policy_value(table, np.array([0, 0]))
    part = weight / weight.sum()
    assert value.mean == pytest.approx(part[0]) and value.se == pytest.approx(0.3 * np.hypot(*part))
    cost = policy_cost(table, np.array([0, 1]))
    assert cost.mean == pytest.approx(2 * part[1]) and cost.se == pytest.approx(part[1] * 0.1)
    neither = policy_cost(table, np.array([2, 2]), against=np.array([1, 1]))
    assert neither.se == pytest.approx(np.hypot(part[0] * 0.2, part[1] * 0.2))


def test_a_sample_of_classes_has_the_error_of_sampling(table):
    value = policy_value(table, numbers(table["found"]))
    assert not is_whole(table) and value.se > 0.03
    whole_value = policy_value(shipped_book(), numbers(shipped_book()["found"]))
    assert abs(value.mean - whole_value.mean) < 4 * value.se


def test_policies_of_the_whole_pack_are_in_their_order(whole):
    made = book_policies(whole).set_index("policy")
    assert list(made.index) == [THE_BOOK, HIGHEST, NEVER_REVEAL, ALWAYS_REVEAL, LONGEST]
    assert made.loc[THE_BOOK, "cost"] == 0 == made.loc[THE_BOOK, "cost_se"]
    assert made.loc[HIGHEST, "cost_high"] < 0 < made.loc[NEVER_REVEAL, "cost_low"]
    assert (
        made.loc[NEVER_REVEAL, "cost_high"]
        < made.loc[LONGEST, "cost_low"]
        < made.loc[ALWAYS_REVEAL, "cost_low"]
    )
    # What the search loses by taking the second-best, and noise gains, is small beside what is measured.
    assert -made.loc[HIGHEST, "cost"] < 0.1 * made.loc[NEVER_REVEAL, "cost"]
    assert option_worth(whole).mean == pytest.approx(made.loc[NEVER_REVEAL, "cost"])
    assert made["se"].max() < 0.0005


def test_shares_of_verdicts_bound_how_often_revealing_is_best(whole):
    shares = reveal_shares(whole).set_index("verdict")
    assert shares["share"].sum() == pytest.approx(1) and shares["wrong"].max() < 0.01
    best = reveal_best(whole)
    assert shares.loc["surely reveal", "share"] < best.mean < 1 - shares.loc["surely call", "share"]
    assert 0 < best.se < 0.005


# Packed and shipped.


def test_packing_loses_less_than_half_a_step(table):
    back = unpack(pack(table))
    assert list(back.columns) == list(table.columns)
    for quantity, step in STEPS.items():
        if quantity != "tricks":
            lost = np.abs(columns(back, quantity) - columns(table, quantity))
            assert lost.max() <= 0.5001 * step
    for name in ("hand", "cards", "weight", "best", "second", "found", "call"):
        assert (back[name] == table[name]).all()
    tricks = [f"tricks_{name}_{taken}" for name in OPTIONS for taken in range(11)]
    assert np.abs(back[tricks] - table[tricks]).to_numpy().max() < 0.006
    assert np.allclose(back[tricks[:11]].sum(axis=1), 1)


def test_what_cannot_be_packed_is_named(table):
    with pytest.raises(ValueError, match=r"value from .* too large to be packed"):
        pack(table.assign(value_S=40.0))


def test_the_shipped_book_has_every_hand_to_its_precision(whole):
    classes = hand_classes(0)
    assert (whole["cards"] == classes.cards).all() and whole["weight"].sum() == 142_506
    assert whole["call_minus_reveal_se"].max() <= 0.02
    assert whole["difference_se"].median() <= 0.02 and whole["difference_se"].max() < 0.03
    assert whole.notna().all(axis=None) and "heuristic ×3. Seed 1. All 142,506" in whole.attrs["provenance"]
    manifest = shipped_manifest()
    assert manifest["play_outs"] < 5.2e8 and len(manifest["digest"]) == 32
    assert shipped.TABLE.stat().st_size < 4e6


def test_what_the_shipped_book_says_of_its_precision_holds_in_every_class(whole):
    """Of all 39,109 classes, and of every option, also of those that rest on few deals."""
    found = precision(whole)
    loss_se, n = columns(whole, "loss_se"), columns(whole, "n")
    assert (whole["call_minus_reveal_se"] <= found.call_or_reveal).all() and found.call_or_reveal <= 0.02
    assert (whole["difference_se"] <= found.contest).all() and found.contest < 0.03
    assert (loss_se <= found.loss).all() and 0.1 < found.loss < 0.15
    assert (n >= found.fewest).all() and found.fewest == 256
    said = precision_in_words(whole)
    known = (found.call_or_reveal, found.contest, found.loss)
    told = [float(word) for word in re.findall(r"\d\.\d+", said)]
    assert len(told) == 3 and all(0 <= a - b < 0.001 for a, b in zip(told, known, strict=True))
    assert "from 256 deals or more" in said


def test_a_shipped_manifest_that_was_changed_is_not_believed(tmp_path, monkeypatch):
    text = shipped.MANIFEST.read_text(encoding="utf-8")
    (tmp_path / "book.json").write_text(text.replace('"seed": 1,', '"seed": 2,'), encoding="utf-8")
    monkeypatch.setattr(shipped, "MANIFEST", tmp_path / "book.json")
    with pytest.raises(ValueError, match="its settings do not have its settings_digest"):
        shipped_plan()


def test_the_shipped_book_is_what_today_s_engine_makes(whole):
    """A few classes made anew have the very numbers that are shipped, but for the rounding."""
    plan = shipped_plan()
    chosen = [0, 2076, 7000, 21_000, 39_108]  # the second had a duel
    cards = tuple(int(card) for card in whole["cards"].to_numpy()[chosen])
    anew = pack(book_table(build(replace(plan, hands=cards))))
    stored = pack(shipped_book(chosen))
    same = [
        name
        for name in anew
        if name.split("_")[0] in ("cards", "weight", "value", "se", "n", "loss", "found")
    ]
    assert len(same) == 23
    for name in same:
        assert (np.abs(anew[name].astype(int) - stored[name].astype(int)) <= 1).all(), name


def test_players_look_up_the_verdicts_of_the_shipped_book(whole):
    """R9, R10: what :mod:`sim.three_two_five.thinking.opening` holds is made of this table, hand by hand."""
    np.testing.assert_array_equal(verdicts_of(whole), np.load(opening.VERDICTS))


def test_shipping_writes_the_table_the_manifest_and_the_verdicts(whole, tmp_path, monkeypatch):
    """The shipped book, shipped once more to another place: the verdicts are the very file."""
    names = ("TABLE", "MANIFEST", "VERDICTS")
    before = {name: getattr(shipped, name) for name in names}
    for name in names:
        monkeypatch.setattr(shipped, name, tmp_path / before[name].name)
    made = SimpleNamespace(complete=True, plan=SimpleNamespace(whole=True))
    found = json.loads(before["MANIFEST"].read_text(encoding="utf-8"))
    monkeypatch.setattr(shipped, "load", lambda folder: made)
    monkeypatch.setattr(shipped, "book_table", lambda book: whole)
    monkeypatch.setattr(shelf, "manifest", lambda book: {**found, "done": 1, "partial": False})
    ship("anywhere")
    for name in ("MANIFEST", "VERDICTS"):
        assert (tmp_path / before[name].name).read_bytes() == before[name].read_bytes()
    pd.testing.assert_frame_equal(pq.read_table(tmp_path / before["TABLE"].name).to_pandas(), pack(whole))
    assert len(list(tmp_path.iterdir())) == 3


def test_only_a_whole_book_can_be_shipped(book, tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "TABLE", tmp_path / "book.parquet")
    with pytest.raises(ValueError, match="holds a part of a book"):
        ship(save(book, tmp_path / "part"))
    assert not (tmp_path / "book.parquet").exists()


def test_without_a_shipped_book_the_way_to_one_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(shipped, "TABLE", tmp_path / "none")
    assert shipped_plan() is None
    with pytest.raises(ValueError, match="dealworth book"):
        shipped_book()


def test_the_manifest_is_plain_json():
    text = shipped.MANIFEST.read_text(encoding="utf-8")
    assert json.loads(text)["plan"] == shipped_plan().as_dict() and text.endswith("}\n")


def test_policies_name_every_class_once(table):
    for policy in policies(table).values():
        assert policy.shape == (len(table),) and ((policy >= 0) & (policy <= REVEAL)).all()
