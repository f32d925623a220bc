"""The report's chapters on 3-2-5: the answer first, then seats, scores, and call against reveal."""

from collections.abc import Iterator, Sequence

import pandas as pd

from analysis.document import (
    Block,
    Section,
    Table,
    Text,
    columns,
    distribution_formats,
    listing,
    picture,
)
from analysis.ladder.sections import chapters as ladder_chapters
from analysis.provenance import labels, line_up, sources
from analysis.three_two_five import figures, options, pulls, scores, seats
from analysis.three_two_five.answers import call_or_reveal_answer, seat_answer
from analysis.three_two_five.book.groups import (
    book_answer,
    book_call_or_reveal,
    book_policy_costs,
    book_second_suit_gain,
)
from analysis.three_two_five.book.sections import given_chapters, in_book, shipped_chapters, whole_book
from analysis.three_two_five.open_hands.sections import played_section
from analysis.three_two_five.options import Study
from analysis.wording import open_question
from sim.book.book import Book
from sim.ladder.ladder import Ladder
from sim.results import Run

_SEATS = {
    "run": ("run", "text"),
    "phase": ("deals", "text"),
    "seat": ("seat", "text"),
    "tricks": ("tricks", "number"),
    "advantage": ("tricks − quota", "signed"),
    "low high": ("95% interval", "signed"),
    "score": ("score", "signed"),
    "deals": ("n deals", "count"),
}
_WINS = {
    "run": ("run", "text"),
    "winner": ("winner", "text"),
    "strategy": ("strategy", "text"),
    "matches": ("matches", "count"),
    "share": ("share", "percent"),
    "low high": ("95% interval", "percent"),
}
_CHECK = {
    "run": ("run", "text"),
    "measure": ("measure", "text"),
    "chi_square": ("χ² (2 degrees of freedom)", "number"),
    "p": ("p", "number"),
    "n": ("n matches", "count"),
}
_PULLS = {
    "run": ("run", "text"),
    "seat": ("seat", "text"),
    "value": ("tricks a pull", "signed"),
    "low high": ("95% interval", "signed"),
    "deals": ("n deals", "count"),
}
_QUOTAS = {
    "run": ("run", "text"),
    "phase": ("deals", "text"),
    "who": ("quota", "text"),
    "share": ("met", "percent"),
    "low high": ("95% interval", "percent"),
    "n": ("n deals", "count"),
}
_OPTIONS = {
    "option": ("option", "text"),
    "value": ("value", "signed"),
    "loss": ("loss", "number"),
    "loss_low loss_high": ("95% interval of the loss", "number"),
    "chance_best": ("best of the five", "chance"),
    "makes_five": ("makes five", "percent"),
    "best_on": ("best on", "percent"),
    "best_on_low best_on_high": ("95% interval", "percent"),
}
_GROUPS = {
    "hands": ("hands", "count"),
    "share": ("of all", "chance"),
    "call": ("best call", "signed"),
    "reveal": ("reveal", "signed"),
    "difference": ("reveal − call", "signed"),
    "low high": ("95% interval", "signed"),
    "better": ("better", "text"),
}
_SECOND = {
    "first": ("the first suit has", "text"),
    "hands": ("hands", "count"),
    "difference": ("2nd suit − 1st", "signed"),
    "low high": ("95% interval", "signed"),
}
_POLICIES = {
    "policy": ("policy", "text"),
    "value": ("value", "signed"),
    "cost": ("cost", "number"),
    "cost_low cost_high": ("95% interval of the cost", "number"),
}


_BOOK = "the opening book"
_FEWEST_HANDS = 2
"""With a single hand nothing can be said of others."""


def sections(results: Sequence[Run | Book | Ladder]) -> list[Section]:
    """Return the chapters on results of 3-2-5.

    Parameters
    ----------
    results : sequence of Run, Book or Ladder
        The opening book that is given answers, or the shipped one if a run is of its players and rules, else
        the first run with an option study; the first one with matches gives the distributions; all runs are
        compared. The ladders that are given are shown, or the shipped one beside runs by its rules.

    Raises
    ------
    ValueError
        If there are several books, or a book or ladder is not far enough to say anything.
    """
    runs = [result for result in results if isinstance(result, Run)]
    books = [result for result in results if isinstance(result, Book)]
    ladders = [result for result in results if isinstance(result, Ladder)]
    played = [run for run in runs if run.units]
    studied = [options.study(run) for run in runs if run.hands >= _FEWEST_HANDS]
    chapters = given_chapters(books, studied) or shipped_chapters(runs, studied)
    book = whole_book(books, runs)
    others = [found for found in studied if book is None or not in_book(found.run, books)]
    if book is not None:
        chapters.append(Section("Call or reveal, by shape", tuple(_by_the_book(book, others))))
    elif chapters and studied:
        chapters.append(Section("Call or reveal, by shape", tuple(_answer(runs, studied))))
    elif runs and not chapters:
        chapters.append(Section("Call or reveal?", tuple(_answer(runs, studied))))
    chapters += ladder_chapters(ladders, runs)
    if played:
        chapters.append(Section("Seat advantage", tuple(_seat_blocks(played))))
        chapters.append(Section("Scoring distributions", tuple(_score_blocks(played))))
        chapters += played_section(played)
    chapters += [
        Section(f"Call against reveal: {label}", tuple(_option_blocks(found)))
        for label, found in zip(_labels(others), others, strict=True)
    ]
    return chapters


def _labels(studied: Sequence[Study]) -> list[str]:
    return labels([found.run for found in studied]) if studied else []


def _answer(runs: Sequence[Run], studied: Sequence[Study]) -> Iterator[Block]:
    if not studied:
        yield from open_question(runs[0])
        return
    first, *more = call_or_reveal_answer(studied[0])
    yield Text(first, emphasis=True)
    yield from (Text(text) for text in more)
    yield Text(
        f"So it is between players of the strategy {line_up(studied[0].run)}, on deals without pulls."
        " 3-1-1 stands for three cards of one suit and one of each of two others. Intervals are 95%."
    )
    if len(studied) > 1:
        yield _comparison(studied)


def _by_the_book(book: pd.DataFrame, others: Sequence[Study]) -> Iterator[Block]:
    """Say what shapes and habits are worth by the book, which a study of the same players can but repeat."""
    by_shape, costs = book_call_or_reveal(book, "shape"), book_policy_costs(book)
    second = book_second_suit_gain(book)
    first, *more = book_answer(book)
    yield Text(first, emphasis=True)
    yield from (Text(text) for text in more)
    yield Text(
        "So it is by the opening book above, which holds every hand; 3-1-1 stands for three cards of one suit"
        " and one of each of two others. Its intervals are 95% and hold the errors of its values alone."
    )
    if others:
        yield _comparison(others, book)
    by_both = book_call_or_reveal(book, ["shape", "honours"])
    yield picture(figures.draw_call_or_reveal, by_shape, "Revealing against the best call, by shape.")
    yield picture(figures.draw_call_or_reveal_map, by_both, "The same by shape and honours in the best suit.")
    yield picture(figures.draw_policy_costs, costs, "What habits cost against the book.")
    yield from _group_tables(by_shape, by_both, costs, second)


def _comparison(studied: Sequence[Study], book: pd.DataFrame | None = None) -> Table:
    """Compare the answer across line-ups: what revealing gains and what habits cost."""
    found = [
        (label, options.call_or_reveal(one), options.policy_costs(one), one.run.description["completions"])
        for label, one in zip(_labels(studied), studied, strict=True)
    ]
    origin = sources([one.run for one in studied])
    if book is not None:
        found.insert(0, (_BOOK, book_call_or_reveal(book), book_policy_costs(book), "the book's"))
        origin = f"{book.attrs['provenance']}\n{origin}"
    rows = []
    for label, difference, table, deals in found:
        costs = table.set_index("policy")
        rows.append(
            {"run": label, "deals": f"{deals}", **difference.iloc[0].to_dict()}
            | {
                f"{short}_{column}": costs.loc[name, column]
                for short, name in (("never", options.NEVER_REVEAL), ("always", options.ALWAYS_REVEAL))
                for column in ("cost", "cost_low", "cost_high")
            }
        )
    shown = {
        "run": ("run", "text"),
        "difference": ("reveal − best call", "signed"),
        "low high": ("95% interval", "signed"),
        "never_cost": ("never revealing costs", "number"),
        "never_cost_low never_cost_high": ("95% interval", "number"),
        "always_cost": ("always revealing costs", "number"),
        "always_cost_low always_cost_high": ("95% interval", "number"),
        "hands": ("n hands", "count"),
        "deals": ("deals a hand", "text"),
    }
    return Table(
        columns(pd.DataFrame(rows), shown),
        "The same question for each line-up; points a deal. The number of deals a hand changes the errors,"
        " not what is estimated.",
        origin,
    )


def _seat_blocks(runs: Sequence[Run]) -> Iterator[Block]:
    yield Text(seat_answer(runs[0]), emphasis=True)
    yield Text(
        "First deals have no pulls; in later ones the debts of the deal before are pulled. Deals of a match"
        " depend on each other, so that errors come from whole matches."
    )
    advantage = seats.seat_advantage(runs)
    by_phase = seats.seat_advantage(runs[0], ("first", "later"))
    caption = f"Tricks a deal above or below the quota ({line_up(runs[0])})."
    yield picture(figures.draw_seat_advantage, by_phase, caption)
    if len(runs) > 1:
        over_all = seats.seat_advantage(runs, ("all",))
        yield picture(figures.draw_seat_advantage, over_all, "The same for all runs, over all their deals.")
    if any(run.rules.pulls for run in runs):
        yield from _pull_blocks(runs)
    yield listing(
        advantage, _SEATS, "Means a deal; the interval is of tricks − quota, clustered by match.", True
    )
    yield listing(
        seats.match_wins(runs), _WINS, "Whole matches won alone, ties apart; Wilson intervals.", len(runs) > 2
    )
    yield from _check_blocks(runs)


def _pull_blocks(runs: Sequence[Run]) -> Iterator[Block]:
    pulling = [run for run in runs if run.rules.pulls]
    caption = f"Mean tricks by cards pulled or lost ({line_up(pulling[0])})."
    yield picture(figures.draw_tricks_by_pulls, pulls.tricks_by_pulls(pulling[0]), caption)
    yield Text(
        "Debts come from the deal before and the cards from a new shuffle, and the seats rotate: as long as"
        " the three strategies are equal, debts say nothing of the new cards nor of who holds them, so the"
        " difference in tricks is what the pulls do. With unequal strategies it also holds who tends to owe"
        " whom."
    )
    yield listing(pulls.pull_value(pulling), _PULLS, "Gain from one more card pulled, straight line.", True)


def _check_blocks(runs: Sequence[Run]) -> Iterator[Block]:
    equal = [run for run in runs if len(set(run.strategies)) == 1]
    if not equal:
        return
    yield Text(
        "A check: between three equal strategies no player number may be favoured. χ² is then about 2, and"
        " above 5.99 once in twenty runs."
    )
    caption = "Equality of the three players' match scores (paired within matches) and of matches won."
    yield listing(seats.player_check(equal), _CHECK, caption)


def _score_blocks(runs: Sequence[Run]) -> Iterator[Block]:
    first = runs[0]
    tricks, match = scores.tricks_by_seat(first), scores.match_scores(first)
    deal, owed = scores.deal_scores(first), scores.cards_owed(first)
    yield Text(f"The distributions are those of {line_up(first)}.")
    yield picture(figures.draw_tricks_by_seat, tricks, "Tricks by seat; exact intervals.")
    yield picture(figures.draw_deal_scores, deal, f"Score of a deal ({first.rules.scoring}), by seat.")
    if len(match):
        yield picture(figures.draw_match_scores, match, "Score of a whole match, by player.")
    yield picture(figures.draw_cards_owed, owed, "Cards owed after a deal: the sum of all surpluses.")
    quotas = scores.quotas_met(runs)
    yield picture(
        figures.draw_quotas_met, quotas, "How often each seat takes its quota, and all three exactly."
    )
    yield listing(quotas, _QUOTAS, "Share of deals in which the quota is met; clustered by match.", True)
    for name, table in (("tricks", tricks), ("score", deal)):
        yield listing(
            table, distribution_formats(("seat", name), "deals"), f"Deals by seat and {name}.", True
        )
    if len(match):
        yield listing(
            match, distribution_formats(("player", "score"), "matches"), "Matches by player and score.", True
        )
    yield listing(owed, distribution_formats(("owed",), "deals"), "Deals by cards owed.", True)


def _option_blocks(found: Study) -> Iterator[Block]:
    run = found.run
    unit = options.value_unit(run)
    values, costs = options.option_values(found), options.policy_costs(found)
    by_shape = options.call_or_reveal(found, "shape")
    by_both = options.call_or_reveal(found, ["shape", "honours"])
    yield Text(
        f"Every hand of five cards was dealt out {run.description['completions']:,} times, and each time all"
        f" five options were played with the same hidden cards. Values are scores of the five"
        f" ({run.rules.scoring}) in {unit} a deal; intervals are over {run.hands:,} hands."
    )
    yield picture(figures.draw_call_or_reveal, by_shape, "Revealing against the best call, by shape.")
    yield picture(figures.draw_call_or_reveal_map, by_both, "The same by shape and honours in the best suit.")
    sure = options.reveal_share(found, "shape")
    yield picture(figures.draw_reveal_share, sure, "How often the better choice is beyond doubt.")
    yield picture(
        figures.draw_policy_costs, costs, "What habits cost against the better choice on each hand."
    )
    yield picture(
        figures.draw_option_values, values, "One option for all hands, against the best of the five."
    )
    yield listing(values, _OPTIONS, "The five options, each taken on every hand.")
    yield Text(
        "The 1st suit (in some tables the best suit) is the longest, among equally long ones the highest card"
        " by card. The best call may be another one."
    )
    yield from _group_tables(by_shape, by_both, costs, options.second_suit_gain(found))


def _group_tables(
    by_shape: pd.DataFrame, by_both: pd.DataFrame, costs: pd.DataFrame, second: pd.DataFrame
) -> Iterator[Block]:
    """List what a study or a book says of groups of hands, and of habits."""
    yield listing(by_shape, {"shape": ("shape", "text"), **_GROUPS}, "By shape of the five cards.")
    bounds = costs["policy"].str.endswith(options.AT_MOST).any()
    yield listing(
        costs,
        _POLICIES,
        "Simple policies against choosing what is best on each hand."
        + (
            " Costs marked “at most” are upper bounds: those rules were settled on few hands."
            if bounds
            else ""
        ),
    )
    yield listing(second, _SECOND, "Shape 2-2-1: calling the second suit against the first.")
    both = {"shape": ("shape", "text"), "honours": ("A K Q in best suit", "text"), **_GROUPS}
    yield listing(by_both, both, "By shape and honours.", True)
