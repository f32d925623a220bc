"""The players of 3-2-5 that think once more: their choices recomputed in worlds of the naive game.

The sampled worlds themselves come from the compiled code (``test_worlds.py`` is about them), and so do the
random words; what is played out in the worlds, added up and compared is done here.
"""

from copy import copy

import numpy as np
from drawn_decisions import Decision, members, params_of
from plain_playouts import Table, after_card, best, play_on, pull_on, ranked, think_on
from reference.endings import enumerate_ending
from reference.three_two_five import Deal
from reference.three_two_five_rules import SUITS, deck_for
from witness import mask, name_of

from sim.core.draw import draw
from sim.core.rng import word
from sim.three_two_five import heuristic
from sim.three_two_five.cards import PACK
from sim.three_two_five.kernel import deal_rest
from sim.three_two_five.ranks import rank_promises
from sim.three_two_five.rules import REVEAL
from sim.three_two_five.thinking import parameters as thought
from sim.three_two_five.thinking.inference import deal_likely_worlds
from sim.three_two_five.thinking.worlds import deal_worlds

PULL_WORD = 32
"""Word of a sampled deal that is the key of its blind draws."""


def points(tricks: int, deal: Deal, player: int) -> int:
    """Return what tricks are worth: the score first (R26), then the tricks."""
    if deal.rules.scoring == "surplus":
        return 100 * max(0, tricks - deal.quota[player]) + tricks
    return tricks


def sampled(decision: Decision, params: np.ndarray, luck: int) -> list[dict[int, set[str]]]:
    """Sample the worlds of a decision: hands by player."""
    worlds, key = np.zeros((int(params[0, thought.WORLDS]), 2), np.int64), word(luck, 0)
    if params[0, thought.INFER] and decision.deal.phase == "play":
        deal_likely_worlds(decision.view(), params, rank_promises(params), key, worlds)
    else:
        deal_worlds(decision.view(), key, worlds)
    own = {decision.player: set(decision.deal.hands[decision.player])}
    return [
        own | dict(zip(decision.others, map(decision.names, world), strict=True)) for world in worlds.tolist()
    ]


class Thinker:
    """One player at one decision.

    Parameters
    ----------
    decision : Decision
    name : str
        Of the strategy.
    luck : int
        Random bits of the decision.
    """

    def __init__(self, decision: Decision, name: str, luck: int):
        self.decision, self.deal, self.luck = decision, decision.deal, luck
        self.params, self.player = params_of(name), decision.player
        self.count = int(self.params[0, thought.WORLDS])

    def card(self, nested: bool = False) -> int:
        """Return the card to play."""
        table = Table.of(self.decision)
        values = dict.fromkeys(table.distinct(), 0)
        if len(values) == 1:
            return next(iter(values))
        tables = []
        for world in sampled(self.decision, self.params, self.luck):
            tables.append(table.copy())
            tables[-1].hands = [world[player] for player in range(3)]
        preferred = self._standing_for_heuristic(values)
        if table.left <= self.params[0, thought.SOLVE]:
            for trial in tables:
                self._add(values, lambda card, trial=trial: self._solved(trial, card))
        elif nested:
            return self._nested(tables, values, preferred)
        else:
            for number, trial in enumerate(tables):
                self._add_played(values, trial, number)
        return best(values, preferred)

    def _standing_for_heuristic(self, values: dict[int, int]) -> int:
        """Return the candidate that is heuristic's card, or the nearest below it of its suit."""
        card = heuristic.choose_card(self.decision.view(), rank_promises(self.params), 0)
        suit = (card.bit_length() - 1) // 16
        return max(one for one in values if one <= card and (one.bit_length() - 1) // 16 == suit)

    def _add(self, values, tricks_of) -> None:
        """Add what each candidate is worth in one world."""
        won = self.deal.tricks_won[self.player]
        for card in values:
            values[card] += points(won + tricks_of(card), self.deal, self.player)

    def _add_played(self, values, trial: Table, number: int) -> None:
        others, key = int(self.params[0, thought.OTHERS]), word(word(self.luck, 1), number)
        self._add(values, lambda card: after_card(trial, card, self.params, others, key))

    def _solved(self, trial: Table, card: int) -> int:
        (name,) = trial.names(card)
        hands = [hand - {name} for hand in trial.hands]
        lying = (*trial.lying, name)
        return enumerate_ending(hands, trial.leader, lying, self.deal.trump, self.deal.rules).tricks[
            self.player
        ]

    def _nested(self, tables: list[Table], values: dict[int, int], preferred: int) -> int:
        """Add up world by world; after a quarter of them half of the cards go on, after another one two."""
        inner, mixed = (int(self.params[0, place]) for place in (thought.INNER, thought.MIXED))
        quarters = [-(-quarter * len(tables) // 4) for quarter in (1, 2)]
        for number, trial in enumerate(tables):
            if number in quarters:
                stays = max(2, -(-len(values) // 2)) if number == quarters[0] else 2
                stays = 2 if quarters.count(number) == 2 else stays
                values = {card: values[card] for card in ranked(values, preferred)[:stays]}
            if mixed and number % mixed == 0:
                self._add_played(values, trial, number)
            else:
                key = word(word(self.luck, 1), number)
                self._add(
                    values,
                    lambda card, trial=trial, key=key: after_card(
                        trial, card, self.params, key, inner, play=think_on
                    ),
                )
        return best(values, preferred)

    def returned(self) -> int:
        """Return the card to give back (R17, R18)."""
        view = self.decision.view()
        values = dict.fromkeys(self._legal_returns(), 0)
        for number, world in enumerate(sampled(self.decision, self.params, self.luck)):
            for card in values:
                trial = copy(self.deal)
                trial.hands = [set(world[player]) for player in range(3)]
                trial.pulls, trial.pending = list(trial.pulls), list(trial.pending)
                trial.return_card(name_of(card, self.deal.rules.sevens))
                values[card] += self._played(trial, word(word(self.luck, 1), number))
        return best(values, heuristic.choose_return(view, rank_promises(self.params), 0))

    def _legal_returns(self) -> list[int]:
        return members(self.decision.bits(self.deal.legal_returns()))

    def _played(self, trial: Deal, pull_key: int) -> int:
        """Pull and play a deal out; what the tricks are worth to the player."""
        pull_on(trial, pull_key, self.params)
        tricks = play_on(Table(trial, trial.hands, trial.five), self.player, self.params)
        return points(tricks, trial, self.player)

    def trump(self) -> int:
        """Return the option of the five where no book has one: all are sampled, then the two best more."""
        view = self.decision.view()
        preferred = heuristic.choose_trump(view, self.params)
        more = max(self.count, int(self.count * self.params[0, thought.TRUMP_WORLDS]))
        values = dict.fromkeys(range(REVEAL + 1), 0)
        for number in range(more):
            if number == self.count:
                values = {option: values[option] for option in ranked(values, preferred)[:2]}
            key = word(self.luck, number)
            for option in values:
                values[option] += self._played(self._decided(key, option), word(key, PULL_WORD))
        return best(values, preferred)

    def _decided(self, key: int, option: int) -> Deal:
        """Deal the unseen cards and fix trump by an option."""
        first_five = self.deal.makers_five
        rest = PACK ^ mask(first_five)
        next_three, last_two, three, two = (map(name_of, members(part)) for part in deal_rest(rest, key))
        trial = self._dealt([*first_five, *next_three, *last_two], three, two)
        if option < REVEAL:
            trial.call(SUITS[option])
        else:
            trial.reveal()
        if trial.trump is None:
            view = Decision(trial, self.decision.debts).view()
            trial.fix_trump(SUITS[heuristic.choose_tie(view, self.params)])
        return trial

    def _dealt(self, five, three, two) -> Deal:
        return Deal(deck_for(five, three, two), self.deal.dealer, self.deal.rules, self.decision.debts)

    def tie(self) -> int:
        """Return the tied suit (R11)."""
        values = {SUITS.index(suit): 0 for suit in self.deal.legal_trumps()}
        eight = [*self.deal.makers_five, *self.deal.revealed]
        for number in range(self.count):
            key, unseen = word(self.luck, number), PACK ^ mask(eight)
            last_two = draw(unseen, key, 0, 2)
            three = draw(unseen ^ last_two, key, 2, 10)
            two = unseen ^ last_two ^ three
            hands = [list(map(name_of, members(part))) for part in (last_two, three, two)]
            for suit in values:
                trial = self._dealt([*eight, *hands[0]], *hands[1:])
                trial.reveal()
                trial.fix_trump(SUITS[suit])
                values[suit] += self._played(trial, word(key, PULL_WORD))
        return best(values, heuristic.choose_tie(self.decision.view(), self.params))
