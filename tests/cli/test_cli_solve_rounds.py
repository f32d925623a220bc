"""``dealworth solve`` with rounds of Fives and Threes, alone and beside deals of 3-2-5."""

import json
import re

import pytest

from analysis import solved_plays, solved_position, solved_sides

OPEN_HANDS = "All hands are open: these are values for somebody who sees every tile"
ENDING = {
    "game": "fives_and_threes",
    "hands": ["1|2 3|3", "0|4 1|6"],
    "starter": 1,
    "ends": [1, "4|4"],
    "scores_before": [58, 3],
}


@pytest.fixture(params=[2, 3, 4])
def played(request, dealworth, tmp_path):
    """Records of a match in the file ``rounds``."""
    rules = ("--rules", f"players={request.param}")
    out = dealworth("replay", "fives-and-threes", "--strategy", "random", "--seed", 5, *rules, "--json").out
    (tmp_path / "rounds").write_text(out, encoding="utf-8")
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def write(tmp_path):
    """Write records to the file ``mixed``, one a line."""

    def lines(*records):
        (tmp_path / "mixed").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")

    lines(ENDING)
    return lines


def cells(line):
    return re.split(r"\s{2,}", line.strip())


def test_a_round_is_one_table_of_its_moves(dealworth, played):
    status, out, err = dealworth("solve", "rounds", "--round", 1)
    assert (status, err) == (0, "") and OPEN_HANDS in " ".join(out.split())
    record = played[1]
    plays, sides = solved_plays(record), solved_sides(record)
    lines = out.splitlines()
    scores = " : ".join(map(str, record["scores_before"]))
    assert (
        lines[0] == f"Fives and Threes, match 0, round 1, scores {scores}, target 61, before the first move"
    )
    start = next(number for number, line in enumerate(lines) if line.startswith("move"))
    rows = [cells(line) for line in lines[start + 2 :]][: len(record["moves"])]
    by_move = {play["move"]: play for play in plays.to_dict("records")}
    for number, (row, move) in enumerate(zip(rows, record["moves"], strict=True), 1):
        assert row[:2] == [str(number), str(move["player"])]
        if move.get("knock"):
            assert row[2:] == ["knocks"]
            continue
        play = by_move[number]
        shown = [str(play["scores"] or "–"), str(play["sure"])]
        assert row[3:5] == shown
        assert row[-2:] == [str(play["possible"]), str(play["gave_away"] or "–")]
    for side in sides.to_dict("records"):
        names = ("players", "strategy", "sure", "gave_away", "was_given", "now", "points")
        assert [str(side[name]) for name in names] in [cells(line) for line in lines]


def test_records_for_programs_come_one_a_line(dealworth, played):
    solved = [json.loads(line) for line in dealworth("solve", "rounds", "--json").out.splitlines()]
    assert [made["round"] for made in solved] == list(range(len(played)))
    for made, record in zip(solved, played, strict=True):
        tiles = [move["tile"] for move in record["moves"] if "tile" in move]
        assert [position["played"]["tile"] for position in made["positions"]] == tiles
        assert [side["points"] for side in made["sides"]] == [
            after - before for after, before in zip(record["scores"], record["scores_before"], strict=True)
        ]
        for position in made["positions"]:
            assert position["sure"] == max(value["sure"] for value in position["values"])
            assert all(("points" in value) == (len(record["hands"]) == 3) for value in position["values"])


def test_one_position_has_every_move(dealworth, played):
    words = ("solve", "rounds", "--line", 1, "--move", 2)
    table = solved_position(played[0], 2)
    record = json.loads(dealworth(*words, "--json").out)
    assert "sides" not in record and len(record["positions"]) == 1
    values = record["positions"][0]["values"]
    for value, row in zip(values, table.to_dict("records"), strict=True):
        assert all(value[name] == row[name] for name in ("tile", "end", "played", "scores", "sure", "best"))
    status, out, err = dealworth(*words)
    assert (status, err) == (0, "") and f"move 2: player {played[0]['moves'][1]['player']} to play" in out
    assert ("each plays for itself" in out) == (len(played[0]["hands"]) == 3)
    assert len([line for line in out.splitlines() if re.search(r" (left|right) ", line)]) >= len(table)


def test_an_ending_shows_the_move_to_be_made(dealworth, write):
    out = dealworth("solve", "mixed").out
    assert "move 1: player 1 to play" in out and "ends: 1 and 4|4; scores 58 : 3" in out
    record = json.loads(dealworth("solve", "mixed", "--json").out)
    assert [position["played"] for position in record["positions"]] == [None]
    assert record["positions"][0]["ends"] == ["1", "4|4"] and record["scores_before"] == [58, 3]


def test_deals_and_rounds_may_stand_in_one_file(dealworth, write):
    deal = {"trump": "S", "leader": 0, "hands": ["AS KS 9H", "QS JS AH", "KH TS 9S"]}
    write(deal, {**ENDING, "match": 4, "round": 2}, {**deal, "match": 4, "deal": 2})
    out = dealworth("solve", "mixed").out
    heads = re.findall(r"^(3-2-5|Fives and Threes), .*(?:first lead|first move)$", out, re.MULTILINE)
    assert heads == ["3-2-5", "Fives and Threes", "3-2-5"]
    games = [json.loads(line)["game"] for line in dealworth("solve", "mixed", "--json").out.splitlines()]
    assert games == ["three_two_five", "fives_and_threes", "three_two_five"]
    assert dealworth("solve", "mixed", "--round", 2).out.startswith("Fives and Threes, match 4, round 2")
    assert dealworth("solve", "mixed", "--deal", 2, "--trick", 1).out.startswith("3-2-5, match 4, deal 2")


@pytest.mark.parametrize(
    "words, named",
    [
        ("--trick 1", "'mixed', line 1: --trick is not for a record of fives_and_threes"),
        ("--trick 1 --card 2", "--trick is not for a record of fives_and_threes"),
        ("--move 9", "'mixed', line 1: move 9: valid are 1, knocks having no choice"),
        ("--move 0", "'0'"),
        ("--round -1", "'-1'"),
        ("--round 3", "'mixed': no record of round 3; the last one read is on line 1"),
        ("--deal 3", "'mixed': no record of deal 3"),
    ],
)
def test_wrong_words_give_one_line_and_status_2(dealworth, write, words, named):
    status, out, err = dealworth("solve", "mixed", *words.split())
    assert (status, out) == (2, "") and err.startswith("dealworth: ")
    assert err.count("\n") == 1 and named in err


@pytest.mark.parametrize(
    "change, named",
    [
        ({"game": "chess"}, 'game "chess": valid are three_two_five, fives_and_threes'),
        ({"game": ["x"]}, 'game ["x"]: valid are three_two_five, fives_and_threes'),
        ({"game": "three_two_five"}, "no trump"),
        ({"hands": ["1|2 3|3", "1|2 1|6"]}, "tile 1|2 in the hands of players 0 and 1 (F2)"),
        ({"starter": 5}, "starter 5: valid are the players 0 to 1 (F1)"),
        ({"moves": [{"knock": True}]}, "knocks but can play"),
    ],
)
def test_a_wrong_record_is_named_with_file_and_line(dealworth, write, change, named):
    write(ENDING, {**ENDING, **change})
    status, out, err = dealworth("solve", "mixed")
    assert (status, out) == (2, "") and err.startswith("dealworth: 'mixed', line 2: ")
    assert err.count("\n") == 1 and named in err


def test_a_move_is_no_option_of_a_deal(dealworth, write):
    write({"trump": "S", "leader": 0, "hands": ["AS", "KS", "QS"]})
    status, _, err = dealworth("solve", "mixed", "--move", 1)
    assert status == 2 and "--move is not for a record of three_two_five" in err
