"""The chance to win at Fives and Threes: against exact recursion and matches played on, whole and same."""

import numpy as np
import pytest
from exact_dominoes import exact_chances
from scipy.optimize import minimize

import sim
from analysis.fives_and_threes.equity.shipped import shipped_equity, shipped_manifest, shipped_plan
from analysis.fives_and_threes.equity.table import Chances, dear_points, equity_table
from sim.equity.folder import EquityFolder, load, save
from sim.equity.model import model_of
from sim.equity.plan import EquityPlan, from_dict
from sim.equity.playing import play_on
from sim.equity.table import Equity, build, parts_of
from sim.fives_and_threes.equity.model import fewest
from sim.fives_and_threes.equity.solve import solve
from sim.fives_and_threes.equity.standing import Standing, play

GAME = sim.find_game("fives-and-threes")
SHIPPED = [2, 4]


def plan(strategy="random", seed=1, precision=0.02, **rules):
    return EquityPlan(GAME, GAME.rules_type(**rules), GAME.book.parse(strategy), seed, precision)


SMALL = {"target": 7, "hand": 2}


@pytest.fixture(scope="module")
def small():
    return build(plan(**SMALL))


def check_against_exact(size, precision, seeds):
    """Errors of the whole table, in standard errors, over independent seeds."""
    exact = exact_chances(size, 7)
    found = [equity_table(build(plan(seed=s, precision=precision, target=7, hand=size))) for s in seeds]
    off = np.array([(one["chance"] - exact.ravel()) / one["se"] for one in found])
    assert np.abs(off).max() < 5
    assert 0.8 < np.sqrt((off**2).mean()) < 1.2
    assert all((one["se"] <= precision).all() for one in found)


def test_one_tile_each_is_as_the_exact_recursion_has_it():
    check_against_exact(1, 0.01, range(1, 13))


@pytest.mark.long
def test_two_tiles_each_are_as_the_exact_recursion_has_them():
    check_against_exact(2, 0.005, range(1, 13))


def test_f13_at_sixty_only_one_point_changes_a_score():
    """Anything above is dropped, and the round goes on; 59 can go to 60 and 61, one point after the other."""
    made = plan("heuristic")
    model = model_of(made)
    for own, other in ((60, 60), (60, 59), (59, 59)):
        cell = own * 61 + other
        counts = model.play(cell, np.zeros(1, np.int64), np.array([4000]))
        table = counts.reshape(61 - own + 1, 61 - other + 1)
        assert table.sum() == 4000 and table[-1, -1] == 0
        assert table[-1].sum() > 0 and table[:, -1].sum() > 0
        if own == 59:
            assert table[1].sum() > 0


def test_f13_the_round_stops_at_once_at_the_target():
    """Nobody answers a hit: both sides are never at the target, and what follows it is not counted."""
    model = model_of(plan(target=1))
    counts = model.play(0, np.zeros(1, np.int64), np.array([2000])).reshape(2, 2)
    # Five of the 28 opening tiles count 3 or 5, one point: then the round is over.
    assert counts[1, 1] == 0 and counts.sum() == 2000
    assert counts[1, 0] > 2000 * 5 / 28 - 4 * 17


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("strategy", ["random", "heuristic"])
def test_matches_played_on_from_nothing_are_the_ordinary_ones(players, strategy):
    made = sim.experiment(GAME, matches=20, strategies=strategy, rules={"players": players})
    winners = np.zeros((4, 4), np.int64)
    for match in range(20):
        starter = GAME.replay(made, match)[0]["starter"]
        winners[starter, :3] += play(made, Standing((0,) * made.rules.sides, starter), match, 1)[0]
    assert (winners == sim.run(made).counters["winners"]).all()


def test_the_same_integers_for_any_jobs_and_pieces(small):
    """Case 22."""
    for jobs, piece in ((2, None), (1, 777), (2, 50)):
        assert build(plan(**SMALL), jobs, piece=piece).digest == small.digest
    assert build(plan(seed=2, **SMALL)).digest != small.digest


@pytest.mark.parametrize("stop", [1, 3, 8])
def test_an_interrupted_table_goes_on_to_the_same(small, tmp_path, stop):
    seen = []

    def interrupt(_progress):
        seen.append(1)
        if len(seen) == stop + 1:
            raise KeyboardInterrupt

    cut = build(plan(**SMALL), piece=4000, on_progress=interrupt)
    assert cut.partial and 0 < cut.units < small.units
    save(cut, tmp_path)
    with EquityFolder(tmp_path, resume=True) as folder:
        folder.finish(build(plan(**SMALL), 2, resume=folder.resumed))
    assert load(tmp_path).digest == small.digest and load(tmp_path).complete


def test_a_folder_gives_back_the_table_and_refuses_other_counts(small, tmp_path):
    save(small, tmp_path)
    again = load(tmp_path)
    assert (again.digest, again.plan, again.complete) == (small.digest, small.plan, True)
    with pytest.raises(ValueError, match="exists already"):
        EquityFolder(tmp_path)
    with pytest.raises(ValueError, match="complete: nothing to resume"):
        EquityFolder(tmp_path, resume=True)
    arrays = dict(np.load(tmp_path / "counters.npz"))
    arrays["counts"] = np.roll(arrays["counts"], 1)
    np.savez(tmp_path / "counters.npz", **arrays)
    with pytest.raises(ValueError, match="cannot be read"):
        load(tmp_path)


def test_another_plan_is_not_resumed(small):
    with pytest.raises(ValueError, match="another plan"):
        build(plan(seed=3, **SMALL), resume=small)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"players": 3}, "three players"),
        ({"target": None}, "target=None"),
        ({"target": 400}, "from 1 to 100"),
    ],
)
def test_tables_that_cannot_be_are_refused(rules, words):
    with pytest.raises(ValueError, match=words):
        Equity.blank(plan(**rules))


def test_a_target_that_is_never_met_is_refused():
    """One tile each and an out worth 5: every event is 5 or more, so that 4 cannot be met (F13)."""
    with pytest.raises(ValueError, match="may never end"):
        build(plan(target=4, hand=1, out_bonus=5))


def test_parts_cover_what_is_left_once():
    played, wanted = np.array([5, 0, 9, 40, 2, 0]), np.array([5, 30, 10, 1000, 1, 3])
    total = np.zeros(6, np.int64)
    for part in parts_of(played, wanted, 100):
        rows = slice(part.start, part.start + part.first.size)
        assert part.more.sum() <= 100
        assert (part.first == played[rows] + total[rows]).all()
        total[rows] += part.more
    assert (total == np.maximum(wanted - played, 0)).all()


def test_the_fewest_rounds_hold_every_bound_and_are_near_the_optimum():
    rng = np.random.default_rng(1)
    squares = np.triu(rng.random((6, 6))).astype(np.float32) + np.eye(6, dtype=np.float32)
    spread, allowed = rng.random(6).astype(np.float32), (rng.random(6) * 1e-3 + 1e-4).astype(np.float32)
    found = fewest(squares, spread, allowed)
    assert (squares @ (spread / found) <= allowed * 1.0001).all()
    best = minimize(
        lambda x: float(np.exp(x).sum() / found.sum()),
        np.log(found.astype(float) * 1.2),
        constraints={
            "type": "ineq",
            "fun": lambda x: (1 - squares @ (spread / np.exp(x)) / allowed).astype(float),
        },
        method="SLSQP",
        options={"maxiter": 500},
    )
    assert found.sum() <= 1.02 * np.exp(best.x).sum()


def test_plans_are_read_back_and_checked():
    made = plan(**SMALL)
    assert from_dict(made.as_dict()) == made
    with pytest.raises(ValueError, match=r"precision 0: must be from 0.0005 to 0.1"):
        plan(precision=0)
    with pytest.raises(ValueError, match="seed -1"):
        plan(seed=-1)


@pytest.mark.parametrize("players", SHIPPED)
def test_the_shipped_table_is_as_exact_as_promised(players):
    table, made = shipped_equity(players), shipped_plan(players)
    near = (table["starter"] >= 45) | (table["other"] >= 45)
    assert len(table) == 61**2 and made.rules == GAME.rules_type(players=players)
    assert table["se"][near].max() < 0.002 and table["se"].max() < 0.004
    assert table["chance"].between(0, 1).all() and len(shipped_manifest(players)["digest"]) == 32


@pytest.mark.parametrize("players", SHIPPED)
def test_the_players_still_are_those_of_the_shipped_table(players):
    """Its last corner, which depends on nothing else, comes out the same when it is played again."""
    table, model = Chances.of(shipped_equity(players)), model_of(shipped_plan(players))
    counts = np.zeros(model.offsets[-1], np.int64)
    counts[model.offsets[:-1]] = 1
    counts[model.offsets[:-1] + 1] = 1
    for own, other in np.ndindex(61, 61):
        if min(own, other) >= 59:
            cell = own * 61 + other
            first, more = np.zeros(1, np.int64), table.rounds[own, other : other + 1].astype(np.int64)
            counts[model.offsets[cell] : model.offsets[cell + 1]] = model.play(cell, first, more)
    again = solve(counts, model.offsets, 61).chance[59:, 59:]
    assert np.abs(again - table.chance[59:, 59:]).max() < 1e-7


def check_coverage(players, cells, matches, seed):
    """Chances of random standings against matches played on: differences in standard errors."""
    table = Chances.of(shipped_equity(players))
    made = sim.experiment(GAME, matches=matches, seed=seed, rules={"players": players})
    rng, off = np.random.default_rng(seed), []
    for own, other in rng.integers(0, 61, (cells, 2)).tolist():
        starter = int(rng.integers(players))
        played = play_on(made, Standing((own, other), starter), 2)
        share, told = played.wins[0] / matches, table.win(own, other, starter % 2 == 0)
        error = np.hypot(told.se, np.sqrt(told.mean * (1 - told.mean) / matches))
        off.append((share - told.mean) / error)
        assert played.wins.sum() == matches
    return np.array(off)


@pytest.mark.parametrize("players", SHIPPED)
def test_the_table_agrees_with_matches_played_on(players):
    off = check_coverage(players, 12, 2000, seed=11)
    assert np.abs(off).max() < 4 and (np.abs(off) < 1.96).sum() >= 9


@pytest.mark.long
@pytest.mark.parametrize("players", SHIPPED)
def test_intervals_cover_matches_played_on_from_300_standings(players):
    off = check_coverage(players, 300, 20_000, seed=12)
    print(players, "covered", (np.abs(off) < 1.96).mean(), "rms", np.sqrt((off**2).mean()))
    assert 0.92 <= (np.abs(off) < 1.96).mean() <= 0.98


def test_sixty_is_worth_less_than_fifty_nine():
    """Of 60 only one point wins; of 59 two, or one and one."""
    for players in SHIPPED:
        table = Chances.of(shipped_equity(players))
        assert (table.chance[59, 50:] > table.chance[60, 50:]).all()
        bad = dear_points(shipped_equity(players))
        taken = bad[(bad["own"] == 59) & (bad["points"] == 1)]
        assert set(taken["other"]) >= set(range(45, 61)) and (bad["high"] < 0).all()


def test_both_sides_together_win_always():
    table = Chances.of(shipped_equity(2))
    mine, theirs = table.win(55, 58, True), table.win(58, 55, False)
    assert mine.mean + theirs.mean == 1 and mine.se == theirs.se
    assert table.gain(55, 58, True, 3).mean == table.win(58, 58, True).mean - mine.mean
