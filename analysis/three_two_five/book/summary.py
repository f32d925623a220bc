"""What an opening book says of the whole pack: how often to reveal, what habits cost, what freedom is worth.

Every hand counts as often as it is dealt, exactly; what is left of error is that of the values. Policies
are valued where they had no part in being chosen: "the book" takes the best option by the search deals and
has its value from the fresh ones. That is a shade too modest, since the search now and then takes the
second of two options that are all but equal. "Highest value" is chosen and valued on the same deals, which
is a shade too good. The value of the truly best option lies between the two.
"""

import numpy as np
import pandas as pd

from analysis.book.summary import over_hands
from analysis.book.summary import policy_cost as cost_of
from analysis.book.summary import policy_value as value_of
from analysis.book.table import TOO_CLOSE
from analysis.book.table import columns as columns_of
from analysis.estimates import Estimate, Share
from analysis.three_two_five.book.book import CALL
from analysis.three_two_five.hands import suit_order
from sim.three_two_five.book.completions import OPTIONS
from sim.three_two_five.book.hands import all_hands
from sim.three_two_five.rules import REVEAL

THE_BOOK, HIGHEST = "the book", "highest value at its word (overrated)"
NEVER_REVEAL, ALWAYS_REVEAL, LONGEST = "never reveal", "always reveal", "call the longest suit"
VERDICTS = {"surely call": CALL, "too close": TOO_CLOSE, "surely reveal": OPTIONS[REVEAL]}


def numbers(options: pd.Series) -> np.ndarray:
    """Turn names of options, ``S H D C reveal``, into their numbers, int64 of the same length."""
    return options.map({name: number for number, name in enumerate(OPTIONS)}).to_numpy(np.int64)


def columns(table: pd.DataFrame, quantity: str) -> np.ndarray:
    """Return a quantity of every option, such as ``value`` or ``loss_se``, shape (C, 5)."""
    return columns_of(table, quantity, OPTIONS)


def policy_value(table: pd.DataFrame, policy: np.ndarray) -> Estimate:
    """Mean score of the five under a policy, over all hands of a book.

    Parameters
    ----------
    table : DataFrame
        As :func:`analysis.three_two_five.book.book.book_table` gives it.
    policy : ndarray of int64, shape (C,)
        Option for each class, by number: 0 to 3 for S H D C, 4 to reveal.

    Returns
    -------
    Estimate
        In points a deal; see :func:`analysis.book.summary.policy_value`.
    """
    return value_of(table, policy, OPTIONS, all_hands().size)


def policy_cost(table: pd.DataFrame, policy: np.ndarray, against: np.ndarray | None = None) -> Estimate:
    """What a policy costs against another one, by default the book's own choice, over all hands.

    Returns
    -------
    Estimate
        Value of the other minus value of the policy, in points a deal; see
        :func:`analysis.book.summary.policy_cost`.
    """
    against = numbers(table["found"]) if against is None else against
    return cost_of(table, policy, against, OPTIONS, all_hands().size)


def policies(table: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the usual policies by name: the option of each class, int64 (C,)."""
    found, call = numbers(table["found"]), numbers(table["call"])
    return {
        THE_BOOK: found,
        HIGHEST: numbers(table["best"]),
        NEVER_REVEAL: call,
        ALWAYS_REVEAL: np.full(len(table), REVEAL),
        LONGEST: suit_order(table["cards"].to_numpy())[:, 0],
    }


def book_policies(table: pd.DataFrame) -> pd.DataFrame:
    """Value the usual policies over all hands.

    Returns
    -------
    DataFrame
        One row a policy, in points a deal:

        ``policy``       the book; highest value; never reveal (the best call of each hand); always reveal;
                         call the longest suit, of equally long ones the highest
        ``value``        mean score of the five
        ``se``           its standard error
        ``low, high``    95% interval of the value
        ``cost``         value of the book minus this policy's, paired
        ``cost_se``      its standard error
        ``cost_low, cost_high``  95% interval of the cost
    """
    rows = []
    for name, policy in policies(table).items():
        value, cost = policy_value(table, policy), policy_cost(table, policy)
        rows.append(
            (name, value.mean, value.se, *value.interval(), cost.mean, cost.se, *cost.interval()),
        )
    names = "policy value se low high cost cost_se cost_low cost_high".split()
    made = pd.DataFrame(rows, columns=names)
    made.attrs |= table.attrs
    return made


def reveal_shares(table: pd.DataFrame) -> pd.DataFrame:
    """How often revealing is best, over all hands.

    Returns
    -------
    DataFrame
        One row for each of surely call, too close, surely reveal:

        ``verdict``  which
        ``share``    of all hands
        ``wrong``    share of these hands whose verdict is expected to be wrong; nan where there is none
    """
    weight = table["weight"].to_numpy(np.float64)
    chance = {CALL: table["wrong_to_call"], OPTIONS[REVEAL]: table["wrong_to_reveal"]}
    rows = []
    for name, verdict in VERDICTS.items():
        where = (table["verdict"] == verdict).to_numpy()
        wrong = np.nan
        if verdict in chance and where.any():
            wrong = float(np.average(chance[verdict].to_numpy()[where], weights=weight[where]))
        rows.append((name, float(weight[where].sum() / weight.sum()), wrong))
    return pd.DataFrame(rows, columns=["verdict", "share", "wrong"])


def reveal_best(table: pd.DataFrame) -> Share:
    """Estimate the share of hands on which revealing is the best option.

    Returns
    -------
    Share
        The hands' chances that revealing is best, averaged; the middle of their bounds is taken. The error is
        that of hands in doubt falling one way or the other, and half the distance of the bounds.
    """
    most, least = table["wrong_to_call"].to_numpy(), 1 - table["wrong_to_reveal"].to_numpy()
    chance = np.clip((most + least) / 2, 0.0, 1.0)
    weight = table["weight"].to_numpy(np.float64)
    share = over_hands(table, chance, np.sqrt(chance * (1 - chance)), all_hands().size)
    unsure = float(np.average(most - least, weights=weight)) / 2
    return Share(share.mean, float(np.hypot(share.se, unsure)), share.n, clustered=True)


def option_worth(table: pd.DataFrame) -> Estimate:
    """Estimate what it is worth that the five may reveal: the book's value over the best calls', a deal."""
    return policy_cost(table, numbers(table["call"]))


def is_whole(table: pd.DataFrame) -> bool:
    """Whether a book holds every hand."""
    return int(table["weight"].sum()) == all_hands().size
