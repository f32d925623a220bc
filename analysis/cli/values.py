"""Values on a command line, as people write them; whatever else is said in one line."""

import argparse
import math
import re
from decimal import Decimal

_WHOLE = re.compile(r"(?:[0-9]+(?:_[0-9]+)*|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?(?:[eE]\+?[0-9]{1,2})?")


def whole(text: str, least: int = 1) -> int:
    """Read a whole number as people write it: ``9000000``, ``9e6``, ``9_000_000``, ``9,000,000``.

    Raises
    ------
    argparse.ArgumentTypeError
        If the text is no whole number, or one below ``least``.
    """
    if _WHOLE.fullmatch(text.strip()):
        number = Decimal(text.strip().replace(",", "").replace("_", ""))
        if number == number.to_integral_value() and number >= least:
            return int(number)
    raise argparse.ArgumentTypeError(f"{text!r} is not valid: must be a whole number from {least}")


def from_zero(text: str) -> int:
    """Read a whole number that may be 0."""
    return whole(text, least=0)


def job_count(text: str) -> int:
    """Read a number of jobs, or -1 for one a core."""
    if text.strip() == "-1":
        return -1
    try:
        return whole(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not valid: must be a whole number from 1, or -1 for one a core"
        ) from None


def positive(text: str) -> float:
    """Read a number above 0.

    Raises
    ------
    argparse.ArgumentTypeError
        If the text is no such number.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if 0 < number < math.inf:
        return number
    raise argparse.ArgumentTypeError(f"{text!r} is not valid: must be a number above 0")


def setting(text: str) -> tuple[str, str]:
    """Read ``key=value``.

    Raises
    ------
    argparse.ArgumentTypeError
        If there is no equals sign, or nothing on one side of it.
    """
    key, _, value = (part.strip() for part in text.partition("="))
    if not key or not value:
        raise argparse.ArgumentTypeError(f"{text!r} is not valid: write key=value, such as scoring=surplus")
    return key, value


def signed(text: str) -> int:
    """Read a whole number with or without a sign: ``55``, ``+2``, ``-1``.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is anything else.
    """
    try:
        return int(text.replace("−", "-"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not valid: must be a whole number") from None


def three_numbers(text: str) -> tuple[int, int, int]:
    """Read three whole numbers with commas between them, ``2,-1,-1``.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is anything else.
    """
    try:
        first, second, third = (int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not valid: write three whole numbers, as 2,-1,-1"
        ) from None
    return first, second, third


def path(text: str) -> str:
    """Read a path, which must not be empty."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"{text!r}: a path is needed")
    return text


_PICTURES = (".png", ".svg", ".pdf")


def picture(text: str) -> str:
    """Read the path of a picture to write; its ending says in which format.

    Raises
    ------
    argparse.ArgumentTypeError
        If the ending is none of a picture's.
    """
    if not text.strip().lower().endswith(_PICTURES):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not valid: a file ending in {', '.join(_PICTURES)} is needed"
        )
    return text
