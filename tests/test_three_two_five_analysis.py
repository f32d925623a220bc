"""The tables of 3-2-5 against hand-made counters, naive arithmetic and the rulebook's check figures."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

import analysis
from analysis.estimates import wilson
from analysis.provenance import command, labels, line_up, provenance, sources
from analysis.three_two_five import answers, hands, options, pulls, scores, seats
from sim import Run, experiment, run
from sim.three_two_five import kernel, tally
from sim.three_two_five.cards import parse_cards
from sim.three_two_five.rules import QUOTAS, SEATS

QUOTA = dict(zip(SEATS, QUOTAS, strict=True))

# Two matches of three deals: dealer, choice, trump, tricks of five, three, two, and debts pulled before.
DEALS = (
    (0, 0, 1, (5, 3, 2), (0, 0, 0)),
    (1, 1, 2, (7, 2, 1), (0, 0, 0)),
    (2, 0, 0, (4, 4, 2), (-1, -1, 2)),
    (1, 1, 3, (2, 3, 5), (0, 0, 0)),
    (2, 0, 3, (6, 2, 2), (0, 3, -3)),
    (0, 0, 0, (5, 2, 3), (-1, 0, 1)),
)


def made_run(deals=DEALS, length=3, strategies=("heuristic",) * 3, **rules):
    """Count hand-written deals as the batch does; the scoring is the difference."""
    rows = np.zeros((len(deals), kernel.COLUMNS), np.int8)
    for row, (dealer, choice, trump, tricks, debts) in zip(rows, deals, strict=True):
        row[[kernel.DEALER, kernel.CHOICE, kernel.TRUMP]] = dealer, choice, trump
        row[kernel.TRICKS_FIVE : kernel.TRICKS_FIVE + 3] = tricks
        row[kernel.SCORE_FIVE : kernel.SCORE_FIVE + 3] = np.subtract(tricks, QUOTAS)
        row[kernel.DEBT_FIVE : kernel.DEBT_FIVE + 3] = debts
    planned = experiment(
        "three-two-five",
        units=len(deals),
        strategies=list(strategies),
        rules={"deals_per_match": length, **rules},
    )
    made = Run.blank(planned)
    made.counters = tally.count(rows, length)
    made.units, made.matches = len(deals), -(-len(deals) // length)
    return made


@pytest.fixture(scope="module")
def random_run():
    """Return random play without pulls and with an option study, the setting of the check figures."""
    return run(
        experiment(
            "three-two-five",
            matches=20_000,
            strategies="random",
            rules={"pulls": False},
            hands=120,
            completions=40,
            seed=5,
        )
    )


def test_seat_advantage_of_six_deals_by_hand():
    """R5: five takes 29 tricks in six deals, three 16, two 15; errors come from the two matches."""
    table = seats.seat_advantage(made_run(), ("all",)).set_index("seat")
    assert table["tricks"].to_dict() == pytest.approx({"five": 29 / 6, "three": 16 / 6, "two": 15 / 6})
    assert table["advantage"].to_dict() == pytest.approx({"five": -1 / 6, "three": -1 / 3, "two": 1 / 2})
    assert set(table["matches"]) == {2} and set(table["deals"]) == {6}
    # Match totals of the five are 16 and 13 in three deals each: se = |16 - 13| / 2 / 3.
    assert table.loc["five", "se"] == pytest.approx(0.5)
    assert table.loc["five", "high"] - table.loc["five", "low"] == pytest.approx(2 * 12.7062 * 0.5, rel=1e-5)


def test_phases_part_first_from_later_deals():
    """R21: the first deal of a match has no pulls and is counted apart."""
    table = seats.seat_advantage(made_run()).set_index(["phase", "seat"])
    assert table.loc[("first", "five"), "tricks"] == pytest.approx((5 + 2) / 2)
    assert table.loc[("later", "five"), "tricks"] == pytest.approx((7 + 4 + 6 + 5) / 4)
    assert table["deals"].groupby("phase", sort=False).first().to_dict() == {"first": 2, "later": 4, "all": 6}
    with pytest.raises(ValueError, match="no phase 'second'"):
        seats.match_moments(made_run(), "second")


def test_match_wins_and_ties_by_hand():
    """R6, R7: totals by player over the rotation; player 0 wins the second match, the first is tied.

    First match: dealers 0, 1, 2, so player 1 is five, then two, then three, and so on.
    """
    table = seats.match_wins(made_run()).set_index("winner")
    totals = np.zeros((2, 3), int)
    for number, (dealer, _, _, tricks, _) in enumerate(DEALS):
        for seat in range(3):
            totals[number // 3, (dealer + 1 + seat) % 3] += tricks[seat] - QUOTAS[seat]
    best = totals == totals.max(axis=1, keepdims=True)
    alone = best[best.sum(axis=1) == 1]
    for player in range(3):
        assert table.loc[f"player {player}", "matches"] == alone[:, player].sum()
    assert table.loc["tie", "matches"] == 2 - len(alone)
    assert table["matches"].sum() == 2 and set(table["n"]) == {2}
    low, high = wilson(table["matches"], 2)
    assert table["low"].to_list() == pytest.approx(list(low))
    assert table["high"].to_list() == pytest.approx(list(high))
    scores_table = seats.match_scores_by_player(made_run())
    assert scores_table["score"].to_list() == pytest.approx(list(totals.mean(axis=0)))
    assert scores_table["difference"].to_list() == pytest.approx(list(1.5 * totals.mean(axis=0)))


def test_equal_players_are_not_favoured_and_unequal_ones_show(random_run):
    """Case 19: three equal strategies over whole cycles are equal; a better one is found."""
    check = seats.player_check(random_run)
    assert check["equal"].all() and (check["chi_square"] < 16).all()
    differences = seats.match_scores_by_player(random_run)
    assert (differences["difference"].abs() < 4 * differences["se"]).all()
    mixed = run(
        experiment("three-two-five", matches=300, strategies=["first-suit", "random", "random"], seed=2)
    )
    check = seats.player_check(mixed)
    assert not check["equal"].any() and (check["p"] < 1e-6).all()


def test_wald_statistic_against_the_matches_themselves(random_run):
    """The test of match scores agrees with the textbook form on a sample kept deal by deal."""
    kept = []
    planned = random_run.experiment
    short = experiment("three-two-five", matches=50, strategies="random", rules={"pulls": False}, seed=5)
    small = run(short, on_rows=lambda rows: kept.append(pd.DataFrame(rows)))
    rows = pd.concat(kept)
    totals = np.zeros((50, 3))
    for seat, name in enumerate(SEATS):
        np.add.at(totals, (rows["match"], (rows["dealer"] + 1 + seat) % 3), rows[f"score_{name}"])
    above = totals[:, 1:] - totals[:, :1]
    mean, spread = above.mean(axis=0), np.cov(above.T) / 50
    statistic = seats.player_check(small).set_index("measure").loc["match score", "chi_square"]
    assert statistic == pytest.approx(mean @ np.linalg.solve(spread, mean), rel=1e-9)
    assert planned.seed == short.seed


def test_tricks_by_pulls_and_their_value_by_hand():
    """R14: tricks of the five after losing one card were 4 and 5."""
    table = pulls.tricks_by_pulls(made_run()).set_index(["seat", "pulls"])
    assert table.loc[("five", -1), ["deals", "tricks"]].to_list() == [2, 4.5]
    # A single deal borrows the spread of the seat's others.
    assert table.loc[("two", 2), "low"] < table.loc[("two", 2), "tricks"] == 2
    value = pulls.pull_value(made_run()).set_index("seat")
    for seat, name in enumerate(SEATS):
        x = np.array([deal[4][seat] for deal in DEALS], float)
        y = np.array([deal[3][seat] for deal in DEALS], float)
        slope, residual = np.polyfit(x, y, 1)[0], None
        residual = y - y.mean() - slope * (x - x.mean())
        se = math.sqrt((((x - x.mean()) * residual) ** 2).sum()) / ((x - x.mean()) ** 2).sum()
        assert value.loc[name, ["value", "se"]].to_list() == pytest.approx([slope, se])
    x, y = (np.array([deal[place] for deal in DEALS], float) for place in (4, 3))
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    assert value.loc["all", "value"] == pytest.approx((x * y).sum() / (x * x).sum())


def test_runs_without_pulls_have_no_value_of_a_pull(random_run):
    """R32: with pulls off nobody pulls."""
    assert set(pulls.tricks_by_pulls(random_run)["pulls"]) == {0}
    assert pulls.pull_value(random_run).empty


def test_pull_errors_hold_over_repeated_runs():
    """The slope's error is that of repeated runs, although deals of a match depend on each other."""
    slopes = [
        pulls.pull_value(
            run(experiment("three-two-five", matches=120, strategies="first-suit", seed=seed))
        ).set_index("seat")
        for seed in range(60)
    ]
    for name in SEATS:
        values = np.array([table.loc[name, "value"] for table in slopes])
        stated = np.sqrt(np.mean([table.loc[name, "se"] ** 2 for table in slopes]))
        # The standard deviation of sixty draws is known to about 9%.
        assert values.std(ddof=1) / stated == pytest.approx(1, abs=0.4)


def test_distributions_of_six_deals_by_hand():
    """R26, R14: tricks, scores and debts counted one by one."""
    made = made_run()
    tricks = scores.tricks_by_seat(made).set_index(["seat", "tricks"])["deals"]
    for seat, name in enumerate(SEATS):
        expected = np.bincount([deal[3][seat] for deal in DEALS], minlength=11)
        assert tricks[name].to_list() == list(expected)
    score = scores.deal_scores(made).set_index(["seat", "score"])["deals"]
    assert score["five"].loc[[-3, -1, 0, 1, 2]].to_list() == [1, 1, 2, 1, 1]
    owed = scores.cards_owed(made).set_index("owed")
    assert owed["deals"].to_list() == [1, 3, 1, 1, 0, 0, 0, 0, 0]
    assert owed.loc[8, "high"] > 0, "case 16: no zero width at 0%"
    choice = scores.tricks_by_choice(made).set_index("choice")
    assert choice["deals"].to_dict() == {"call": 4, "reveal": 2}
    assert choice.loc["reveal", "tricks"] == pytest.approx(4.5)
    match = scores.match_scores(made)
    assert match.groupby("player")["matches"].sum().to_list() == [2, 2, 2]


@pytest.mark.parametrize("scoring", ["difference", "surplus", "tricks"])
def test_deal_scores_follow_the_scoring(scoring):
    """R26: the histogram by score has the mean that the kernel counted."""
    made = run(
        experiment("three-two-five", matches=40, strategies="random", rules={"scoring": scoring}, seed=3)
    )
    counted = seats.seat_advantage(made, ("all",)).set_index("seat")["score"]
    for seat, rows in scores.deal_scores(made).groupby("seat"):
        assert (rows["score"] * rows["share"]).sum() == pytest.approx(counted[seat])
    totals = scores.match_scores(made)
    lowest = {"difference": -45, "surplus": 0, "tricks": 0}[scoring]
    assert totals["score"].min() >= lowest and totals["matches"].sum() == 3 * 40


@pytest.mark.parametrize(
    ("strategy", "tricks", "met", "exact", "owed"),
    [
        ("random", (3.355, 3.326, 3.320), (0.253, 0.652, 0.846), 0.037, 2.57),
        ("random+longest-suit", (4.142, 2.931, 2.928), (0.410, 0.568, 0.796), 0.053, 2.17),
        ("random+always-reveal", (3.835, 3.080, 3.086), (0.342, 0.603, 0.820), 0.047, 2.30),
    ],
)
def test_check_figures_of_the_rulebook(strategy, tricks, met, exact, owed):
    """The rulebook's figures (random play, no pulls) lie within four standard errors of both samples."""
    made = run(
        experiment("three-two-five", matches=10_000, strategies=strategy, rules={"pulls": False}, seed=11)
    )
    table = seats.seat_advantage(made, ("all",)).set_index("seat")
    quotas = scores.quotas_met(made, ("all",)).set_index("who")
    for name, mean, share in zip(SEATS, tricks, met, strict=True):
        assert table.loc[name, "tricks"] == pytest.approx(
            mean, abs=4 * math.hypot(table.loc[name, "se"], 0.003)
        )
        assert quotas.loc[name, "share"] == pytest.approx(share, abs=4 * quotas.loc[name, "se"] + 0.003)
    assert quotas.loc["all exact", "share"] == pytest.approx(
        exact, abs=4 * quotas.loc["all exact", "se"] + 0.001
    )
    debts = scores.cards_owed(made)
    assert (debts["owed"] * debts["share"]).sum() == pytest.approx(owed, abs=0.04)


def test_suits_in_order_and_shapes():
    """The longest suit is best, among equal ones the higher card by card; sevens count in their suit."""
    held = np.array(
        [
            parse_cards(text)
            for text in (
                "AS KS 9H 8H 7H",
                "AS 8S AH 9H 8D",
                "QD JD TD 9D 8D",
                "AS KH QD 9C 8C",
                "AS QS JS AH KH",
            )
        ]
    )
    table = hands.describe_hands(held)
    assert table["shape"].to_list() == ["3-2", "2-2-1", "5", "2-1-1-1", "3-2"]
    assert hands.suit_order(held)[:, 0].tolist() == [1, 1, 2, 3, 0]
    assert hands.suit_order(held)[1].tolist() == [1, 0, 2, 3]
    assert table["top"].astype(str).to_list() == ["9", "A", "Q", "9", "A"]
    assert table["honours"].to_list() == [0, 1, 1, 0, 2]
    assert table["side"].to_list() == [2, 1, 0, 2, 2]


def test_shapes_cover_every_hand_with_the_exact_frequencies():
    """Of 142,506 hands, those of shape 5 are 2 C(8,5) + 2 C(7,5), and 2-1-1-1 are counted likewise."""
    lengths = (8, 8, 7, 7)
    counts = dict.fromkeys(hands.SHAPES, 0)
    for split in itertools.product(range(6), repeat=4):
        if sum(split) == 5:
            shape = "-".join(str(n) for n in sorted(split, reverse=True) if n)
            counts[shape] += math.prod(math.comb(have, n) for have, n in zip(lengths, split, strict=True))
    assert sum(counts.values()) == 142_506
    drawn = run(experiment("three-two-five", strategies="random", hands=4000, completions=2, seed=9))
    shapes = options.study(drawn).hands["shape"].value_counts()
    for shape, count in counts.items():
        p = count / 142_506
        assert shapes[shape] / 4000 == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 4000) + 1e-4)


def made_study(*values, cards=("AS KS QS 9H 8D",), repeats=8):
    """Return a study in which option o of hand h scores values[h][o] ± 1, half of the time each."""
    planned = experiment("three-two-five", strategies="heuristic", hands=len(values), completions=2 * repeats)
    made = Run.blank(planned)
    made.hands = len(values)
    base = np.array(values, np.int64)
    noise = np.array([1, -1] * (repeats // 2), np.int64)
    scored = base[:, None, None, :] + noise[None, None, :, None] * np.array([1, -1, 1, 1, -1])
    scored = np.broadcast_to(scored, (len(values), 2, repeats, 5))
    made.study = {
        "cards": [np.array([parse_cards(text) for text in cards], np.int64)],
        "count": [np.full((len(values), 2), repeats, np.int64)],
        "sums": [scored.sum(axis=2)],
        "gram": [np.einsum("hkni,hknj->hkij", scored, scored)],
        "made": [(scored >= 0).sum(axis=2)],
    }
    return made


CLOSE = 0.005
HANDS = ("AS KS QS 9H 8D", "KH 9H 8S AD TC", "AC KC QD JD 8S")
# Options S, H, D, C, reveal as the kernel orders them.
VALUES = ((3, 0, -1, -2, 1), (-1, 0, -2, -2, 2), (-2, -3, 2, 0, 1))


def test_option_values_of_three_hands_by_hand():
    """R13: calls are numbered by each hand's own suits, and losses are paired."""
    made = made_study(*VALUES, cards=HANDS)
    table = options.option_values(made).set_index("option")
    # First suits: S of the first hand, H of the second, C of the third (A K over Q J).
    assert table["value"].to_dict() == pytest.approx(
        {
            "1st suit": (3 + 0 + 0) / 3,
            "2nd suit": (0 - 2 + 2) / 3,
            "3rd suit": (-1 - 2 - 2) / 3,
            "4th suit": (-2 - 1 - 3) / 3,
            "reveal": (1 + 2 + 1) / 3,
        }
    )
    assert table.index[0] == "reveal" and table.loc["reveal", "loss"] == 0
    losses = np.array([1 - 3, 2 - 0, 1 - 0])
    assert table.loc["1st suit", "loss"] == pytest.approx(losses.mean())
    assert table.loc["1st suit", "loss_se"] == pytest.approx(losses.std(ddof=1) / math.sqrt(3))
    assert table["chance_best"].sum() == pytest.approx(1)


def test_second_hand_orders_equal_single_cards_by_rank():
    """The second hand holds 9H and KH, then A, T and 8 alone: its suits go H, D, C, S."""
    made = made_study(*VALUES, cards=HANDS)
    found = options.study(made)
    assert found.sums.sum(axis=1)[1].tolist() == [16 * v for v in (0, -2, -2, -1, 2)]
    assert found.hands["shape"].astype(str).to_list() == ["3-1-1", "2-1-1-1", "2-2-1"]


def test_best_call_against_reveal_and_habits_by_hand():
    """Best calls are 3, 0 and 2; never revealing loses 2 on the second hand, always revealing 2 and 1."""
    made = made_study(*VALUES, cards=HANDS)
    row = options.call_or_reveal(made).iloc[0]
    # A few deals leave some doubt of each hand's values.
    assert (row["call"], row["reveal"]) == pytest.approx((5 / 3, 4 / 3), abs=CLOSE)
    assert row["difference"] == pytest.approx(-1 / 3, abs=CLOSE) and row["better"] == "too close"
    costs = options.policy_costs(made).set_index("policy")["cost"]
    assert costs[options.HAND_BY_HAND] == 0
    assert costs[options.NEVER_REVEAL] == pytest.approx(2 / 3, abs=CLOSE)
    assert costs[options.ALWAYS_REVEAL] == pytest.approx(1, abs=CLOSE)
    assert costs["always call the 1st suit"] == pytest.approx((0 + 2 + 2) / 3, abs=CLOSE)
    assert options.option_to_choose(made).mean == pytest.approx(2 / 3, abs=CLOSE)
    by_shape = options.call_or_reveal(made, "shape").set_index("shape")
    assert by_shape["difference"].to_dict() == pytest.approx(
        {"3-1-1": -2, "2-2-1": -1, "2-1-1-1": 2}, abs=CLOSE
    )
    assert (by_shape["better"] == "too close").all(), "one hand alone has no error"


def test_verdicts_are_sure_only_where_the_noise_allows():
    """The noise of 16 deals gives the paired difference an error of about half a trick."""
    made = made_study((9, 0, 0, 0, -9), (0, 0, 0, 0, 9), (0, -9, -9, -9, 0), cards=HANDS)
    table = options.reveal_share(made).set_index("verdict")["hands"]
    assert table.to_dict() == {"surely call": 1, "too close": 1, "surely reveal": 1}
    by_shape = options.reveal_share(made, "shape")
    assert by_shape.groupby("shape", observed=True)["hands"].sum().to_list() == [1, 1, 1]


def test_verdicts_against_naive_student_test(random_run):
    """Each verdict agrees with Student's test of the paired differences, from sums and squares."""
    from scipy import stats

    found = options.study(random_run)
    n = found.n.sum(axis=1)
    for hand, verdict in enumerate(found.verdicts()):
        total, gram = found.sums.sum(axis=1)[hand], found.gram.sum(axis=1)[hand]
        t = []
        for call in range(4):
            mean = (total[4] - total[call]) / n[hand]
            square = gram[4, 4] + gram[call, call] - 2 * gram[4, call]
            t.append(mean / math.sqrt((square / n[hand] - mean**2) / (n[hand] - 1)))
        if min(t) > stats.t.ppf(0.975, n[hand] - 1):
            assert verdict == 2
        elif min(t) < -stats.t.ppf(1 - 0.025 / 4, n[hand] - 1):
            assert verdict == 0
        else:
            assert verdict == 1


def test_never_is_a_policy_dearer_than_choosing_from_more(random_run):
    """Costs are those of the values' differences, and a rule knows no more than the hand."""
    table = options.policy_costs(random_run).set_index("policy")
    best = table.loc[options.HAND_BY_HAND, "value"]
    assert (best - table["value"]).to_list() == pytest.approx(table["cost"].to_list())
    grouped = options.call_or_reveal(random_run, ["shape", "honours"])
    assert grouped["hands"].sum() == 120
    whole = options.call_or_reveal(random_run).iloc[0]
    # What is left of a bias is taken away group by group.
    assert np.average(grouped["difference"], weights=grouped["hands"]) == pytest.approx(
        whole["difference"], abs=whole["se"] / 4
    )
    with pytest.raises(ValueError, match="no feature 'colour'"):
        options.call_or_reveal(random_run, "colour")


def test_answer_states_the_tables_numbers():
    """The words say what the tables hold."""
    found = options.study(made_study(*VALUES * 4, cards=HANDS * 4))
    texts = " ".join(answers.call_or_reveal_answer(found)).replace("\N{NON-BREAKING HYPHEN}", "-")
    assert "Call a suit when the five cards split 3-1-1 or 2-2-1 (67% of hands)" in texts
    assert "reveal when they split 2-1-1-1 (33% of hands)" in texts
    assert "always revealing costs 1.0" in texts and "never revealing 0.67 (0.04 to 1.29)" in texts
    assert "12 hands: too few to rely on" in texts
    with pytest.raises(ValueError, match="no option study"):
        answers.call_or_reveal_answer(made_run())


def test_seat_answer_tells_sides_and_sizes(random_run):
    """R5: in random play all three seats take a third, so the five is far below its quota."""
    table = seats.seat_advantage(random_run, ("all",)).set_index("seat")["advantage"]
    text = answers.seat_answer(random_run)
    assert text.startswith("Between players of random ×3, pulls off, the five takes 1.6")
    assert f"the two takes {table['two']:.3f} (" in text
    assert text.count("below its quota") == 1 and text.count("above its quota") == 2


def test_provenance_names_everything_and_the_command_repeats_it(random_run):
    """Rules, strategies, seed and size in a line, and a command line with the same."""
    assert provenance(random_run) == (
        "3-2-5 (sevens low, scoring difference, pulls off, 9 deals per match). random ×3. Seed 5."
        " 180,000 deals in 20,000 matches; option study of 120 hands × 40."
    )
    assert command(random_run) == (
        "dealworth simulate three-two-five --deals 180000 --seed 5 --strategy random --rules pulls=false"
        " --hands 120 --completions 40"
    )
    mixed = made_run(strategies=("random", "heuristic", "heuristic"))
    assert line_up(mixed) == "random, heuristic ×2"
    assert labels([mixed, random_run]) == [
        "random, heuristic ×2, 3 deals per match",
        "random ×3, pulls off",
    ]
    assert len(set(labels([mixed, mixed]))) == 2
    assert "seed 5: 180,000 deals" in sources([mixed, random_run])
    with pytest.raises(ValueError, match="no run given"):
        sources([])


def test_partial_runs_say_so():
    """An interrupted run tells how much of it is there."""
    made = made_run()
    made.matches, made.units = 1, 3
    assert "3 deals in 1 match of 2 (partial)" in provenance(made)


def test_own_strategies_have_no_command():
    """A user's function cannot be named on a command line."""
    made = made_run()
    made.description["strategies"] = ["my own"] * 3
    assert command(made) is None


def test_ace_is_kept_aside_of_two_equal_suits_only():
    """The second suit is called where it is as long as the first, which has the only ace of the two."""
    texts = ("AS 8S KH 9H 8D", "AS 8S AH 9H 8D", "KS 8S QH 9H AD", "AS KS 8S QH 9H", "AS KH QD 9C 8C")
    held = np.array([parse_cards(text) for text in texts])
    assert hands.ace_aside(held).tolist() == [1, 0, 0, 0, 0]


def test_second_suit_against_first_by_hand():
    """The difference is paired, over the hands of shape 2-2-1 alone."""
    cards = ("AS 8S KH 9H 8D", "AD 9D KH 9H 8S", "KS 8S QH 9H AD", "AS KS QS 9H 8D")
    # In the order S, H, D, C: first suits are S, D, S.
    made = made_study((1, 3, 0, 0, 0), (0, 1, 0, 0, 0), (2, 0, 0, 0, 0), (9, 0, 0, 0, 0), cards=cards)
    table = options.second_suit_gain(made).set_index("first")
    assert table.loc[options.ONLY_ACE, ["hands", "difference"]].to_list() == [2, 1.5]
    assert table.loc[options.ONLY_ACE, "se"] == pytest.approx(0.5)
    assert table["hands"].to_list() == [2, 1] and table["difference"].iloc[1] == -2
    costs = options.policy_costs(made).set_index("policy")["value"]
    assert costs["call the longest, ace aside"] == pytest.approx((3 + 1 + 2 + 9) / 4)
    assert costs["always call the 1st suit"] == pytest.approx((1 + 0 + 2 + 9) / 4)


def test_the_book_answers_in_its_own_numbers():
    """Shapes and suit to call as its tables have them: no ace in the suit to call is worth 0.241 points."""
    book = analysis.shipped_book()
    shapes, suit = analysis.book_answer(book)
    by_shape = analysis.book_call_or_reveal(book, "shape").set_index("shape")["better"]
    assert (by_shape == "reveal").sum() == 1
    assert shapes.endswith("reveal when they split 2‑1‑1‑1 (29% of hands).")
    gain = analysis.book_second_suit_gain(book).set_index("first").loc["the only ace of the two"]
    assert f"{gain['difference']:.3f} ({gain['low']:.3f} to {gain['high']:.3f})" in suit
