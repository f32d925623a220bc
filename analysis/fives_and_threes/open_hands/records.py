"""From records of rounds to rounds with all hands open, checked by the rules.

A record is what ``dealworth replay fives-and-threes --json`` prints: one JSON object a line. One made by hand
needs only the game, hands and who starts:

``game``           ``"fives_and_threes"``
``hands``          two to four, by player, each a list of tiles or a text such as ``"6|6 1|5"``
``starter``        player who lays the first tile, or whose turn it is where ``ends`` are given
``ends``           of an ending: left and right end of the chain, ``[4, "6|6"]`` with a double lying across
``scores_before``  by side, zeros if left out (F14)
``moves``          ``{"tile": "1|5", "end": "left"}`` or ``{"knock": true}``; ``player`` may be added
``rules``          ``target`` and ``out_bonus`` where they are not 61 and 1

All that is given is checked, up to the count, points and scores of each tile.
"""

from collections.abc import Mapping
from typing import Any

from analysis.fives_and_threes.open_hands.checks import (
    check_before,
    check_end,
    check_ends,
    check_hands,
    check_placed,
    check_sizes,
)
from analysis.fives_and_threes.open_hands.reading import (
    end_of,
    hand_of,
    player_of,
    scores_of,
    tile_of,
)
from analysis.fives_and_threes.open_hands.rounds import KNOCK, OpenRound, Position, move_name
from analysis.provenance import counted
from analysis.records import listed, mapping, shown, whole_number
from sim.core.jit import plain
from sim.core.strategy import printable
from sim.fives_and_threes.chain import OPEN, RIGHT_SIDE, SHUT, legal_moves
from sim.fives_and_threes.rules import MOST_PLAYERS, Rules
from sim.fives_and_threes.solving.open_hands import position_row

GAME = "fives_and_threes"
_ENDS = ("start", "left", "right")


def read_round(record: Any) -> OpenRound:
    """Read one record.

    Parameters
    ----------
    record : mapping
        As the module says; further keys are welcome.

    Returns
    -------
    OpenRound

    Raises
    ------
    ValueError
        If something is missing, not of the record's form or against the rules.
    """
    record = mapping(record, "a record")
    if record.get("game", GAME) != GAME:
        raise ValueError(f"game {shown(record['game'])}: valid is {GAME}")
    match, number = whole_number(record, "match"), whole_number(record, "round")
    hands = _hands(record)
    rules = _rules(record, hands)
    start = _start(record, hands, rules)
    check_before(start.scores, rules, number, start.ends)
    position_row(hands, start.ends, start.mover, start.mover, start.lacking(rules), rules.out_bonus)
    if not any(plain(legal_moves)(hand, *start.ends) for hand in hands):
        raise ValueError("nobody can place a tile: the round is blocked before the first move (F11)")
    blank = OpenRound(start, (), rules, _strategies(record, len(hands)), match, number)
    opened = _played(blank, listed(record.get("moves", []), "moves"))
    check_end(record, opened)
    return opened


def _hands(record: Mapping[str, Any]) -> tuple[int, ...]:
    """Read the hands by player (F1, F2)."""
    given = listed(record.get("hands"), "hands")
    if len(given) not in range(2, MOST_PLAYERS + 1):
        raise ValueError(f"{counted(len(given), 'hand')}: valid are two to four, one a player (F1)")
    hands = tuple(hand_of(hand, f"hand of player {player}") for player, hand in enumerate(given))
    check_hands(hands)
    return hands


def _rules(record: Mapping[str, Any], hands: tuple[int, ...]) -> Rules:
    """Read the rules; as many players and tiles as there are hands and tiles, unless an ending is given."""
    options = {"players": len(hands), **mapping(record.get("rules", {}), "rules")}
    if "ends" not in record:
        options.setdefault("hand", hands[0].bit_count())
    rules = Rules.from_options(options)
    if rules.players != len(hands):
        raise ValueError(f"{counted(len(hands), 'hand')}: the rules have {rules.players} players (F1)")
    return rules


def _start(record: Mapping[str, Any], hands: tuple[int, ...], rules: Rules) -> Position:
    """Read the position before the first turn; a player who is out is skipped (F10)."""
    ends = _ends(record)
    check_sizes(hands, ends, rules)
    check_ends(hands, ends)
    starter = player_of(record.get("starter"), "starter", len(hands))
    scores = scores_of(record.get("scores_before", [0] * rules.sides), "scores_before", rules.sides)
    start = Position(1, hands, ends, starter, scores, "")
    return start if hands[starter] or not any(hands) else start.knocked()._replace(number=1)


def _ends(record: Mapping[str, Any]) -> tuple[int, int]:
    """Read the ends of an ending; OPEN and SHUT without one."""
    if "ends" not in record:
        return OPEN, SHUT
    given = listed(record["ends"], "ends")
    if len(given) != 2:
        raise ValueError(f'ends {shown(given)}: two are needed, such as [4, "6|6"] (F5)')
    left, right = map(end_of, given)
    return left, right


def _strategies(record: Mapping[str, Any], players: int) -> tuple[str, ...]:
    given = listed(record.get("strategies", []), "strategies")
    if not given:
        return ()
    if len(given) != players or not all(isinstance(name, str) for name in given):
        raise ValueError(f"strategies {shown(given)}: {players} names are needed, by player")
    return tuple(printable("strategy", name) for name in given)


def _played(blank: OpenRound, moves: list[Any]) -> OpenRound:
    """Make the moves of a record (F4 to F13)."""
    position, made = blank.start, []
    for number, given in enumerate(moves, start=1):
        where = f"move {number}"
        given = mapping(given, where)
        if position.ended:
            raise ValueError(f"{where}: the round was over after move {number - 1} ({position.ended})")
        player = player_of(given.get("player", position.mover), f"{where}: player", blank.rules.players)
        if player != position.mover:
            raise ValueError(f"{where}: player {player}: it is the turn of player {position.mover} (F1)")
        if _knocks(position, given, where):
            made.append(KNOCK)
            position = position.knocked()
            continue
        move = _move(position, given, where)
        placed = position.placed(move, blank.rules)
        check_placed(given, placed, where)
        made.append(move)
        position = placed.position
    return OpenRound(blank.start, tuple(made), blank.rules, blank.strategies, blank.match, blank.number)


def _knocks(position: Position, given: Mapping[str, Any], where: str) -> bool:
    """Read whether the player knocks, which it must not where a tile fits (F6)."""
    knock = given.get("knock", False)
    if not isinstance(knock, bool):
        raise ValueError(f"{where}: knock {shown(knock)}: valid are true and false")
    if knock and "tile" in given:
        raise ValueError(f"{where}: tile {shown(given['tile'])}: a knock lays none (F6)")
    if knock and position.legal:
        raise ValueError(f"{where}: player {position.mover} knocks but can play {_choices(position)} (F6)")
    return knock


def _move(position: Position, given: Mapping[str, Any], where: str) -> int:
    """Read a placement, which must be of a tile that is held and fits (F4, F5)."""
    text, end = given.get("tile"), given.get("end")
    tile = tile_of(text, where)
    if end is not None and end not in _ENDS:
        raise ValueError(f"{where}: end {shown(end)}: valid are {', '.join(_ENDS)}")
    hand = position.hands[position.mover]
    if not hand & tile:
        raise ValueError(f"{where}: {text} is not in the hand of player {position.mover} (F2)")
    fitting = int(plain(legal_moves)(tile, *position.ends))
    places = [move for move in (tile, tile << RIGHT_SIDE) if fitting & move]
    if end is not None:
        places = [move for move in places if position.end_of(move) == end]
    if len({position.same(move) for move in places}) != 1:
        what = f"{text} at {end}" if end is not None else f"{text}, without an end"
        raise ValueError(f"{where}: {what}: valid are {_choices(position) or 'only a knock'} (F5, F6)")
    return places[0]


def _choices(position: Position) -> str:
    """List the moves of a position."""
    bits = (1 << place for place in range(2 * RIGHT_SIDE) if position.legal >> place & 1)
    return ", ".join(f"{move_name(move)} at {position.end_of(move)}" for move in bits)
