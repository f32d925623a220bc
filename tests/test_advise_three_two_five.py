"""Advice on five cards: from the shipped book, played now, and the suits of the very hand."""

import math
from dataclasses import replace

import pytest

from analysis.advice import BOOK, SIMULATED
from analysis.three_two_five import advise as advising
from analysis.three_two_five.advise import advise

HAND = "AS KS 9H TD 8C"


def by_name(advice):
    return {option.name: option for option in advice.options}


def test_the_shipped_book_answers_and_says_so():
    advice = advise(HAND)
    assert (advice.source, advice.seed, advice.strategies) == (BOOK, 1, ("heuristic",) * 3)
    assert math.isnan(advice.seconds) and advice.n > 1000
    assert sorted(by_name(advice)) == ["call C", "call D", "call H", "call S", "reveal"]
    first = advice.options[0]
    assert first.loss.mean == first.loss.se == 0 and first.chance_best > 0.5
    assert all(option.loss.mean >= -3 * option.loss.se for option in advice.options)
    assert sum(option.chance_best for option in advice.options) == pytest.approx(1, abs=1e-3)


def test_played_now_gives_the_numbers_of_the_book(monkeypatch):
    """The same engine, the same deals."""
    stored = advise(HAND)
    monkeypatch.setattr(advising, "shipped_plan", lambda: None)
    played = advise(HAND)
    assert (played.source, played.n) == (SIMULATED, stored.n)
    for name, option in by_name(played).items():
        other = by_name(stored)[name]
        assert option.value.mean == pytest.approx(other.value.mean, abs=6e-4)
        assert option.value.se == pytest.approx(other.value.se, abs=6e-5)
        assert option.loss.se == pytest.approx(other.loss.se, abs=6e-5)
        assert option.makes.mean == pytest.approx(other.makes.mean, abs=6e-5)
        assert option.chance_best == pytest.approx(other.chance_best, abs=6e-5)


@pytest.mark.parametrize(
    "options",
    [
        {"seed": 2},
        {"strategies": "first-suit"},
        {"strategies": ["heuristic", "random", "random"]},
        {"rules": {"scoring": "surplus"}},
        {"rules": {"sevens": "hearts_high"}},
        {"precision": 0.0199},
    ],
)
def test_what_the_book_does_not_answer_is_played_now(options):
    advice = advise(HAND, **{"precision": 0.1, **options})
    assert advice.source == SIMULATED and advice.seconds > 0


@pytest.mark.parametrize(
    "options", [{"rules": {"pulls": False}}, {"rules": {"deals_per_match": 3}}, {"precision": 1}]
)
def test_what_makes_no_difference_in_a_first_deal_is_answered_by_the_book(options):
    """R21: no pulls in a match's first deal."""
    assert advise(HAND, **options).source == BOOK


def test_the_precision_asked_for_is_reached():
    advice = advise(HAND, seed=3, precision=0.02)
    assert advice.options[1].loss.se <= 0.0205 and advice.seconds < 5


def test_call_against_reveal_is_known_to_the_precision_where_revealing_is_far_behind():
    """Played now and from the book: the notes say it, and how well the calls behind are known."""
    for options, limit in (({}, 0.02), ({"seed": 3, "precision": 0.05}, 0.05)):
        advice = advise("AS KS TS AH 8H", **options)
        note = next(note for note in advice.notes if note.startswith("call S against reveal: +"))
        assert float(note.split(" ± ")[1]) <= limit
        behind = next(note for note in advice.notes if note.startswith("calls clearly behind"))
        worst = max(option.loss.se for option in advice.options)
        assert "played 256 times only" in behind and f"± {worst:.3f} or less" in behind
        assert by_name(advice)["reveal"].loss.se <= 1.5 * limit


@pytest.mark.parametrize("swapped", ["AH KH 9S TD 8C", "AS KS 9H TC 8D", "AH KH 9S TC 8D"])
def test_advice_on_exchanged_suits_is_the_advice_exchanged(swapped):
    """Hands of one class: each call goes with its suit."""
    plain, other = by_name(advise(HAND)), by_name(advise(swapped))
    names = dict(zip(HAND.split(), swapped.split(), strict=True))
    exchange = {card[1]: new[1] for card, new in names.items()}
    for suit, new in exchange.items():
        assert plain[f"call {suit}"].value == other[f"call {new}"].value
    assert plain["reveal"].value == other["reveal"].value


def test_equal_suits_have_equal_advice():
    options = by_name(advise("AS TS AH TH QD"))
    assert replace(options["call S"], name="") == replace(options["call H"], name="")


def test_any_spelling_is_the_same_hand():
    """Case 25."""
    assert advise("a♠, ks 9h 10D 8♣").options == advise(HAND).options


@pytest.mark.parametrize(
    ("hand", "named"),
    [
        ("AS KS", "has 5 cards of the pack, not 2"),
        ("AS KS QS JS TS 9S", "not 6"),
        ("AS KS QS JS AS", "given twice: 'AS'"),
        ("AS KS QS JS 7D", "no such card: '7D'"),
        ("", "not 0"),
    ],
)
def test_what_is_no_hand_is_named(hand, named):
    with pytest.raises(ValueError, match=named):
        advise(hand)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"precision": 5.0}, "precision 5"),
        ({"strategies": ["random", "random"]}, "2 strategies for 3 players"),
        ({"rules": {"jokers": 2}}, "jokers"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_wrong_options_are_named(options, named):
    with pytest.raises(ValueError, match=named):
        advise(HAND, **options)


def test_a_strong_suit_is_called_and_scattered_honours_are_turned():
    """What a strong player expects: length calls, five cards of nothing special reveal."""
    assert advise("AS KS QS JS TS").options[0].name == "call S"
    assert advise("QS JS TS 9S AH").options[0].name == "call S"
    assert advise("AS AH AD AC KS").options[0].name == "reveal"
    certain = by_name(advise("AS KS QS JS TS"))["call S"]
    assert certain.makes.mean > 0.999, "five sure trumps make five"


def test_the_record_has_the_keys_of_the_record_format():
    record = advise(HAND).record()
    assert record["hand"] == ["AS", "KS", "9H", "TD", "8C"] and record["source"] == "book"
    assert {"option", "value", "loss", "ci", "best", "makes_five"} <= set(record["options"][0])
    assert record["verdict"] in ("call", "reveal", "too close")
