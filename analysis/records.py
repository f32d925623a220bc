"""Records as JSON text, one a line, and what is said where something in one is not of its form."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

_LONG = 60


def read_records(text: str) -> Iterator[tuple[int, Any]]:
    """Read JSON objects, one a line or a single one over several lines.

    Yields
    ------
    tuple
        Number of the line that it begins on, from 1, and what it holds.

    Raises
    ------
    ValueError
        If there is none, a line is no JSON, or an object has a key twice; the message has its number.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise ValueError("no record: a line of JSON is needed, as `dealworth replay --json` prints it")
    try:
        first = _parsed(*lines[0])
    except _Twice:
        raise
    except ValueError:
        yield lines[0][0], _parsed(1, text)
        return
    yield lines[0][0], first
    for number, line in lines[1:]:
        yield number, _parsed(number, line)


class _Twice(ValueError):
    """An object has a key twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys differ."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Twice(f"key {key!r} is given twice")
        found[key] = value
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _parsed(number: int, text: str) -> Any:
    """Parse JSON that begins on a line of this number."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except _Twice as error:
        raise _Twice(f"line {number}: {error}") from None
    except json.JSONDecodeError as error:
        place = f"line {number + error.lineno - 1}, column {error.colno}"
        raise ValueError(f"{place}: no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"line {number}: no JSON: {error}") from None


def whole_number(record: Mapping[str, Any], key: str) -> int | None:
    """Return a whole number of a record, not negative; None where there is none."""
    value = record.get(key)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise ValueError(f"{key} {shown(value)}: a whole number from 0 is needed")
    return value


def listed(value: Any, where: str) -> list[Any]:
    """Return a list; ``where`` names it in the error."""
    if isinstance(value, list | tuple):
        return list(value)
    raise ValueError(f"{where}: a list is needed, not {shown(value)}")


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """Return an object; ``where`` names it in the error."""
    if isinstance(value, Mapping):
        return value
    raise ValueError(f"{where}: an object of names and values is needed, not {shown(value)}")


def shown(value: Any) -> str:
    """Write a value as JSON has it, shortened."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _LONG else f"{text[:_LONG]} …"
