"""What people see while they wait, and how numbers and symbols are written."""

import io
import sys

import pytest

from analysis.cli.progress import ProgressDisplay
from analysis.cli.terminal import clock, fitting, has_symbols, short, show_table
from sim import find_game
from sim.batch import Progress

GAME = find_game("three-two-five")


def test_rate_and_time_left_leave_compiling_out(capsys):
    """Case 24: both come from the run's clock, which starts after the warm-up that is announced."""
    with ProgressDisplay(GAME) as display:
        display.show(Progress("compile"))
        assert capsys.readouterr().err.startswith("compiling the game, first run only")
        display.show(Progress("matches", 500, 1000, units=4500, seconds=45.0))
        assert capsys.readouterr().err == "500 of 1,000 matches, 100 deals a second, 0:45 left\n"
        display.show(Progress("matches", 510, 1000, units=4590, seconds=46.0))
        assert capsys.readouterr().err == ""


def test_the_option_study_has_a_rate_of_its_own(capsys):
    display = ProgressDisplay(GAME)
    display.show(Progress("matches", 1000, 1000, units=9000, seconds=20.0))
    display.show(Progress("hands", 30, 100, units=9000, seconds=35.0))
    assert capsys.readouterr().err == "30 of 100 hands, 2 hands a second, 0:35 left\n"


def test_a_resumed_run_has_the_rate_of_what_it_played_itself(capsys):
    display = ProgressDisplay(GAME, matches=900)
    display.show(Progress("matches", 950, 1000, units=450, seconds=50.0))
    assert capsys.readouterr().err == "950 of 1,000 matches, 9 deals a second, 0:50 left\n"


def test_a_terminal_has_a_bar(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with ProgressDisplay(GAME) as display:
        display.show(Progress("matches", 250, 1000, units=2250, seconds=0.5))
        display.show(Progress("matches", 500, 1000, units=4500, seconds=1.0))
    assert "500 of 1,000 matches, 4.50 thousand deals a second, 0:01 left" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (95.14, "95.1"),
        (999.4, "999"),
        (999.6, "1.00 thousand"),
        (812_345, "812 thousand"),
        (3_419_999, "3.42 million"),
        (34_199_999, "34.2 million"),
        (1.5e9, "1.50 billion"),
    ],
)
def test_large_numbers_have_three_digits(number, text):
    assert short(number) == text


def test_times_are_written_as_on_a_clock():
    assert [clock(seconds) for seconds in (0.4, 7, 59.6, 754, 3723)] == [
        "0:00",
        "0:07",
        "1:00",
        "12:34",
        "1:02:03",
    ]


@pytest.mark.parametrize(
    ("encoding", "symbols"), [("utf-8", True), ("ascii", False), ("latin-1", False), ("cp1252", False)]
)
def test_symbols_only_where_the_encoding_has_them(encoding, symbols):
    """Case 26."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert has_symbols(stream) is symbols
    assert fitting("A♠ → 1 ± 2", stream) == ("A♠ → 1 ± 2" if symbols else "AS -> 1 +/- 2")


def test_numbers_of_a_table_are_never_broken(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    show_table(("quantity", "value"), [("tricks a deal", "3.908 ± 0.004"), None, ("[b]", "1")])
    assert "tricks a deal   3.908 ± 0.004" in capsys.readouterr().out
