"""The decider of a player that thinks: candidates valued in sampled worlds, the best of them chosen.

Each game gives it a few functions, its :class:`Hooks`. They see what every strategy sees, and think with the
parameters of their own strategy.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sim.core.jit import Decider, routine
from sim.core.rng import word
from sim.thinking.candidates import bring_forward
from sim.thinking.parameters import Columns


class Hooks(NamedTuple):
    """What the decider needs of a game.

    Parameters
    ----------
    columns : Columns
        Of the parameters.
    row : int
        Place in the view of the player's row of parameters.
    most, width : int
        Most candidates, and columns of a world.
    list_candidates : callable
        ``(view, listed) -> number``: the choices that are worth telling apart.
    reading : callable
        ``(view, params)``: what play-outs read of the weights of the one who thinks.
    deal : callable
        ``(view, key, worlds)``: fill in worlds, all that fit equally often.
    deal_likely : callable
        ``(view, params, read, key, worlds)``: likely ones more often.
    preferred : callable
        ``(view, params, read, listed, number)``: the candidate that wins a tie, that of ``heuristic``.
    begin : callable
        ``(view, params, listed, number, values)``: value candidates before any world.
    add_solved : callable
        ``(view, params, worlds, listed, number, values) -> bool``: value candidates by the exact solution
        if little enough is left; returns whether it is.
    add_heuristic : callable
        ``(view, params, read, worlds, first, last, listed, number, values, key)``: play candidates out in the
        worlds from ``first`` on, up to but without ``last``, the player on as heuristic, the others as it
        takes them to play. The key of a world is ``word(key, world)``.
    add_nested : callable
        ``(view, read, worlds, world, listed, number, values, key, inner)``: play candidates out in one
        world, everybody sampling ``inner`` worlds for each choice.
    """

    columns: Columns
    row: int
    most: int
    width: int
    list_candidates: Callable
    reading: Callable
    deal: Callable
    deal_likely: Callable
    preferred: Callable
    begin: Callable
    add_solved: Callable
    add_heuristic: Callable
    add_nested: Callable


def rollout(name: str, hooks: Hooks, times: int = 0) -> Decider:
    """Return the decider of ``rollout-N``.

    Parameters
    ----------
    name : str
        Of its code.
    hooks : Hooks
    times : int
        If not 0, the worlds are so many times N, and go to fewer and fewer candidates; else each of N goes
        to all of them.
    """
    return _decider(name, hooks, hooks.add_heuristic, times)


def nested(name: str, hooks: Hooks) -> Decider:
    """Return the decider of ``nested-N``; parameters as :func:`rollout`."""
    row, (inner, mixed) = hooks.row, (hooks.columns.inner, hooks.columns.mixed)
    add_heuristic, add_nested = hooks.add_heuristic, hooks.add_nested

    @routine
    def add(view, params, read, worlds, first, last, listed, number, values, key):
        every, count = int(params[view[row], mixed]), int(params[view[row], inner])
        for world in range(first, last):
            if every and world % every == 0:
                add_heuristic(view, params, read, worlds, world, world + 1, listed, number, values, key)
            else:
                add_nested(view, read, worlds, world, listed, number, values, word(key, world), count)

    return _decider(name, hooks, add, 1)


def _decider(name: str, hooks: Hooks, add: Any, times: int) -> Decider:
    """Return a decider that values candidates by ``add``, a function like ``Hooks.add_heuristic``."""
    most = hooks.most
    list_candidates, reading, preferred_of = hooks.list_candidates, hooks.reading, hooks.preferred
    begin, add_solved = hooks.begin, hooks.add_solved
    sampled, narrow = _sampled(hooks, max(1, times)), _narrow(add)

    def decide(view, params, luck):
        listed, values = np.empty(most, np.int64), np.zeros(most, np.int64)
        number = list_candidates(view, listed)
        if number > 1:
            read = reading(view, params)
            worlds, key = sampled(view, params, read, luck), word(luck, 1)
            preferred = preferred_of(view, params, read, listed, number)
            if not add_solved(view, params, worlds, listed, number, values):
                begin(view, params, listed, number, values)
                if times:
                    number = narrow(view, params, read, worlds, listed, number, values, preferred, key)
                else:
                    add(view, params, read, worlds, 0, worlds.shape[0], listed, number, values, key)
            bring_forward(listed, values, number, 1, preferred)
        return listed[0]

    decide.__name__ = name
    return Decider(routine(decide))


def _sampled(hooks: Hooks, times: int) -> Any:
    """Return the function that samples the worlds of a decision, weighed or not."""
    row, width, columns = hooks.row, hooks.width, hooks.columns
    count, infer = columns.worlds, columns.infer
    deal, deal_likely = hooks.deal, hooks.deal_likely

    @routine
    def sampled(view, params, read, luck):
        worlds = np.empty((times * int(params[view[row], count]), width), np.int64)
        if params[view[row], infer]:
            deal_likely(view, params, read, word(luck, 0), worlds)
        else:
            deal(view, word(luck, 0), worlds)
        return worlds

    return sampled


def _narrow(add: Any) -> Any:
    """Return the function that values candidates, few of them in all worlds, and tells how many are left.

    Sequential halving (Karnin, Koren and Somekh 2013): after a quarter of the worlds the better half goes
    on, after another quarter the best two.
    """

    @routine
    def narrow(view, params, read, worlds, listed, number, values, preferred, key):
        count, done = worlds.shape[0], 0
        for quarter in (1, 2, 4):
            until = (quarter * count + 3) // 4
            add(view, params, read, worlds, done, until, listed, number, values, key)
            done = until
            kept = min(number, max(2, (number + 1) // 2) if quarter == 1 else 2)
            bring_forward(listed, values, number, kept, preferred)
            number = kept
        return number

    return narrow
