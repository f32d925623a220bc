"""What the compiled kernels are made of: nothing counts references where only cards and tiles move.

Numba counts references to arrays with locked instructions; if every helper did, a kernel would have well
over a hundred of them, in its inner loops. Read is the optimised code that LLVM turns into instructions one
by one; unlike a listing of the machine code it is there for kernels that were loaded from the cache as well.
"""

import importlib
import pkgutil
import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from numba import config, types
from numba.core.dispatcher import Dispatcher

import sim
from sim.book.book import build as build_book
from sim.book.plan import plan_type
from sim.core import jit
from sim.core.jit import Decider, allocating, helper, plain
from sim.equity.plan import EquityPlan
from sim.equity.playing import play_on
from sim.equity.table import build as build_equity
from sim.fives_and_threes.equity.standing import Standing as DominoStanding
from sim.fives_and_threes.solving import open_hands as open_dominoes
from sim.fives_and_threes.solving.endings import new_solver as new_domino_solver
from sim.three_two_five.equity.outcomes import option_outcomes
from sim.three_two_five.equity.standing import Standing
from sim.three_two_five.solving import open_hands
from sim.three_two_five.solving.endings import new_solver

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")

GAMES = ("three-two-five", "fives-and-threes")
COUNTING = re.compile(r"call .*@(NRT_incref|NRT_decref)\(")
LOCKED = re.compile(r"\b(atomicrmw|cmpxchg)\b")
MOST_HELD = 16
"""Times that a kernel takes hold of an array: its arguments, its scratch and what it allocates once."""
MOST_HELD_THINKING = 50
"""Of a decider, which allocates worlds, tables, ranks and lanes in several routines; a nested player's brief
thought stands in its code three times, once a place in the trick."""
MOST_LET_GO = 90
"""Places where an array is let go: each of those held, on every way out."""


def modules():
    """All modules of the simulations."""
    for found in pkgutil.walk_packages(sim.__path__, "sim."):
        yield importlib.import_module(found.name)


def kernels():
    """Every kernel, by module and name: what is compiled with a cache of its own."""
    return {
        f"{module.__name__}.{name}": value
        for module in modules()
        for name, value in vars(module).items()
        if isinstance(value, Dispatcher)
        and value.py_func.__module__ == module.__name__
        and value.stats.cache_path is not None
    }


def deciders():
    """Every decider, by the name that its code has."""
    found = [value for module in modules() for value in vars(module).values() if isinstance(value, dict)]
    return {value.name: value for table in found for value in table.values() if isinstance(value, Decider)}


def play_a_little():
    """Have every kernel compiled, or read from the cache, by a small task of its own."""
    for name in GAMES:
        game = sim.find_game(name)
        strategy = game.book.parse("random")
        sim.run(sim.experiment(game, matches=1, hands=1, completions=2, strategies="random"))
        build_equity(EquityPlan(game, game.rules_type(), strategy, 1, 0.05))
        kind, rules = plan_type(game), game.rules_type()
        book = kind(rules, (strategy,) * game.players(rules), precision=1.0, every=30_000)
        build_book(replace(book, every=1, hands=(int(book.cards[0]),)))
        played = sim.experiment(game, matches=1, strategies="random")
        play_on(
            played, Standing((0, 0, 0), 1) if game.players(played.rules) == 3 else DominoStanding((0, 0), 0)
        )
        if game.players(played.rules) == 3:
            option_outcomes(EquityPlan(game, game.rules_type(), strategy, 1, 0.05), 1, 4)
    open_hands.card_values([1, 2, 4], 0, [], 0)
    position = open_hands.position_row([1, 2, 4], 0, [], 0, 0)[np.newaxis]
    for solve in (open_hands.guarantees, open_hands.vectors):
        solve(position, False, plain(new_solver)(10), np.zeros(1, np.int64))
    hands, ends = [1, 2, 4], (open_dominoes.OPEN, open_dominoes.SHUT)
    open_dominoes.move_values(hands, ends, 0)
    row = open_dominoes.position_row(hands, ends, 0, 0)[np.newaxis]
    for solve in (open_dominoes.guarantees, open_dominoes.vectors):
        solve(row, False, plain(new_domino_solver)(10), np.zeros(1, np.int64))


@pytest.fixture(scope="module")
def libraries():
    """The machine code of every kernel and decider, by name."""
    if jit.CACHE_FOLDER is None:
        pytest.skip("kernels are known by their cache, and none can be written here")
    play_a_little()
    for decider in deciders().values():
        assert decider.address
    code = {name: decider._compiled._library for name, decider in deciders().items()}
    for name, function in kernels().items():
        assert function.signatures, f"{name}: no task of play_a_little needs it"
        code[name] = next(iter(function.overloads.values())).library
    return code


def counts_of(library):
    """Calls that count references, and locked instructions, in all functions but numba's own of counting."""
    found = Counter()
    for function in str(library._get_module_for_linking()).split("\ndefine ")[1:]:
        if "@NRT_" not in function.partition("(")[0]:
            found.update(match[1] for match in COUNTING.finditer(function))
            found.update(match[1] for match in LOCKED.finditer(function))
    return found


def test_references_are_counted_where_arrays_are_made_and_let_go_alone(libraries):
    """In no kernel and no decider is a helper that counts; nothing else is locked."""
    for name, library in libraries.items():
        found = counts_of(library)
        most = MOST_HELD_THINKING if name.startswith("decide_") else MOST_HELD
        assert set(found) <= {"NRT_incref", "NRT_decref"}, name
        assert found["NRT_incref"] <= most, (name, found)
        assert 0 < found["NRT_decref"] <= MOST_LET_GO, (name, found)


@pytest.mark.parametrize(
    ("compiled", "counts"), [(helper, False), (allocating, True)], ids=["helper", "allocating"]
)
def test_what_a_helper_saves_is_seen(compiled, counts):
    """The same function counts references when it is compiled as one that may allocate."""
    function = compiled(lambda values: values[1:].sum() if values.size > 3 else values[0])
    function.compile((types.int64[::1],))
    library = next(iter(function.overloads.values())).library
    assert bool(counts_of(library)) == counts
