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

All that is given is checked.
"""

from collections.abc import Mapping
from typing import Any

from analysis.fives_and_threes.open_hands.rounds import KNOCK, OpenRound, Position, move_name
from analysis.records import listed, mapping, shown, whole_number
from sim.core.jit import plain
from sim.fives_and_threes.chain import DOUBLE, OPEN, RIGHT_SIDE, SHUT, legal_moves
from sim.fives_and_threes.rules import MOST_PLAYERS, Rules
from sim.fives_and_threes.solving.open_hands import position_row
from sim.fives_and_threes.tiles import NUMBERS, parse_tile, parse_tiles, tile_halves, tile_name

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
    hands = _hands(record)
    rules = _rules(record, hands)
    starter = _player(record.get("starter"), "starter", len(hands))
    scores = _scores(record, rules)
    start = Position(1, tuple(hands), _ends(record, hands, rules), starter, scores, "")
    position_row(hands, start.ends, starter, starter, start.lacking(rules), rules.out_bonus)
    if not any(plain(legal_moves)(hand, *start.ends) for hand in hands):
        raise ValueError("nobody can place a tile: the round is blocked before the first move (F11)")
    while not start.hands[start.mover]:
        start = start.knocked()._replace(number=1)
    given = listed(record.get("strategies", []), "strategies")
    strategies = tuple(map(str, given)) if len(given) == len(hands) else ()
    blank = OpenRound(
        start, (), rules, strategies, whole_number(record, "match"), whole_number(record, "round")
    )
    played = _played(blank, listed(record.get("moves", []), "moves"))
    end = played.end
    due = {"scores": list(end.scores), **({"ended": end.ended} if end.ended else {})}
    for name, value in due.items():
        if record.get(name, value) != value and played.complete:
            raise ValueError(f"{name} {shown(record[name])}: by the moves it is {shown(value)}")
    return played


def _hands(record: Mapping[str, Any]) -> list[int]:
    """Read the hands by player (F2)."""
    given = listed(record.get("hands"), "hands")
    if len(given) not in range(2, MOST_PLAYERS + 1):
        raise ValueError(f"{len(given)} hands: valid are two to four, one a player (F1)")
    hands: list[int] = []
    for player, hand in enumerate(given):
        where = f"hand of player {player}"
        if not isinstance(hand, str) and not all(isinstance(tile, str) for tile in listed(hand, where)):
            raise ValueError(f"{where}: tiles are needed, such as '6|6', not {shown(hand)}")
        try:
            hands.append(parse_tiles(hand))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        for other in range(player):
            both = hands[other] & hands[player]
            if both:
                name = tile_name(both & -both)
                raise ValueError(f"tile {name} in the hands of players {other} and {player}")
    return hands


def _rules(record: Mapping[str, Any], hands: list[int]) -> Rules:
    """Read the rules; as many players and tiles as there are hands and tiles, unless an ending is given."""
    options = {"players": len(hands), **mapping(record.get("rules", {}), "rules")}
    sizes = [hand.bit_count() for hand in hands]
    if "ends" not in record:
        options.setdefault("hand", sizes[0])
    rules = Rules.from_options(options)
    if rules.players != len(hands):
        raise ValueError(f"{len(hands)} hands: the rules have {rules.players} players")
    if "ends" not in record and sizes != [rules.hand_size] * len(hands):
        raise ValueError(f"hands of {', '.join(map(str, sizes))} tiles: each is dealt {rules.hand_size} (F2)")
    return rules


def _scores(record: Mapping[str, Any], rules: Rules) -> tuple[int, ...]:
    """Read the scores before the round, by side (F14)."""
    scores = listed(record.get("scores_before", [0] * rules.sides), "scores_before")
    valid = all(isinstance(score, int) and not isinstance(score, bool) and score >= 0 for score in scores)
    if not valid or len(scores) != rules.sides or (rules.target and max(scores) >= rules.target):
        below = "" if rules.target is None else f" and below {rules.target}"
        raise ValueError(f"scores_before {shown(scores)}: valid are {rules.sides}, from 0{below} (F13, F14)")
    return tuple(scores)


def _ends(record: Mapping[str, Any], hands: list[int], rules: Rules) -> tuple[int, int]:
    """Read the ends of an ending; OPEN and SHUT without one."""
    if "ends" not in record:
        return OPEN, SHUT
    given = listed(record["ends"], "ends")
    if len(given) != 2:
        raise ValueError(f'ends {shown(given)}: two are needed, such as [4, "6|6"]')
    left, right = map(_end, given)
    return left, right


def _end(value: Any) -> int:
    """Read one end: an open number, or a double lying across (F5)."""
    text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if len(text) == 1 and text in "0123456"[:NUMBERS]:
        return int(text)
    try:
        low, high = tile_halves(parse_tile(text))
    except ValueError:
        low, high = 0, 1
    if low != high:
        raise ValueError(f"end {shown(value)}: valid are 0 to 6, or a double such as 6|6 lying across")
    return low + DOUBLE


def _played(blank: OpenRound, moves: list[Any]) -> OpenRound:
    """Make the moves of a record (F4 to F13)."""
    position, made = blank.start, []
    for number, given in enumerate(moves, start=1):
        where = f"move {number}"
        given = mapping(given, where)
        if position.ended:
            raise ValueError(f"{where}: the round was over after move {number - 1} ({position.ended})")
        player = _player(given.get("player", position.mover), f"{where}: player", blank.rules.players)
        if player != position.mover:
            raise ValueError(f"{where}: player {player}: it is the turn of player {position.mover} (F1)")
        if given.get("knock"):
            if position.legal:
                raise ValueError(f"{where}: player {player} knocks but can play {_choices(position)} (F6)")
            made.append(KNOCK)
            position = position.knocked()
            continue
        move = _move(position, given, where)
        placed = position.placed(move, blank.rules)
        _check_placed(given, placed, where)
        made.append(move)
        position = placed.position
    return OpenRound(blank.start, tuple(made), blank.rules, blank.strategies, blank.match, blank.number)


def _move(position: Position, given: Mapping[str, Any], where: str) -> int:
    """Read a placement, which must be of a tile that is held and fits (F4, F5)."""
    text, end = given.get("tile"), given.get("end")
    if not isinstance(text, str):
        raise ValueError(f"{where}: a tile is needed, such as '1|5', not {shown(text)}")
    try:
        tile = parse_tile(text)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    if end is not None and end not in _ENDS:
        raise ValueError(f"{where}: end {shown(end)}: valid are {', '.join(_ENDS)}")
    hand = position.hands[position.mover]
    if not hand & tile:
        raise ValueError(f"{where}: {text} is not in the hand of player {position.mover}")
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


def _check_placed(given: Mapping[str, Any], placed: Any, where: str) -> None:
    """Check what a record says of a placement (F7 to F13)."""
    due = {
        "ends": [end % DOUBLE for end in placed.position.ends],
        "total": placed.total,
        "points": placed.points,
        "bonus": placed.bonus,
        "accepted": placed.accepted,
        "scores": list(placed.position.scores),
    }
    for name, value in due.items():
        if given.get(name, value) != value:
            raise ValueError(f"{where}: {name} {shown(given[name])}: by the rules {shown(value)} (F7 to F13)")


def _player(value: Any, where: str, players: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in range(players):
        raise ValueError(f"{where} {shown(value)}: valid are the players 0 to {players - 1}")
    return value
