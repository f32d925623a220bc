"""What a ladder of Fives and Threes measures: points a round, and matches won of a hundred."""

from dataclasses import replace

from analysis.document import Block
from analysis.estimates import Estimate
from analysis.ladder.measure import Measure
from analysis.moments import Moments
from sim.fives_and_threes.ladder.model import SIDES, STRANGER
from sim.fives_and_threes.rules import MOST_PLAYERS, Rules
from sim.ladder.ladder import Ladder
from sim.ladder.model import Seating, alone

_POINTS = "Its gain is the points a round of its side above the mean of the other sides"
_WINS = "Its gain is what its side wins of 100 matches above the fair share of {share:.3g}"


def measures(rules: Rules) -> tuple[Measure, ...]:
    """Return points a round and, where there is a target (F13), matches won, for each way to meet."""
    if rules.players < MOST_PLAYERS:
        return _both(rules, alone(rules.players), *_alone(rules.players))
    gains = "a side gains against a side of another"
    how = "Two partners of a strategy play two of another, on the same deals in both places."
    sides = _both(rules, SIDES, "a side of", "against a side of", gains, how)
    gains = "a stranger gains among three of another"
    how = (
        "One player of a strategy joins three of another, its partner and the opponents, in each of the four"
        " places once, on the same deals."
    )
    strangers = _both(rules, STRANGER, "one of", "three of", gains, how)
    return (*sides, *(replace(measure, name=f"{measure.name} of a stranger") for measure in strangers))


def _alone(players: int) -> tuple[str, str, str, str]:
    """Say how a single player meets one or two others."""
    if players == 2:
        how = "A player of a strategy plays one of another, on the same deals in both places."
        return "one of", "against one of", "one gains against one of another", how
    how = (
        "One player of a strategy sits at a table with two of another, in each of the three places once, on"
        " the same deals."
    )
    return "one of", "two of", "one gains among two of another", how


def _both(rules: Rules, seating: Seating, one: str, two: str, gains: str, how: str) -> tuple[Measure, ...]:
    """Return points and, where there is a target, matches of one seating."""
    places, sides = len(seating.line_ups), rules.sides

    def points(moments: Moments) -> Estimate:
        return moments.ratio("lead", {"rounds": sides - 1})

    def wins(moments: Moments) -> Estimate:
        won = moments.mean("won")
        return replace(won, mean=100 * (won.mean / places - 1 / sides), se=100 * won.se / places)

    made = Measure("points", seating, "points a round", one, two, gains, f"{how} {_POINTS}", points)
    if rules.target is None:
        return (made,)
    said = f"{how} {_WINS.format(share=100 / sides)}"
    return made, replace(made, name="matches", unit="matches in 100", how=said, estimate=wins)


def further(_ladder: Ladder) -> list[Block]:
    """Return what the chapter on a ladder lists besides: nothing."""
    return []
