"""Sums and sums of products of integer quantities, from which every clustered error follows."""

import numpy as np

from sim.core.jit import helper
from sim.core.lanes import WIDTH, load, store

BLOCK = 32
"""Clusters whose products are taken at once: few enough that their totals stay in the nearest cache."""


@helper
def add_products(values, row, totals, gram):
    """Add the totals of one cluster and all their products.

    Parameters
    ----------
    values : int64 (Q,) array
        Totals of the cluster.
    row : int64
        Which row of the counters to add to.
    totals, gram : int64 (R, Q) and (R, Q, Q) arrays
        Added to.
    """
    for a in range(values.size):
        value = values[a]
        # Many quantities are zero in a round; whole rows vectorise, half of a symmetric matrix does not.
        if value:
            totals[row, a] += value
            for b in range(values.size):
                gram[row, a, b] += value * values[b]


@helper
def add_block(block, clusters, row, totals, gram, line):
    """Add the totals of several clusters and all their products.

    Each row of products is summed over the clusters in registers, and written once.

    Parameters
    ----------
    block : int32 (WIDTH * BLOCK,) array
        Totals of the clusters, one after the other; Q of them are quantities, the rest of each is 0. Products
        of 32 bits are one instruction where those of 64 are many.
    clusters : int64
        How many there are.
    row : int64
        Which row of the counters to add to.
    totals, gram : int64 (R, Q) and (R, Q, Q) arrays
        Added to.
    line : int64 (WIDTH,) array
        Scratch.
    """
    for a in range(totals.shape[1]):
        total, products = 0, load(block, 0) * 0
        for c in range(clusters):
            value = np.int64(block[c * WIDTH + a])
            total += value
            products += load(block, c * WIDTH) * value
        totals[row, a] += total
        store(line, 0, products)
        for b in range(totals.shape[1]):
            gram[row, a, b] += line[b]
