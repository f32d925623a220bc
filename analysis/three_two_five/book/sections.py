"""The report's chapter on the opening book: the rule for the table, the chart, and every class behind it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.book.table import TOO_CLOSE
from analysis.document import Block, Folded, Lines, Section, Text, listing, picture
from analysis.figures import signed
from analysis.provenance import counted
from analysis.three_two_five.book.book import book_table, plan_of, provenance
from analysis.three_two_five.book.chart import cell_of, chart_layouts, look, opening_chart
from analysis.three_two_five.book.figures import cell_anchor, cell_places, draw_opening_chart, draw_rule_costs
from analysis.three_two_five.book.precision import precision_in_words
from analysis.three_two_five.book.rule_costs import rule_costs
from analysis.three_two_five.book.rule_search import table_rules
from analysis.three_two_five.book.shipped import shipped_book, shipped_manifest, shipped_plan
from analysis.three_two_five.book.summary import (
    is_whole,
    option_worth,
    reveal_best,
    reveal_shares,
)
from analysis.three_two_five.book.table_rule import Rule
from analysis.three_two_five.book.trump_lengths import trump_lengths
from analysis.three_two_five.hands import lanes
from analysis.three_two_five.options import Study
from analysis.wording import in_words, with_interval
from sim.book.book import Book
from sim.results import Run
from sim.three_two_five.book.plan import BookPlan
from sim.three_two_five.cards import RANKS

_RULES = {
    "name": ("rule", "text"),
    "length": ("to remember", "count"),
    "cost": ("cost", "number"),
    "cost_low cost_high": ("95% interval", "number"),
    "reveals": ("reveals", "chance"),
}
_LAYOUTS = {
    "rows": ("rows", "text"),
    "columns": ("columns", "text"),
    "cells": ("cells", "count"),
    "loss": ("points a deal lost", "number"),
}
_KINDS = {"tree": "questions", "count": "points"}
_LEAST_KIND = 2
_PAIR = 2
_SHORT = 4
"""Things that a person remembers with ease."""


def shipped_chapters(runs: Sequence[Run], studied: Sequence[Study]) -> list[Section]:
    """Write the chapter on the book that comes with the package, if a run is of its players and rules.

    Parameters
    ----------
    runs : sequence of Run
        Of the report.
    studied : sequence of Study
        Their option studies.
    """
    plan = shipped_plan()
    if plan is None or not any(_as_in_book(run, plan) for run in runs):
        return []
    fresh = next((found for found in studied if _as_in_book(found.run, plan)), None)
    chapter = book_chapter(shipped_book(), fresh)
    return [replace(chapter, blocks=(*chapter.blocks, Text(_where_from())))]


def given_chapters(books: Sequence[Book], studied: Sequence[Study]) -> list[Section]:
    """Write the chapter on a book that was made for the report; none if there is no book.

    Parameters
    ----------
    books : sequence of Book
        At most one: a page has room for the classes of one book.
    studied : sequence of Study
        Option studies of the report; one by the book's rules and players measures the rules for the table,
        if the book is whole.

    Raises
    ------
    ValueError
        If there are several books, or one is only begun.
    """
    if len(books) > 1:
        raise ValueError(f"{len(books)} opening books in one report: give at most one")
    return [_given_chapter(book, studied) for book in books]


def _given_chapter(book: Book, studied: Sequence[Study]) -> Section:
    plan = plan_of(book)
    fresh = next((found for found in studied if _as_in_book(found.run, plan)), None)
    chapter = book_chapter(book_table(book), fresh if plan.whole and not any(plan.debts) else None)
    return replace(chapter, blocks=(*chapter.blocks, Text(provenance(book))))


def whole_book(books: Sequence[Book], runs: Sequence[Run]) -> pd.DataFrame | None:
    """Return the table of the report's opening book, if it holds every hand of a first deal without debts.

    Parameters
    ----------
    books : sequence of Book
        That were given; without one it is the shipped book, if a run is of its players and rules.
    runs : sequence of Run
        Of the report.
    """
    if books:
        plan = plan_of(books[0])
        return book_table(books[0]) if plan.whole and not any(plan.debts) else None
    return shipped_book() if any(in_book(run, books) for run in runs) else None


def in_book(run: Run, books: Sequence[Book]) -> bool:
    """Whether a run is of the players and rules of the report's opening book."""
    plan = plan_of(books[0]) if books else shipped_plan()
    return plan is not None and _as_in_book(run, plan)


def _where_from() -> str:
    """Say how the shipped book was made, how to make it again, and how to ask it."""
    made = shipped_manifest() or {}
    return (
        f"The book comes with the package and was not played for this report. {made['provenance']}"
        f" Precision {made['plan']['precision']:g}, digest {made['digest']}; `make book` plays it again."
        ' For one hand: dealworth advise three-two-five "AS KS 9H TD 8C".'
    )


def _as_in_book(run: Run, plan: BookPlan) -> bool:
    """Whether a book's first deals are those of a run: pulls and the length of matches make no difference."""
    rules = run.rules
    same_rules = (rules.sevens, rules.scoring) == (plan.rules.sevens, plan.rules.scoring)
    return same_rules and list(run.strategies) == [strategy.name for strategy in plan.strategies]


def book_chapter(book: pd.DataFrame, fresh: Study | None) -> Section:
    """Write the chapter.

    Parameters
    ----------
    book : DataFrame
        A whole book's table.
    fresh : Study or None
        An option study by the same rules and strategies, to measure the table rules on; without one the
        chapter has no rules.
    """
    return Section("Call or reveal?", tuple(_blocks(book, fresh)))


def _blocks(book: pd.DataFrame, fresh: Study | None) -> Iterator[Block]:
    measured = None if fresh is None else _measured_rules(book, fresh)
    if measured is not None:
        yield from _rule_answer(measured[1])
    yield Text(_whole_pack(book))
    cells = opening_chart(book)
    yield picture(
        draw_opening_chart, cells, f"Call or reveal, over {_hands(book)}. Each cell leads to its hands below."
    )
    if measured is not None:
        yield from _rule_blocks(*measured)
    yield Text(_why(book))
    yield listing(
        chart_layouts(book),
        _LAYOUTS,
        "How well layouts separate: what is lost by doing in each cell what is best for the cell, against the"
        " better of the two on each hand.",
        True,
    )
    yield Text(
        "Every class of hands by cell, in the order S H D C: call minus reveal, its standard error, and the"
        " suit to call; ? marks those that are too close to tell. Spades and hearts may be exchanged, and"
        f" diamonds and clubs. {precision_in_words(book)}"
    )
    yield from _cell_blocks(book, cells)


def _whole_pack(book: pd.DataFrame) -> str:
    shares = reveal_shares(book).set_index("verdict")["share"]
    best = reveal_best(book)
    low, high = best.interval()
    surely = {verdict: f"{shares[f'surely {verdict}']:.0%}" for verdict in ("call", "reveal")}
    return (
        f"The book values {_hands(book)}. Revealing is best on {best.mean:.1%} of"
        f" them ({low:.1%} to {high:.1%}): surely on {surely['reveal']}, while calling is surely best on"
        f" {surely['call']}. Never revealing, with the best call on each hand, costs"
        f" {in_words(option_worth(book))} points a deal: so much is being free to reveal worth."
    )


def _hands(book: pd.DataFrame) -> str:
    """Say how many hands a book holds: all of them, or a sample."""
    return f"{'all' if is_whole(book) else 'a sample of'} {book['weight'].sum():,} first hands"


def _why(book: pd.DataFrame) -> str:
    """Explain what the chart shows by the trumps that both sides expect."""
    pairs = book[look(book["cards"].to_numpy()).facts["length"] == _PAIR]
    lengths = trump_lengths(pairs["cards"].to_numpy())
    short = look(pairs["cards"].to_numpy()).facts["short"] == 1
    weight = pairs["weight"].to_numpy()

    def expected(option: str, where: np.ndarray) -> str:
        own, others = (
            np.average(lengths[f"{option}_{side}"][where], weights=weight[where])
            for side in ("own", "others")
        )
        return f"{own:.1f} trumps against {others:.1f}"

    return (
        "Why: three cards of a suit promise more trumps than revealing, so they are called however low they"
        " are. With a pair it is close: calling spades or hearts the five expects"
        f" {expected('call', ~short)}; calling diamonds or clubs, of which one card less is out,"
        f" {expected('call', short)}; revealing {expected('reveal', short | ~short)}. An ace wins its trick"
        " whatever is trump, so it is no reason"
        " to call its suit; king and queen gain by being trumps."
    )


def _measured_rules(book: pd.DataFrame, fresh: Study) -> tuple[list[Rule], pd.DataFrame]:
    rules = table_rules(book)
    return rules, rule_costs(book, rules, fresh)


def _rule_answer(costs: pd.DataFrame) -> Iterator[Block]:
    """Say the best rule that is remembered with ease, and what it costs."""
    rows = costs.sort_values("cost", kind="stable").to_dict("records")
    best, *others = (row for row in rows if row["kind"] != "book")
    short = next(row for row in (best, *others) if row["length"] <= _SHORT)
    yield Text(short["rule"], emphasis=True)
    yield Text(
        f"That costs {_cost(short)} points a deal against looking every hand up in the book. The best rule"
        f" with up to {costs['length'].max()} things to remember costs {_cost(best)}."
    )


def _rule_blocks(rules: Sequence[Rule], costs: pd.DataFrame) -> Iterator[Block]:
    yield picture(draw_rule_costs, costs, "Rules for the table: cost against length, on fresh deals.")
    named = costs.assign(name=[_name(row) for row in costs.to_dict("records")])
    yield listing(
        named[1:],
        _RULES,
        "Rules found on the book and measured on other deals: points a deal lost against the book.",
    )
    yield Folded("The rules, step by step.", tuple(_spelled_out(rules, costs)))


def _spelled_out(rules: Sequence[Rule], costs: pd.DataFrame) -> Iterator[Lines]:
    for rule, row in zip(rules, costs[-len(rules) :].to_dict("records"), strict=True):
        remembered = f"{counted(rule.length, 'thing')} to remember"
        title = f"{_KINDS[row['kind']].capitalize()}, {remembered}: costs {_cost(row)}"
        yield Lines(title, tuple(rule.lines()), f"rule-{row['kind']}-{rule.length}")


def _name(row: Mapping[Any, Any]) -> str:
    """Name a rule within a table: what is said in few words, or its kind."""
    if row["kind"] == "book":
        return f"{row['rule']}, call by the book"
    return row["rule"] if row["length"] < _LEAST_KIND else _KINDS[row["kind"]]


def _cost(row: Mapping[Any, Any]) -> str:
    return with_interval(row["cost"], row["cost_low"], row["cost_high"])


def _cell_blocks(book: pd.DataFrame, cells: pd.DataFrame) -> Iterator[Folded]:
    """Yield the classes of every cell, row by row, as compact as they can be read: there are 39,109."""
    entries = pd.DataFrame({"line": _class_lines(book), "margin": book["call_minus_reveal"]})
    entries[["row", "column"]] = cell_of(book)
    entries = entries.sort_values("margin", kind="stable", ascending=False)
    by_cell = dict(iter(entries.groupby(["row", "column"], observed=True)["line"]))
    cells = cells.assign(anchor=[cell_anchor(*place) for place in cell_places(cells)])
    for name, of_row in cells.groupby("row", observed=True):
        parts = [
            Lines(_cell_title(cell), tuple(by_cell[name, cell["column"]]), cell["anchor"])
            for cell in of_row.to_dict("records")
        ]
        yield Folded(f"{name} ({of_row['share'].sum():.1%} of hands)", tuple(parts))


def _cell_title(cell: Mapping[Any, Any]) -> str:
    return (
        f"{cell['row']}; {cell['column']}: {cell['better']}, {signed(cell['difference'])};"
        f" {counted(cell['hands'], 'hand')}, surely so on {cell['sure']:.0%}"
    )


def _class_lines(book: pd.DataFrame) -> list[str]:
    """Write one line a class."""
    names = np.array([_ranks(lane) for lane in range(1 << len(RANKS))], object)
    held = lanes(book["cards"].to_numpy())
    suits = [names[held[:, suit]] for suit in range(held.shape[1])]
    marks = np.where(book["verdict"] == TOO_CLOSE, " ?", "")
    parts = zip(
        *suits, book["call_minus_reveal"], book["call_minus_reveal_se"], book["call"], marks, strict=True
    )
    return [
        f"{' '.join(hand)}  {signed(margin)} {error:.2f} {call}{mark}"
        for *hand, margin, error, call, mark in parts
    ]


def _ranks(lane: int) -> str:
    return "".join(rank for place, rank in reversed(list(enumerate(RANKS))) if lane >> place & 1) or "-"
