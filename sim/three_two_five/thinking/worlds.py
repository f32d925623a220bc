"""Worlds: hands of the other two players that fit all that a player knows.

Cards that a player cannot place are dealt at random among the places left, so that every world that
fits is equally likely: cards known through a reveal or a pull lie where they are known to lie, nobody
holds a card of a suit in which it has shown void (R23). Who returned a card to the player had two more of
its suit when the play began (R18), and of cards that one of the others surely held, each pull between the
two has moved at most one (R19): these conditions are met by dealing again.
"""

from sim.core.bits import popcount
from sim.core.draw import draw
from sim.core.jit import helper, routine
from sim.core.rng import word
from sim.three_two_five import knowledge as know
from sim.three_two_five.cards import lane_of
from sim.three_two_five.rules import TRICKS_PER_DEAL

LEFT, RIGHT = 0, 1
"""Columns of a world: the hand of the next player, and of the one after."""


@routine
def deal_worlds(view, key, worlds):
    """Fill in worlds, each drawn from all that fit.

    Parameters
    ----------
    view : int64 (VIEW_SIZE,) array
        What the player knows, at a card or at a return.
    key : int64
        Key of the random words.
    worlds : int64 (N, 2) array
        Filled with the hands LEFT and RIGHT, without the cards on the table.
    """
    left = know.after(view[know.SEAT])
    right = know.after(left)
    sure_left, sure_right = view[know.KNOWN + left], view[know.KNOWN + right]
    unseen = view[know.WHOLE] & ~view[know.GONE] & ~view[know.HAND] & ~sure_left & ~sure_right
    sure_left |= unseen & view[know.VOIDS + right]
    sure_right |= unseen & view[know.VOIDS + left]
    free = unseen & ~sure_left & ~sure_right
    wanted = cards_left(view, left) - popcount(sure_left)
    for world in range(worlds.shape[0]):
        world_key, attempt = word(key, world), 0
        while True:
            drawn = draw(free, word(world_key, attempt), 0, wanted)
            worlds[world, LEFT] = sure_left | drawn
            worlds[world, RIGHT] = sure_right | (free ^ drawn)
            if fits(view, left, right, worlds[world, LEFT]) and fits(view, right, left, worlds[world, RIGHT]):
                break
            attempt += 1


@helper
def cards_left(view, seat):
    """Cards that another seat holds: ten less those played, and less the one just drawn from it."""
    return TRICKS_PER_DEAL - popcount(view[know.PLAYED + seat]) - (view[know.GIVER] == seat)


@helper
def fits(view, seat, other, hand):
    """Whether a hand of one seat fits what pulls have told about it and the other one.

    It has kept what R18 demands of the suits that the seat has returned, and no more cards have come to it
    from the other hand than pulls went between them (R19).
    """
    began = hand | view[know.PLAYED + seat]
    strayed = view[know.ONCE + other] & began
    if strayed and popcount(strayed) > know.most_strayed(view, other, seat):
        return False
    kept = view[know.KEPT + seat]
    if kept:
        for suit in range(4):
            if popcount(began & lane_of(suit)) < know.least_of(kept, suit):
                return False
    return True
