"""``dealworth solve``: deals of a file or of standard input, as tables and for programs."""

import io
import json
import re
import subprocess
import sys

import pytest

from analysis import solved_players, solved_plays, solved_position
from analysis.cli import report, solve
from tests.cli.command import PROGRAM, environment

ENDING = {"trump": "S", "leader": 0, "hands": ["AS KS 9H", "QS JS AH", "KH TS 9S"], "tricks": ["AS QS"]}
OPEN_HANDS = "All hands are open: these are values for somebody who sees every card"


@pytest.fixture
def played(dealworth, tmp_path):
    """Records of two matches in the file ``deals``."""
    words = ("--strategy", "heuristic", "random", "first-suit", "--seed", 3, "--count", 2, "--json")
    out = dealworth("replay", "three-two-five", *words).out
    (tmp_path / "deals").write_text(out, encoding="utf-8")
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def ending(tmp_path):
    """Write an ending made by hand to the file ``ending``, with changes."""

    def write(**changes):
        (tmp_path / "ending").write_text(json.dumps({**ENDING, **changes}, indent=1), encoding="utf-8")

    write()
    return write


def cells(line):
    return re.split(r"\s{2,}", line.strip())


def test_a_deal_is_one_table_of_its_cards(dealworth, played):
    status, out, err = dealworth("solve", "deals", "--match", 1, "--deal", 4)
    assert (status, err) == (0, "") and OPEN_HANDS in out
    record = played[13]
    plays, players = solved_plays(record), solved_players(record)
    lines = out.splitlines()
    assert lines[0].startswith("3-2-5, match 1, deal 4, trump ") and lines[0].endswith("at the first lead")
    start = next(number for number, line in enumerate(lines) if line.startswith("trick"))
    rows = [cells(line) for line in lines[start + 2 :] if line.strip()][:30]
    symbols = str.maketrans("SHDC", "♠♥♦♣")
    for row, play in zip(rows, plays.to_dict("records"), strict=True):
        cut = row[1:] if play["order"] == 1 else row
        card = play["card"][0] + play["card"][1].translate(symbols)
        lost = str(play["gave_away"] or "–")
        assert cut[:3] == [f"{play['player']} ({play['seat']})", card, str(play["sure"])]
        assert cut[-2:] == [str(play["possible"]), lost]
        best = {"forced": 1, f"any of {play['choices']}": play["choices"]}
        assert len(play["best"].split()) == best.get(cut[3], len(cut[3].split()))
    for player in players.to_dict("records"):
        shown = [str(player[name]) for name in ("strategy", "quota", "sure", "gave_away", "was_given", "now")]
        assert [f"{player['player']} ({player['seat']})", *shown] in [cells(line) for line in lines]


def test_all_deals_of_a_file_are_solved_in_order(dealworth, played):
    out = dealworth("solve", "deals").out
    heads = re.findall(r"^3-2-5, match (\d), deal (\d), .* at the first lead$", out, re.MULTILINE)
    assert [(int(match), int(deal)) for match, deal in heads] == [(r["match"], r["deal"]) for r in played]
    assert out.count("took\n") == 18
    by_deal = dealworth("solve", "deals", "--deal", 2).out
    assert re.findall(r"match (\d), deal (\d)", by_deal) == [("0", "2"), ("1", "2")]
    assert re.findall(r"match (\d), deal (\d)", dealworth("solve", "deals", "--line", 12).out) == [("1", "2")]


def test_standard_input_is_read_as_a_file(dealworth, played, tmp_path, monkeypatch):
    for mark in (b"", b"\xef\xbb\xbf"):
        content = mark + (tmp_path / "deals").read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        status, out, _ = dealworth("solve", "-", "--line", 4)
        assert status == 0 and out == dealworth("solve", "deals", "--line", 4).out


def test_one_position_has_both_values_of_every_card(dealworth, played):
    words = ("solve", "deals", "--line", 2, "--trick", 2, "--card", 3)
    status, out, err = dealworth(*words)
    assert (status, err) == (0, "") and OPEN_HANDS in out
    table = solved_position(played[1], 2, 3)
    record = json.loads(dealworth(*words, "--json").out)
    assert re.search(r"trick 2, card 3: player \d \(\w+\) to play", out.splitlines()[0])
    assert "players" not in record and len(record["positions"]) == 1
    position = record["positions"][0]
    assert (position["trick"], position["card"], position["table"]) == (
        2,
        3,
        played[1]["tricks"][1]["cards"][:2],
    )
    assert (
        position["played"] == played[1]["tricks"][1]["cards"][2] and position["sure"] == table["sure"].max()
    )
    for value, row in zip(position["values"], table.to_dict("records"), strict=True):
        assert value["tricks"] == [row[f"tricks_{player}"] for player in range(3)]
        assert all(value[name] == row[name] for name in ("card", "played", "sure", "best", "best_alone"))
    assert dealworth("solve", "deals", "--line", 2, "--trick", 2).out.splitlines()[0].count("card 1:") == 1


def test_equal_cards_stand_together_and_the_best_are_marked(dealworth, tmp_path):
    record = {"trump": "S", "leader": 0, "hands": ["AS 9H 8H", "QS JS AH", "KH TS 9S"], "dealer": 2}
    (tmp_path / "ending").write_text(json.dumps(record), encoding="utf-8")
    out = dealworth("solve", "ending").out
    table = solved_position(record)
    rows = [cells(line) for line in out.splitlines()]
    groups = table.groupby(["sure", "tricks_0", "tricks_1", "tricks_2"], sort=False)
    assert len(groups) < len(table) == 3
    for (sure, *tricks), group in groups:
        shown = " ".join(card[0] + "♠♥♦♣"["SHDC".index(card[1])] for card in group["card"])
        marks = [["best"] if group[name].iloc[0] else [] for name in ("best", "best_alone")]
        assert [shown, str(sure), *marks[0], *map(str, tricks), *marks[1]] in rows
    assert [["cards", "sure of", "0 (five)", "1 (three)", "2 (two)"]] == [r for r in rows if r[0] == "cards"]


def test_a_deal_that_is_not_over_shows_the_card_to_be_played(dealworth, ending):
    out = dealworth("solve", "ending").out
    assert "3-2-5, trump ♠, at the first lead" in out and "sure of now" in out
    assert (
        "trick 1, card 3: player 2 to play" in out and "on the table: A♠ of player 0, Q♠ of player 1" in out
    )
    record = json.loads(dealworth("solve", "ending", "--json").out)
    assert [position["played"] for position in record["positions"]] == ["AS", "QS", None]
    assert [value["card"] for value in record["positions"][2]["values"]] == ["TS", "9S"]
    assert record["players"][0] == {
        "player": 0, "seat": None, "strategy": None, "quota": None,
        "sure": 2, "gave_away": 0, "was_given": 0, "now": 2,
    }  # fmt: skip
    assert (record["dealer"], record["leader"], record["all_hands_open"]) == (None, 0, True)
    ending(tricks=[])
    assert "gave away" in dealworth("solve", "ending").out


def test_records_for_programs_come_one_a_line(dealworth, played):
    lines = dealworth("solve", "deals", "--match", 0, "--json").out.splitlines()
    solved = [json.loads(line) for line in lines]
    assert [made["deal"] for made in solved] == list(range(9))
    for made, record in zip(solved, played, strict=False):
        assert (made["trump"], made["dealer"]) == (record["maker"]["trump"], record["dealer"])
        assert [p["played"] for p in made["positions"]] == [c for t in record["tricks"] for c in t["cards"]]
        assert {player["player"]: player["now"] for player in made["players"]} == dict(
            enumerate(record["tricks_won"])
        )
        best = [max(value["sure"] for value in position["values"]) for position in made["positions"]]
        assert best == [position["sure"] for position in made["positions"]]


def test_letters_where_there_are_no_symbols(compiled, ending, tmp_path):
    """Case 26; and standard input of a process of its own."""
    done = subprocess.run(
        [*PROGRAM, "solve", "-"],
        cwd=tmp_path,
        env=environment(PYTHONIOENCODING="ascii"),
        input=(tmp_path / "ending").read_bytes(),
        capture_output=True,
    )
    out = done.stdout.decode("ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "trump S" in out and "AS of player 0, QS of player 1" in out


WRONG = [
    ("solve", "RECORD"),
    ("solve missing", "missing"),
    ("solve .", "directory"),
    ("solve ending --card 1", "give --trick as well"),
    ("solve ending --trick 0", "'0'"),
    ("solve ending --card x", "'x'"),
    ("solve ending --line 0", "'0'"),
    ("solve ending --line 2", "'ending': no record of line 2; the last one read is on line 1"),
    ("solve ending --match 3 --deal 1", "no record of match 3, deal 1"),
    ("solve ending --trick 2", "'ending', line 1: trick 2, card 1: the last position is trick 1, card 3"),
    ("solve ending --trick 1 --card 4", "trick 1, card 4: the last position is"),
]


@pytest.mark.parametrize(("line", "named"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_words_give_one_line_and_status_2(dealworth, ending, line, named):
    status, out, err = dealworth(*line.split())
    assert (status, out) == (2, "") and err.startswith("dealworth: ")
    assert err.count("\n") == 1 and named in err


WRONG_RECORDS = [
    ({"hands": ["AS KS 9H", "QS JS AS", "KH TS 9S"]}, "card AS in the hands of players 0 and 1"),
    ({"tricks": ["AS KS"]}, "trick 1, card 2: KS is not in the hand of player 1"),
    ({"tricks": ["AS AH"]}, "AH but must follow suit: valid are QS JS (R23)"),
    ({"trump": "X"}, 'trump "X": valid are S, H, D, C'),
    ({"game": "chess"}, 'game "chess": valid are three_two_five, fives_and_threes'),
    ({"game": "fives_and_threes"}, "hand of player 0: no such tile: 'AS'"),
]


@pytest.mark.parametrize(("change", "named"), WRONG_RECORDS, ids=[named for _, named in WRONG_RECORDS])
def test_a_wrong_record_is_named_with_file_and_line(dealworth, ending, change, named):
    ending(**change)
    status, out, err = dealworth("solve", "ending")
    assert (status, out) == (2, "") and err.startswith("dealworth: 'ending', line 1: ")
    assert err.count("\n") == 1 and named in err


def test_nothing_is_printed_where_a_later_record_is_wrong(dealworth, played, tmp_path):
    """Broken JSON, no text, no record: the line or byte is named."""
    good = (tmp_path / "deals").read_bytes().splitlines()[0]
    for content, named in (
        (good + b'\n{"trump": \n', "'deals': line 2, column 11: no JSON"),
        (good + b'\n{"trump": "S"}\n', "'deals', line 2: hands"),
        (good + b"\n[]\n", "'deals', line 2: a record: an object"),
        (b"\xff\xfe{", "'deals': no text in UTF-8: byte 0 is 0xff"),
        (b"\n", "'deals': no record"),
    ):
        (tmp_path / "deals").write_bytes(content)
        status, out, err = dealworth("solve", "deals")
        assert (status, out) == (2, "") and named in err and err.count("\n") == 1


def test_help_says_what_a_record_needs(dealworth, capsys):
    with pytest.raises(SystemExit) as left:
        dealworth("solve", "--help")
    out = capsys.readouterr().out
    assert left.value.code == 0 and "usage: dealworth solve RECORD" in out and "trump, hands, dealer" in out


def test_compiling_is_announced(dealworth, ending, monkeypatch):
    """Case 24: where a kernel is not in the cache yet, here and in a report that replays deals."""
    dealworth.simulate("--deals", 9, "--out", "run")
    for module, words in ((solve, ("solve", "ending")), (report, ("report", "run"))):
        assert dealworth(*words).err == ""
        monkeypatch.setattr(module, "is_compiled", lambda _kernel: False)
        status, _, err = dealworth(*words)
        assert status == 0 and err.startswith("compiling the game, first run only")
