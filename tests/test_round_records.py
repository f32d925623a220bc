"""Records of rounds of Fives and Threes: read as they were played, and refused where a rule is broken."""

import json
from copy import deepcopy

import pytest

from analysis.fives_and_threes.open_hands.records import read_round
from sim import experiment, replay

ROUND = {
    "game": "fives_and_threes",
    "hands": ["5|5 1|2 1|5", "4|4 0|3 0|5"],
    "starter": 0,
    "moves": [{"player": 0, "tile": "5|5", "end": "start"}, {"player": 1, "tile": "0|5", "end": "left"}],
}
LINE_UPS = [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 4, "hand": 6, "target": 41}]


def records(matches=3, **rules):
    made = experiment("fives-and-threes", matches=matches, seed=5, strategies="random", rules=rules)
    return [record for match in range(matches) for record in replay(made, match)]


def refused(record, **changes):
    """Return what reading a record says once some of it is changed."""
    with pytest.raises(ValueError) as caught:
        read_round({**deepcopy(record), **changes})
    assert "\n" not in str(caught.value)
    return str(caught.value)


FIRST = {"tile": "5|5"}


@pytest.mark.parametrize(
    "change, message",
    [
        ({"game": "chess"}, 'game "chess": valid is fives_and_threes'),
        ({"hands": None}, "hands: a list is needed, not null"),
        ({"hands": ["5|5"]}, "1 hand: valid are two to four, one a player (F1)"),
        ({"hands": ["5|5 7|1", "4|4 1|1"]}, "hand of player 0: no such tile: '7|1'"),
        ({"hands": ["5|5 5|5", "4|4 1|1"]}, "hand of player 0: tile given twice: '5|5'"),
        ({"hands": ["5|5 1|2", "5|5 1|1"]}, "tile 5|5 in the hands of players 0 and 1 (F2)"),
        ({"hands": ["5|5 1|2", "4|4"]}, "hands of 2, 1 tiles: each is dealt 2 (F2)"),
        ({"hands": ["", ""]}, "rule hand=0: valid are 1 to 14"),
        ({"hands": [["5|5", 3], "4|4 1|1"]}, "hand of player 0: tiles are needed"),
        ({"hands": [5, "4|4 1|1"]}, "hand of player 0: a list is needed, not 5"),
        ({"starter": 2}, "starter 2: valid are the players 0 to 1 (F1)"),
        ({"starter": None}, "starter null: valid are the players 0 to 1 (F1)"),
        ({"starter": True}, "starter true: valid are the players 0 to 1 (F1)"),
        ({"starter": 1.0}, "starter 1.0: valid are the players 0 to 1 (F1)"),
        ({"rules": 3}, "rules: an object of names and values is needed, not 3"),
        ({"rules": {"players": 3}}, "2 hands: the rules have 3 players (F1)"),
        ({"rules": {"hand": 7}}, "hands of 3, 3 tiles: each is dealt 7 (F2)"),
        ({"rules": {"target": 0}}, "rule target=0"),
        ({"rules": {"sevens": "low"}}, "no rule 'sevens' in Fives and Threes"),
        ({"scores_before": [61, 0]}, "scores_before [61, 0]: valid are those below 61 (F13)"),
        ({"scores_before": [1]}, "scores_before [1]: valid are 2 whole numbers from 0, by side (F14)"),
        ({"scores_before": [-1, 0]}, "scores_before [-1, 0]: valid are 2"),
        ({"scores_before": [True, 0]}, "scores_before [true, 0]: valid are 2"),
        ({"scores_before": [3, 0], "round": 0}, "scores_before [3, 0]: a match begins with [0, 0] (F14)"),
        ({"round": 1, "rules": {"target": "none"}}, "round 1: without a target a match is one round"),
        ({"round": -1}, "round -1: a whole number from 0 is needed"),
        ({"match": "0"}, 'match "0": a whole number from 0 is needed'),
        ({"strategies": ["random"]}, 'strategies ["random"]: 2 names are needed, by player'),
        ({"strategies": ["a", "b\n"]}, r"strategy 'b\n': character '\n' cannot be printed"),
        ({"ends": [1]}, 'ends [1]: two are needed, such as [4, "6|6"] (F5)'),
        ({"ends": [1, "2|3"]}, 'end "2|3": valid are 0 to 6, or a double'),
        ({"ends": [1, 7]}, "end 7: valid are 0 to 6"),
        ({"ends": [1, True]}, "end true: valid are 0 to 6"),
        ({"ends": [1, "4|4"]}, "tile in a hand and at an end: 4|4"),
        ({"ends": [6, 6], "moves": []}, "nobody can place a tile: the round is blocked"),
        ({"moves": 3}, "moves: a list is needed, not 3"),
        ({"moves": [3]}, "move 1: an object of names and values is needed, not 3"),
        ({"moves": [{"player": 1, "tile": "4|4"}]}, "move 1: player 1: it is the turn of player 0 (F1)"),
        ({"moves": [{"player": "0", "tile": "5|5"}]}, 'move 1: player "0": valid are the players 0 to 1'),
        ({"moves": [{"tile": "4|4"}]}, "move 1: 4|4 is not in the hand of player 0 (F2)"),
        ({"moves": [{"tile": "8|8"}]}, "move 1: no such tile: '8|8'"),
        ({"moves": [{**FIRST, "end": "top"}]}, 'move 1: end "top": valid are start, left, right'),
        ({"moves": [{**FIRST, "end": "left"}]}, "move 1: 5|5 at left: valid are 1|2 at start"),
        ({"moves": [{"tile": 5}]}, "move 1: a tile is needed, such as '1|5', not 5"),
        ({"moves": [{}]}, "move 1: a tile is needed, such as '1|5', not null"),
        ({"moves": [{"knock": True}]}, "move 1: player 0 knocks but can play 1|2 at start"),
        ({"moves": [{"knock": "no"}]}, 'move 1: knock "no": valid are true and false'),
        ({"moves": [{**FIRST, "knock": True}]}, 'move 1: tile "5|5": a knock lays none (F6)'),
        ({"moves": [FIRST, {"tile": "4|4"}]}, "move 2: 4|4, without an end: valid are 0|5 at left (F5, F6)"),
        ({"moves": [FIRST, {"tile": "0|5"}, FIRST]}, "move 3: 5|5 is not in the hand of player 0"),
        ({"moves": [{**FIRST, "ends": [5, 4]}]}, "move 1: ends [5, 4]: by the rules [5, 5] (F5)"),
        ({"moves": [{**FIRST, "total": 11}]}, "move 1: total 11: by the rules 10 (F7)"),
        ({"moves": [{**FIRST, "total": 10.0}]}, "move 1: total 10.0: by the rules 10 (F7)"),
        ({"moves": [{**FIRST, "points": 3}]}, "move 1: points 3: by the rules 2 (F8)"),
        ({"moves": [{**FIRST, "bonus": False}]}, "move 1: bonus false: by the rules 0 (F9, F10)"),
        ({"moves": [{**FIRST, "accepted": 1}]}, "move 1: accepted 1: by the rules true (F13)"),
        ({"moves": [{**FIRST, "scores": [3, 0]}]}, "move 1: scores [3, 0]: by the rules [2, 0] (F13, F14)"),
        ({"ended": "won"}, 'ended "won": valid are out, blocked, target'),
        ({"scores": [2]}, "scores [2]: valid are 2 whole numbers from 0, by side (F14)"),
        ({"scores": [1, 0]}, "scores [1, 0]: [2, 2] after the last move, none falls (F14)"),
        ({"scores": [62, 9]}, "scores [62, 9]: none passes 61 (F13)"),
    ],
)  # fmt: skip
def test_what_is_against_the_rules_is_named_in_one_line(change, message):
    read_round(ROUND)
    assert message in refused(ROUND, **change)


def test_a_record_is_an_object():
    with pytest.raises(ValueError, match="a record: an object of names and values is needed"):
        read_round([ROUND])


ENDING = {"hands": ["1|2 3|3", "0|4 1|6"], "starter": 1, "ends": [1, "4|4"]}


@pytest.mark.parametrize(
    "change, message",
    [
        ({"hands": ["1|2 3|3", ""]}, "a hand without a tile: its player is out, and the round over (F9"),
        ({"hands": ["1|2 3|3 0|0", "0|4"], "rules": {"hand": 2}}, "hands of 3, 1 tiles: each is dealt 2"),
        ({"rules": {"hand": 2}}, "hands of 2, 2 tiles: all that were dealt (F2), and ends though no tile"),
        (
            {"hands": ["0|1 1|2 1|3 1|4", "1|5 1|6"]},
            "ends [1, 4]: hands hold too many tiles with a 1",
        ),
        ({"hands": ["1|2 1|3 1|4", "0|1 1|5"], "ends": [1, 1]}, "ends [1, 1]: hands hold too many tiles"),
    ],
)
def test_an_ending_can_have_come_to_be(change, message):
    read_round(ENDING)
    assert message in refused(ENDING, **change)


def test_an_ending_may_show_a_lone_double_or_a_last_free_tile():
    """F5, F7: a lone double shows both its ends by itself; one tile that is in no hand is enough for one."""
    held = {"hands": ["0|1 1|2 1|3", "1|4 1|5 1|6"], "starter": 0}
    read_round({**held, "ends": ["1|1", "1|1"]})
    read_round({**held, "hands": ["0|1 1|2 1|3", "1|4 1|5"], "ends": [1, 0]})


def test_a_partner_who_is_out_is_skipped_in_an_ending():
    """F10."""
    record = {"hands": ["", "3|4 5|6", "1|2 3|3", "0|4 1|6"], "starter": 0, "ends": [1, 6]}
    assert read_round(record).start.mover == 1
    assert "a hand without a tile" in refused(record, hands=["", "3|4 5|6", "", "0|4 1|6"])


@pytest.mark.parametrize("rules", LINE_UPS)
def test_every_forged_value_of_a_replayed_round_is_found(rules):
    """F3 to F14, one value of one move or of the end at a time; as JSON has it the record is read."""
    for record in records(**rules)[:12]:
        read_round(json.loads(json.dumps(record)))
        for number, move in enumerate(record["moves"]):
            for name, value in forged(move):
                moves = deepcopy(record["moves"])
                moves[number][name] = value
                assert refused(record, moves=moves).startswith(f"move {number + 1}: ")
        scores = [score + 1 for score in record["scores"]]
        assert f"scores {json.dumps(scores)}: by the moves" in refused(record, scores=scores)
        other = "out" if record["ended"] != "out" else "blocked"
        assert f'ended "{other}": by the moves "{record["ended"]}"' in refused(record, ended=other)
        more = [*record["moves"], {"knock": True}]
        assert f"the round was over after move {len(more) - 1}" in refused(record, moves=more)
        starter = (record["starter"] + 1) % len(record["hands"])
        assert refused(record, starter=starter).startswith("move 1: player")


def forged(move):
    """Yield names of a move's values with others in their place."""
    yield "player", move["player"] + 1
    if "tile" not in move:
        return
    yield "knock", True
    for name in ("total", "points", "bonus"):
        yield name, move[name] + 1
    yield "accepted", not move["accepted"]
    yield "ends", [end + 1 for end in move["ends"]]
    yield "scores", [score + 1 for score in move["scores"]]


@pytest.mark.parametrize("rules", LINE_UPS)
def test_a_knock_is_neither_left_out_nor_added(rules):
    """F6: who can play must, and who cannot knocks in the record as well."""
    left_out = added = 0
    for record in records(**rules)[:12]:
        for number, move in enumerate(record["moves"]):
            if move.get("knock"):
                moves = record["moves"][:number] + record["moves"][number + 1 :]
                if number < len(moves):
                    assert f"it is the turn of player {move['player']}" in refused(record, moves=moves)
                    left_out += 1
            else:
                moves = [*record["moves"][:number], {"player": move["player"], "knock": True}]
                assert f"player {move['player']} knocks but can play" in refused(record, moves=moves)
                added += 1
    assert left_out > 3 and added > 50


def test_an_unfinished_round_is_read_up_to_its_last_move():
    record = records(players=2)[0]
    for count in range(len(record["moves"])):
        opened = read_round({**record, "moves": record["moves"][:count]})
        assert not opened.complete and len(opened.moves) == count


def test_spellings_and_lists_are_alike():
    spelled = {**ROUND, "hands": [["55", "2-1", "[5|1]"], "4/4,0|3 50"]}
    assert read_round(spelled) == read_round(ROUND)
