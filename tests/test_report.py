"""The report: one self-contained, well-formed page that holds the tables' numbers."""

import os
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import analysis
from analysis.document import columns
from analysis.report import render, write_report
from sim import Run, experiment, run, strategy

VOID = {"meta", "br", "hr", "img", "link", "input"}


class _Checker(HTMLParser):
    """Check that elements nest, and keep what was seen."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.targets, self.loads, self.words = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.targets += [attrs["href"]] if "href" in attrs else []
        self.loads += [attrs[name] for name in ("src", "srcset", "data", "action") if name in attrs]
        self.loads += [tag] if tag in {"script", "link", "iframe", "object", "img"} else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        self.words.append(data)


def read(page):
    checker = _Checker()
    checker.feed(page)
    checker.close()
    assert not checker.open
    return checker, " ".join(" ".join(checker.words).split())


@pytest.fixture(scope="module")
def runs():
    """Return a run with an option study and one without, of other players."""
    return [
        run(experiment("three-two-five", matches=300, strategies="first-suit", hands=80, completions=16)),
        run(experiment("three-two-five", matches=200, strategies=["first-suit", "random", "random"], seed=2)),
    ]


@pytest.fixture(scope="module")
def page(runs):
    return render(runs)


def test_page_is_well_formed_and_needs_nothing_else(page):
    """No network, no other file: nothing is loaded, and every link stays on the page."""
    checker, _ = read(page)
    assert not checker.loads
    assert "http:" not in page and "https:" not in page and "@import" not in page and "url(//" not in page
    assert len(checker.ids) == len(set(checker.ids))
    assert all(target.startswith("#") and target[1:] in checker.ids for target in checker.targets)
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page


def test_answer_comes_first_and_in_plain_words(page, runs):
    _, words = read(page)
    answer = analysis.call_or_reveal_answer(runs[0])
    assert all(text in words for text in answer)
    assert words.index(answer[0]) < words.index("First deals have no pulls")


def test_page_holds_the_numbers_of_the_tables(page, runs):
    """What stands in the cells is what the tables hold, with the digits that the error supports."""
    _, words = read(page)
    shown = columns(analysis.seat_advantage(runs), {"advantage": ("", "signed"), "low high": (" ", "signed")})
    for value, interval in shown.itertuples(index=False):
        assert f"{value} {interval}" in words
    for table, key in (
        (analysis.match_wins(runs), "matches"),
        (analysis.cards_owed(runs[0]), "deals"),
        (analysis.quotas_met(runs), "n"),
    ):
        assert all(f" {count:,} " in words for count in table[key])
    costs = columns(
        analysis.policy_costs(runs[0]),
        {"policy": ("", "text"), "value": (" ", "signed"), "cost": ("  ", "number")},
    )
    assert all(" ".join(row) in words for row in costs.itertuples(index=False))


def test_provenance_of_each_run_is_given(page, runs):
    _, words = read(page)
    for made in runs:
        for part in (made.digest, f"numba {made.versions['numba']}", analysis.command(made)):
            assert part in words
    assert "player 0: first-suit, player 1: random, player 2: random" in words
    assert "(partial)" not in words and "is partial" not in words


def test_partial_runs_are_marked(runs):
    """An interrupted run is shown for what it is, at the top and where it stands."""
    cut = runs[0].copy()
    cut.description = {**cut.description, "matches": 900, "units": 8100}
    _, words = read(render([cut]))
    assert "A run in this report is partial" in words
    assert "300 matches of 900 (partial)" in words


def test_names_are_escaped():
    """A strategy's name cannot become markup; a user's own has no command line."""
    mine = replace(strategy("three-two-five", "first-suit"), name="<b>&mine</b>")
    page = render([run(experiment("three-two-five", matches=20, strategies=mine))])
    assert "<b>&mine" not in page and "&lt;b&gt;&amp;mine" in page
    assert "user&#39;s own function" in page or "user's own function" in page


def test_run_without_a_study_says_what_is_missing(runs):
    _, words = read(render([runs[1]]))
    assert "No run given has an option study" in words
    assert "--hands 4000" in words


def test_study_alone_makes_a_report():
    made = run(experiment("three-two-five", strategies="random", hands=40, completions=8))
    _, words = read(render([made]))
    assert "Seat advantage" not in words and "too few to rely on" in words


def test_single_match_makes_a_report_without_errors():
    """One cluster has no error: the page shows a dash, and no warning is raised."""
    made = run(experiment("three-two-five", matches=1, strategies="random", hands=2, completions=2))
    _, words = read(render([made]))
    assert "–" in words and "nan" not in words


@pytest.mark.parametrize("scoring", ["surplus", "tricks"])
def test_other_scorings_name_their_units(scoring):
    made = run(
        experiment(
            "three-two-five",
            matches=20,
            strategies="random",
            rules={"scoring": scoring},
            hands=20,
            completions=8,
        )
    )
    _, words = read(render([made]))
    assert (
        f"scores of the five ({scoring}) in {'points' if scoring == 'surplus' else 'tricks'} a deal" in words
    )


def test_file_appears_whole(tmp_path, runs, monkeypatch):
    """The page is written beside its place and moved there; a failure leaves the old one."""
    path = tmp_path / "deep" / "report.html"
    assert write_report(runs[1:], path) == path
    before = path.read_text(encoding="utf-8")
    assert before.startswith("<!DOCTYPE html>")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ValueError, match=r"cannot write the report .*: No space left"):
        write_report(runs, path)
    assert path.read_text(encoding="utf-8") == before
    assert [p.name for p in path.parent.iterdir()] == ["report.html"]


def test_nothing_to_report_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="no run to report on"):
        write_report([], tmp_path / "report.html")
    blank = Run.blank(experiment("three-two-five", matches=3, strategies="random"))
    with pytest.raises(ValueError, match="nothing was played"):
        write_report([blank], tmp_path / "report.html")
    assert not list(tmp_path.iterdir())


def test_cost_does_not_depend_on_the_deals(runs):
    """A run's counters do not grow with its deals, and the report reads nothing else."""
    large = runs[0].copy()
    large.counters = {name: counter * 1000 for name, counter in large.counters.items()}
    large.units, large.matches = large.units * 1000, large.matches * 1000
    assert all(large.counters[n].shape == c.shape for n, c in runs[0].counters.items())
    assert "2,700,000 deals" in render([large])


def test_digits_follow_the_error():
    """A wide interval shows few digits, a narrow one more; what is unknown is a dash."""
    table = pd.DataFrame(
        {"x": [1.23456, -0.98765, np.nan], "low": [1.1, -0.9885, np.nan], "high": [1.4, -0.9868, np.nan]}
    )
    shown = columns(table, {"x": ("x", "signed"), "low high": ("interval", "signed")})
    assert shown["x"].to_list() == ["+1.23", "−0.9877", "–"]
    assert shown["interval"].to_list() == ["+1.10 to +1.40", "−0.9885 to −0.9868", "–"]
    chances = columns(pd.DataFrame({"p": [0, 0.001, 0.5, 0.999, 1]}), {"p": ("p", "chance")})
    assert chances["p"].to_list() == ["0%", "<1%", "50%", ">99%", "100%"]


def test_importing_the_analyses_loads_no_library(python):
    """The command line starts fast because names are looked up at first use only."""
    python(
        "import sys, analysis\n"
        "assert not {'pandas', 'matplotlib', 'scipy', 'numba'} & set(sys.modules)\n"
        "assert set(analysis.__all__) <= set(dir(analysis))\n"
    )


def test_public_names_exist_and_unknown_ones_are_named():
    for name in analysis.__all__:
        assert getattr(analysis, name).__doc__
        assert re.search(rf"``{re.escape(name.removeprefix('draw_'))}``|``draw_", analysis.__doc__)
    with pytest.raises(AttributeError, match="no attribute 'seat_advantages'"):
        _ = analysis.seat_advantages


def test_a_study_of_a_single_hand_does_not_stop_the_page():
    made = run(experiment("three-two-five", matches=2, hands=1, completions=2, strategies="first-suit"))
    assert "Seat advantage" in render([made])
