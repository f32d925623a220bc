"""The ladder of 3-2-5 as it is planned, played, interrupted and kept."""

import json
from dataclasses import replace

import numpy as np
import pytest

from sim import experiment, replay, run, strategy
from sim import load as load_run
from sim.core.game import COSTS, find_game
from sim.folders import COUNTERS, MANIFEST
from sim.ladder.folder import LadderFolder, load, save
from sim.ladder.ladder import Ladder, play_ladder
from sim.ladder.parts import CELL, HANDS, parts_of, play_part
from sim.ladder.plan import from_dict
from sim.ladder.plan import plan_ladder as plan_any_ladder
from sim.ladder.sizes import Sizes, TableSize
from sim.three_two_five.heuristic import PARAMETERS
from tests.made_up_ladders import ALIKE

GAME = "three-two-five"
WEAK = ("random", "first-suit")
SMALL = Sizes(cells=((30,),), tables=(TableSize(20, 3, 4),))


def plan_ladder(*strategies, **options):
    """Plan a ladder of 3-2-5."""
    return plan_any_ladder(GAME, *strategies, **options)


def small(**options):
    return plan_ladder(WEAK, ("heuristic",), **{"sizes": SMALL, "seed": 3, **options})


@pytest.fixture(scope="module")
def made():
    """A small ladder, played once."""
    return play_ladder(small())


# Plans.


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"strategies": ("random",)}, "a ladder needs two strategies"),
        ({"strategies": ("random",)}, "at least one of them a rung"),
        ({"strategies": ("random", "random")}, "'random' is named twice"),
        ({"challengers": ("random",)}, "'random' is named twice"),
        ({"strategies": ("genius", "random")}, "no strategy 'genius'"),
        ({"matches": 3}, "matches 3: a cell needs at least 4"),
        ({"seed": -1}, "seed -1"),
        ({"rules": {"scoring": "golf"}}, "scoring='golf'"),
        ({"sizes": Sizes(((4,),), (TableSize(4, 3, 1),))}, "completions 1"),
    ],
)
def test_a_plan_that_cannot_be_is_named(options, complaint):
    with pytest.raises(ValueError, match=complaint):
        plan_ladder(**{"strategies": WEAK, **options})


def test_sizes_must_fit_the_cells():
    with pytest.raises(ValueError, match="3 cells and 2 tables: this ladder has 4 and 2"):
        replace(small(), matches=(4, 4, 4))


def test_plans_are_read_back_by_name():
    for written in (
        small(),
        small(matches=7, rules={"scoring": "surplus", "deals_per_match": 3}),
        plan_ladder(("heuristic:cover=0.4",), ("first-suit", "heuristic+never-reveal"), seed=9, quick=True),
    ):
        assert from_dict(written.game, json.loads(json.dumps(written.as_dict()))) == written


def test_every_strategy_meets_two_of_every_rung():
    plan = small()
    names = [tuple(plan.names_of(cell).values()) for cell in plan.cells]
    assert names == [
        ("first-suit", "random"),
        ("heuristic", "random"),
        ("random", "first-suit"),
        ("heuristic", "first-suit"),
    ]
    assert [one.name for one in plan.line_up(plan.cells[1], 1).strategies] == [
        "random",
        "heuristic",
        "random",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("random", "fast"),
        ("heuristic+always-reveal", "fast"),
        ("rollout-50", "thinking"),
        ("rollout-50+solve-4", "thinking"),
        ("nested-40", "deep"),
        ("expert", "deep"),
    ],
)
def test_cost_follows_from_the_play(name, expected):
    assert COSTS[find_game(GAME).cost([strategy(GAME, name)])] == expected


def test_rungs_meet_whatever_they_answer_and_a_challenger_must_meet_somebody():
    plan = plan_ladder(["random", "heuristic", "rollout-9+against-random"], quick=True, matches=4)
    assert len(plan.cells) == 6
    wider = plan_ladder(["heuristic", "random"], ["rollout-9+against-heuristic+solve-3"], matches=4)
    assert [cell[:2] for cell in wider.cells if cell.one == 2] == [(2, 0)]
    with pytest.raises(ValueError, match=r"challenger 'rollout-9\+against-first-suit': answers a strategy"):
        plan_ladder(["random", "heuristic"], ["rollout-9+against-first-suit"], matches=4)


def test_an_answer_to_one_strategy_meets_only_that_one():
    plan = plan_ladder(
        ["random", "heuristic"], ["rollout-9+against-heuristic", "rollout-9"], quick=True, matches=4
    )
    met = [tuple(plan.names_of(cell).values()) for cell in plan.cells if cell.one > 1]
    assert met == [
        ("rollout-9", "random"),
        ("rollout-9+against-heuristic", "heuristic"),
        ("rollout-9", "heuristic"),
    ]


@pytest.mark.parametrize("quick", [True, False])
def test_dear_strategies_play_less(quick):
    """A cell is as large as the dearer of its two strategies allows; a table as its own."""
    plan = plan_ladder(quick=quick)
    by_pair = {
        tuple(plan.names_of(cell).values()): matches
        for cell, matches in zip(plan.cells, plan.matches, strict=True)
    }
    assert (
        by_pair["random", "heuristic"] > by_pair["rollout-50", "heuristic"] > by_pair["expert", "heuristic"]
    )
    assert by_pair["expert", "rollout-50"] == by_pair["rollout-50", "expert"]
    matches = [table.matches for table in plan.tables]
    assert matches[0] == matches[2] > matches[3] > matches[4]


# Playing.


def placed(rules, seed, one, two, places):
    """Replay the same matches with one strategy in each of some places, two of another around it."""
    for place in places:
        players = [two] * 3
        players[place] = one
        played = experiment(GAME, matches=6, seed=seed, strategies=players, rules=rules)
        for match in range(6):
            for record in replay(played, match):
                yield match, place, record


@pytest.mark.parametrize("scoring", ["difference", "tricks", "surplus"])
@pytest.mark.parametrize("pulls", [True, False])
def test_a_cell_is_what_the_records_of_its_matches_say(scoring, pulls):
    """R26: scores over the three places, less those of three of the other, match by match and by half."""
    rules = {"scoring": scoring, "pulls": pulls, "deals_per_match": 3}
    plan = plan_ladder(WEAK, rules=rules, seed=5, sizes=ALIKE, matches=6)
    counters = play_ladder(plan).counters
    for cell, (one, two) in enumerate((WEAK[::-1], WEAK)):
        totals = np.zeros((6, len(plan.model.quantities)), np.int64)
        for match, place, record in placed(rules, 5, one, two, range(3)):
            seat = (place - record["dealer"] - 1) % 3
            totals[match, 0] += record["score"][place]
            totals[match, 1 + seat] += record["tricks_won"][place]
        for match, _, record in placed(rules, 5, two, two, (0,)):
            totals[match, 0] -= sum(record["score"])
        for half in (0, 1):
            own = totals[half::2]
            assert counters["count"][cell, half] == 3
            assert counters["sums"][cell, half].tolist() == own.sum(axis=0).tolist()
            assert counters["squares"][cell, half].tolist() == (own**2).sum(axis=0).tolist()


def test_case_18_the_same_strategy_gains_exactly_nothing():
    """Two names of one strategy: whoever sits where, the deals go the same way."""
    same = f"heuristic:cover={PARAMETERS['cover']}"
    for scoring in ("difference", "surplus"):
        plan = plan_ladder(("heuristic", same), rules={"scoring": scoring}, sizes=ALIKE)
        counters = play_ladder(plan).counters
        assert (counters["count"] == 2).all() and not counters["squares"][:, :, 0].any()
        assert counters["squares"][:, :, 1:].all()


def test_scoring_by_tricks_gains_what_scoring_by_difference_does(made):
    """R26: the two differ by the quota alone, which everybody holds equally often."""
    by_tricks = play_ladder(small(rules={"scoring": "tricks"}))
    for name, counter in made.counters.items():
        assert (by_tricks.counters[name] == counter).all()


def test_a_rung_s_own_table_is_an_ordinary_run(made):
    for number, name in enumerate(WEAK):
        alone = run(experiment(GAME, matches=20, strategies=name, hands=3, completions=4, seed=3))
        assert made.tables[number].digest == alone.digest
        assert made.tables[number].description == alone.description


def test_exactly_what_was_planned_is_counted(made):
    """Case 20."""
    assert made.matches.tolist() == [30] * 4 and not made.partial
    assert made.counters["count"].tolist() == [[15, 15]] * 4
    assert made.units == 4 * 30 * 27 + 2 * (20 * 9 + 3 * 4 * 5)
    assert [(table.matches, table.hands) for table in made.tables] == [(20, 3)] * 2


@pytest.mark.parametrize("options", [{"jobs": 2}, {"piece": 1}, {"jobs": 2, "piece": 7}])
def test_any_jobs_and_pieces_give_the_same_integers(made, options):
    """Case 22."""
    assert play_ladder(small(), **options).digest == made.digest


def test_dear_players_come_first_one_match_and_place_at_a_time():
    plan = small()
    pace = {"random": 1e-6, "first-suit": 2e-6, "heuristic": 1.0}
    parts = list(parts_of(plan, Ladder.blank(plan).strands, pace, None))
    dear = [part for part in parts if part.seconds > 1]
    assert parts[: len(dear)] == dear and len(dear) == 2 * 30 * 3
    assert all(part.task.count == 1 for part in dear)
    assert [part.place for part in dear[:6]] == [0, 1, 2, 0, 1, 2]
    of_cells = [part for part in parts if part.strand.kind == CELL]
    counted = {
        (part.strand.number, part.place, match)
        for part in of_cells
        for match in range(part.task.first, part.task.first + part.task.count)
    }
    assert len(counted) == sum(part.task.count for part in of_cells) == 4 * 3 * 30


def test_progress_counts_every_deal_and_foretells_the_time():
    events = []
    ladder = play_ladder(small(), on_progress=events.append, piece=10)
    last = events[-1]
    assert [event.done for event in events] == sorted(event.done for event in events)
    assert last.done == last.total == last.units == ladder.units and last.left == pytest.approx(0, abs=1e-6)
    assert all(event.stage == "deals" and event.left >= 0 for event in events if event.stage != "compile")
    assert events[len(events) // 2].left > 0 and ladder.seconds > 0


def interrupted_after(pieces, plan, **options):
    """Play a ladder that Ctrl-C ends once it has reported so many pieces."""
    seen = []

    def stop(event):
        seen.append(event)
        if sum(event.stage == "deals" for event in seen) == pieces:
            raise KeyboardInterrupt

    return play_ladder(plan, on_progress=stop, piece=5, **options)


@pytest.mark.parametrize("pieces", [1, 2, 4, 30, 75, 81])
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_ladder_goes_on_to_the_same(made, tmp_path, pieces, jobs):
    """Also where the last matches had not been played in all three places."""
    cut = interrupted_after(pieces, small(), jobs=jobs)
    assert cut.partial and cut.units < made.units
    save(cut, tmp_path)
    again = load(tmp_path)
    assert (again.digest, again.partial) == (cut.digest, True)
    resumed = play_ladder(again.plan, resume=again)
    assert (resumed.digest, resumed.partial) == (made.digest, False)
    assert resumed.seconds > cut.seconds and resumed.warm_up > cut.warm_up


def test_only_the_same_plan_is_resumed(made):
    with pytest.raises(ValueError, match="the ladder to resume has another plan"):
        play_ladder(small(seed=4), resume=made)


def test_errors_come_from_independent_matches():
    """Intervals of 20 matches hold the mean of 6,000 about 19 times in 20."""
    plan = plan_ladder(WEAK, sizes=ALIKE, matches=6000, seed=11)
    strand = next(strand for strand in Ladder.blank(plan).strands if strand.kind == CELL)
    parts = [part for part in parts_of(plan, [strand], dict.fromkeys(WEAK, 0.0), 6000)]
    gains = sum(play_part(plan, part) for part in parts)[:, 0].astype(float)
    groups = gains.reshape(-1, 20)
    error = groups.std(axis=1, ddof=1) / np.sqrt(20)
    held = np.abs(groups.mean(axis=1) - gains.mean()) < 2.093 * error
    assert 0.92 < held.mean() < 0.98


# Folders.


def test_a_ladder_is_kept_whole(made, tmp_path):
    save(made, tmp_path / "kept")
    again = load(tmp_path / "kept")
    assert (again.plan, again.digest, again.units) == (made.plan, made.digest, made.units)
    assert (again.seconds, again.warm_up, again.jobs) == (made.seconds, made.warm_up, made.jobs)
    assert again.versions == made.versions and not again.partial
    stored = json.loads((tmp_path / "kept" / MANIFEST).read_text(encoding="utf-8"))
    assert (stored["kind"], stored["digest"], stored["partial"]) == ("ladder", made.digest, False)
    assert stored["plan"]["cells"][0] == {"one": "first-suit", "two": "random", "matches": 30}
    for number, table in enumerate(made.tables):
        assert again.tables[number].digest == table.digest


def test_counters_that_are_not_those_of_the_manifest_are_refused(made, tmp_path):
    save(made, tmp_path)
    with np.load(tmp_path / COUNTERS) as stored:
        arrays = dict(stored)
    arrays["sums"][0, 0, 0] += 1
    np.savez(tmp_path / COUNTERS, **arrays)
    with pytest.raises(ValueError, match=r"ladder folder .* counters.npz was changed"):
        load(tmp_path)


def test_a_plan_that_was_changed_is_refused(made, tmp_path):
    save(made, tmp_path)
    stored = json.loads((tmp_path / MANIFEST).read_text(encoding="utf-8"))
    stored["plan"]["cells"][0]["matches"] += 1
    (tmp_path / MANIFEST).write_text(json.dumps(stored), encoding="utf-8")
    with pytest.raises(ValueError, match="its settings do not have its settings_digest"):
        load(tmp_path)


def test_a_kill_between_the_two_files_loses_nothing(made, tmp_path):
    """The counters carry their own numbers; the manifest may be older."""
    save(interrupted_after(4, small()), tmp_path)
    older = (tmp_path / MANIFEST).read_text(encoding="utf-8")
    later = interrupted_after(40, small())
    save(later, tmp_path)
    (tmp_path / MANIFEST).write_text(older, encoding="utf-8")
    found = load(tmp_path)
    assert found.digest == later.digest
    assert play_ladder(found.plan, resume=found).digest == made.digest


def test_folders_of_other_kinds_are_told_apart(made, tmp_path):
    save(made, tmp_path / "ladder")
    with pytest.raises(ValueError, match="holds a ladder, not a run"):
        load_run(tmp_path / "ladder")
    with pytest.raises(ValueError, match="is no ladder folder"):
        load(tmp_path / "nothing")
    with pytest.raises(ValueError, match="exists already"):
        LadderFolder(tmp_path / "ladder")
    with pytest.raises(ValueError, match="ladder' is complete: nothing to resume"):
        LadderFolder(tmp_path / "ladder", resume=True)
    assert load(tmp_path / "ladder").digest == made.digest
    LadderFolder(tmp_path / "ladder", force=True).abandon()
    assert not list((tmp_path / "ladder").iterdir())


def test_hands_of_a_table_come_in_order(made):
    """Their counters have one entry a hand, so that pieces must stay in sequence."""
    counters = play_ladder(small(), jobs=2, piece=1).tables[1].study_counters()
    for name, counter in made.tables[1].study_counters().items():
        assert (counters[name] == counter).all()
    assert sum(strand.kind == HANDS for strand in made.strands) == 2
