"""Numbers and commands within sentences."""

import math
from collections.abc import Iterator

from analysis.document import Text
from analysis.estimates import Estimate, decimals, places_off_zero
from analysis.provenance import command
from sim.results import Run

_MOST_PLACES = 3


def with_interval(mean: float, low: float, high: float, signed: bool = False) -> str:
    """Write ``0.292 (0.279 to 0.304)``, with the digits that the interval supports, three at most."""
    known = not math.isnan(low) and high > low
    places = min(max(decimals((high - low) / 4), 0), _MOST_PLACES) if known else _MOST_PLACES
    places = places_off_zero(low, high, places)
    sign = "+" if signed else ""
    mean_text, low_text, high_text = (
        f"{value:{sign}z.{places}f}".replace("-", "−") for value in (mean, low, high)
    )
    return f"{mean_text} ({low_text} to {high_text})" if known else mean_text


def in_words(estimate: Estimate, signed: bool = False) -> str:
    """Write an estimate with its 95% interval."""
    return with_interval(estimate.mean, *estimate.interval(), signed)


def open_question(run: Run) -> Iterator[Text]:
    """Say that no run has an option study, and how to get one for a run that has none."""
    line = command(run)
    yield Text("No run given has an option study, so the question stays open here.", emphasis=True)
    yield Text(
        f"To get one: {line.replace('--hands 0', '--hands 4000')}" if line else "Run it with hands above 0."
    )
