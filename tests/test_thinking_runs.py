"""Matches of the players of 3-2-5 that think: names, records, threads, processes, the cache, plain Python."""

import re
from random import Random

import numpy as np
import pytest
from drawn_decisions import KINDS, answer, answer_to, draw_decision
from reference.referee_three_two_five import referee

from sim import experiment, replay, run, strategy
from sim.core import jit
from sim.core.rng import word
from sim.three_two_five.knowledge import LEGAL
from sim.three_two_five.strategies import BOOK
from sim.three_two_five.thinking.parameters import THOUGHT

GAME = "three-two-five"


# Names.


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("rollout-50", {"worlds": 50}),
        ("rollout-10000", {"worlds": 10_000}),
        ("nested-40+mixed", {"worlds": 40, "mixed": 3}),
        ("expert", {"worlds": 80, "mixed": 3, "solve": 4, "infer": 1}),
        ("expert+solve-6", {"worlds": 80, "mixed": 3, "solve": 6, "infer": 1}),
        ("rollout-9+solve-10+infer:dealt=2", {"worlds": 9, "solve": 10, "infer": 1, "dealt": 2}),
        (
            "rollout-9+against-random",
            {"worlds": 9, "infer": 1, "others": 0, "unlikely_play": 0.02, "unlikely_call": 0.02},
        ),
    ],
)
def test_a_name_says_what_a_player_thinks(name, settings):
    named = dict(zip(BOOK.parameters, BOOK.parse(name).params, strict=True))
    assert named == BOOK.parameters | settings


_POLICIES = "random, first-suit, heuristic, rollout-N, nested-N, expert"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rollout-0", "'rollout-0': the number must be from 1 to 10000"),
        ("nested-99999999", "'nested-99999999': the number must be from 1 to 10000"),
        ("rollout-5+solve-11", "'solve-11': the number must be from 1 to 10"),
        ("rollout-5+solve-0", "'solve-0': the number must be from 1 to 10"),
        ("rollout-5+infer+infer", "strategy 'rollout-5+infer+infer': addition 'infer' is given twice"),
        (
            "nested-5+solve-2+solve-3",
            "strategy 'nested-5+solve-2+solve-3': addition 'solve-K' is given twice",
        ),
        ("rollout-5:worlds=0", "parameter worlds='0': must be a whole number from 1 to 10000"),
        ("rollout-5:worlds=-1", "parameter worlds='-1': must be a whole number from 1 to 10000"),
        ("rollout-5:inner=1.5", "parameter inner='1.5': must be a whole number from 1 to 100"),
        ("rollout-5:others=3", "parameter others='3': must be a whole number from 0 to 2"),
        ("rollout-5:unlikely_play=0", "parameter unlikely_play='0': must be a number from 0.001 to 1.0"),
        *(
            (name, f"no strategy {name!r}: valid are {_POLICIES}")
            for name in (
                "rollout",
                "rollout-",
                "rollout-N",
                "rollout-1e3",
                "rollout--5",
                "rollout-٣",
                "expert-3",
            )
        ),
    ],
)
def test_a_name_that_is_wrong_is_refused_in_one_line(name, said):
    with pytest.raises(ValueError) as caught:
        BOOK.parse(name)
    assert str(caught.value) == said


def test_an_unknown_addition_names_the_known_ones():
    with pytest.raises(ValueError, match=r"no addition to 'rollout-5' 'clever': valid are .*solve-K, infer,"):
        BOOK.parse("rollout-5+clever")


@pytest.mark.parametrize("name", ["rollout-50", "rollout-3", "nested-7+infer", "expert", "expert:worlds=3"])
def test_names_of_thinking_players_are_taken(name):
    with pytest.raises(ValueError, match=re.escape(f"name {name!r}: taken by a built-in strategy")):
        strategy(GAME, name, base="random", card=lambda view, params, luck: view[LEGAL])


def test_every_setting_has_a_range_that_its_default_is_in():
    for name, value in THOUGHT.items():
        least, most = BOOK.ranges[name]
        assert least <= value <= most


# Matches.


@pytest.mark.parametrize("name", ["rollout-50", "nested-40", "expert"])
def test_the_referee_accepts_players_of_full_strength(name):
    """R1–R27: one match of each, pulls and all."""
    records = replay(experiment(GAME, matches=1, seed=5, strategies=name), 0)
    referee(records)
    assert sum(len(record["pulls"]) for record in records) > 5


THINKING = ["rollout-4+infer+solve-2", "nested-3+mixed", "rollout-6+against-first-suit"]


def digest(jobs, strategies=tuple(THINKING), **options):
    made = experiment(GAME, matches=4, hands=2, completions=3, seed=2, strategies=list(strategies))
    return run(made, jobs, piece=1, **options).digest


def test_threads_and_processes_give_the_same_counters():
    """Addresses of machine code are found anew in each process."""
    alone = digest(1)
    assert digest(2) == alone
    assert digest(2, backend="loky") == alone


@pytest.mark.parametrize("name", ["rollout-2", "rollout-3+infer+solve-2:dealt=2", "nested-2:inner=1"])
def test_plain_python_decides_the_same(python, name):
    """Without the compiler, and without any machine instruction: a card, a return, a trump, a tie."""
    rng, asked = Random(name), []
    for phase, gone in (("play", 12), ("play", 22), ("return", 0), ("maker", 0), ("tie", 0)):
        decision = draw_decision(rng, phase, gone, debts=(2, 1, -3))
        asked.append((KINDS[phase], decision.view().tolist(), gone))
    script = f"""
import numpy as np
from sim.core.rng import word
from sim.three_two_five.strategies import BOOK
from sim.three_two_five.thinking.decisions import DECIDERS
strategy = BOOK.parse({name!r})
params = np.array([strategy.params] * 9)
for kind, view, gone in {asked}:
    decide = DECIDERS[kind, strategy.policies[BOOK.decisions.index(kind)]].function
    print(decide(np.array(view), params, word(9, gone)))
"""
    options = ("-W", "ignore:overflow encountered")
    plain = python(script, *options, NUMBA_DISABLE_JIT="1", DEALWORTH_PORTABLE="1")
    given = [answer_to(name, kind, np.array(view), word(9, gone)) for kind, view, gone in asked]
    assert [int(line) for line in plain.split()] == given


@pytest.mark.skipif(jit.CACHE_FOLDER is None, reason="no cache can be written here")
def test_a_second_process_finds_the_machine_code_in_the_cache(python):
    """Deciders are compiled once for all processes."""
    assert answer("rollout-1", draw_decision(Random(1), "play"), 1)
    script = """
from sim.three_two_five.strategies import BOOK, strategy_rows
from sim.three_two_five.thinking.decisions import DECIDERS
decider = DECIDERS["card", BOOK.parse("rollout-1").policies[0]]
print(decider.compiled, decider.address > 0, decider._compiled.cache_hits)
"""
    assert python(script).split() == ["True", "True", "1"]
