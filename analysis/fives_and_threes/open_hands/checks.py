"""What a record of Fives and Threes says besides the tiles laid: deal, scores, how it ended; by the rules."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.fives_and_threes.open_hands.reading import is_same, scores_of
from analysis.fives_and_threes.open_hands.rounds import OpenRound, Placed
from analysis.records import shown
from sim.fives_and_threes.chain import DOUBLE, FITS, OPEN
from sim.fives_and_threes.rules import ENDINGS, Rules
from sim.fives_and_threes.tiles import tile_bit, tile_name


def check_hands(hands: Sequence[int]) -> None:
    """Check that no tile is held twice (F2).

    Raises
    ------
    ValueError
        If one is.
    """
    for player, hand in enumerate(hands):
        for other in range(player):
            if both := hands[other] & hand:
                name = tile_name(both & -both)
                raise ValueError(f"tile {name} in the hands of players {other} and {player} (F2)")


def check_sizes(hands: Sequence[int], ends: tuple[int, int], rules: Rules) -> None:
    """Check how many tiles each player holds: what is dealt, and in an ending no more (F2).

    Raises
    ------
    ValueError
        If a hand is of another size.
    """
    sizes, dealt = [hand.bit_count() for hand in hands], rules.hand_size
    held = f"hands of {', '.join(map(str, sizes))} tiles"
    if ends[0] == OPEN:
        if sizes != [dealt] * len(hands):
            raise ValueError(f"{held}: each is dealt {dealt} (F2)")
    elif max(sizes) > dealt:
        raise ValueError(f"{held}: each is dealt {dealt} (F2); more need the rule hand={max(sizes)}")
    elif min(sizes) == dealt:
        raise ValueError(f"{held}: all that were dealt (F2), and ends though no tile was laid")


def check_ends(hands: Sequence[int], ends: tuple[int, int]) -> None:
    """Check that tiles in no hand can show such ends: each plain half is that of another tile (F2, F5).

    Raises
    ------
    ValueError
        If too few are left.
    """
    lone_double = ends[0] == ends[1] >= DOUBLE
    if ends[0] == OPEN or lone_double:
        return
    held = sum(hands)
    numbers = [end % DOUBLE for end in ends]
    for number in numbers:
        free = int(FITS[number]) & ~held & ~tile_bit(number, number)
        if free.bit_count() < numbers.count(number):
            raise ValueError(f"ends {shown(numbers)}: hands hold too many tiles with a {number} (F2, F5)")


def check_before(scores: Sequence[int], rules: Rules, number: int | None, ends: tuple[int, int]) -> None:
    """Check the scores that a round, or an ending, begins with (F13, F14).

    Raises
    ------
    ValueError
        If they are against the rules.
    """
    if rules.target is not None and max(scores) >= rules.target:
        raise ValueError(f"scores_before {shown(scores)}: valid are those below {rules.target} (F13)")
    if number and rules.target is None:
        raise ValueError(f"round {number}: without a target a match is one round, 0 (F13)")
    if number == 0 and ends[0] == OPEN and any(scores):
        raise ValueError(
            f"scores_before {shown(scores)}: a match begins with {shown([0] * rules.sides)} (F14)"
        )


def check_placed(given: Mapping[str, Any], placed: Placed, where: str) -> None:
    """Check what a record says of a placement (F5 to F14).

    Raises
    ------
    ValueError
        If something is not what it comes to.
    """
    due = {
        "ends": ([end % DOUBLE for end in placed.position.ends], "F5"),
        "total": (placed.total, "F7"),
        "points": (placed.points, "F8"),
        "bonus": (placed.bonus, "F9, F10"),
        "accepted": (placed.accepted, "F13"),
        "scores": (list(placed.position.scores), "F13, F14"),
    }
    for name, (value, rule) in due.items():
        if name in given and not is_same(given[name], value):
            raise ValueError(f"{where}: {name} {shown(given[name])}: by the rules {shown(value)} ({rule})")


def check_end(record: Mapping[str, Any], opened: OpenRound) -> None:
    """Check how a record says that the round ended, and with which scores (F9 to F14).

    Of a round that goes on it is enough that this can still come to be.

    Raises
    ------
    ValueError
        If it did not, or cannot.
    """
    end, target = opened.end, opened.rules.target
    scores = scores_of(record["scores"], "scores", opened.rules.sides) if "scores" in record else end.scores
    ended = record.get("ended", end.ended or ENDINGS[0])
    if ended not in ENDINGS:
        raise ValueError(f"ended {shown(ended)}: valid are {', '.join(ENDINGS)} (F9 to F13)")
    if opened.complete:
        if scores != end.scores:
            raise ValueError(f"scores {shown(scores)}: by the moves {shown(end.scores)} (F14)")
        if ended != end.ended:
            raise ValueError(f"ended {shown(ended)}: by the moves {shown(end.ended)} (F9 to F13)")
    elif any(after < now for after, now in zip(scores, end.scores, strict=True)):
        raise ValueError(f"scores {shown(scores)}: {shown(end.scores)} after the last move, none falls (F14)")
    elif target is not None and max(scores) > target:
        raise ValueError(f"scores {shown(scores)}: none passes {target} (F13)")
