"""Decisions of the players of 3-2-5 that think, recomputed in plain Python."""

from random import Random

import pytest
from drawn_decisions import DEBTS, NO_DEBTS, answer, draw_decision
from plain_thinking import Thinker

from sim.core.rng import word


def recomputed(seed, count, name, what, phase, gone=lambda rng: 0, **options):
    """Compare a strategy's answers with the twin's at random decisions; return the answers."""
    rng, answers = Random(seed), []
    for number in range(count):
        drawn = {key: value(rng) if callable(value) else value for key, value in options.items()}
        decision, luck = draw_decision(rng, phase, gone(rng), **drawn), int(word(325, number))
        answers.append(answer(name, decision, luck))
        assert answers[-1] == what(Thinker(decision, name, luck))
    return answers


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("rollout-5", 200),
        ("rollout-5+infer", 60),
        ("rollout-5+against-random", 60),
        ("rollout-5+against-first-suit", 60),
        ("rollout-4:cash=0.3,throw_guard=0.9", 20),
    ],
)
def test_a_card_is_the_best_of_its_play_outs(name, count):
    """R23, R26, R31: at any card of any deal, under all rules, ties to heuristic's card."""
    recomputed(name, count, name, Thinker.card, "play", lambda rng: rng.randrange(29))


@pytest.mark.parametrize("name", ["rollout-6+solve-3", "nested-6+solve-3", "rollout-6+solve-3+infer"])
def test_solved_endings_are_those_of_plain_enumeration(name):
    """Everybody sees all hands and plays for itself, in the last three tricks of each world."""
    recomputed(name, 40, name, Thinker.card, "play", lambda rng: rng.randrange(21, 28))


@pytest.mark.parametrize(
    "name", ["nested-4", "nested-5+mixed", "nested-3:inner=2", "nested-9:inner=1,mixed=2"]
)
def test_a_nested_card_is_the_best_of_its_play_outs(name):
    """All three think in the play-outs; few candidates are left after half of the worlds."""
    recomputed(name, 8, name, lambda one: one.card(nested=True), "play", lambda rng: rng.randrange(12, 27))


def test_a_return_is_the_best_of_its_play_outs():
    """R16–R18: the pulls that follow, then all tricks."""
    recomputed(1, 25, "rollout-3", Thinker.returned, "return", lambda rng: rng.randrange(2), debts=pulls)


def pulls(rng):
    return rng.choice(((2, -1, -1), (2, 1, -3), (-3, 2, 1), (-2, -1, 3)))


def test_a_tied_suit_is_the_best_of_its_play_outs():
    """R11: knowing eight cards, with and without debts."""
    recomputed(2, 30, "rollout-6", Thinker.tie, "tie", debts=lambda rng: rng.choice((NO_DEBTS, *DEBTS)))


@pytest.mark.parametrize(
    "options",
    [{"scoring": "surplus", "debts": NO_DEBTS}, {"sevens": "spades_high", "debts": NO_DEBTS}, {}],
    ids=["surplus", "high sevens", "debts"],
)
def test_trump_is_the_best_of_its_play_outs_where_the_book_does_not_hold(options):
    """R9, R10, R14: all five options in the same deals, then the two that lead in more."""
    answers = recomputed(3, 25, "rollout-3:trump_worlds=3", Thinker.trump, "maker", **options)
    assert len(set(answers)) > 2
