"""Call or reveal with these five cards? From the opening book that is shipped, else played out now.

Played out now means the same engine on one hand (:mod:`sim.book.book`): with the book's rules,
strategies and seed it gives the book's own numbers.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.advice import BOOK, SIMULATED, Advice, AdvisedOption
from analysis.book.shipped import ways
from analysis.book.table import TOO_CLOSE
from analysis.estimates import Estimate, Share
from analysis.three_two_five.book.book import book_table
from analysis.three_two_five.book.shipped import shipped_book, shipped_plan
from sim.batch import Progress
from sim.book.book import build
from sim.core.strategy import Strategy
from sim.experiment import experiment
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.hands import hand_classes, locate
from sim.three_two_five.book.plan import BookPlan
from sim.three_two_five.cards import SUITS, card_names, parse_cards
from sim.three_two_five.rules import REVEAL, SEVENS

_PRECISION = 0.02
_UNITS = {
    "difference": "points a deal (tricks less the quota of five)",
    "surplus": "points a deal (tricks above the quota of five)",
    "tricks": "tricks a deal",
}


def advise(
    hand_text: str,
    *,
    rules: Mapping[str, Any] | None = None,
    strategies: str | Strategy | Sequence[str | Strategy] = "heuristic",
    seed: int = 1,
    precision: float | None = None,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Advice:
    """Rank what the five can do with its first five cards, in a first deal (R9, R10).

    Parameters
    ----------
    hand_text : str
        Five cards in any spelling, ``AS KS 9H TD 8C``.
    rules : mapping, optional
        Options of the rulebook that differ from the defaults.
    strategies : str, Strategy, or one for each of five, three and two
        Who plays the deals out.
    seed : int
        Of the deals.
    precision : float, optional
        Standard error wanted for the difference between the best two options, and at most that of the best
        call against revealing, in points; 0.02 if not given.
    jobs : int
        Pieces played at the same time.
    on_progress : callable, optional
        As for :func:`sim.book.book.build`.

    Returns
    -------
    Advice
        Options ``call S`` … ``reveal``; two suits that hold the same cards have the same numbers.

    Raises
    ------
    ValueError
        If the text is no hand of five cards, or an option is not valid.
    """
    hand = parse_cards(hand_text)
    asked = experiment("three-two-five", hands=1, seed=seed, strategies=strategies, rules=rules)
    index, swap = locate(hand, SEVENS.index(asked.rules.sevens))
    cards = int(hand_classes(SEVENS.index(asked.rules.sevens)).cards[index])
    plan = BookPlan(asked.rules, asked.strategies, seed, precision=precision or _PRECISION, hands=(cards,))
    shipped = shipped_plan()
    if shipped and _answers(shipped, plan):
        table, source, seconds = shipped_book([index]), BOOK, math.nan
    else:
        book = build(plan, jobs, on_progress=on_progress)
        if not book.complete:
            raise KeyboardInterrupt
        table, source, seconds = book_table(book), SIMULATED, book.seconds
    row = table.iloc[0]
    return Advice(
        game=asked.game.name,
        hand=tuple(card_names(hand)),
        options=_ranked(row, swap),
        unit=_UNITS[asked.rules.scoring],
        source=source,
        n=int(row[f"n_{row['best']}"]),
        rules=asked.rules.as_dict(),
        strategies=tuple(strategy.name for strategy in asked.strategies),
        seed=seed,
        makes="makes five",
        notes=(_verdict(row), *_precision(row, swap)),
        seconds=seconds,
        extra={"verdict": row["verdict"]},
    )


def _answers(shipped: BookPlan, asked: BookPlan) -> bool:
    """Whether the shipped book has the numbers asked for; in a first deal pulls do not matter (R21)."""
    return (
        (shipped.rules.sevens, shipped.rules.scoring) == (asked.rules.sevens, asked.rules.scoring)
        and ways(shipped.strategies) == ways(asked.strategies)
        and shipped.seed == asked.seed
        and shipped.precision <= asked.precision
    )


def _ranked(row: pd.Series, swap: tuple[int, ...]) -> tuple[AdvisedOption, ...]:
    """Options of the hand in the row of its class, the best first."""
    options = []
    for number, name in enumerate(OPTIONS):
        n = int(row[f"n_{name}"])
        option = AdvisedOption(
            name=name if number == REVEAL else f"call {SUITS[swap[number]]}",
            value=Estimate(float(row[f"value_{name}"]), float(row[f"se_{name}"]), n),
            loss=Estimate(float(row[f"loss_{name}"]), float(row[f"loss_se_{name}"]), n),
            chance_best=float(row[f"best_{name}"]),
            makes=Share(float(row[f"makes_{name}"]), float(row[f"makes_se_{name}"]), n),
        )
        options.append(option)
    # The best first even where an option of few deals happens to show a higher value.
    return tuple(sorted(options, key=lambda option: (option.loss.se > 0, option.loss.mean)))


def _verdict(row: pd.Series) -> str:
    """Say whether to call or to reveal, and how sure that is."""
    if row["verdict"] == TOO_CLOSE:
        return "verdict: call or reveal is too close to tell"
    chance = row["wrong_to_reveal" if row["verdict"] == OPTIONS[REVEAL] else "wrong_to_call"]
    wrong = "below 0.1%" if chance < 0.001 else f"{chance:.1%}"
    return f"verdict: {row['verdict']}; chance that this is wrong: {wrong}"


def _precision(row: pd.Series, swap: tuple[int, ...]) -> tuple[str, ...]:
    """Say how well best and second, call and reveal are told apart, and which calls are less well known."""
    call, reveal = row["call"], OPTIONS[REVEAL]
    notes = [f"best against second: {row['difference']:.3f} ± {row['difference_se']:.3f}"]
    if {row["best"], row["second"]} != {call, reveal}:
        margin = f"{row['call_minus_reveal']:+.3f} ± {row['call_minus_reveal_se']:.3f}"
        notes.append(f"call {SUITS[swap[OPTIONS.index(call)]]} against reveal: {margin}")
    behind = [name for name in OPTIONS[:REVEAL] if row[f"n_{name}"] < row[f"n_{call}"]]
    if behind:
        few = min(int(row[f"n_{name}"]) for name in behind)
        error = max(row[f"loss_se_{name}"] for name in behind)
        notes.append(f"calls clearly behind were played {few} times only; their loss: ± {error:.3f} or less")
    return tuple(notes)
