"""Call or reveal, and where to sit: the answers in plain words, with their numbers and intervals."""

import math

import pandas as pd

from analysis.provenance import counted, labels
from analysis.three_two_five.options import (
    ALWAYS_REVEAL,
    NEVER_REVEAL,
    ONLY_ACE,
    Study,
    call_or_reveal,
    policy_costs,
    reveal_share,
    second_suit_gain,
    study,
    value_unit,
)
from analysis.three_two_five.seats import seat_advantage
from analysis.wording import with_interval
from sim.results import Run

_POLICY_OF = {"never revealing": NEVER_REVEAL, "always revealing": ALWAYS_REVEAL}
_UNBROKEN = "\N{NON-BREAKING HYPHEN}"

FEW_HANDS = 100
"""Below this many hands an option study is an example, not an answer."""


def call_or_reveal_answer(run: Run | Study) -> list[str]:
    """Answer "call or reveal?" from a run's option study.

    Returns
    -------
    list of str
        The verdict first, then which suit to call, how much depends on it, how often revealing is best, and
        what a fixed habit costs. Intervals are 95%, over hands.

    Raises
    ------
    ValueError
        If the run has no option study.
    """
    found = study(run)
    texts = [
        verdict(call_or_reveal(found, "shape")),
        suit_to_call(second_suit_gain(found), value_unit(found.run)),
        _on_average(found),
        _how_often(found),
        _cost_of_habit(found),
    ]
    if len(found.hands) < FEW_HANDS:
        texts.append(f"All this rests on {counted(len(found.hands), 'hand')}: too few to rely on.")
    return texts


def verdict(table: pd.DataFrame) -> str:
    """Say with which shapes to call and with which to reveal, from a table by shape."""
    shapes = {better: _listed(table, better) for better in ("call", "reveal", "too close")}
    parts = []
    if shapes["call"]:
        parts.append(f"call a suit when the five cards split {shapes['call']}")
    if shapes["reveal"]:
        parts.append(f"reveal when they split {shapes['reveal']}")
    if shapes["too close"]:
        parts.append(f"at {shapes['too close']} it is too close to tell")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def seat_answer(run: Run) -> str:
    """Say what each seat takes above or below its quota, over all deals of a run."""
    table = seat_advantage(run, ("all",))
    parts = []
    for seat, mean, low, high in zip(*(table[c] for c in ("seat", "advantage", "low", "high")), strict=True):
        if low <= 0 <= high or math.isnan(low):
            size, side = with_interval(mean, low, high, signed=True), "against"
        else:
            size = with_interval(abs(mean), *sorted((abs(low), abs(high))))
            side = "above" if mean > 0 else "below"
        parts.append(f"the {seat} takes {size} tricks a deal {side} its quota")
    return f"Between players of {labels(run)[0]}, {parts[0]}, {parts[1]} and {parts[2]}."


def _on_average(found: Study) -> str:
    unit = value_unit(found.run)
    row = call_or_reveal(found).iloc[0]
    if row.better == "too close":
        size = with_interval(row.difference, row.low, row.high, signed=True)
        return (
            f"Over all hands neither is surely better: revealing minus the best call is {size} {unit} a deal."
        )
    better, worse = ("revealing", "the best call")[:: 1 if row.better == "reveal" else -1]
    size = with_interval(abs(row.difference), *sorted((abs(row.low), abs(row.high))))
    return f"On average over all hands, {better} is worth {size} {unit} a deal more than {worse}."


def suit_to_call(gains: pd.DataFrame, unit: str) -> str:
    """Say which suit to call, from a table of what the second suit gains."""
    text = "The suit to call is the longest"
    for gain in gains.to_dict("records"):
        if gain["first"] == ONLY_ACE and gain["low"] > 0:
            size = with_interval(gain["difference"], gain["low"], gain["high"])
            return (
                f"{text}. Of two equally long ones it is the one without the ace, which tends to win whatever"
                f" is trump: that is worth {size} {unit} a deal against calling the other."
            )
    return f"{text}, among equally long ones the highest."


def _how_often(found: Study) -> str:
    table = reveal_share(found).set_index("verdict")
    best, deals = table.iloc[0], int(found.n.sum(axis=1)[0])
    shares = {
        name: f"{row['share']:.1%} ({row['low']:.1%} to {row['high']:.1%})" for name, row in table.iterrows()
    }
    return (
        f"Revealing is best on {best.best_on:.1%} ({best.best_on_low:.1%} to {best.best_on_high:.1%}) of"
        " hands. Hand by hand and at 95%, calling"
        f" is surely better on {shares['surely call']} of them, revealing on {shares['surely reveal']}; on"
        f" the others the difference is too small to show in {deals:,} deals."
    )


def _cost_of_habit(found: Study) -> str:
    unit = value_unit(found.run)
    table = policy_costs(found).set_index("policy")
    never, always = (
        with_interval(*table.loc[name, ["cost", "cost_low", "cost_high"]])
        for name in (NEVER_REVEAL, ALWAYS_REVEAL)
    )
    costs = {"never revealing": never, "always revealing": always}
    cheap = min(costs, key=lambda habit: table.loc[_POLICY_OF[habit], "cost"])
    (dear,) = costs.keys() - {cheap}
    return (
        f"Against the better of the two on each hand, {dear} costs {costs[dear]} {unit} a deal and {cheap}"
        f" {costs[cheap]}, which is what being free to choose is worth."
    )


def _listed(table: pd.DataFrame, better: str) -> str:
    shapes = [str(shape).replace("-", _UNBROKEN) for shape in table.loc[table["better"] == better, "shape"]]
    share = table.loc[table["better"] == better, "share"].sum()
    if not shapes:
        return ""
    names = shapes[0] if len(shapes) == 1 else f"{', '.join(shapes[:-1])} or {shapes[-1]}"
    return f"{names} ({share:.{0 if share >= 0.01 else 1}%} of hands)"
