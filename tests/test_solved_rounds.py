"""Rounds of Fives and Threes solved with all hands open."""

from random import Random

import pandas as pd
import pytest
from drawn_rounds import draw_position
from reference.open_rounds import enumerate_moves, enumerate_round

import analysis
from analysis.fives_and_threes.open_hands import solved
from analysis.fives_and_threes.open_hands.records import read_round
from analysis.fives_and_threes.open_hands.solved import (
    solved_options,
    solved_plays,
    solved_position,
    solved_sides,
)
from analysis.three_two_five.open_hands.records import read_deal
from sim import experiment, replay
from sim.fives_and_threes.chain import OPEN

PLAYERS = [2, 3, 4]
RULES = [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 2, "target": "none", "hand": 5}]


def records(**rules):
    made = experiment("fives-and-threes", matches=3, seed=5, strategies="random", rules=rules)
    return [record for match in range(3) for record in replay(made, match)]


def ending_record(position):
    """Write a position as a record made by hand."""
    hands, ends, mover, lacking, bonus = position
    target = 61 if any(lacking) else None
    return {
        "game": "fives_and_threes",
        "hands": [" ".join(hand) for hand in hands],
        "starter": mover,
        "ends": [f"{number}|{number}" if double else number for number, double in ends],
        "scores_before": [0 if short is None else 61 - short for short in lacking],
        "rules": {"players": len(hands), "target": target, "out_bonus": bonus},
    }


@pytest.mark.parametrize("rules", RULES)
def test_a_replayed_round_is_read_as_it_was_played(rules):
    """F4 to F14: all that a record says is checked, and what it comes to is what was counted."""
    for record in records(**rules):
        opened = read_round(record)
        assert opened.complete and opened.end.ended == record["ended"]
        assert list(opened.end.scores) == record["scores"]
        assert len(opened.moves) == len(record["moves"])
        plays = solved_plays(opened)
        laid = [move for move in record["moves"] if not move.get("knock")]
        assert plays["tile"].tolist() == [move["tile"] for move in laid]
        assert plays["player"].tolist() == [move["player"] for move in laid]
        due = [(move["points"] + move["bonus"]) * move["accepted"] for move in laid]
        assert plays["scores"].tolist() == due


@pytest.mark.parametrize("players", PLAYERS)
def test_the_moves_of_an_ending_are_worth_what_enumeration_says(players):
    rng, solved = Random(1), 0
    while solved < 60:
        position = draw_position(rng, players, 2 if players == 4 else 3, near=rng.random() < 0.5)
        _, ends, mover, lacking, bonus = position
        lines = enumerate_moves(*position)
        if not lines:
            continue
        record = ending_record(position)
        if record["rules"]["target"]:
            position = (*position[:3], [short or 61 for short in lacking], bonus)
            lines = enumerate_moves(*position)
        solved += 1
        table = solved_position(record)
        found = {(row["tile"], row["end"]): row for row in table.to_dict("records")}
        same = ends[0] == ends[1]
        due = {
            (line.tile, "right" if line.place else "left"): line
            for line in lines
            if not (same and line.place)
        }
        assert set(found) == set(due) and not table["played"].any()
        most = max(line.value.sure[mover] for line in lines)
        for move, row in found.items():
            value = due[move].value
            assert (row["scores"], row["sure"]) == (due[move].event, value.sure[mover])
            assert row["best"] == (row["sure"] == most)
            if players == 3:
                assert [row[f"points_{player}"] for player in range(3)] == list(value.points)
        if players == 3:
            alone = enumerate_round(*position).points
            assert all(
                row["best_alone"] == ([row[f"points_{p}"] for p in range(3)] == list(alone))
                for row in found.values()
            )
        assert table["sure"].is_monotonic_decreasing
        sides = solved_sides(record)
        sure = enumerate_round(*position).sure
        assert sides["sure"].tolist() == list(sure[: len(sides)]) == sides["now"].tolist()


@pytest.mark.parametrize("rules", RULES)
def test_what_is_given_away_adds_up(rules):
    """Own moves only cost a player what is sure, others' only bring more; at the end it has it."""
    gifts = 0
    for record in records(**rules):
        sides, options, plays = solved_sides(record), solved_options(record), solved_plays(record)
        assert (options["gave_away"] >= 0).all() and (options["best"] == (options["gave_away"] == 0)).all()
        assert options.groupby("move")["played"].sum().eq(1).all()
        assert (plays["possible"] - plays["sure"] == plays["gave_away"]).all()
        assert (sides["was_given"] >= 0).all() and (sides["gave_away"] >= 0).all()
        assert (sides["sure"] - sides["gave_away"] + sides["was_given"] == sides["now"]).all()
        points = [
            after - before for after, before in zip(record["scores"], record["scores_before"], strict=True)
        ]
        assert sides["points"].tolist() == points
        if len(sides) == 2:
            assert sides["now"].tolist() == [points[0] - points[1], points[1] - points[0]]
            assert sides["gave_away"].tolist() == sides["was_given"].tolist()[::-1]
        else:
            assert sides["now"].tolist() == points
        gifts += sides["gave_away"].sum()
    assert gifts > 9


def test_an_open_round_counts_what_is_sure_now():
    """A record that stops in the middle: what was given away so far, and the move to be made."""
    record = dict(records(players=3)[1])
    record["moves"] = record["moves"][:5]
    opened = read_round(record)
    assert not opened.complete
    position, played = opened.last()
    assert played is None and len(solved_plays(opened)) <= 5
    options = solved_options(opened)
    assert not options[options["move"] == position.number]["played"].any()
    now = solved_sides(opened)["now"]
    assert now[position.mover] == solved_position(opened)["sure"].max()


def test_a_knock_is_no_choice():
    """F6: the numbers of turns count knocks, as a replay does, and a knock is no position to solve."""
    record = next(one for one in records(players=2) if any(move.get("knock") for move in one["moves"]))
    knock = next(number for number, move in enumerate(record["moves"], start=1) if move.get("knock"))
    assert knock not in set(solved_plays(record)["move"])
    with pytest.raises(ValueError, match=f"move {knock}: valid are 1, "):
        solved_position(record, knock)


def test_both_sides_of_a_lone_double_are_one_move():
    """F5: laid on the right or on the left, it is the same move and was the same choice."""
    record = {"game": "fives_and_threes", "hands": ["3|3 0|1", "3|4 1|1"], "starter": 0}
    moves = [{"tile": "3|3"}, {"tile": "3|4", "end": "right"}]
    plays = solved_plays({**record, "moves": moves})
    assert plays["choices"].tolist() == [2, 1] and plays["end"].tolist() == ["start", "left"]


def test_an_ending_made_by_hand_needs_little():
    """F13: at 58 the target drops what is worth more than three."""
    record = {
        "game": "fives_and_threes",
        "hands": ["1|2 3|3", "0|4 1|6"],
        "starter": 1,
        "ends": [1, "4|4"],
        "scores_before": [58, 3],
    }
    table = solved_position(record)
    assert table[["tile", "end", "scores"]].to_numpy().tolist()[0] == ["1|6", "left", 0]
    opened = read_round({**record, "moves": [{"tile": "1|6"}]})
    assert opened.end.number == 2 and opened.start.ends[0] != OPEN


def test_records_of_either_game_are_solved_under_one_name():
    record, deal = records(players=3)[0], {"trump": "S", "leader": 0, "hands": ["AS", "KS", "QS"]}
    for name in ("solved_plays", "solved_options", "solved_position"):
        shared, own = getattr(analysis, name), getattr(solved, name)
        pd.testing.assert_frame_equal(shared(record), own(record))
        pd.testing.assert_frame_equal(shared(read_round(record)), own(record))
        assert "card" in shared(deal) and "card" in shared(read_deal(deal))
    assert analysis.solved_position(record, move=2).equals(solved_position(record, 2))
    assert analysis.solved_position(deal, 1, order=1)["card"].tolist() == ["AS"]
    with pytest.raises(ValueError, match="no game 'chess'"):
        analysis.solved_plays({**record, "game": "chess"})
    with pytest.raises(ValueError, match="a record: an object"):
        analysis.solved_plays([record])
