"""What of a game's strategies has to do with thinking: deciders by number, and what they cost."""

from collections.abc import Mapping, Sequence

import numpy as np

from sim.core.game import COSTS
from sim.core.jit import Decider
from sim.core.strategy import Strategy, StrategyBook, seat_rows
from sim.thinking.parameters import NESTED, ROLLOUT, thinks

Registry = dict[tuple[str, int], Decider]
"""What decides for strategies that sample worlds, by kind of decision and policy. It is made of the kernel's
parts, which ask a game's strategies, and so enters itself (each game's ``thinking.decisions``)."""


def cost(play: int) -> int:
    """Return the class of a strategy by the policy of its play: an index into COSTS."""
    if play == NESTED:
        return COSTS.index("deep")
    return COSTS.index("thinking" if play == ROLLOUT else "fast")


def deciders_of(
    strategies: Sequence[Strategy], book: StrategyBook, registry: Mapping[tuple[str, int], Decider]
) -> dict[tuple[int, int], Decider]:
    """Return what decides for strategies that sample worlds, by number of the kind of decision and policy."""
    return {
        (kind, policy): registry[book.decisions[kind], policy]
        for strategy in strategies
        for kind, policy in enumerate(strategy.policies)
        if thinks(policy)
    }


def rows_of(
    strategies: Sequence[Strategy], book: StrategyBook, registry: Mapping[tuple[str, int], Decider]
) -> tuple[np.ndarray, np.ndarray]:
    """Policies and parameters by player, as ``seat_rows`` gives them, with the deciders' addresses."""
    policies, params = seat_rows(strategies, book.decisions)
    for (kind, policy), decider in deciders_of(strategies, book, registry).items():
        column = policies[:, kind]
        column[column == policy] = decider.address
    return policies, params
