"""Where the numbers of ladders come from, for the last chapter of a report."""

from analysis.ladder.source import ladder_source as source

__all__ = ["source"]
