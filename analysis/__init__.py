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
``shipped_book``                the opening book: every first hand, every option with its error
``book_policies``               what habits cost over all first hands; ``option_worth``
``reveal_shares``               how often revealing is best, and how surely; ``reveal_best``
``book_call_or_reveal``         the same tables as of an option study, from every hand; ``book_answer``,
                                ``book_policy_costs``, ``book_second_suit_gain``
``opening_chart``               the book in one grid, by shape and honours
``chart_layouts``               how well other grids would separate call from reveal
``table_rules``                 the best rules that a person can remember, by length
``rule_costs``                  what such rules cost, on deals that they were not found on
``trump_lengths``               trumps that both sides expect after a call and after revealing
``sensitivity``                 how the answer changes with players and scoring; ``small_books``
``seat_gains``                  what each strategy of a ladder gains among two of another, by its seat
``equity_by_lead``              what a lead is worth by deals left and seat
``calls_for_the_match``         what the five gains by calling for the match, not for tricks
``solved_players``              what each player of a deal was sure of, gave away and was given
``played_and_possible``         what each seat could be sure of at the first lead, and what it took
``given_away``                  tricks given away by number of the trick and strategy
==============================  ====================================================================

==============================  ====================================================================
Fives and Threes
==============================  ====================================================================
``points_by_place``             points a round by place from the starter
``start_advantage``             what the start is worth in points
``match_wins_by_place``         matches won by place from the first starter
``side_wins``                   who beats whom, in matches and in points
``placement_totals``            counts of the ends, how often each occurs and what it scores
``placement_points``            points of a placement
``round_points``                distribution of the points in a round
``final_scores``                distribution of the final score
``round_endings``               going out, blocked, won at the target
``match_lengths``               distribution of the rounds in a match
``match_length``                rounds and turns that a match takes
``target_costs``                what it costs that the target must be hit exactly
``near_target``                 how long sides stay near the target
``opening_study``               the opening study itself, read once for several tables
``opening_tiles``               the 28 tiles as openers; also drawn as ``opening_shares``
``hand_openings``               what to open from each hand
``opening_policies``            what simple habits of opening cost
``sure_share``                  how often one opening is best beyond doubt
``opening_answer``              which tile to open, in words
``start_answer``                what the start is worth, in words
``target_answer``               what the exact target costs, in words
``shipped_openings``            the opening book: every hand, every opening tile with its error
``opening_verdicts``            how often one tile is surely the best opening, over a book
``shipped_equity``              the chance to win by both scores; ``equity_table`` makes such a table
``dear_points``                 points that lower the chance to win
``solved_sides``                what each side of a round was sure of, gave away and was given
==============================  ====================================================================

==============================  ====================================================================
any game
==============================  ====================================================================
``advise``                      what to do with one hand: its options ranked
``match_equity``                the chance to win a match from where it stands
``cross_play``                  what each strategy gains among others of another, from a ladder
``ranking``                     the rungs of a ladder, the strongest first, with their gaps
``intransitivities``            where that is no order, or not beyond doubt; ``order_in_words``
``exploitability``              how far each strategy can be exploited, a lower bound
``sensitivity_by_rung``         the game's answers at each rung
``shipped_ladder``              the ladder that comes with the package; ``shipped_ladders``, where several do
``solved_plays``                what each card or tile was worth, all hands open, from a record
``solved_options``              the same of each card or tile that could have been played
``solved_position``             each choice's value in one position, against the others and for itself
``write_report``                one self-contained HTML page about some runs, books and ladders
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
    "analysis.advice": ("advise",),
    "analysis.equity.answer": ("match_equity",),
    "analysis.estimates": ("Estimate", "Share", "share", "wilson"),
    "analysis.moments": ("Moments",),
    "analysis.provenance": ("command", "sources"),
    "analysis.report": ("write_report",),
    "analysis.solved": ("solved_plays", "solved_options", "solved_position"),
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
    "analysis.three_two_five.book.shipped": ("shipped_book",),
    "analysis.three_two_five.book.summary": (
        "book_policies",
        "option_worth",
        "reveal_best",
        "reveal_shares",
    ),
    "analysis.three_two_five.book.groups": (
        "book_answer",
        "book_call_or_reveal",
        "book_policy_costs",
        "book_second_suit_gain",
    ),
    "analysis.three_two_five.book.chart": ("opening_chart", "chart_layouts"),
    "analysis.three_two_five.book.rule_search": ("table_rules",),
    "analysis.three_two_five.book.table_rule": ("sentence",),
    "analysis.three_two_five.book.rule_costs": ("rule_costs",),
    "analysis.three_two_five.book.trump_lengths": ("trump_lengths",),
    "analysis.three_two_five.sensitivity": ("sensitivity", "small_books"),
    "analysis.three_two_five.book.figures": (
        "draw_opening_chart",
        "draw_rule_costs",
        "draw_sensitivity",
    ),
    "analysis.three_two_five.equity.table": ("equity_by_lead",),
    "analysis.three_two_five.equity.calls": ("calls_for_the_match",),
    "analysis.three_two_five.equity.figures": ("draw_equity_by_lead", "draw_calls_for_the_match"),
    "analysis.fives_and_threes.book.shipped": ("shipped_openings",),
    "analysis.fives_and_threes.book.summary": ("opening_verdicts",),
    "analysis.fives_and_threes.equity.table": ("equity_table", "dear_points"),
    "analysis.fives_and_threes.equity.shipped": ("shipped_equity",),
    "analysis.fives_and_threes.equity.figures": ("draw_equity_table", "draw_equity_near_target"),
    "analysis.three_two_five.ladder.measures": ("seat_gains",),
    "analysis.ladder.gains": ("cross_play", "exploitability"),
    "analysis.ladder.order": ("ranking", "intransitivities", "order_in_words"),
    "analysis.ladder.answers": ("sensitivity_by_rung",),
    "analysis.ladder.figures": ("draw_cross_play", "draw_sensitivity_by_rung"),
    "analysis.ladder.shipped": ("shipped_ladder", "shipped_ladders"),
    "analysis.three_two_five.open_hands.solved": ("solved_players",),
    "analysis.three_two_five.open_hands.played": ("played_and_possible", "given_away"),
    "analysis.three_two_five.open_hands.figures": ("draw_given_away",),
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
    "analysis.fives_and_threes.open_hands.solved": ("solved_sides",),
    "analysis.fives_and_threes.start": (
        "points_by_place",
        "start_advantage",
        "match_wins_by_place",
        "side_wins",
    ),
    "analysis.fives_and_threes.scores": (
        "placement_totals",
        "placement_points",
        "round_points",
        "final_scores",
        "round_endings",
        "match_lengths",
        "match_length",
        "target_costs",
        "near_target",
    ),
    "analysis.fives_and_threes.openings": (
        "opening_study",
        "opening_tiles",
        "hand_openings",
        "opening_policies",
        "sure_share",
    ),
    "analysis.fives_and_threes.answers": ("opening_answer", "start_answer", "target_answer"),
    "analysis.fives_and_threes.figures": (
        "draw_start_advantage",
        "draw_match_wins_by_place",
        "draw_side_wins",
        "draw_placement_totals",
        "draw_round_points",
        "draw_final_scores",
        "draw_match_lengths",
        "draw_near_target",
        "draw_round_endings",
        "draw_opening_tiles",
        "draw_opening_shares",
        "draw_opening_policies",
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
