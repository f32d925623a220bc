"""Deals that complete given first hands, with every live option played out, for the opening book.

Each hand meets its own sequence of completions, a pure function of seed and cards. One completion in
four (in two, with raised sevens) is played with spades and hearts exchanged, or diamonds and clubs, or
both, by turns: a strategy that prefers one of two equal suits, if only to break a tie, would else give
the hands of a class different values. So a value is the mean over the hands of the class.

Three *stages* use different deals: what is settled on the first (which options are worth following, the
coefficients of the control variates) is used on the second, which values them; the third compares the best
call with revealing where the second does not tell them apart well enough. For each completion a few
*covariates* are counted as well: functions of the hidden cards alone whose means are known exactly
(:func:`covariate_means`).

Counters, one entry a hand and stage:

``count`` (hands, 3, 5)
    Completions in which the option was played.
``tricks`` (hands, 3, 5, 11)
    Completions by option and tricks of the five.
``gram`` (hands, 3, 5, 5)
    Sum of products of the scores of two options that were both played.
``cross`` (hands, 3, 5, K)
    Sum of products of an option's score and a covariate.
``z`` (hands, 3, K), ``zz`` (hands, 3, K, K)
    Sums of the covariates and of their products, over all completions of the stage.
"""

import numpy as np

from sim.book.plan import STAGES
from sim.core.bits import highest_index, popcount
from sim.core.jit import helper, kernel
from sim.core.rng import BOOK, PLAYER, PULLS, SHUFFLE, word
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import LANE, LANE_WIDTH, PACK, lane_of
from sim.three_two_five.kernel import LOG_SIZE, OK, deal_rest, open_match, play_deal, quota_of, score_of
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.rules import REVEAL, RULE_SCORING, RULE_SEVENS

OPTIONS = ("S", "H", "D", "C", "reveal")
COVARIATES = ("turned S", "turned H", "turned D", "turned length", "hidden S", "hidden H", "hidden D")
"""Whether the turned-up suit (the lowest of tied ones) is S, H, D; how many of it are among the five's
other five cards; how many spades, hearts, diamonds are among them."""
_K = len(COVARIATES)
_FIVE_AFTER_DEALER_TWO = 2
_TWO_LANES = (1 << (2 * LANE_WIDTH)) - 1


def blank(hands: int) -> dict[str, np.ndarray]:
    """Zero counters for a number of hands."""
    options = len(OPTIONS)
    shapes = {
        "count": (options,),
        "tricks": (options, 11),
        "gram": (options, options),
        "cross": (options, _K),
        "z": (_K,),
        "zz": (_K, _K),
    }
    return {name: np.zeros((hands, len(STAGES), *shape), np.int64) for name, shape in shapes.items()}


@kernel
def play_completions(
    seed, stage, cards, first, more, alive, debts, rules, policies, params, count, tricks, gram, cross, z, zz
):
    """Play out the live options of many hands.

    Parameters
    ----------
    seed, stage : int
        The run's seed; one of STAGES.
    cards, first, more : int64 (hands,) arrays
        First five cards; number of the first completion, and how many to play.
    alive : bool (hands, 5) array
        Options to play.
    debts : int64 (3,) array
        Pulls that five, three and two may take, or suffer if negative (R14); all 0 in a first deal.
    rules, policies, params : arrays
        As for :func:`sim.three_two_five.kernel.play_matches`; player 0 is the five.
    count, tricks, gram, cross, z, zz : int64 arrays
        Added to, as the module describes them.

    Returns
    -------
    tuple of int
        Status (0 is fine) and the hand where it arose.
    """
    view = np.zeros(know.VIEW_SIZE, np.int64)
    private = np.zeros((3, know.PRIVATE_SIZE), np.int64)
    log = np.zeros(LOG_SIZE, np.int64)
    keys = np.zeros(3, np.int64)
    values = np.zeros(REVEAL + 1, np.int64)
    covariates, ranks = np.zeros(_K, np.int64), rank_promises(params)
    open_match(view, seed, 0, rules)
    view[know.FIRST_ROW] = 3 * _FIVE_AFTER_DEALER_TWO
    view[know.DEAL] = 1 if debts[0] or debts[1] or debts[2] else 0
    for seat in range(3):
        view[know.DEBT + seat] = debts[seat]
    root = word(word(seed, BOOK), stage)
    for h in range(cards.shape[0]):
        hand_key = word(root, cards[h])
        shuffles, pulls = word(hand_key, SHUFFLE), word(hand_key, PULLS)
        for completion in range(first[h], first[h] + more[h]):
            minors = completion & 1
            majors = completion >> 1 & 1 if rules[RULE_SEVENS] == 0 else 0
            hand = exchange_pairs(cards[h], majors, minors)
            packets = deal_rest(PACK ^ hand, word(shuffles, completion))
            pull_key = word(pulls, completion)
            for seat in range(3):
                keys[seat] = word(word(hand_key, PLAYER + seat), completion)
            for option in range(REVEAL + 1):
                if not alive[h, option]:
                    continue
                played = option ^ (majors if option < 2 else minors) if option < REVEAL else REVEAL
                status = play_deal(
                    view, private, policies, params, ranks, keys, pull_key, hand, packets, played, log, False,
                )  # fmt: skip
                if status != OK:
                    return status, h
                taken = view[know.TRICKS]
                tricks[h, stage, option, taken] += 1
                values[option] = score_of(taken, quota_of(0), rules[RULE_SCORING])
            _see_covariates(
                exchange_pairs(packets[0], majors, minors),
                exchange_pairs(packets[1], majors, minors),
                covariates,
            )
            _add(values, covariates, alive, h, stage, count, gram, cross, z, zz)
    return OK, 0


@helper
def exchange_pairs(cards, majors, minors):
    """Exchange spades and hearts, and diamonds and clubs, where the flags say so."""
    low, high = cards & _TWO_LANES, cards >> (2 * LANE_WIDTH)
    if majors:
        low = low >> LANE_WIDTH | (low & LANE) << LANE_WIDTH
    if minors:
        high = high >> LANE_WIDTH | (high & LANE) << LANE_WIDTH
    return high << (2 * LANE_WIDTH) | low


@helper
def turned_suit(turned):
    """Suit of the highest turned card, the first of S H D C where several tie."""
    best, suit = -1, 0
    for s in range(4):
        lane = (turned >> (s * LANE_WIDTH)) & LANE
        rank = highest_index(lane) if lane else -1
        if rank > best:
            best, suit = rank, s
    return suit


@helper
def _see_covariates(next_three, last_two, covariates):
    """Fill in the covariates of one completion."""
    hidden = next_three | last_two
    suit = turned_suit(next_three)
    for s in range(3):
        covariates[s] = suit == s
        covariates[4 + s] = popcount(hidden & lane_of(s))
    covariates[3] = popcount(hidden & lane_of(suit))


@helper
def _add(values, covariates, alive, h, stage, count, gram, cross, z, zz):
    """Add one completion to the counters of its hand."""
    for a in range(values.size):
        if alive[h, a]:
            count[h, stage, a] += 1
            for b in range(values.size):
                if alive[h, b]:
                    gram[h, stage, a, b] += values[a] * values[b]
            for k in range(_K):
                cross[h, stage, a, k] += values[a] * covariates[k]
    for k in range(_K):
        z[h, stage, k] += covariates[k]
        for m in range(_K):
            zz[h, stage, k, m] += covariates[k] * covariates[m]


@kernel
def covariate_means(cards, means):
    """Exact mean of each covariate over all completions of many hands.

    Sort the twenty-five other cards by rank, and within a rank so that the first suit comes last. The
    card in place i (from 0) is the one that settles the turned suit in C(i, 2) of the 2,300 triples,
    and the other two of the triple are any two of the i cards below it. Of what the triple leaves of
    that suit, the last two cards hold two twenty-seconds on average.

    Parameters
    ----------
    cards : int64 (hands,) array
        First five cards.
    means : float64 (hands, K) array
        Filled.
    """
    left_over, last_two, triples = 22, 2, 2300
    for h in range(cards.shape[0]):
        rest = PACK ^ cards[h]
        below, length = 0, 0
        below_in_suit, turned = np.zeros(4, np.int64), np.zeros(4, np.int64)
        for rank in range(LANE_WIDTH):
            for suit in (3, 2, 1, 0):
                if not rest >> (suit * LANE_WIDTH + rank) & 1:
                    continue
                settled = below * (below - 1) // 2
                held = settled + (below - 1) * below_in_suit[suit]
                turned[suit] += settled
                unseen = popcount(rest & lane_of(suit))
                length += left_over * held + last_two * (unseen * settled - held)
                below += 1
                below_in_suit[suit] += 1
        for s in range(3):
            means[h, s] = turned[s] / triples
            means[h, 4 + s] = popcount(rest & lane_of(s)) / 5
        means[h, 3] = length / (left_over * triples)
