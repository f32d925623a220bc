"""Values of the cards of a deal with all hands open: against plain enumeration, and how they add up."""

from random import Random

import numpy as np
import pytest
from reference.endings import enumerate_ending
from reference.three_two_five_rules import PACK, SEVENS, SUITS, Rules, followers, suit_of, winning_place

from analysis import solved_options, solved_players, solved_plays, solved_position
from analysis.three_two_five.open_hands.records import read_deal
from analysis.three_two_five.open_hands.solved import sure_tricks

MIXED = ("heuristic", "random", "first-suit")


class Ending:
    """An ending that is drawn and partly played, by the naive rules."""

    def __init__(self, rng: Random, left: int):
        self.rules, self.trump = Rules(rng.choice(list(SEVENS))), rng.choice(SUITS)
        cards = rng.sample(PACK, 3 * left)
        self.hands = [cards[player * left : (player + 1) * left] for player in range(3)]
        self.leader, self.table, self.taken = rng.randrange(3), [], [0, 0, 0]
        self.record = {
            "rules": {"sevens": self.rules.sevens},
            "trump": self.trump,
            "leader": self.leader,
            "hands": [list(hand) for hand in self.hands],
            "tricks": [],
        }

    @property
    def mover(self) -> int:
        """Who is to play."""
        return (self.leader + len(self.table)) % 3

    def legal(self) -> tuple[str, ...]:
        """Return the cards that may be played."""
        led = suit_of(self.table[0], self.trump, self.rules) if self.table else None
        return followers(self.hands[self.mover], led, self.trump, self.rules)

    def play(self, card: str) -> None:
        """Play a card, in the record as well."""
        if not self.table:
            self.record["tricks"].append({"leader": self.leader, "cards": []})
        self.hands[self.mover].remove(card)
        self.table.append(card)
        self.record["tricks"][-1]["cards"].append(card)
        if len(self.table) == 3:
            self.leader = (self.leader + winning_place(self.table, self.trump, self.rules)) % 3
            self.taken[self.leader] += 1
            self.table = []

    def value_after(self, card: str):
        """Return what the three are sure of, and take for themselves, after a card; all tricks counted."""
        left = [[held for held in hand if held != card] for hand in self.hands]
        value = enumerate_ending(left, self.leader, (*self.table, card), self.trump, self.rules)
        return [[before + more for before, more in zip(self.taken, part, strict=True)] for part in value]


@pytest.fixture(scope="module")
def endings():
    """Endings of one to three tricks with some cards played, one or two of them on the table or none."""
    rng, drawn = Random(1), []
    for _ in range(60):
        ending = Ending(rng, rng.choice([1, 2, 3, 3]))
        for _ in range(rng.randrange(3 * len(ending.hands[0]))):
            ending.play(rng.choice(ending.legal()))
        drawn.append(ending)
    assert {len(ending.table) for ending in drawn} == {0, 1, 2}
    assert {ending.rules.sevens for ending in drawn} == set(SEVENS)
    return drawn


def test_the_cards_of_a_position_are_worth_what_enumeration_says(endings):
    """R22 to R24, R31: every legal card and no other, against two and for itself, in mid-trick, too."""
    for ending in endings:
        table = solved_position(ending.record).set_index("card")
        mover, following = ending.mover, (ending.mover + 1) % 3
        assert set(table.index) == set(ending.legal()) and not table["played"].any()
        due = {card: ending.value_after(card) for card in ending.legal()}
        for card, (sure, tricks) in due.items():
            assert table.loc[card, "sure"] == sure[mover]
            assert [table.loc[card, f"tricks_{player}"] for player in range(3)] == tricks
        most = max(sure[mover] for sure, _ in due.values())
        assert set(table.index[table["best"]]) == {card for card in due if due[card][0][mover] == most}
        liked = max((tricks[mover], -tricks[following]) for _, tricks in due.values())
        assert set(table.index[table["best_alone"]]) == {
            card for card, (_, tricks) in due.items() if (tricks[mover], -tricks[following]) == liked
        }
        assert table["sure"].is_monotonic_decreasing and table["best"].iloc[0]


def test_cards_played_are_worth_what_enumeration_says():
    """Each card of an ending played to its end, and what it gave away."""
    rng = Random(2)
    for _ in range(25):
        ending, due = Ending(rng, rng.choice([2, 3])), []
        while ending.hands[ending.mover]:
            card = rng.choice(ending.legal())
            sure = {other: ending.value_after(other)[0][ending.mover] for other in ending.legal()}
            best = {other for other in sure if sure[other] == max(sure.values())}
            due.append((ending.mover, card, sure[card], max(sure.values()), best, len(sure)))
            ending.play(card)
        plays = solved_plays(ending.record)
        columns = ["player", "card", "sure", "possible", "best", "choices"]
        found = [(*row[:4], set(row[4].split()), row[5]) for row in plays[columns].itertuples(index=False)]
        assert found == due
        assert (plays["gave_away"] == plays["possible"] - plays["sure"]).all()
        assert solved_players(ending.record)["now"].tolist() == ending.taken


@pytest.mark.parametrize("sevens", ["low", "hearts_high"])
def test_in_a_whole_deal_the_best_card_keeps_what_the_position_is_worth(records, sevens):
    """At each of thirty positions the best card's value is the position's, asked for by itself."""
    for record in records(*MIXED, matches=1, sevens=sevens)[:5]:
        deal = read_deal(record)
        steps = list(deal.steps())
        before = sure_tricks(np.array([position.row(position.mover) for position, _ in steps]))
        before += [position.taken[position.mover] for position, _ in steps]
        plays = solved_plays(record)
        assert plays["possible"].tolist() == before.tolist()
        assert plays["card"].tolist() == [card for trick in record["tricks"] for card in trick["cards"]]
        options = solved_options(record)
        assert (options.groupby(["trick", "order"])["sure"].max().to_numpy() == before).all()
        assert len(options) == plays["choices"].sum() and options["played"].sum() == 30
        assert (options["gave_away"] >= 0).all() and (options["best"] == (options["gave_away"] == 0)).all()


@pytest.mark.parametrize("sevens", ["low", "spades_high"])
def test_what_is_given_away_adds_up(records, sevens):
    """A player's own cards only cost it what is sure, the others' only bring it more: card by card."""
    gifts = 0
    for record in records(*MIXED, matches=1, sevens=sevens):
        deal = read_deal(record)
        positions = [position for position, _ in deal.steps()] + [deal.end]
        rows = np.array([position.row(seat) for position in positions for seat in range(3)])
        sure = sure_tricks(rows).reshape(-1, 3) + [position.taken for position in positions]
        change = np.diff(sure, axis=0)
        own = np.array([[position.mover == seat for seat in range(3)] for position in positions[:-1]])
        assert (change[own] <= 0).all() and (change[~own] >= 0).all()
        players = solved_players(record)
        assert players["sure"].tolist() == sure[0].tolist()
        assert players["gave_away"].tolist() == (-change * own).sum(axis=0).tolist()
        assert players["was_given"].tolist() == (change * ~own).sum(axis=0).tolist()
        assert players["now"].tolist() == [record["tricks_won"][player] for player in players["player"]]
        assert players["quota"].tolist() == [5, 3, 2] and list(players["seat"]) == ["five", "three", "two"]
        assert list(players["strategy"]) == [MIXED[player] for player in players["player"]]
        gifts += players["gave_away"].sum()
    assert gifts > 9


def test_a_position_of_a_whole_deal_agrees_with_the_table_of_all(records):
    """The two kernels that solve positions, and their order: best first, then as a hand shows them."""
    record = records(*MIXED, matches=1)[3]
    options = solved_options(record)
    for trick, order in ((1, 1), (3, 2), (6, 3), (10, 1)):
        due = options[(options["trick"] == trick) & (options["order"] == order)].set_index("card")
        table = solved_position(record, trick, order)
        assert set(table["card"]) == set(due.index)
        for row in table.to_dict("records"):
            known = due.loc[row["card"]]
            assert (row["sure"], row["best"], row["played"]) == (known.sure, known.best, known.played)
            assert sum(row[f"tricks_{player}"] for player in range(3)) == 10
            # Nobody takes less for itself than it is sure of.
            assert row[f"tricks_{known.player}"] >= row["sure"]


def test_an_open_deal_counts_what_is_sure_now(records):
    """A record that stops in mid-trick: what was given away so far, and the card to be played."""
    record = dict(records(*MIXED, matches=1)[0])
    record["tricks"] = [*record["tricks"][:4], {"cards": record["tricks"][4]["cards"][:1]}]
    deal = read_deal(record)
    plays, players = solved_plays(deal), solved_players(deal)
    assert len(plays) == 13 and not deal.complete
    now = [sure_tricks(np.array([deal.end.row(seat)]))[0] + deal.end.taken[seat] for seat in range(3)]
    assert players["now"].tolist() == now and (players["was_given"] >= 0).all()
    options = solved_options(deal)
    assert options["trick"].iloc[-1] == 5 and not options[options["trick"] == 5]["played"].iloc[-1]
    assert set(solved_position(deal)["card"]) == set(
        options[(options["trick"] == 5) & (options["order"] == 2)]["card"]
    )


def test_nothing_played_is_a_position_alone():
    record = {"trump": "S", "leader": 0, "hands": ["AS KS 9H", "QS JS AH", "KH TS 9S"]}
    assert len(solved_plays(record)) == 0 and len(solved_options(record)) == 3
    assert solved_players(record)["sure"].tolist() == [2, 1, 0]
    assert solved_position(record)[["card", "sure"]].to_numpy().tolist() == [["AS", 2], ["KS", 2], ["9H", 2]]


def test_case_7_a_high_seven_is_valued_as_the_trump_that_it_is():
    """R31, hearts_high, trump C: a led club is followed by 7S alone; AC, 7S, 7H: 7H wins."""
    record = {
        "rules": {"sevens": "hearts_high"},
        "trump": "C",
        "leader": 0,
        "hands": ["9C AC", "7S KD", "7H 8H"],
        "tricks": ["9C"],
    }
    assert solved_position(record)["card"].tolist() == ["7S"]
    led = {**record, "tricks": ["AC 7S"]}
    table = solved_position(led)
    assert table["card"].tolist() == ["7H"] and table["sure"].tolist() == [1]
    assert solved_position({**led, "rules": {}})["card"].tolist() == ["8H", "7H"]


def test_positions_that_do_not_exist_are_named():
    record = {"trump": "S", "leader": 0, "hands": ["AS", "KS", "QS"], "tricks": ["AS"]}
    with pytest.raises(ValueError, match="trick 1, card 3: the last position is trick 1, card 2"):
        solved_position(record, 1, 3)
    with pytest.raises(ValueError, match="no trump"):
        solved_plays({})
