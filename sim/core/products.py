"""Sums and sums of products of integer quantities, from which every clustered error follows."""

from sim.core.jit import helper


@helper
def add_products(values, row, totals, gram):
    """Add the totals of one cluster, and the upper triangle of their products.

    Parameters
    ----------
    values : int64 (Q,) array
        Totals of the cluster.
    row : int64
        Which row of the counters to add to.
    totals, gram : int64 (R, Q) and (R, Q, Q) arrays
        Added to; :func:`mirror` completes ``gram`` once all clusters are in.
    """
    for a in range(values.size):
        value = values[a]
        if value:
            totals[row, a] += value
            for b in range(a, values.size):
                gram[row, a, b] += value * values[b]


@helper
def mirror(row, gram):
    """Copy the upper triangle of a row's products to the lower one."""
    for a in range(gram.shape[1]):
        for b in range(a):
            gram[row, a, b] = gram[row, b, a]
