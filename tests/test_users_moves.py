"""A user's own function of Fives and Threes: what goes wrong in it has a name and a place."""

import re

import pytest

from sim import StrategyError, experiment, run, strategy
from sim.fives_and_threes import knowledge as dominoes

FIVES = "fives-and-threes"


def far(view, params, luck):
    """Look far outside of the view."""
    move = view[dominoes.LEGAL] & -view[dominoes.LEGAL]
    return 0 if view[100_000 + (move & 1)] == 77 else move


def far_parameter(view, params, luck):
    """Look outside of the parameters."""
    move = view[dominoes.LEGAL] & -view[dominoes.LEGAL]
    return 0 if params[params.size + (move & 1)] == 77.0 else move


@pytest.mark.parametrize(("function", "sizes"), [(far, {"matches": 5}), (far_parameter, {"hands": 3})])
def test_an_index_outside_the_arrays_is_an_error_on_request(function, sizes):
    mine = strategy(FIVES, "far", base="random", check=True, move=function)
    with pytest.raises(StrategyError) as caught:
        run(experiment(FIVES, strategies=["random", mine], seed=2, **sizes))
    where = "match 0, round 0" if "matches" in sizes else "hand 0"
    assert str(caught.value) == (
        "strategy 'far' of player 1 raised IndexError: index is out of bounds,"
        f" asked for its move in {where} of seed 2"
    )


def its_first_parameter(view, params, luck):
    """Answer with a parameter."""
    return int(params[0])


@pytest.mark.parametrize(
    ("answer", "shown"), [(0, "0, no move"), (-1, "-1, no move"), (3, "0|0 left, 0|1 left")]
)
def test_a_wrong_move_is_shown_with_the_legal_ones(answer, shown):
    mine = strategy(FIVES, "wrong", base=f"heuristic:reply={answer}", move=its_first_parameter)
    with pytest.raises(StrategyError) as caught:
        run(experiment(FIVES, matches=1, strategies=["random", mine]))
    assert re.fullmatch(
        r"strategy 'wrong' of player 1 made no legal move \(F5\) in match 0, round 0 of seed 1: it answered "
        + re.escape(shown)
        + r", legal are (\d\|\d (left|right)(, )?)+",
        str(caught.value),
    )


def raises_late(view, params, luck):
    """Raise an error in the third round of a match."""
    if view[dominoes.ROUND] == 2:
        raise RuntimeError("late")
    return view[dominoes.LEGAL] & -view[dominoes.LEGAL]


def test_an_error_of_a_function_has_its_place():
    mine = strategy(FIVES, "late", base="random", move=raises_late)
    for jobs in (1, 2):
        with pytest.raises(
            StrategyError,
            match="'late' of player 0 raised RuntimeError: late, asked for its"
            " move in match 0, round 2 of seed 1",
        ):
            run(experiment(FIVES, matches=9, strategies=[mine, "random"]), jobs, piece=1)


ENDLESS = """
import os, signal, threading, warnings
import sim
from sim.fives_and_threes.knowledge import LEGAL, VIEW_SIZE

def endless(view, params, luck):
    while luck % 9973 == 7 and view.size == VIEW_SIZE:
        pass
    return view[LEGAL] & -view[LEGAL]

def soon(_event, began=[]):
    if not began:
        began.append(threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT)))
        began[0].start()

mine = sim.strategy("fives-and-threes", "endless", base="random", move=endless)
players = [mine, "random"]
made = sim.experiment("fives-and-threes", matches=30_000, strategies=players)
for jobs in (1, 2):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = sim.run(made, jobs, piece=2, on_progress=lambda event: event.stage == "matches" and soon(event))
    soon.__defaults__[0].clear()
    same = sim.run(sim.experiment("fives-and-threes", matches=run.matches, strategies=players))
    print(run.partial, run.matches, same.digest == run.digest, *[warning.message for warning in caught])
"""


def test_a_function_that_never_answers_is_interrupted_and_named(python):
    """Ctrl-C leaves it behind: the run is kept, the process ends."""
    lines = python(ENDLESS).splitlines()
    named = (
        "strategy 'endless' of player 0 does not answer, asked for its move, in match 34, round 0 of seed 1"
    )
    assert lines == [f"True 34 True {named}"] * 2
