"""From rows to counters: counted once more in plain Python, from the replays of the same run."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from sim import experiment, replay, run
from sim.three_two_five import tally

GAME = "three-two-five"
SEATS = ("five", "three", "two")


def quantities(record):
    """Return the quantities of one deal by name."""
    seats = [(record["dealer"] + step) % 3 for step in (1, 2, 3)]
    over = [record["tricks_won"][player] - record["quota"][player] for player in seats]
    found = {"deals": 1, "reveals": int(record["maker"]["choice"] == "reveal")}
    for name, player, surplus in zip(SEATS, seats, over, strict=True):
        found[f"tricks_{name}"] = record["tricks_won"][player]
        found[f"score_{name}"] = record["score"][player]
        found[f"met_{name}"] = int(surplus >= 0)
    found["all_exact"] = int(over == [0, 0, 0])
    found["cards_owed"] = sum(surplus for surplus in over if surplus > 0)
    found |= {f"score_{player}": record["score"][player] for player in range(3)}
    return [found[name] for name in tally.QUANTITIES]


def counted(matches, length):
    """Count the records of matches as the module of counters documents it."""
    due = tally.blank(length)
    for records in matches:
        phases = ([records[0]], records[1:], records)
        for phase, part in enumerate(phases):
            if part:
                totals = np.array([quantities(record) for record in part]).sum(axis=0)
                due["clusters"][phase] += 1
                due["totals"][phase] += totals
                due["gram"][phase] += np.outer(totals, totals)
        for record in records:
            count_deal(record, due)
        if len(records) == length:
            final = records[-1]["match_score"]
            for player, score in enumerate(final):
                due["match_scores"][player, score + 5 * length] += 1
            due["winners"][sum(1 << p for p in range(3) if final[p] == max(final))] += 1
    return due


def count_deal(record, due):
    """Count one deal in the tables of single deals."""
    phase, choice = int(record["deal"] > 0), int(record["maker"]["choice"] == "reveal")
    seats = [(record["dealer"] + step) % 3 for step in (1, 2, 3)]
    won = [record["tricks_won"][player] for player in seats]
    due["outcomes"][record["dealer"], phase, choice, won[0], won[1]] += 1
    due["trumps"][choice, "SHDC".index(record["maker"]["trump"])] += 1
    net = Counter(pull["taker"] for pull in record["pulls"])
    net.subtract(Counter(pull["giver"] for pull in record["pulls"]))
    for seat, player in enumerate(seats):
        due["pulls"][seat, net[player] + tally.MOST_PULLS, won[seat]] += 1


@pytest.mark.parametrize(
    ("scoring", "units", "length"), list(product(("difference", "surplus", "tricks"), (117, 113, 28), (9, 3)))
)
def test_the_replays_add_up_to_the_counters(scoring, units, length):
    """Whole matches, a match cut short, and one cut after its first deal; three scorings."""
    made = experiment(
        GAME,
        units=units,
        seed=units,
        strategies=["heuristic", "random+always-reveal", "first-suit"],
        rules={"scoring": scoring, "deals_per_match": length},
    )
    matches = [replay(made, match) for match in range(made.matches)]
    assert sum(map(len, matches)) == units
    due, counters = counted(matches, length), run(made, piece=2).counters
    assert counters.keys() == due.keys()
    for name, counter in counters.items():
        np.testing.assert_array_equal(counter, due[name], err_msg=name)
        assert counter.dtype == np.int64


def test_counters_are_sums():
    """Two pieces add up to the whole, in any order (merging is exact)."""
    first, second = (
        run(experiment(GAME, matches=matches, strategies="random")).counters for matches in (30, 50)
    )
    made = experiment(GAME, matches=50, strategies="random")
    rest = made.game.play(made, 30, 20, False).counters
    for name in first:
        np.testing.assert_array_equal(first[name] + rest[name], second[name])
