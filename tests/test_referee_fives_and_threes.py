"""The referee of Fives and Threes accepts what the rules allow and names what they do not."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random

import pytest
from reference.dominoes import DOUBLE_SIX, deal, draw_starter
from reference.fives_and_threes import Match, Round, play_match, play_out, uniform_pair
from reference.referee_fives_and_threes import RefereeError, record_of, records_of, referee


def random_records(players: int, matches: int, seed: int, **rules) -> list[dict]:
    """Play matches at random and read their records back from JSON."""
    rng = Random(seed)
    records = []
    for number in range(matches):
        match = Match(players, draw_starter(players, rng), **rules)
        play_match(match, rng, uniform_pair(rng))
        records += records_of(match, number)
    return json.loads(json.dumps(records))


RECORDS = random_records(2, 2, seed=1)
FIRST_LENGTH = sum(record["match"] == 0 for record in RECORDS)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_accepts_random_matches(players):
    records = random_records(players, 20, seed=players)
    assert {record["ended"] for record in records} == {"out", "blocked", "target"}
    assert any(not move.get("accepted", True) for record in records for move in record["moves"])
    assert referee(records) == len(records)


@pytest.mark.parametrize("rules", [{"target": 30}, {"hand_size": 6}, {"out_bonus": 0}, {"out_bonus": 4}])
def test_accepts_other_rules(rules):
    records = random_records(3, 5, seed=5, **rules)
    assert referee(records) == len(records)
    with pytest.raises(RefereeError, match="match 0 round"):
        referee([{**record, "rules": {"players": 3}} for record in records])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_accepts_rounds_alone_without_a_target(players):
    rng = Random(6)
    records = []
    for number in range(50):
        game = Round(deal(players, rng), draw_starter(players, rng), target=None)
        records.append(record_of(play_out(game, uniform_pair(rng)), number, 0))
    assert referee(json.loads(json.dumps(records))) == 50


def test_rules_left_out_are_the_rulebook_s_and_further_keys_are_passed_over():
    records = deepcopy(RECORDS)
    for record in records:
        record["rules"] = {"players": 2, "hand": None, "sevens": "low"}
        record["seed"] = 7
        for move in record["moves"]:
            move["thought"] = 0.5
            move.setdefault("knock", False)
    assert referee(records) == len(records)


def test_f5_accepts_either_side_of_a_lone_double():
    for end in ("left", "right"):
        game = Round([["4|4", "0|0"], ["4|5", "1|1"]], 0, target=None)
        game.play("4|4", "start")
        game.play("4|5", end)
        assert referee([record_of(game, 0, 0, hand=2)]) == 1


# Every mutation changes the two matches of RECORDS in place and breaks the named rule.


def find(records: list[dict], **wanted: object) -> tuple[dict, int]:
    """Find the first move with these values: its record and its place."""
    for record in records:
        for place, move in enumerate(record["moves"]):
            if all(move.get(key) == value for key, value in wanted.items()):
                return record, place
    raise AssertionError(f"no move with {wanted}")


def blocked(records: list[dict]) -> dict:
    return next(record for record in records if record["ended"] == "blocked")


def change(key: str, value: object, **wanted: object):
    """Set a field of the first move found; a function is given the old value."""

    def mutate(records: list[dict]) -> None:
        record, place = find(records, **wanted)
        move = record["moves"][place]
        move[key] = value(move[key]) if callable(value) else value

    return mutate


def deal_a_tile_twice(records):
    records[0]["hands"][0][0] = records[0]["hands"][1][0]


def deal_a_tile_too_many(records):
    hands = records[0]["hands"]
    hands[0].append(next(tile for tile in DOUBLE_SIX if tile not in hands[0] + hands[1]))


def write_a_tile_high_half_first(records):
    hand = records[0]["hands"][0]
    place = next(place for place, tile in enumerate(hand) if tile[0] != tile[2])
    hand[place] = hand[place][::-1]


def keep_the_starter(records):
    records[1]["starter"] = records[0]["starter"]


def drop_a_knock(records):
    record, place = find(records, knock=True)
    del record["moves"][place]


def knock_though_able(records):
    record, place = find(records, end="left")
    record["moves"][place] = {"player": record["moves"][place]["player"], "knock": True}


def list_the_knocks_of_a_blocked_round(records):
    record = blocked(records)
    record["moves"].append({"player": 1 - record["moves"][-1]["player"], "knock": True})


def place_a_tile_of_the_other_hand(records):
    record, place = find(records, end="start")
    move = record["moves"][place]
    move["tile"] = record["hands"][1 - move["player"]][0]


def place_at_the_other_end(records):
    # No second tile fits both numbers of a first one that is no double.
    second = next(
        record["moves"][1]
        for record in records
        if len(set(record["moves"][0]["ends"])) == 2 and "end" in record["moves"][1]
    )
    second["end"] = "right" if second["end"] == "left" else "left"


def move_out_of_turn(records):
    record, place = find(records, end="left")
    record["moves"][place]["player"] = 1 - record["moves"][place]["player"]


def turn_the_ends_round(records):
    record, place = next(
        (record, place)
        for record in records
        for place, move in enumerate(record["moves"])
        if len(set(move.get("ends", []))) == 2
    )
    record["moves"][place]["ends"].reverse()


def score_a_dropped_event(records):
    record, place = find(records, accepted=False)
    move = record["moves"][place]
    move["accepted"] = True
    move["scores"][move["player"]] += move["points"] + move["bonus"]


def cut_the_last_move(records):
    records[0]["moves"].pop()


def play_on_after_the_target(records):
    record = records[FIRST_LENGTH - 1]
    player = 1 - record["moves"][-1]["player"]
    left = set(record["hands"][player]) - {move.get("tile") for move in record["moves"]}
    record["moves"].append({"player": player, "tile": min(left), "end": "left"})


def call_a_block_an_out(records):
    blocked(records)["ended"] = "out"


def raise_a_final_score(records):
    records[0]["scores"][0] += 1


def forget_the_scores(records):
    records[1]["scores_before"] = [0, 0]


def start_a_match_ahead(records):
    records[FIRST_LENGTH]["scores_before"] = [0, 1]


def stop_a_match_short(records):
    del records[FIRST_LENGTH - 1]


def stop_the_last_match_short(records):
    del records[-1]


def add_a_round_to_a_won_match(records):
    records[FIRST_LENGTH]["match"], records[FIRST_LENGTH]["round"] = 0, FIRST_LENGTH


def skip_a_round(records):
    del records[1]


def begin_at_round_one(records):
    del records[0]


def swap_the_matches(records):
    records[:] = records[FIRST_LENGTH:] + records[:FIRST_LENGTH]


def change_the_rules_within_a_match(records):
    records[1]["rules"]["out_bonus"] = 2


def name_another_game(records):
    records[0]["game"] = "three_two_five"


def leave_out_a_field(records):
    del records[0]["ended"]


def leave_out_the_total(records):
    record, place = find(records, end="left")
    del record["moves"][place]["total"]


MUTATIONS = [
    (deal_a_tile_twice, "is dealt twice"),
    (deal_a_tile_too_many, r"hands of \[8, 7\] tiles"),
    (write_a_tile_high_half_first, "is not a tile"),
    (keep_the_starter, "starter is"),
    (drop_a_knock, "player is"),
    (knock_though_able, "can play"),
    (list_the_knocks_of_a_blocked_round, r"has ended \(blocked\)"),
    (place_a_tile_of_the_other_hand, "cannot; valid are"),
    (place_at_the_other_end, "cannot; valid are"),
    (move_out_of_turn, "player is"),
    (turn_the_ends_round, "ends is"),
    (change("end", "middle", end="left"), "cannot; valid are"),
    (change("total", lambda total: total + 15, end="left"), "total is"),
    (change("points", 0, points=2), "points is"),
    (change("bonus", 0, bonus=1), "bonus is"),
    (change("bonus", 1, end="start"), "bonus is"),
    (change("accepted", False, accepted=True), "accepted is"),
    (change("accepted", 1, accepted=True), "accepted is 1, right is true"),
    (change("scores", lambda scores: [score + 1 for score in scores], end="left"), "scores is"),
    (score_a_dropped_event, "accepted is true, right is false"),
    (cut_the_last_move, "ended is"),
    (play_on_after_the_target, r"has ended \(target\)"),
    (call_a_block_an_out, 'ended is "out", right is "blocked"'),
    (raise_a_final_score, "scores is"),
    (forget_the_scores, "scores_before is"),
    (start_a_match_ahead, "scores_before is"),
    (stop_a_match_short, "the match stops at"),
    (stop_the_last_match_short, "the match stops at"),
    (add_a_round_to_a_won_match, "has won at 61"),
    (skip_a_round, "round is 2, right is 1"),
    (begin_at_round_one, "first round is 1, right is 0"),
    (swap_the_matches, "comes after match"),
    (change_the_rules_within_a_match, "rules is"),
    (name_another_game, "game is"),
    (leave_out_a_field, "the record lacks ended"),
    (leave_out_the_total, "the move lacks total"),
]


@pytest.mark.parametrize(("mutate", "reason"), MUTATIONS, ids=lambda value: getattr(value, "__name__", value))
def test_rejects_a_mutation(mutate, reason):
    records = deepcopy(RECORDS)
    referee(records)
    mutate(records)
    with pytest.raises(RefereeError, match=rf"^match \d+ round \d+: .*{reason}"):
        referee(records)


@pytest.mark.parametrize("record", [None, [], {}, {"game": "fives_and_threes"}])
def test_rejects_what_is_no_record(record):
    with pytest.raises(RefereeError):
        referee([record])
