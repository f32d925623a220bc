"""Strategies as data: policies by name, parameter rows, and which decisions users' own functions take."""

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite, nan

import numpy as np

from sim.core.users import NOTES, compiled

CUSTOM = 100
"""Policy numbers from here on mean: ask the user's function in slot ``policy - CUSTOM``."""
_UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")
"""Categories of Unicode that no line of text, page or file can hold as they are."""


def _reads_all(_choices: Mapping[str, int], params: Mapping[str, float]) -> set[str]:
    """Take a strategy to read every parameter."""
    return set(params)


@dataclass(frozen=True)
class Policy:
    """One named way to take decisions.

    Parameters
    ----------
    name : str
        As people write it.
    about : str
        One line for a list.
    choices : mapping of str to int
        Policy number for each kind of decision that it settles.
    settings : mapping of str to float
        Parameters that it sets.
    number : str
        Name of the parameter that a whole number in the name sets: the policy ``rollout-N`` is written
        ``rollout-50``.
    most : int
        Largest such number.
    bases : tuple of str
        Of an addition: names of the complete policies that it changes; empty for all.
    """

    name: str
    about: str
    choices: Mapping[str, int]
    settings: Mapping[str, float] = field(default_factory=dict)
    number: str = ""
    most: int = 0
    bases: tuple[str, ...] = ()

    def read(self, text: str) -> dict[str, float] | None:
        """Return the parameters that a name sets, or None if it is not this policy's.

        Raises
        ------
        ValueError
            If the number in the name is out of range.
        """
        if not self.number:
            return dict(self.settings) if text == self.name else None
        stem = self.name[:-1]
        digits = text.removeprefix(stem)
        if not text.startswith(stem) or not (digits.isascii() and digits.isdigit()):
            return None
        if not 1 <= int(digits) <= self.most:
            raise ValueError(f"{text!r}: the number must be from 1 to {self.most}")
        return {**self.settings, self.number: float(digits)}


@dataclass(frozen=True)
class Strategy:
    """A complete way to play, as a kernel needs it.

    Parameters
    ----------
    name : str
        As people write it; the name in results and reports.
    policies : tuple of int
        Policy number for each kind of decision, in the game's order.
    params : tuple of float
        The parameter row that built-in policies read.
    functions : tuple of (str, Callable)
        The user's compiled function for a kind of decision, where it is not built in.
    """

    name: str
    policies: tuple[int, ...]
    params: tuple[float, ...]
    functions: tuple[tuple[str, Callable], ...] = ()


@dataclass(frozen=True)
class StrategyBook:
    """All strategies of one game, by name.

    Parameters
    ----------
    decisions : tuple of str
        Kinds of decision, in the order of a strategy's ``policies``.
    policies : tuple of Policy
        Complete ones, each usable alone.
    overlays : tuple of Policy
        Partial ones, usable after a ``+`` (``heuristic+always-reveal``).
    parameters : mapping of str to float
        Names and defaults of the parameter row.
    ranges : mapping of str to (number, number)
        Least and most of those that may not be any number; between two whole numbers it must be whole.
    reads : callable
        From policy numbers by kind of decision and parameters by name to the parameters that the strategy
        ever reads; by default it reads all.
    """

    decisions: tuple[str, ...]
    policies: tuple[Policy, ...]
    overlays: tuple[Policy, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    reads: Callable[[Mapping[str, int], Mapping[str, float]], set[str]] = _reads_all

    def parse(self, text: str) -> Strategy:
        """Read ``PLAY``, ``PLAY+OVERLAY+…`` and ``PLAY:weight=1.5,other=0`` (both may be joined).

        Raises
        ------
        ValueError
            If a name is unknown, the message lists the known ones; if a number is out of range; if what is
            said is said twice, contradicts itself or changes nothing.
        """
        return self._parse(text, read_all=False)

    def _parse(self, text: str, read_all: bool) -> Strategy:
        """Read a strategy; ``read_all`` where a user's function may read parameters that it does not."""
        text = printable("strategy", text.strip())
        names, colon, settings = text.partition(":")
        base, *additions = names.split("+")
        complete, params = _find(base, self.policies, "strategy")
        choices, params = dict(complete.choices), {**self.parameters, **params}
        # What the name has settled, and the word of it that did.
        settled = {complete.number: base.strip()} if complete.number else {}
        seen: list[Policy] = []
        for addition in additions:
            policy, changed = _find(addition, self.overlays, f"addition to {base!r}")
            _check_addition(names, policy, complete, seen)
            _settle(names, addition, (*policy.choices, *changed), settled)
            if policy.choices.items() <= choices.items() and changed.items() <= params.items():
                raise ValueError(f"strategy {names!r}: addition {addition!r} changes nothing: leave it out")
            seen.append(policy)
            choices.update(policy.choices)
            params.update(changed)
        if colon:
            given = _set(params, settings, self.ranges)
            for name in given & set(settled):
                raise ValueError(f"strategy {text!r}: {settled[name]!r} settles {name}: leave out {name}=")
            _check_read(text, given, params if read_all else self.reads(choices, params))
        return Strategy(
            name=text,
            policies=tuple(choices[decision] for decision in self.decisions),
            params=tuple(params.values()),
        )

    def custom(self, name: str, base: str, check: bool = False, **functions: Callable) -> Strategy:
        """Strategy that asks a user's functions and leaves the rest to a built-in one.

        Parameters
        ----------
        name : str
            Name for results.
        base : str
            Built-in strategy for the decisions without a function, and for the parameters.
        **functions : Callable
            By kind of decision: ``f(view, params, luck) -> int``, compiled by numba or plain
            Python that numba can compile. ``view`` is the int64 row of the game's
            ``knowledge`` module, ``params`` the float64 parameter row, ``luck`` 64 random bits. Both
            arrays are the function's own copies.
        check : bool
            Whether an index outside ``view`` or ``params`` is an error; else it reads what lies there.

        Raises
        ------
        ValueError
            If a kind of decision is unknown, what is given is no function of three arguments or cannot be
            compiled to one that answers with a whole number, or the name cannot be printed or is that of a
            built-in strategy, for which results would be taken.
        """
        inner = self._parse(base, read_all=True)
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"name {name!r}: a text is needed")
        if self._is_taken(printable("name", name)):
            raise ValueError(f"name {name!r}: taken by a built-in strategy, choose another")
        for decision in functions:
            if decision not in self.decisions:
                raise ValueError(f"no decision {decision!r}: valid are {', '.join(self.decisions)}")
        own = {decision: compiled(decision, function, check) for decision, function in functions.items()}
        return Strategy(name, inner.policies, inner.params, tuple(sorted(own.items())))

    def _is_taken(self, name: str) -> bool:
        base = name.partition("+")[0].partition(":")[0]
        try:
            return bool(_find(base, self.policies, "strategy"))
        except ValueError:
            return False

    def about(self) -> list[dict[str, str]]:
        """Names and one-line descriptions, complete strategies first, then additions as ``+NAME``."""
        listed = [{"name": policy.name, "about": policy.about} for policy in self.policies]
        return listed + [{"name": f"+{policy.name}", "about": policy.about} for policy in self.overlays]


def _find(name: str, policies: Sequence[Policy], what: str) -> tuple[Policy, dict[str, float]]:
    """Return the policy of a name and the parameters that the name sets."""
    for policy in policies:
        settings = policy.read(name.strip())
        if settings is not None:
            return policy, settings
    valid = ", ".join(policy.name for policy in policies) or "none"
    raise ValueError(f"no {what} {name!r}: valid are {valid}")


def _check_addition(names: str, policy: Policy, complete: Policy, seen: Sequence[Policy]) -> None:
    """Refuse an addition that was given before, or does not go with the strategy."""
    if policy in seen:
        raise ValueError(f"strategy {names!r}: addition {policy.name!r} is given twice")
    if policy.bases and complete.name not in policy.bases:
        raise ValueError(
            f"strategy {names!r}: addition {policy.name!r} goes with {', '.join(policy.bases)} only"
        )


def _settle(names: str, addition: str, what: Collection[str], settled: dict[str, str]) -> None:
    """Note what an addition settles; refuse it where something else has."""
    for name in what:
        if name in settled:
            raise ValueError(
                f"strategy {names!r}: {settled[name]!r} and {addition!r} both settle {name}: give one"
            )
        settled[name] = addition


def _check_read(text: str, given: set[str], read: Collection[str]) -> None:
    """Refuse parameters that a strategy never reads."""
    for name in sorted(given - set(read)):
        known = f"it reads {', '.join(sorted(read))}" if read else "it reads none"
        raise ValueError(f"strategy {text!r} never reads parameter {name!r}: {known}")


def printable(what: str, text: str) -> str:
    """Return a text that can be printed, drawn and saved as it is.

    Raises
    ------
    ValueError
        If it holds a control character, a line break or half of a surrogate pair.
    """
    for character in text:
        if unicodedata.category(character) in _UNPRINTABLE:
            raise ValueError(f"{what} {text!r}: character {character!r} cannot be printed: leave it out")
    return text


def _set(params: dict[str, float], settings: str, ranges: Mapping[str, tuple[float, float]]) -> set[str]:
    """Set parameters from ``name=value,name=value``; return the names."""
    if not settings.strip():
        raise ValueError("nothing after the ':': give parameters as name=value, or leave it out")
    given: set[str] = set()
    for setting in settings.split(","):
        name, _, value = (part.strip() for part in setting.partition("="))
        if name in given:
            raise ValueError(f"parameter {name!r} is given twice")
        given.add(name)
        if name not in params:
            raise ValueError(f"no parameter {name!r}: valid are {', '.join(params)}")
        try:
            params[name] = float(value)
        except ValueError:
            params[name] = nan
        if not isfinite(params[name]):
            raise ValueError(f"parameter {name}={value!r}: a number is needed")
        least, most = ranges.get(name, (-inf, inf))
        whole = isinstance(least, int)
        if not least <= params[name] <= most or (whole and not params[name].is_integer()):
            kind = "a whole number" if whole else "a number"
            raise ValueError(f"parameter {name}={value!r}: must be {kind} from {least} to {most}")
    return given


def own_functions(strategies: Sequence[Strategy], decision: str) -> tuple[Callable, ...]:
    """Return the users' functions for a kind of decision, in the order of the players, each once.

    By their places kernels ask them: who sits where is no part of what is compiled.
    """
    return tuple(dict.fromkeys(own for one in strategies for kind, own in one.functions if kind == decision))


def seat_rows(strategies: Sequence[Strategy], decisions: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Policies and parameters by player, as arrays for a kernel.

    Returns
    -------
    policies : int64 (players, decisions) array
        Policy numbers; a decision with a user's function has CUSTOM + its place in :func:`own_functions`.
    params : float64 (players, P) array
        Parameter rows; where users' functions are asked, with room for notes (:mod:`sim.core.users`).
    """
    policies = np.array([strategy.policies for strategy in strategies], np.int64)
    for column, decision in enumerate(decisions):
        own = own_functions(strategies, decision)
        for player, strategy in enumerate(strategies):
            if decision in (functions := dict(strategy.functions)):
                policies[player, column] = CUSTOM + own.index(functions[decision])
    params = np.array([strategy.params for strategy in strategies], np.float64).reshape(len(strategies), -1)
    room = NOTES if any(strategy.functions for strategy in strategies) else 0
    return policies, np.pad(params, ((0, 0), (0, room)))
