"""stub for first timing"""

from sim.core.jit import helper


@helper
def choose_card(view, params):
    return view[45] & -view[45]


@helper
def choose_return(view, params):
    return view[45] & -view[45]


@helper
def best_call(view, params):
    return 0


@helper
def choose_trump(view, params):
    return 0


@helper
def choose_tie(view, params):
    return 0


PARAMETERS = {"x": 0.0}
