"""Where the numbers of opening books and ladders come from, for the last chapter of a report."""

from analysis.document import Source
from analysis.ladder.source import ladder_source
from analysis.provenance import counted, people, rules_text
from analysis.three_two_five.book.book import book_command
from sim.book.book import Book
from sim.ladder.ladder import Ladder
from sim.three_two_five.rules import SEATS


def source(result: Book | Ladder) -> Source:
    """Describe a book or a ladder as the source of numbers."""
    return _of_book(result) if isinstance(result, Book) else ladder_source(result)


def _of_book(book: Book) -> Source:
    plan = book.plan
    players = [strategy.name for strategy in plan.strategies]
    return Source(
        f"opening book, {people(players)}",
        {
            "Rules": rules_text(plan.rules),
            "Strategies": ", ".join(f"{seat}: {name}" for seat, name in zip(SEATS, players, strict=True)),
            "Seed": str(plan.seed),
            "Played": f"{counted(plan.cards.size, 'class')} of hands, {book.played:,} play-outs",
        },
        book_command(book),
        book.versions,
    )
