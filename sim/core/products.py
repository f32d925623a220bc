"""Sums and sums of products of integer quantities, from which every clustered error follows."""

from sim.core.jit import helper


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
