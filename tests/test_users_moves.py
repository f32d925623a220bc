"""Users' own functions of Fives and Threes: who is asked, and what goes wrong has a name and a place."""

import re
from dataclasses import replace

import numpy as np
import pytest

from sim import StrategyError, experiment, find_game, run, strategy
from sim.core.jit import helper
from sim.fives_and_threes import kernel
from sim.fives_and_threes import knowledge as dominoes
from sim.fives_and_threes.strategies import specialised_kernel

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


@helper
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


def lowest(view, params, luck):
    """Make the lowest legal move."""
    return view[dominoes.LEGAL] & -view[dominoes.LEGAL]


def highest(view, params, luck):
    """Make the highest legal move."""
    move = view[dominoes.LEGAL]
    while move & (move - 1):
        move &= move - 1
    return move


def by_parameter(view, params, luck):
    """Make the lowest legal move, or the highest, as a parameter says."""
    return highest_of(view, params, luck) if params[0] else lowest_of(view, params, luck)


lowest_of, highest_of = helper(lowest), helper(highest)
LOW, HIGH = (strategy(FIVES, name, move=move) for name, move in (("low", lowest_of), ("high", highest_of)))
LOW_BY_PARAMETER, HIGH_BY_PARAMETER = (
    strategy(FIVES, f"reply {reply}", base=f"heuristic:reply={reply}", move=helper(by_parameter))
    for reply in (0, 1)
)


def test_several_functions_at_one_table_are_asked_by_their_own_players():
    tables = [LOW, HIGH, LOW, "greedy"], [LOW_BY_PARAMETER, HIGH_BY_PARAMETER, LOW_BY_PARAMETER, "greedy"]
    first, second = (
        run(experiment(FIVES, matches=200, strategies=table, rules={"players": 4})) for table in tables
    )
    for name, counter in first.counters.items():
        np.testing.assert_array_equal(counter, second.counters[name], err_msg=name)


def test_other_seats_and_parameters_compile_nothing():
    book = find_game(FIVES).book
    other = replace(LOW, name="other", params=tuple(1.0 for _ in LOW.params))
    one, *more = (
        specialised_kernel(kernel.play_matches, table)
        for table in ((LOW, book.parse("random")), (book.parse("random"), other), (LOW,) * 4)
    )
    assert one is not kernel.play_matches and all(again is one for again in more)
    assert specialised_kernel(kernel.play_matches, (LOW, HIGH)) is not one
