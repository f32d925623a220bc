"""The first answers of a run: lines of estimates for a terminal or a table, and the same for programs.

Each game's ``analysis/<game>/summary.py`` fills a :class:`Summary`; nothing here knows a game.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.estimates import Estimate, Share, decimals

if TYPE_CHECKING:
    import pandas as pd

FEW_CLUSTERS = 30
"""Below this many clusters an error is itself too uncertain to be relied upon."""


@dataclass(frozen=True)
class Line:
    """One estimate with its name.

    Parameters
    ----------
    group : str
        What it belongs to, such as a seat or a player.
    quantity : str
        What was estimated, with its unit: ``tricks a deal``.
    estimate : Estimate
        The number and its error.
    signed : bool
        Whether positive values are shown with a plus sign, as fits a balance.
    """

    group: str
    quantity: str
    estimate: Estimate
    signed: bool = False

    def mean_text(self) -> str:
        """Write ``4.142 ± 0.003``; without an error where none is known or the interval has to tell it."""
        estimate = self.estimate
        percent = isinstance(estimate, Share)
        if math.isnan(estimate.mean):
            return "–"
        if math.isnan(estimate.se) or (percent and estimate.se == 0):
            sign = "+" if self.signed else ""
            return f"{100 * estimate.mean:.4g}%" if percent else f"{estimate.mean:{sign}z.6g}"
        return estimate.text(self.signed)

    def interval_text(self) -> str:
        """Write the 95% interval as ``4.136 to 4.148``, with the digits that the error supports."""
        low, high = self.estimate.interval()
        if math.isnan(low):
            return "–"
        scale, unit = (100, "%") if isinstance(self.estimate, Share) else (1, "")
        spread = (high - low) * scale
        places = max(decimals(spread / 4), 0) if spread > 0 else 3
        sign = "+" if self.signed else ""
        ends = (f"{round(end * scale, places):{sign}z.{places}f}{unit}" for end in (low, high))
        return " to ".join(ends)


@dataclass(frozen=True)
class Summary:
    """What a run says at first sight.

    Parameters
    ----------
    lines : tuple of Line
        Estimates in reading order; those of one group stand together.
    record : mapping
        The same numbers unrounded, as the record format has them for programs.
    clusters : str
        What the errors are clustered over, in the plural: ``matches``.
    """

    lines: tuple[Line, ...]
    record: Mapping[str, Any]
    clusters: str = "matches"

    def few_clusters(self) -> bool:
        """Whether some error comes from too few clusters to be relied upon."""
        return any(line.estimate.n < FEW_CLUSTERS for line in self.lines)

    def frame(self) -> "pd.DataFrame":
        """Return the lines as a table.

        Returns
        -------
        DataFrame
            One row a line: ``group``, ``quantity`` (with its unit), ``mean``, ``se`` (standard error),
            ``low``, ``high`` (95% interval) and ``n`` (clusters); shares between 0 and 1.
        """
        import pandas as pd

        rows = []
        for line in self.lines:
            estimate = line.estimate
            low, high = estimate.interval()
            rows.append((line.group, line.quantity, estimate.mean, estimate.se, low, high, estimate.n))
        return pd.DataFrame(rows, columns=["group", "quantity", "mean", "se", "low", "high", "n"])
