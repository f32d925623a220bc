"""The opening study against single deals, and the advice on one hand."""

import numpy as np
import pytest

import analysis
from analysis.advice import AdvisedOption
from analysis.estimates import from_values
from analysis.fives_and_threes import openings
from analysis.fives_and_threes.advise import play_until, read_hand
from analysis.fives_and_threes.answers import opening_answer
from sim import Run, experiment, run, strategy
from sim.fives_and_threes.game import study_hands
from sim.fives_and_threes.knowledge import LEGAL
from sim.fives_and_threes.rules import Rules
from sim.fives_and_threes.tiles import parse_tiles

HANDS = ("0|0 1|4 5|5", "2|3 1|4 6|6", "0|0 2|3 4|6", "0|0 2|5 6|6")
DEALS = 6


def made_study(values: np.ndarray, hands=HANDS) -> Run:
    """Count hand-written values of shape (hands, deals, tiles) as the batch does; odd deals are half B."""
    planned = experiment(
        "fives-and-threes", strategies="random", rules={"hand": 3}, hands=len(hands), completions=DEALS
    )
    made = Run.blank(planned)
    halves = [values[:, half::2].astype(np.int64) for half in (0, 1)]
    counters = {
        "openings": np.array([[1 << tile for tile in tiles_of(hand)] for hand in hands]),
        "count": np.array([[half.shape[1] for half in halves]] * len(hands)),
        "sums": np.stack([half.sum(axis=1) for half in halves], axis=1),
        "gram": np.stack([np.einsum("hdi,hdj->hij", half, half) for half in halves], axis=1),
    }
    made.study = {name: [counter] for name, counter in counters.items()}
    made.hands = len(hands)
    return made


def tiles_of(hand):
    """Numbers of a hand's tiles, ascending."""
    mask = parse_tiles(hand)
    return [tile for tile in range(28) if mask >> tile & 1]


@pytest.fixture
def values():
    """Return values that differ from deal to deal, with one opening far ahead in each hand."""
    drawn = np.random.default_rng(3).integers(-3, 4, (len(HANDS), DEALS, 3))
    drawn[[0, 1, 2, 3], :, [1, 2, 0, 2]] += 50
    return drawn


def test_a_hand_is_charted_by_its_best_tile_and_the_paired_lead(values):
    """The lead over the second and its error are those of the differences, deal by deal (case 18)."""
    table = openings.hand_openings(made_study(values))
    assert table["hand"].to_list() == list(HANDS)
    assert table["tile"].to_list() == ["1|4", "6|6", "0|0", "6|6"]
    assert table["sure"].all() and set(table["deals"]) == {DEALS}
    for place, row in table.iterrows():
        names = HANDS[place].split()
        best, second = names.index(row["tile"]), names.index(row["second"])
        lead = from_values(values[place, :, best] - values[place, :, second])
        assert (row["lead"], row["se"]) == pytest.approx((lead.mean, lead.se))
        assert (row["low"], row["high"]) == pytest.approx(lead.interval())
        assert second == np.argsort(-values[place].mean(axis=0))[1]


def test_tiles_are_ranked_by_what_they_gain_over_their_hands(values):
    """The edge of a tile is its value less the mean of its hand, over the hands that hold it."""
    table = openings.opening_tiles(made_study(values)).set_index("tile")
    means = values.mean(axis=1)
    above = means - means.mean(axis=1, keepdims=True)
    held = [(hand, text.split().index("0|0")) for hand, text in enumerate(HANDS) if "0|0" in text]
    edge = from_values([above[hand, place] for hand, place in held])
    assert (table.loc["0|0", "edge"], table.loc["0|0", "edge_se"]) == pytest.approx((edge.mean, edge.se))
    value = from_values([means[hand, place] for hand, place in held])
    assert (table.loc["0|0", "value"], table.loc["0|0", "value_se"]) == pytest.approx((value.mean, value.se))
    assert table.loc["0|0", "hands"] == 3 and table["edge"].is_monotonic_decreasing
    assert table.loc["0|0", "best_on"] == pytest.approx(1 / 3) and table.loc["6|6", "best_on"] == 1
    assert table["points"].to_dict() == {
        "6|6": 4, "1|4": 1, "0|0": 0, "5|5": 2, "2|3": 1, "4|6": 2, "2|5": 0,
    }  # fmt: skip


def test_what_habits_cost_by_hand(values):
    """F8: most points now, the heaviest tile, a double, any tile, against the best of each hand."""
    table = openings.opening_policies(made_study(values)).set_index("policy")
    means = values.mean(axis=1)
    best = means[np.arange(4), [1, 2, 0, 2]]
    # By hand: first tile points 0 1 2, 1 1 4, 0 1 2, 0 0 4; heaviest and double likewise.
    picks = {
        "most points now": [2, 2, 2, 2],
        "the heaviest tile": [2, 2, 2, 2],
        "a double, the heaviest": [2, 2, 0, 2],
    }
    for policy, places in picks.items():
        value, cost = (
            from_values(means[np.arange(4), places]),
            from_values(best - means[np.arange(4), places]),
        )
        assert (table.loc[policy, "value"], table.loc[policy, "se"]) == pytest.approx((value.mean, value.se))
        # Six deals leave a little doubt of which tile is best.
        assert table.loc[policy, "cost"] == pytest.approx(cost.mean, rel=5e-3), policy
    mean = from_values(best - means.mean(axis=1))
    assert table.loc[openings.ANY_TILE, "cost"] == pytest.approx(mean.mean, rel=5e-3)
    assert table.loc[openings.ANY_TILE, "cost_se"] == pytest.approx(mean.se, rel=5e-2)
    assert table.loc[openings.HAND_BY_HAND, ["cost", "cost_se"]].to_list() == [0, 0]


def test_the_best_of_equal_tiles_is_not_overrated():
    """No winner's curse: choosing among equal tiles gains nothing, where the highest of the means would."""
    noise = np.random.default_rng(8).integers(-9, 10, (400, DEALS, 3))
    found = openings.opening_study(made_study(noise, ["0|0 1|4 5|5"] * 400))
    gain = found.estimates.mean({openings.HAND_BY_HAND: 1, openings.ANY_TILE: -1})
    naive = (found.means().max(axis=1) - found.means().mean(axis=1)).mean()
    assert abs(gain.mean) < 4 * gain.se and abs(gain.mean) < naive / 10
    assert naive > 5 * gain.se  # which includes how much less half of the deals tell


def test_a_study_of_single_deals_a_half_has_no_errors_to_lean_on():
    """Two completions a hand leave one a half: the choice then rests on the tiles alone."""
    made = run(experiment("fives-and-threes", strategies="random", hands=30, completions=2))
    assert len(openings.opening_policies(made)) == 6
    assert openings.hand_openings(made)["se"].notna().all()


def test_a_run_without_a_study_is_named():
    with pytest.raises(ValueError, match="no option study"):
        openings.opening_tiles(run(experiment("fives-and-threes", matches=1, strategies="random")))


def test_answer_names_the_tiles_of_the_table_in_order():
    """The verdict lists the best openers; few hands are said to be few."""
    made = run(experiment("fives-and-threes", strategies="greedy", hands=60, completions=16))
    texts = opening_answer(made)
    assert ", ".join(openings.opening_tiles(made)["tile"][:6]) in texts[0]
    assert "With 2 players" in texts[0] and "too few to rely on" in texts[-1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_hands_of_few_tiles_are_charted_once(players):
    """A study of as many hands as there are takes each once: 378 of two tiles."""
    rules = {"players": players, "hand": 2}
    made = run(experiment("fives-and-threes", strategies="greedy", rules=rules, hands=378, completions=8), 2)
    table = openings.hand_openings(made)
    assert table["hand"].nunique() == 378
    tiles = openings.opening_tiles(made)
    assert set(tiles["hands"]) == {27} and len(tiles) == 28


HAND = "6|6 5|4 3|1 2|2 0|5 1|1 4|6"
ASK = {"strategies": "greedy", "precision": 0.2}


def test_advice_is_the_study_of_that_hand():
    """The same deals: value, paired loss and error are those of the study's counters."""
    planned = experiment("fives-and-threes", strategies="greedy", hands=1, completions=128, seed=1)
    hand = read_hand(HAND, planned.rules)
    moments = play_until(planned, hand, 1.0, 1)
    counters = study_hands(planned, np.full(moments.n // 128, hand, np.int64))
    assert np.array_equal(moments.totals, counters["sums"].sum(axis=(0, 1)))
    assert np.array_equal(moments.gram, counters["gram"].sum(axis=(0, 1)))


def test_advice_ranks_tiles_and_pairs_losses():
    advice = analysis.advise("fives-and-threes", HAND, **ASK)
    assert advice.hand == ("1|1", "2|2", "1|3", "0|5", "4|5", "4|6", "6|6")
    assert {option.name for option in advice.options} == set(advice.hand)
    values = [option.value.mean for option in advice.options]
    assert values == sorted(values, reverse=True)
    best = advice.options[0]
    assert (best.loss.mean, best.loss.se) == (0, 0)
    for option in advice.options:
        assert option.loss.mean == pytest.approx(best.value.mean - option.value.mean)
        assert option.loss.se <= 0.2 and option.value.n == advice.n
    assert sum(option.chance_best for option in advice.options) == pytest.approx(1)
    assert (advice.source, advice.unit, advice.extra["players"]) == ("simulated", "points a round", 2)


def test_advice_is_the_same_for_any_jobs_and_follows_the_seed():
    """Case 22, for an answer that stops by itself."""

    def answered(jobs, seed=1):
        return analysis.advise("fives-and-threes", HAND, jobs=jobs, seed=seed, **ASK).options

    assert answered(1) == answered(2) != answered(1, seed=2)


def test_a_users_own_function_can_be_advised():
    """The kernel is built anew around the function, and threads share it."""
    lowest = strategy(
        "fives-and-threes", "lowest bit", move=lambda view, params, luck: view[LEGAL] & -view[LEGAL]
    )
    ask = {"strategies": lowest, "precision": 0.3}
    one, two = (analysis.advise("fives-and-threes", HAND, jobs=jobs, **ask) for jobs in (1, 2))
    assert one.options == two.options and one.strategies == ("lowest bit", "lowest bit")


def test_three_players_value_the_lead_over_the_mean_of_the_others():
    """Values are points: the counters' scale of two is taken out, in means and errors."""
    rules = {"players": 3, "hand": 1}
    advice = analysis.advise("fives-and-threes", "6|6", rules=rules, strategies="random", precision=0.1)
    # The last tile of the hand ends the round: 12 pips are 4 points, 1 for going out.
    assert (advice.options[0].value.mean, advice.options[0].value.se) == (5, 0)
    assert advice.options[0].chance_best == 1


def test_advice_as_record_and_as_table():
    """Record format of advise: option, value, loss, ci, best; the table holds the same numbers."""
    advice = analysis.advise("fives-and-threes", HAND, **ASK)
    record, frame = advice.record(), advice.frame()
    assert record["hand"] == list(advice.hand) and (record["players"], record["seed"]) == (2, 1)
    for entry, row, option in zip(record["options"], frame.itertuples(), advice.options, strict=True):
        assert isinstance(option, AdvisedOption)
        assert entry["option"] == row.option and entry["value"] == option.value.as_dict()
        assert entry["loss"] == row.loss == option.loss.mean
        assert entry["ci"] == [row.loss_low, row.loss_high] and entry["best"] == row.chance_best
    assert record["options"][0]["ci"] == [0, 0]


@pytest.mark.parametrize(
    ("hand", "players", "named"),
    [
        ("6|6 5|4 3|1 2|2 0|5 1|1", 2, "has 6 tiles: 2 players get 7"),
        (HAND, 4, "has 7 tiles: 4 players get 5"),
        ("6|7 5|4 3|1 2|2 0|5", 3, "6|7"),
        ("6|5 5|6 3|1 2|2 0|5", 3, "given twice: '5|6'"),
        ("", 2, "has 0 tiles"),
    ],
)
def test_hands_that_are_none_are_named(hand, players, named):
    """Case 25 for tiles: the offending text is in the message."""
    with pytest.raises(ValueError, match=r"^[^\n]*$") as raised:
        read_hand(hand, Rules(players=players))
    assert named in str(raised.value)


@pytest.mark.parametrize(("name", "value"), [("precision", 0), ("precision", float("nan")), ("jobs", 0)])
def test_numbers_out_of_range_are_named(name, value):
    with pytest.raises(ValueError, match=name):
        analysis.advise("fives-and-threes", HAND, **{name: value})
