"""Worlds taken in proportion to their weights.

Many worlds are dealt, each is weighed by how likely the others would have played as they did, and as many as
are wanted are taken (sampling importance resampling, Rubin 1987; systematic resampling, Kitagawa 1996).
"""

from sim.core.jit import helper


@helper
def resample(dealt, weights, total, worlds):
    """Take worlds in proportion to their weights, at even steps.

    Parameters
    ----------
    dealt : int64 (M, W) array
    weights : float64 (M,) array
    total : float64
        Sum of the weights.
    worlds : int64 (N, W) array
        Filled.
    """
    reached, world, count = weights[0], 0, worlds.shape[0]
    for taken in range(count):
        step = total * (taken + 0.5) / count
        while reached < step and world < weights.size - 1:
            world += 1
            reached += weights[world]
        for column in range(worlds.shape[1]):
            worlds[taken, column] = dealt[world, column]
