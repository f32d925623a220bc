"""What opening book of Fives and Threes to make: what :mod:`sim.book` asks of the game.

The difference of two tiles on one deal has a variance of about 48, 27 and 78 squared points for two, three
and four players of ``heuristic``, while the best two tiles of half of all hands are within 0.7 points. What
saves play-outs for the same error, measured on random hands:

=================  ==============================================================================
factor             device
=================  ==============================================================================
1.25, 1.1, 1.2     common deals, for two, three and four players
2.2 to 2.6         dropping tiles that the search has clearly beaten
about 3            letting the error grow with the difference: up to a fifth of it (``leniency``)
1.1, 1.02, 1.01    control variates: tiles of each number with the next player; with every single hidden
                   tile as a covariate 1.2, 1.08, 1.03. They cost more than they save, so there are none
=================  ==============================================================================

The search goes on, to 8,192 deals, while the best two tiles are within four errors: it alone says how far
apart they are, since stopping where the fresh deals show a large difference would overrate it.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sim.book.plan import BookPlan as Base
from sim.book.plan import HandClasses, Pace, Tally
from sim.core.game import Counters, StrategyError
from sim.core.strategy import seat_rows
from sim.core.users import call
from sim.fives_and_threes.asking import answered, asking
from sim.fives_and_threes.book import completions
from sim.fives_and_threes.book.hands import hand_classes
from sim.fives_and_threes.kernel import DECISIONS, OK
from sim.fives_and_threes.options import scale
from sim.fives_and_threes.strategies import specialised_kernel
from sim.fives_and_threes.tiles import parse_tiles, tile_names

FEWEST_TILES, MOST_TILES = 2, 9
"""Of one tile there is nothing to choose; of ten there would be 13 million hands."""


@dataclass(frozen=True)
class BookPlan(Base):
    """What book of the starter's tiles to make; see :class:`sim.book.plan.BookPlan`.

    A round alone is valued, so that the target of the rules does not matter.
    """

    precision: float = 0.03

    game_name: ClassVar[str] = "fives_and_threes"
    pace: ClassVar[Pace] = Pace(
        search=(64, 64, 128, 256, 512, 1024, 2048, 4096),
        everywhere=3,
        fresh=512,
        leniency=0.2,
        variance=12.0,
    )

    def __post_init__(self) -> None:
        if not FEWEST_TILES <= self.options <= MOST_TILES:
            raise ValueError(
                f"rule hand={self.options}: an opening book needs {FEWEST_TILES} to {MOST_TILES} tiles each"
            )
        super().__post_init__()

    @property
    def options(self) -> int:
        """Return the number of tiles of a hand."""
        return int(self.rules.hand_size)

    @property
    def classes(self) -> HandClasses:
        """Return all hands, each a class of its own."""
        return hand_classes(self.options)

    @property
    def entries(self) -> tuple[Any, ...]:
        """Return the compiled entry point."""
        return (specialised_kernel(completions.play_completions, self.strategies),)

    def blank(self, hands: int) -> Counters:
        """Return zero counters, as :mod:`sim.fives_and_threes.book.completions` describes them."""
        return completions.blank(hands, self.options)

    def play(
        self, stage: int, cards: np.ndarray, first: np.ndarray, more: np.ndarray, alive: np.ndarray
    ) -> Counters:
        """Play out opening tiles of some hands; see :meth:`sim.book.plan.BookPlan.play`."""
        counters = self.blank(cards.size)
        policies, params = seat_rows(self.strategies, DECISIONS)
        arguments = (
            self.seed, stage, scale(self.rules), cards, first, more, alive, self.rules.row(), policies,
            params, *counters.values(),
        )  # fmt: skip

        def where(_number: int = 0) -> str:
            return f"the opening book of seed {self.seed}"

        (play,) = self.entries
        status, hand = call(play, arguments, asking(self.strategies, params, where))
        if status != OK:
            player = status // 8
            strategy = self.strategies[player]
            raise StrategyError(
                f"strategy {strategy.name!r} of player {player} made no legal move (F5) in {where()},"
                f" hand {self.write_hand(int(cards[hand]))}{answered(strategy, params, player)}"
            )
        return counters

    def tally(self, counters: Counters, stage: int) -> Tally:
        """Read the sums of one stage off the counters, in points."""
        n, sums, gram = (counters[name][:, stage] for name in ("count", "sums", "gram"))
        points = scale(self.rules)
        hands, options = n.shape
        shapes = (hands, 0), (hands, 0, 0), (hands, options, 0)
        nothing = (np.zeros(shape, np.int64) for shape in shapes)
        return Tally(n, sums / points, gram / points**2, *nothing)

    @staticmethod
    def write_hand(cards: int) -> str:
        """Return a hand as text."""
        return " ".join(tile_names(cards))

    @staticmethod
    def read_hand(text: str) -> int:
        """Return the mask of a hand."""
        return parse_tiles(text)
