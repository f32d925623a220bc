"""Strategies as data: policies by name, parameter rows, and users' own compiled functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf, isfinite, nan
from typing import Any

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError

from sim.core.jit import allocating, specialise

CUSTOM = 100
"""Policy numbers from here on mean: ask the user's function in slot ``policy - CUSTOM``."""


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
    """

    decisions: tuple[str, ...]
    policies: tuple[Policy, ...]
    overlays: tuple[Policy, ...] = ()
    parameters: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def parse(self, text: str) -> Strategy:
        """Read ``PLAY``, ``PLAY+OVERLAY+…`` and ``PLAY:weight=1.5,other=0`` (both may be joined).

        Raises
        ------
        ValueError
            If a name is unknown, the message lists the known ones; if one is given twice, or a number is
            out of range.
        """
        names, _, settings = text.strip().partition(":")
        base, *additions = names.split("+")
        complete, params = _find(base, self.policies, "strategy")
        choices, params = dict(complete.choices), {**self.parameters, **params}
        seen: list[Policy] = []
        for addition in additions:
            policy, changed = _find(addition, self.overlays, f"addition to {base!r}")
            if policy in seen:
                raise ValueError(f"strategy {names!r}: addition {policy.name!r} is given twice")
            if policy.bases and complete.name not in policy.bases:
                raise ValueError(
                    f"strategy {names!r}: addition {policy.name!r} goes with {', '.join(policy.bases)} only"
                )
            seen.append(policy)
            choices.update(policy.choices)
            params.update(changed)
        if settings:
            _set(params, settings, self.ranges)
        return Strategy(
            name=text.strip(),
            policies=tuple(choices[decision] for decision in self.decisions),
            params=tuple(params.values()),
        )

    def custom(self, name: str, base: str, **functions: Callable) -> Strategy:
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
            ``knowledge`` module, ``params`` the float64 parameter row, ``luck`` 64 random bits.

        Raises
        ------
        ValueError
            If a kind of decision is unknown, what is given is no function or cannot be compiled to
            one that answers with a whole number, or the name is that of a built-in strategy, for
            which results would be taken.
        """
        inner = self.parse(base)
        if self._is_taken(name):
            raise ValueError(f"name {name!r}: taken by a built-in strategy, choose another")
        for decision, function in functions.items():
            if decision not in self.decisions:
                raise ValueError(f"no decision {decision!r}: valid are {', '.join(self.decisions)}")
            if not callable(function):
                raise ValueError(f"decision {decision!r}: a function is needed, not {function!r}")
        compiled = {decision: _compiled(decision, function) for decision, function in functions.items()}
        return Strategy(name, inner.policies, inner.params, tuple(sorted(compiled.items())))

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


def _set(params: dict[str, float], settings: str, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Set parameters from ``name=value,name=value``."""
    given = set()
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


def _compiled(decision: str, function: Callable) -> Any:
    """Compile a user's function and see that it answers with a whole number."""
    compiled = function if isinstance(function, Dispatcher) else allocating(function)
    if not isinstance(compiled, Dispatcher):
        return compiled
    arguments = (types.int64[::1], types.float64[::1], types.int64)
    try:
        compiled.compile(arguments)
    except NumbaError as error:
        reason = next((line for line in str(error).splitlines() if line.strip()), "no reason given")
        raise ValueError(f"decision {decision!r}: numba cannot compile the function: {reason}") from None
    answer = compiled.overloads[arguments].signature.return_type
    if not isinstance(answer, types.Integer | types.Boolean):
        raise ValueError(f"decision {decision!r}: the function answers with {answer}, not a whole number")
    return compiled


def seat_rows(strategies: Sequence[Strategy], decisions: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Policies and parameters by player, as arrays for a kernel.

    Returns
    -------
    policies : int64 (players, decisions) array
        Policy numbers; a decision with a user's function has CUSTOM + player.
    params : float64 (players, P) array
        Parameter rows.
    """
    policies = np.array([strategy.policies for strategy in strategies], np.int64)
    for player, strategy in enumerate(strategies):
        for decision, _ in strategy.functions:
            policies[player, decisions.index(decision)] = CUSTOM + player
    params = np.array([strategy.params for strategy in strategies], np.float64)
    return policies, params.reshape(len(strategies), -1)


@lru_cache(maxsize=64)
def specialised(
    kernel: Any,
    functions: tuple[tuple[tuple[str, Callable], ...], ...],
    stand_ins: tuple[tuple[str, Any], ...],
    place: int,
) -> Any:
    """Return a kernel that asks the users' functions; the cached one itself where there are none.

    Parameters
    ----------
    kernel : Dispatcher
        Compiled entry point.
    functions : tuple of tuple of (str, Callable)
        Users' functions by player, as strategies hold them. Names and parameters are no part of it,
        so that a sweep of parameters compiles once.
    stand_ins : tuple of (str, Dispatcher)
        For each kind of decision the function that stands in for a user's.
    place : int
        Where a view holds the number of its parameter row.
    """
    replacements = {}
    for decision, stand_in in stand_ins:
        asked = {
            player: function
            for player, own in enumerate(functions)
            for kind, function in own
            if kind == decision
        }
        if asked:
            replacements[stand_in] = _chain(asked, stand_in, place)
    return specialise(kernel, replacements) if replacements else kernel


def _chain(functions: Mapping[int, Any], stand_in: Any, place: int) -> Any:
    """Combine the functions of several players into one that asks by slot."""
    combined = stand_in
    for slot, function in functions.items():
        combined = _link(slot, function, combined, place)
    return combined


def _link(slot: int, function: Any, others: Any, place: int) -> Any:
    @allocating
    def ask(asked, view, params, luck):
        if asked == slot:
            # A copy: what a function writes to its view stays with it.
            return np.int64(function(view.copy(), params[view[place]], luck))
        return others(asked, view, params, luck)

    return ask
