"""Which tile to open, what the start is worth, what the target costs: the answers in plain words."""

from analysis.estimates import share
from analysis.fives_and_threes.openings import (
    ANY_TILE,
    BY_RANKING,
    Study,
    opening_policies,
    opening_study,
    opening_tiles,
    sure_share,
)
from analysis.fives_and_threes.start import start_advantage, wins_by_place
from analysis.matches import match_moments
from analysis.provenance import Runs, counted, line_up, listed
from analysis.wording import in_words, with_interval
from sim.fives_and_threes.tally import NEAR
from sim.results import Run

FEW_HANDS = 100
"""Below this many hands an opening study is an example, not an answer."""
_LISTED = 6
_PARTIES = {
    2: ("the starter", "the other"),
    3: ("the starter", "the mean of the other two"),
    4: ("the starter's side", "the other side"),
}


def opening_answer(run: Run | Study) -> list[str]:
    """Answer "which tile do I open?" from a run's opening study.

    Returns
    -------
    list of str
        The verdict first, then what it is worth, how sure it is, and what a fixed habit costs. Intervals
        are 95%, over hands.

    Raises
    ------
    ValueError
        If the run has no option study.
    """
    found = opening_study(run)
    texts = [_ranking(found), _gain(found), _cost_of_habit(found), _how_sure(found)]
    if len(found.tiles) < FEW_HANDS:
        texts.append(f"All this rests on {counted(len(found.tiles), 'hand')}: too few to rely on.")
    return texts


def start_answer(runs: Runs) -> list[str]:
    """Say what the start is worth, in points a round and in matches, a sentence for each run."""
    texts = []
    for run in listed(runs):
        row = start_advantage(run, ("all",)).iloc[0]
        points = with_interval(row.advantage, row.low, row.high)
        own, others = _PARTIES[run.rules.players]
        text = (
            f"Between {counted(run.rules.players, 'player')} ({line_up(run)}) {own} makes {points} points a"
            f" round more than {others}"
        )
        wins = wins_by_place(run)
        if sum(wins):
            won = share(wins[0], sum(wins))
            low, high = won.interval()
            text += (
                f", and who starts the match wins {won.mean:.1%} ({low:.1%} to {high:.1%}) of matches, where"
                f" {1 / run.rules.sides:.1%} would be even"
            )
        texts.append(f"{text}.")
    return texts


def target_answer(run: Run) -> str:
    """Say what it costs that the target must be hit exactly (F13)."""
    moments = match_moments(run)
    dropped, near = moments.mean("rejected"), moments.mean("near")
    part = moments.share("near", {"rounds": run.rules.sides})
    return (
        f"Between {counted(run.rules.players, 'player')}, hitting {run.rules.target} exactly costs"
        f" {in_words(dropped)} dropped events a match, and a side begins a round fewer than {NEAR} points"
        f" short of it {in_words(near)} times a match: {part.mean:.1%} of all rounds that sides begin."
    )


def _ranking(found: Study) -> str:
    table = opening_tiles(found)
    names = [str(tile) for tile in table["tile"][:_LISTED]]
    return (
        f"With {counted(found.run.rules.players, 'player')}, open the first of these that you hold:"
        f" {', '.join(names)}."
    )


def _gain(found: Study) -> str:
    table = opening_tiles(found)
    (best, gain), (worst, loss) = (
        (row["tile"], with_interval(row["edge"], row["edge_low"], row["edge_high"], signed=True))
        for row in (table.iloc[0], table.iloc[-1])
    )
    return (
        f"Opening with {best} is worth {gain} points a round against the mean of the tiles of the same hand,"
        f" with {worst}, the worst, {loss}."
    )


def _cost_of_habit(found: Study) -> str:
    costs = opening_policies(found).set_index("policy")
    ranking, points, chance = (
        with_interval(*costs.loc[name, ["cost", "cost_low", "cost_high"]])
        for name in (BY_RANKING, "most points now", ANY_TILE)
    )
    text = (
        f"Against choosing hand by hand, taking the most points now costs {points} points a round, opening"
        f" with any tile {chance} and going by the full ranking of the 28 tiles {ranking}"
    )
    return f"{text}."


def _how_sure(found: Study) -> str:
    sure = sure_share(found)
    low, high = sure.interval()
    return (
        f"In {_deals(found):,} deals of each hand, one tile is better than every other of it beyond doubt (at"
        f" 95%) on {sure.mean:.1%} ({low:.1%} to {high:.1%}) of hands."
    )


def _deals(found: Study) -> int:
    """Count the deals of each hand."""
    return int(found.n.sum(axis=1)[0])
