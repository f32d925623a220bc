"""Drawing without replacement from a set of cards or tiles."""

from sim.core.bits import pick, popcount
from sim.core.jit import helper
from sim.core.rng import bounded


@helper
def draw(pool, key, first, count):
    """Draw ``count`` members of a set one after another.

    Parameters
    ----------
    pool : int64
        The set to draw from.
    key : int64
        Key of the stream.
    first : int64
        Number in the stream of the first draw; ``count`` of them are used.
    count : int64
        At most the size of the set.

    Returns
    -------
    int64
        The members drawn; every subset of that size is equally likely.
    """
    drawn = 0
    left = pool
    n = popcount(pool)
    for number in range(count):
        one = pick(left, bounded(key, first + number, n - number))
        left ^= one
        drawn |= one
    return drawn
