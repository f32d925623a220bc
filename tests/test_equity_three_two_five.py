"""The chance to win at 3-2-5: the recursion against a naive one, its errors, and matches played on."""

import numpy as np
import pytest
from naive_equity import chances, outcomes

import analysis
import sim
from analysis.three_two_five.equity.calls import calls_for_the_match
from analysis.three_two_five.equity.shipped import shipped_equity
from analysis.three_two_five.equity.table import equity_by_lead, shares, solved
from sim.equity.model import model_of
from sim.equity.plan import EquityPlan
from sim.equity.playing import play_on
from sim.equity.table import build
from sim.three_two_five.equity.deals import DEBTS, EXACT, OUTCOMES, outcome_of
from sim.three_two_five.equity.outcomes import option_outcomes
from sim.three_two_five.equity.solve import row_of, solve
from sim.three_two_five.equity.standing import Standing, play
from sim.three_two_five.kernel import DEBT_FIVE
from sim.three_two_five.rules import Rules

GAME = sim.find_game("three-two-five")


def plan(strategy="random", seed=1, precision=0.02, **rules):
    return EquityPlan(GAME, GAME.rules_type(**rules), GAME.book.parse(strategy), seed, precision)


def made_up(rows, seed=1, each=4):
    """Counts in which a few outcomes occur after each row."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((rows, 66), np.int64)
    for row in counts:
        row[rng.choice(66, each, replace=False)] = rng.integers(1, 500, each)
    return counts


def test_outcomes_are_numbered_as_they_are_listed():
    assert OUTCOMES.tolist() == [list(one) for one in outcomes()]
    assert [int(outcome_of.py_func(five, three)) for five, three, _ in OUTCOMES] == list(range(66))


def test_r6_r14_debts_go_with_the_players_to_their_new_seats():
    """Five 7, three 1, two 2: the five, two over, sits two next; the three, two short, sits five."""
    row = outcomes().index((7, 1, 2))
    assert DEBTS[row].tolist() == [-2, 0, 2]
    assert row_of((-2, 0, 2), Rules()) == row
    assert row_of((0, 0, 0), Rules()) == EXACT == outcomes().index((5, 3, 2))


@pytest.mark.parametrize("scoring", ["difference", "surplus", "tricks"])
@pytest.mark.parametrize("pulls", [True, False])
@pytest.mark.parametrize("deals", [1, 2, 3])
def test_the_recursion_is_the_naive_one(scoring, pulls, deals):
    counts = made_up(66 if pulls else 1)
    rules = Rules(scoring=scoring, pulls=pulls)
    row = 17 if pulls else 0
    starts = [(3, 1), (4, 1), (2, 0)]
    found = solve(counts, rules, row, deals, starts)
    parts = (counts / counts.sum(axis=1, keepdims=True)).tolist()
    for (x, y), chance in zip(starts, found.chance, strict=True):
        assert chance == pytest.approx(chances(parts, row, (x, y, 0), deals, scoring, pulls), abs=1e-12)
    assert found.moved == pytest.approx(found.chance - found.chance[0])


def test_the_chance_after_each_outcome_is_that_of_the_next_standing():
    counts, rules = made_up(66), Rules()
    parts = (counts / counts.sum(axis=1, keepdims=True)).tolist()
    after = solve(counts, rules, 3, 3, [(2, -1)]).after
    for number, (five, three, two) in enumerate(outcomes()):
        scores = (2 + five - 5, -1 + three - 3, two - 2)
        later = chances(parts, number, (scores[1], scores[2], scores[0]), 2)
        assert after[:3, number] == pytest.approx([later[2], later[0], later[1]], abs=1e-12)


def test_errors_are_the_spread_of_tables_drawn_again():
    counts, rules, rng = made_up(66, each=12), Rules(), np.random.default_rng(3)
    n = counts.sum(axis=1)
    starts = [(1, 0), (2, 0)]
    told = solve(counts, rules, EXACT, 2, starts)
    drawn = [solve(rng.multinomial(n, counts / n[:, np.newaxis]), rules, EXACT, 2, starts) for _ in range(60)]
    for name, error in (("chance", told.se), ("moved", told.moved_se)):
        spread = np.std([getattr(one, name) for one in drawn], axis=0, ddof=1)
        counted = error > 0
        assert spread[counted] / error[counted] == pytest.approx(np.ones(counted.sum()), abs=0.45)


def test_matches_played_on_from_the_first_deal_are_the_ordinary_ones():
    made = sim.experiment(GAME, matches=60, strategies="heuristic")
    seen = 0
    for match in range(60):
        records = GAME.replay(made, match)
        if records[0]["dealer"] == 2:
            final = records[-1]["match_score"]
            top = [score == max(final) for score in final]
            won = play(made, Standing((0, 0, 0), 9), match, 1)
            assert won[0 if sum(top) == 1 else 1].tolist() == top
            seen += 1
    assert seen > 8


def test_rows_are_played_with_the_debts_that_they_stand_for():
    """The first deals of a match that begins with debts, as rows of the ordinary kernel tell them."""
    model = model_of(plan("heuristic"))
    assert model.debts[:, :].sum(axis=1).tolist() == [0] * 66
    assert (np.sort(model.debts, axis=0)[[0, -1]] == [[-3, -2, -5], [7, 8, 5]]).all()
    # Whoever may pull two cards takes more tricks than who suffers two.
    counts = {}
    for debts in ((2, 0, -2), (-2, 0, 2)):
        row = row_of(debts, Rules())
        counts[debts] = model.play(row, np.zeros(1, np.int64), np.array([4000])) @ OUTCOMES[:, 0]
    assert counts[2, 0, -2] > counts[-2, 0, 2] + 4000 * 0.5
    assert DEBT_FIVE == 9


def test_the_same_integers_for_any_jobs_and_pieces():
    """Case 22."""
    made = build(plan(precision=0.05))
    assert made.counts.reshape(66, 66).sum(axis=1).tolist() == [100] * 66
    assert build(plan(precision=0.05), 2, piece=30).digest == made.digest
    assert build(plan(precision=0.05, pulls=False)).counts.size == 66


@pytest.mark.parametrize(
    ("standing", "words"),
    [
        (Standing((1, 0)), "three scores are needed"),
        (Standing((1, 0, 0)), "add up to 0"),
        (Standing((0, 0, 0), 10), "deals left 10: must be from 1 to 9"),
        (Standing((0, 0, 0), 2, (1, 1, -1)), "debts 1,1,-1"),
        (Standing((0, 0, 0), 2, (-4, 2, 2)), "at least -3, -2 and -5"),
        (Standing((0, 0, 0), 9, (1, 0, -1)), "first deal"),
    ],
)
def test_standings_that_cannot_be_are_refused(standing, words):
    with pytest.raises(ValueError, match=words):
        standing.check(Rules())


def test_the_shipped_table_is_as_exact_as_promised_and_still_of_these_players():
    table = shipped_equity()
    model = model_of(table.plan)
    assert table.plan.rules == Rules() and table.complete
    for row in (EXACT, 7, 61):
        n = table.wanted[row : row + 1]
        part = slice(model.offsets[row], model.offsets[row + 1])
        assert (model.play(row, np.zeros(1, np.int64), n) == table.counts[part]).all()
    for debts in DEBTS[::13]:
        found = solved(table, [Standing((3, -1, -2), 3, tuple(debts.tolist()))])
        assert found.se.max() < 0.002


def check_coverage(standings, matches, seed):
    """Chances of random standings against matches played on: differences in standard errors, by seat."""
    table, rng, off = shipped_equity(), np.random.default_rng(seed), []
    made = sim.experiment(GAME, matches=matches, seed=seed)
    for _ in range(standings):
        deals = int(rng.integers(1, 9))
        five, three = rng.integers(-5, 6, 2).tolist()
        debts = tuple(DEBTS[rng.integers(66)].tolist())
        standing = Standing((five, three, -five - three), deals, debts)
        wins, _ = shares(table, solved(table, [standing]))
        played = play_on(made, standing, 2)
        assert played.wins.sum() * 2 + played.ties.sum() in range(2 * matches, 3 * matches + 1)
        for told, won in zip(wins, played.wins, strict=True):
            error = np.hypot(told.se, np.sqrt(told.mean * (1 - told.mean) / matches))
            if min(told.mean, 1 - told.mean) * matches > 5:
                off.append((won / matches - told.mean) / error)
    return np.array(off)


def test_the_table_agrees_with_matches_played_on():
    off = check_coverage(8, 3000, seed=21)
    assert np.abs(off).max() < 4.2 and (np.abs(off) < 1.96).mean() > 0.75


@pytest.mark.long
def test_intervals_cover_matches_played_on_from_300_standings():
    off = check_coverage(300, 20_000, seed=22)
    print("covered", (np.abs(off) < 1.96).mean(), "rms", np.sqrt((off**2).mean()), len(off))
    assert 0.93 <= (np.abs(off) < 1.96).mean() <= 0.97


def test_a_lead_is_worth_more_the_larger_it_is():
    table = equity_by_lead(shipped_equity(), (1, 2), 3)
    for _, rows in table.groupby(["deals_left", "seat"]):
        assert (np.diff(rows["chance"]) > 0).all() and list(rows["lead"]) == list(range(-3, 4))
    level = table[(table["lead"] == 0) & (table["deals_left"] == 1)].set_index("seat")
    told = analysis.match_equity("three-two-five", (0, 0, 0), deals_left=1).frame().set_index("name")
    assert level["chance"].to_dict() == pytest.approx(told["chance"].to_dict())


def test_calling_for_the_match_is_the_book_where_only_tricks_count():
    """With a chance that grows evenly with the five's tricks, what is chosen is the book's in the mean."""
    played = option_outcomes(plan("heuristic"), 60, 256, jobs=2)
    assert (played.counts.sum(axis=-1) == 128).all()
    table = calls_for_the_match(shipped_equity(), played, (1,), (-9, 0))
    assert table["chance"][0] < 1e-3 and table["gain"][0] == pytest.approx(0, abs=1e-3)
    assert table["reveals_by_book"].nunique() == 1
    parts = table[["to_reveal", "to_call", "other_suit"]].sum(axis=1)
    assert parts.to_numpy() == pytest.approx(table["gain"].to_numpy(), abs=1e-12)
