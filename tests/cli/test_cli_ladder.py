"""The command ``ladder``: what it prints, keeps, draws, resumes, refuses; ladders and books in a report."""

import json
import os
import signal

import pytest

from analysis.cli.progress import ProgressDisplay
from sim import find_game
from sim.batch import Progress
from sim.ladder.folder import load
from tests.cli.command import start, wait_for_checkpoint

GAME = "three-two-five"
SMALL = ("ladder", "--strategy", "random", "first-suit", "--quick", "--matches", "40")
DOMINOES = (
    *("ladder", "fives-and-threes", "--players", "4", "--strategy", "random", "greedy"),
    *("--quick", "--matches", "300"),
)


def test_a_ladder_is_printed_and_kept(dealworth):
    status, out, err = dealworth(*SMALL, "--challengers", "heuristic", "--out", "made")
    assert (status, err) == (0, "")
    made = load("made")
    assert made.matches.tolist() == [40] * 4 and not made.partial
    for text in (
        "tricks a deal that one gains among two of another",
        "two of first-suit",
        "random < first-suit: each surely beats every weaker one (1 pair, both ways at 95%).",
        "How far each can be exploited: a lower bound",
        "call − reveal, tricks",
        "challengers heuristic",
        made.digest,
        "folder      made",
    ):
        assert text in out


def test_json_is_one_object_and_repeats_for_any_jobs(dealworth):
    """Case 22."""
    records = [
        json.loads(dealworth(*SMALL, GAME, "--json", "--jobs", jobs, "--out", f"jobs{jobs}").out)
        for jobs in (1, 2)
    ]
    first = records[0]
    assert first["digest"] == records[1]["digest"] == load("jobs2").digest
    assert (first["strategies"], first["challengers"]) == (["random", "first-suit"], [])
    assert (first["seed"], first["partial"], first["unit"]) == (1, False, "tricks a deal")
    assert [row["strategy"] for row in first["ranking"]] == ["first-suit", "random"]
    assert first["ranking"][1]["gain"] is None and first["intransitivities"] == []
    one = first["cross_play"][0]
    assert (one["one"], one["two"], one["matches"]) == ("first-suit", "random", 40)
    assert one["low"] < one["gain"] < one["high"]
    assert first["exploitability"][0]["responder"] == "first-suit"
    assert len(first["sensitivity"]) == 10 and first["deals"] == load("jobs1").units


def test_a_ladder_of_dominoes_has_sides_and_strangers_points_and_matches(dealworth):
    status, out, err = dealworth(*DOMINOES, "--challengers", "heuristic", "--out", "made")
    assert (status, err) == (0, "")
    for text in (
        "points a round that a side gains against a side of another",
        "matches in 100 that a stranger gains among three of another",
        "random < greedy: each surely beats every weaker one (1 pair, both ways at 95%).",
        "How far each can be exploited: a lower bound",
        "start, points a round",
        load("made").digest,
    ):
        assert text in out
    record = json.loads(dealworth(*DOMINOES, "--json", "--jobs", 2).out)
    assert (record["measure"], record["unit"]) == ("points", "points a round")
    assert [further["measure"] for further in record["further"]] == [
        "matches",
        "points of a stranger",
        "matches of a stranger",
    ]
    assert record["cells"][0] == {"one": "greedy", "two": "random", "seating": "sides", "matches": 300}
    assert record["tables"][0]["four"] == "random" and record["matches"] == load(record["folder"]).units


def test_options_reach_the_plan(dealworth):
    words = "--seed 5 --deals-per-match 3 --rules scoring=surplus pulls=off --challengers heuristic"
    record = json.loads(dealworth(*SMALL, *words.split(), "--json").out)
    plan = load(record["folder"]).plan
    assert (plan.seed, plan.rules.scoring, plan.rules.pulls, plan.rules.deals_per_match) == (
        5,
        "surplus",
        False,
        3,
    )
    assert record["unit"] == "points a deal" and record["challengers"] == ["heuristic"]
    assert record["folder"].startswith("results/ladder-three-two-five-")


def test_cells_are_sized_by_cost_where_nothing_is_said(dealworth):
    from sim.ladder.model import model_of

    quick = model_of(find_game(GAME), None).quick
    record = json.loads(dealworth("ladder", "--strategy", "random", "first-suit", "--quick", "--json").out)
    assert [cell["matches"] for cell in record["cells"]] == [quick.cells[0][0]] * 2
    assert record["tables"][0] == {"three": "random", **vars(quick.tables[0])}


@pytest.mark.parametrize(
    ("name", "magic"), [("map.png", b"\x89PNG"), ("map.SVG", b"<?xml"), ("map.pdf", b"%PDF")]
)
def test_the_heat_map_is_drawn_into_a_file(dealworth, tmp_path, name, magic):
    assert dealworth(*SMALL, "--figure", name).status == 0
    assert (tmp_path / name).read_bytes().startswith(magic)


@pytest.fixture
def interrupt_after(monkeypatch):
    """Send this process Ctrl-C once a ladder has reported so many pieces."""

    def arrange(pieces):
        seen = []

        def show(_display, event):
            seen.append(event)
            if len(seen) == pieces:
                os.kill(os.getpid(), signal.SIGINT)

        monkeypatch.setattr(ProgressDisplay, "show", show)

    return arrange


@pytest.mark.parametrize(
    ("words", "game", "unit"), [(SMALL, GAME, "deals"), (DOMINOES, "fives-and-threes", "matches")]
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_leaves_a_partial_ladder_that_resumes_to_the_same(
    dealworth, interrupt_after, words, game, unit, jobs
):
    whole = json.loads(dealworth(*words, "--json", "--out", "whole").out)
    interrupt_after(5)
    status, out, err = dealworth(*words, "--out", "cut", "--jobs", jobs)
    assert status == 130 and f"ladder {game} --resume cut" in err and f"{unit} kept" in err
    assert "digest" in out and load("cut").partial
    interrupt_after(-1)
    resumed = json.loads(dealworth("ladder", "--resume", "cut", "--json").out)
    assert (resumed["digest"], resumed["partial"]) == (whole["digest"], False)
    assert dealworth("ladder", "--resume", "cut").err.endswith("is complete: nothing to resume\n")


def test_a_killed_ladder_keeps_its_last_checkpoint(dealworth, tmp_path):
    """It can be reported on, and resumed."""
    words = ("ladder", "--strategy", "random", "first-suit", "--quick", "--matches", "1e7")
    with start(tmp_path, *words, "--jobs", 1, "--out", "cut") as process:
        wait_for_checkpoint(tmp_path / "cut", process)
        process.kill()
        process.communicate()
    assert load("cut").partial and load("cut").units > 0
    status, _, err = dealworth("report", "cut", "--out", "report.html")
    assert status == 0 and "cut is a partial ladder, and the report says so" in err


def test_progress_tells_the_time_that_is_left(capsys):
    """Dear players come first: the time left does not follow from the deals that are done."""
    display = ProgressDisplay(find_game(GAME))
    display.show(Progress("deals", 300, 90_000, units=300, seconds=40.0, left=61.0))
    assert capsys.readouterr().err == "300 of 90,000 deals, 7.5 deals a second, 1:01 left\n"


def test_a_ladder_that_exists_is_replaced_only_by_force(dealworth):
    dealworth(*SMALL, "--out", "made")
    before = load("made").digest
    status, _, err = dealworth(*SMALL, "--seed", 2, "--out", "made")
    assert status == 2 and "--force" in err and load("made").digest == before
    assert dealworth(*SMALL, "--seed", 2, "--out", "made", "--force").status == 0
    assert load("made").digest != before


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("ladder bridge", "bridge"),
        ("ladder --strategy random", "a ladder needs two strategies"),
        ("ladder --strategy random random", "'random' is named twice"),
        ("ladder --strategy random genius", "genius"),
        ("ladder --strategy random first-suit --challengers genius", "genius"),
        ("ladder --strategy random first-suit --challengers random", "'random' is named twice"),
        ("ladder --strategy random first-suit --matches 2", "matches 2: a cell needs at least 4"),
        ("ladder --strategy random first-suit --matches few", "'few'"),
        ("ladder --strategy random first-suit --rules scoring=golf", "golf"),
        ("ladder --strategy random first-suit --players 4", "players"),
        (
            "ladder --strategy random first-suit --figure map.txt",
            "'map.txt' is not valid: a file ending in .png",
        ),
        ("ladder --strategy random first-suit --figure missing/map.png", "missing"),
        ("ladder --deals 9", "--deals"),
        ("ladder --resume nothing", "nothing"),
        ("ladder --resume nothing --quick", "--quick"),
        ("ladder --resume nothing --challengers random", "--challengers"),
        ("ladder --jobs 0", "'0'"),
    ],
)
def test_wrong_input_gives_one_line_status_2_and_leaves_nothing(dealworth, tmp_path, line, named):
    status, out, err = dealworth(*line.split(" "))
    assert (status, out) == (2, "") and err.startswith("dealworth: ")
    assert err.count("\n") == 1 and named in err and not list(tmp_path.iterdir())


def test_a_report_takes_runs_books_and_ladders(dealworth, tmp_path):
    dealworth(*SMALL, "--out", "ladder")
    dealworth("book", GAME, "--every", "2000", "--precision", "0.1", "--strategy", "random", "--out", "book")
    dealworth.simulate("--matches", 20, "--out", "run")
    status, _, err = dealworth("report", "run", "book", "ladder", "--out", "page.html")
    assert (status, err) == (0, "")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in (
        "The book values a sample of",
        "How strong are the players?",
        "Seat advantage",
        "dealworth ladder three-two-five --strategy random first-suit --seed 1 --quick --matches 40",
        "dealworth book three-two-five --precision 0.1 --seed 1 --strategy random --every 2000",
        "opening book, random ×3",
    ):
        assert text in page
    status, _, err = dealworth("report", "book", "book")
    assert status == 2 and "2 opening books in one report: give at most one" in err


def test_a_report_names_what_it_cannot_show(dealworth, tmp_path):
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "manifest.json").write_text('{"kind": "poem"}', encoding="utf-8")
    status, _, err = dealworth("report", "odd")
    assert status == 2 and "'odd' holds a poem: a report shows run, book, ladder" in err
    (tmp_path / "odd" / "manifest.json").write_text("broken", encoding="utf-8")
    assert dealworth("report", "odd").status == 2
    assert "is no run folder" in dealworth("report", "nothing").err
