"""Names of strategies are text: any characters are drawn, printed and saved as typed, very long ones cut."""

import io
import warnings
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from markupsafe import escape

import analysis
from analysis.cli.terminal import show_table
from analysis.figures import short, svg
from analysis.report import render
from sim import experiment, find_game, load, run, save
from sim.core.strategy import printable

NAMES = ("cost $x_1$ \\frac", "_lead", "[bold]100%[/] %s", 'אבג <b>&"', "日本\u202e", "x" * 300)
SHORTENED = "xx…xx"


def played(game, names, **options):
    """Play with strategies that are `random` by another name."""
    own = find_game(game).book.parse("random")
    strategies = [replace(own, name=name) for name in names]
    return run(experiment(game, matches=40, strategies=strategies, **options))


@pytest.fixture(scope="module")
def deals():
    """Return two runs of 3-2-5, of all names."""
    return [played("three-two-five", names, hands=8, completions=4) for names in (NAMES[:3], NAMES[3:])]


@pytest.fixture(scope="module")
def rounds():
    """Return two runs of Fives and Threes, of all names."""
    return [played("fives-and-threes", names, rules={"players": 3}) for names in (NAMES[:3], NAMES[3:])]


def words_of(axes):
    """Save a figure and return all its text; a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = svg(axes, "figure")
    root = ElementTree.fromstring(drawn)
    return " ".join(" ".join(root.itertext()).split())


def test_figures_of_one_run_draw_names_as_typed(deals, rounds):
    for one, names in zip(deals, (NAMES[:3], NAMES[3:]), strict=True):
        for draw, table in (
            (analysis.draw_match_wins, analysis.match_wins(one)),
            (analysis.draw_match_scores, analysis.match_scores(one)),
        ):
            drawn = words_of(draw(table))
            assert all(name in drawn for name in names if len(name) < 50)
            assert (SHORTENED in drawn) == (names[-1] == NAMES[-1]) and NAMES[-1] not in drawn
    for one in rounds:
        words_of(analysis.draw_final_scores(analysis.final_scores(one)))


def test_figures_of_several_runs_draw_names_as_typed(deals, rounds):
    for draw, table in (
        (analysis.draw_quotas_met, analysis.quotas_met(deals)),
        (analysis.draw_near_target, analysis.near_target(rounds)),
    ):
        drawn = words_of(draw(table))
        assert ", ".join(NAMES[:3]) in drawn and SHORTENED in drawn


def test_a_leading_underscore_hides_no_legend(deals):
    lowered = [played("three-two-five", names) for names in (["_all"] * 3, ["_others"] * 3)]
    legend = analysis.draw_quotas_met(analysis.quotas_met(lowered)).get_legend()
    assert [text.get_text().strip() for text in legend.get_texts()] == ["_all ×3", "_others ×3"]


@pytest.mark.parametrize("game", ["deals", "rounds"])
def test_the_report_has_every_name(request, game):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page = render(request.getfixturevalue(game))
    assert all(str(escape(name)) in page for name in NAMES)
    assert "<b>&" not in page


def test_names_are_saved_as_typed(deals, tmp_path):
    for number, one in enumerate(deals):
        save(one, tmp_path / str(number))
        assert load(tmp_path / str(number)).strategies == list(NAMES[3 * number : 3 * number + 3])


def test_tables_print_names_as_typed(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    show_table(NAMES[:2], [(name, "1") for name in NAMES], "[i]all[/i]")
    assert all(name in out.getvalue() for name in (*NAMES, "[i]all[/i]"))


def test_long_lines_lose_their_middle():
    assert short("abc\n" + "x" * 93 + "wxyz", 7) == "abc\nxxxxx…z"
    assert short("abcdefg", 7) == "abcdefg"


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "\x1b[31m", "\x00", "half \ud800", "\u2028", "\x85"])
def test_what_no_line_can_hold_is_refused(text):
    with pytest.raises(ValueError, match="cannot be printed: leave it out") as caught:
        printable("name", text)
    assert str(caught.value).isprintable()
    with pytest.raises(ValueError, match="cannot be printed"):
        find_game("three-two-five").book.parse(f"random{text}x")


@pytest.mark.parametrize("text", NAMES)
def test_what_can_be_printed_is_taken(text):
    assert printable("name", text) == text
