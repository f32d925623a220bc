"""Runs in pieces: the same integers however they are split, exactly as many as asked, and what stops them."""

import time
from dataclasses import replace

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import batch, experiment, replay, run
from sim.batch import Progress
from sim.core.rng import INDEX_STRIDE, PLAYER, below, stream_key, word
from sim.three_two_five.replay import shuffled_deck

GAME = "three-two-five"
PLAIN = {"units": 2_003, "seed": 13, "strategies": ["random", "first-suit", "heuristic"], "hands": 5}


@pytest.fixture(scope="module")
def plain():
    """The run of one job, which all others must equal."""
    return run(experiment(GAME, **PLAIN))


def same(made, other):
    assert made.digest == other.digest
    for name, counter in made.counters.items():
        np.testing.assert_array_equal(counter, other.counters[name])
    for name, counter in made.study_counters().items():
        np.testing.assert_array_equal(counter, other.study_counters()[name])


# Cases 13, 20, 21, 22: reproducible, exact, distinct.


@pytest.mark.parametrize("jobs", [1, 2, 4, -1])
@pytest.mark.parametrize("piece", [None, 1, 7, 1000])
def test_case_22_any_jobs_and_pieces_give_the_same_integers(plain, jobs, piece):
    same(run(experiment(GAME, **PLAIN), jobs, piece=piece), plain)


def test_case_22_processes_give_the_same_integers(plain):
    same(run(experiment(GAME, **PLAIN), 2, backend="loky"), plain)
    with joblib.parallel_config(backend="loky"):
        same(run(experiment(GAME, **PLAIN), 2, piece=30), plain)


def test_case_13_a_run_leaves_nothing_behind_for_the_next(plain):
    """Ten thousand deals on the same objects are those of a fresh start."""
    made = experiment(GAME, **PLAIN)
    for _ in range(5):
        same(run(made), plain)


@pytest.mark.parametrize("jobs", [1, 2, 3, 4])
@pytest.mark.parametrize("units", [1, 3, 9, 999, 1002])
def test_case_20_exactly_as_many_deals_as_asked(units, jobs):
    made = run(experiment(GAME, units=units, strategies="random"), jobs, piece=10)
    assert made.units == made.counters["totals"][2, 0] == made.counters["outcomes"].sum() == units
    matches = -(-units // 9)
    later = matches - (units % 9 == 1)
    assert made.counters["clusters"].tolist() == [matches, later, matches]
    assert made.counters["winners"].sum() == units // 9
    assert not made.partial


@pytest.mark.parametrize(("length", "matches"), [(3, 334), (9, 5), (999, 1)])
def test_case_20_whole_matches(length, matches):
    made = run(
        experiment(GAME, matches=matches, strategies="random", rules={"deals_per_match": length}), 2, piece=3
    )
    assert (made.matches, made.units) == (matches, matches * length)
    assert made.counters["winners"].sum() == matches


def rows_of(made, jobs, piece):
    """Rows of a run as they came, and the run."""
    pieces = []
    result = run(made, jobs, piece=piece, on_rows=pieces.append)
    return {name: np.concatenate([part[name] for part in pieces]) for name in pieces[0]}, result


def test_case_21_ten_thousand_deals_over_four_jobs_are_distinct():
    """Each (match, deal) once, in order, whatever the split; and no two of these have one pack."""
    made = experiment(GAME, units=10_000, seed=21, strategies="random")
    rows, result = rows_of(made, 4, 17)
    assert result.units == 10_000
    index = rows["match"] * INDEX_STRIDE + rows["deal"]
    assert len(np.unique(index)) == 10_000 and np.all(np.diff(index) > 0)
    again, _ = rows_of(made, 1, None)
    for name, column in rows.items():
        np.testing.assert_array_equal(column, again[name])
    places = zip(rows["match"].tolist(), rows["deal"].tolist(), strict=True)
    packs = {tuple(shuffled_deck(21, match, deal)) for match, deal in places}
    assert len(packs) == 10_000


@settings(max_examples=20)
@given(st.integers(0, 2**63 - 1), st.integers(1, 60), st.integers(1, 9))
def test_any_seed_any_split(seed, units, piece):
    made = experiment(GAME, units=units, seed=seed, strategies="heuristic", rules={"deals_per_match": 3})
    assert run(made, piece=piece).digest == run(made).digest


def test_case_18_the_same_strategy_on_the_same_deals_differs_by_nothing():
    """Two runs of one description are equal deal by deal, so every paired difference is zero."""
    one, _ = rows_of(experiment(GAME, matches=50, strategies="heuristic", seed=4), 1, 5)
    two, _ = rows_of(experiment(GAME, matches=50, strategies="heuristic", seed=4), 2, 3)
    for seat in ("five", "three", "two"):
        difference = one[f"score_{seat}"].astype(int) - two[f"score_{seat}"]
        assert difference.mean() == difference.std() == 0


def test_changing_a_strategy_never_changes_the_cards():
    """Own streams for shuffle, pulls and players: packs and first dealers stay, whoever plays how."""
    line_ups = (
        ["random", "random", "random"],
        ["heuristic", "random", "random"],
        ["first-suit", "heuristic+always-reveal", "random"],
    )
    played = [replay(experiment(GAME, matches=4, seed=8, strategies=names), 3) for names in line_ups]
    for records in zip(*played, strict=True):
        for key in ("deck", "hands", "dealer", "quota"):
            assert records[0][key] == records[1][key] == records[2][key]
    assert played[0][0]["tricks"] != played[1][0]["tricks"]


def test_every_player_draws_from_a_stream_of_its_own():
    """A random player's call is the first word of its own stream of that deal, whoever else sits there."""
    for strategies in ("random", ["random", "heuristic+random-suit", "first-suit+random-suit"]):
        for record in replay(experiment(GAME, matches=5, seed=5, strategies=strategies), 4):
            five = (record["dealer"] + 1) % 3
            key = stream_key(5, PLAYER + five, 4 * INDEX_STRIDE + record["deal"])
            assert record["maker"]["trump"] == "SHDC"[below(word(key, 0), 4)]


# Interrupting, resuming, progress.


class Stop:
    """Raise KeyboardInterrupt after some pieces, as Ctrl-C does; count the pieces."""

    def __init__(self, after):
        self.left = after

    def __call__(self, progress):
        """Take one report of progress."""
        self.left -= progress.stage != "compile"
        if not self.left:
            raise KeyboardInterrupt


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("after", [1, 3, 224, 226])
def test_an_interrupted_run_is_the_first_part_and_resumes_to_the_whole(plain, jobs, after):
    """224 pieces of one match or hand, of 223 matches and 5 hands: also within the option study."""
    made = experiment(GAME, **PLAIN)
    part = run(made, jobs, piece=1, on_progress=Stop(after))
    assert part.partial and part.matches == min(after, 223) and part.hands == max(0, after - 223)
    if part.matches < 223:
        alone = run(experiment(GAME, **{**PLAIN, "units": 9 * part.matches, "hands": 0}))
        np.testing.assert_array_equal(part.counters["totals"], alone.counters["totals"])
    before = part.digest
    whole = run(made, jobs, resume=part, piece=40)
    assert not whole.partial and part.digest == before, "the part itself is left as it was"
    same(whole, plain)


def test_an_interruption_while_merging_leaves_whole_pieces(monkeypatch):
    """Ctrl-C at the worst moment, between two counters of one piece: the piece counts not at all."""
    made = experiment(GAME, units=500, strategies="random")
    original = made.game.play

    class Spoilt(dict):
        """Counters that are interrupted after the first."""

        def items(self):
            """Yield one counter."""
            yield next(iter(super().items()))
            raise KeyboardInterrupt

    def play(self, described, first, matches, keep_rows):
        found = original(described, first, matches, keep_rows)
        return replace(found, counters=Spoilt(found.counters)) if first == 20 else found

    monkeypatch.setattr(type(made.game), "play", play)
    part = run(made, piece=10)
    monkeypatch.undo()
    assert part.partial and part.matches == 20
    assert part.digest == run(experiment(GAME, units=180, strategies="random")).digest


def test_a_finished_run_resumes_to_itself(plain):
    same(run(experiment(GAME, **PLAIN), resume=plain), plain)


def test_only_the_same_experiment_is_resumed(plain):
    other = experiment(GAME, **{**PLAIN, "seed": 14})
    with pytest.raises(ValueError, match="belongs to another experiment"):
        run(other, resume=plain)


@pytest.mark.parametrize("jobs", [0, -2, 1.0, True, "2", 5000])
def test_jobs_that_are_no_number_of_jobs_are_named(jobs):
    with pytest.raises(ValueError, match=f"jobs {jobs!r}: must be a whole number from 1"):
        run(experiment(GAME, units=9, strategies="random"), jobs)


def test_a_piece_holds_at_least_one():
    with pytest.raises(ValueError, match="piece 0: must be at least 1"):
        run(experiment(GAME, units=9, strategies="random"), piece=0)


def test_case_24_progress_counts_play_alone(monkeypatch):
    """Compiling, here a first call that takes long, is announced before it starts and counted apart."""
    told, calls, original = [], [], batch.play_task

    def slow_at_first(*task):
        calls.append(len(told))
        time.sleep(0 if calls[1:] else 0.5)
        return original(*task)

    monkeypatch.setattr(batch, "is_compiled", lambda kernel: False)
    monkeypatch.setattr(batch, "play_task", slow_at_first)
    made = run(experiment(GAME, units=180, strategies="random"), piece=5, on_progress=told.append)
    assert calls[0] == 1 and told[0] == Progress("compile")
    assert [(p.stage, p.total) for p in told[1:]] == [("matches", 20)] * 4
    assert [p.done for p in told[1:]] == [5, 10, 15, 20]
    assert [p.units for p in told[1:]] == [45, 90, 135, 180]
    assert 0 < told[-1].seconds <= made.seconds + 1e-3 < 0.4 and made.warm_up >= 0.5


def test_case_24_nothing_is_announced_where_nothing_compiles():
    told = []
    made = experiment(GAME, units=180, strategies="random")
    run(made)
    run(made, on_progress=told.append)
    assert "compile" not in [progress.stage for progress in told]


def test_case_24_a_resumed_run_has_the_rate_of_what_it_plays_itself():
    made = experiment(GAME, units=900, strategies="random")
    part = run(made, piece=10, on_progress=Stop(4))
    told = []
    whole = run(made, resume=part, piece=30, on_progress=told.append)
    assert [(p.done, p.units) for p in told] == [(70, 270), (100, 540)]
    assert whole.seconds >= part.seconds and whole.warm_up >= part.warm_up


def test_checkpoints_are_the_run_so_far():
    made, digests = experiment(GAME, units=900, strategies="random"), []
    run(made, 2, piece=25, on_checkpoint=lambda state: digests.append((state.matches, state.digest)))
    assert [matches for matches, _ in digests] == [25, 50, 75, 100]
    for matches, digest in digests:
        assert run(experiment(GAME, matches=matches, strategies="random")).digest == digest


def test_rows_wait_for_who_takes_them():
    """However slow the taker, a bounded number of pieces is played ahead of it."""
    played, ahead = [], []
    original = batch._play

    def counted(*task):
        played.append(task)
        return original(*task)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "_play", counted)

        def take(rows):
            ahead.append(len(played) - len(ahead))
            time.sleep(0.002)

        run(experiment(GAME, matches=400, strategies="random"), 2, piece=2, on_rows=take)
    assert len(ahead) == 200 and max(ahead) <= 2 * batch._ROWS_AHEAD


def test_case_27_one_job_starts_no_thread_and_no_process(monkeypatch):
    monkeypatch.setattr(joblib, "Parallel", None)
    assert run(experiment(GAME, units=90, strategies="random"), piece=1).units == 90
