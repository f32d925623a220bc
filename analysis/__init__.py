"""Dealworth's analyses: from runs to tables, figures and one report.

A table function takes a run (most take several, too) and returns a DataFrame; its docstring lists the columns
with their units. The figure of a table is ``draw_`` and the table's name: it takes the table, and Axes if
wanted, and returns the Axes. Every table notes where it comes from, and the figure writes it underneath.

>>> import analysis, sim
>>> run = sim.run(sim.experiment("three-two-five", matches=300, strategies="first-suit", hands=50))
>>> list(analysis.seat_advantage(run, ("all",))["seat"])
['five', 'three', 'two']

==============================  ====================================================================
3-2-5
==============================  ====================================================================
``seat_advantage``              tricks against quota by seat, first and later deals
``match_wins``                  matches won by player, ties apart
``match_scores_by_player``      mean match score, against the other two
``player_check``                no player number is favoured between equal strategies
``tricks_by_pulls``             tricks by the number of cards pulled or lost
``pull_value``                  tricks that one more pull gains
``tricks_by_seat``              distribution of tricks
``deal_scores``                 distribution of the score of a deal
``match_scores``                distribution of the score of a match
``cards_owed``                  distribution of debts
``quotas_met``                  how often each quota is met, and all three exactly
``tricks_by_choice``            how often the five called and revealed in play
``option_values``               the four calls and revealing, each on every hand
``call_or_reveal``              revealing against the best call, over all hands or by kind of hand
``reveal_share``                how often revealing is best, and how surely
``second_suit_gain``            which of two equally long suits to call
``policy_costs``                what simple policies cost against choosing hand by hand
``study``                       the option study itself, read once for several tables
``call_or_reveal_answer``       the answer in words
==============================  ====================================================================

==============================  ====================================================================
any game
==============================  ====================================================================
``write_report``                one self-contained HTML page about some runs
``standard_experiments``        the runs of the standard report
``sources``, ``command``        rules, strategies, seed and size of runs; the command that repeats one
``Estimate``, ``Share``         a mean or share with its error; ``share``, ``wilson`` make them
``Moments``                     ratios and paired differences from counters of clusters
==============================  ====================================================================

Names are looked up when they are first used: importing `analysis` loads neither pandas nor matplotlib.
"""

import importlib
from typing import Any

_MODULES = {
    "analysis.estimates": ("Estimate", "Share", "share", "wilson"),
    "analysis.moments": ("Moments",),
    "analysis.provenance": ("command", "sources"),
    "analysis.report": ("write_report",),
    "analysis.standard": ("standard_experiments",),
    "analysis.three_two_five.seats": (
        "seat_advantage",
        "match_wins",
        "match_scores_by_player",
        "player_check",
    ),
    "analysis.three_two_five.pulls": ("tricks_by_pulls", "pull_value"),
    "analysis.three_two_five.scores": (
        "tricks_by_seat",
        "deal_scores",
        "match_scores",
        "cards_owed",
        "quotas_met",
        "tricks_by_choice",
    ),
    "analysis.three_two_five.options": (
        "study",
        "option_values",
        "call_or_reveal",
        "reveal_share",
        "second_suit_gain",
        "policy_costs",
        "option_to_choose",
    ),
    "analysis.three_two_five.answers": ("call_or_reveal_answer", "seat_answer"),
    "analysis.three_two_five.figures": (
        "draw_seat_advantage",
        "draw_match_wins",
        "draw_tricks_by_pulls",
        "draw_tricks_by_seat",
        "draw_deal_scores",
        "draw_match_scores",
        "draw_cards_owed",
        "draw_quotas_met",
        "draw_option_values",
        "draw_call_or_reveal",
        "draw_call_or_reveal_map",
        "draw_reveal_share",
        "draw_policy_costs",
    ),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Load a public name from its module at first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'analysis' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
