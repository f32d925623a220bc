"""The compiled game of Fives and Threes against the naive one, move by move, and against a referee."""

from pathlib import Path

import numpy as np
import pytest
from reference.dominoes import halves
from reference.fives_and_threes import Knock, Round
from reference.referee_fives_and_threes import referee
from scripted_rounds import moves_of

from sim.core.jit import helper, specialise
from sim.core.rng import INDEX_STRIDE, PLAYER, below, stream_key, word
from sim.core.strategy import seat_rows
from sim.experiment import experiment
from sim.fives_and_threes import heuristic as thoughtful
from sim.fives_and_threes import kernel, options, registers, tally
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.chain import TOTALS, legal_moves
from sim.fives_and_threes.game import FivesAndThrees
from sim.fives_and_threes.rules import ENDINGS
from sim.fives_and_threes.strategies import specialised_kernel
from sim.fives_and_threes.tiles import tile_names

GAME = FivesAndThrees()
PLAYERS = [2, 3, 4]
NAMES = ["random", "greedy", "heuristic"]


@helper
def highest_or_lowest(view, params, luck):
    """Highest legal move where an even number of tiles lies in the chain, else the lowest."""
    legal, laid = view[know.LEGAL], 0
    for player in range(view[know.PLAYERS]):
        laid += view[know.DEALT] - view[know.SIZE + player]
    if laid & 1:
        return legal & -legal
    while legal & (legal - 1):
        legal &= legal - 1
    return legal


SCRIPTED = GAME.book.custom("scripted", "random", move=highest_or_lowest)


def play_traced(made, most, first=0):
    """Play about ``most`` rounds and keep all that the kernel tells."""
    longest = made.rules.longest_match
    rows = np.zeros((most + longest, kernel.COLUMNS), np.int16)
    log = np.zeros((rows.shape[0], kernel.LOG_SIZE), np.int64)
    placements = np.zeros(2 * TOTALS, np.int64)
    status, done, used = specialised_kernel(kernel.play_matches, made.strategies)(
        made.seed, first, most, made.rules.row(), *seat_rows(made.strategies, kernel.DECISIONS),
        rows, placements, log, True,
    )  # fmt: skip
    assert status == kernel.OK
    assert done > 0
    return rows[:used], log[:used], placements


def retrace(made, row, log, before, choose):
    """Play a logged round in the naive game, and compare legal moves, ends, scores and how it ended.

    ``choose(game, moves, player)`` gives the move that the strategy must have made among ``moves``, which
    come in the kernel's order: left moves before right ones, each by the set's triangle.
    """
    rules = made.rules
    hands = [tile_names(int(hand)) for hand in log[kernel.LOG_HANDS :][: rules.players]]
    game = Round(hands, int(row[kernel.STARTER]), rules.target, rules.out_bonus, before)
    held = [int(hand) for hand in log[: rules.players]]
    left, right = 14, 15
    for event in log[kernel.LOG_HISTORY :][: log[kernel.LOG_EVENTS]].tolist():
        player, move = event >> 56 & 3, event & (1 << 56) - 1
        assert game.to_move == player
        moves = moves_of(int(legal_moves.py_func(held[player], left, right)))
        assert listed(game) == moves
        if not move:
            game.knock()
            continue
        ((tile, end),) = moves_of(move)
        chosen = choose(game, moves, player)
        assert chosen is None or chosen == (tile, end)
        placement = game.play(tile, end if game.chain else "start")
        assert placement.accepted is not bool(event & know.EVENT_DROPPED)
        side = [hand for mate, hand in enumerate(game.hands) if game.side(mate) == game.side(player)]
        assert any(side) is not bool(event & know.EVENT_OUT)
        held[player] ^= move | move >> 28 if move < 1 << 28 else move >> 28
        left, right = ends_of(game)
    assert game.ended == ENDINGS[row[kernel.ENDED]]
    assert game.scores == [int(row[kernel.SCORE_OF + side]) for side in range(rules.sides)]
    knocks = sum(isinstance(event, Knock) for event in game.log)
    assert (len(game.log) - knocks, knocks) == (row[kernel.TILES], row[kernel.KNOCKS])
    return game


def listed(game):
    """Legal moves in the kernel's order, both sides of a lone double and no end of an empty chain."""
    moves = [(tile, "left" if end == "start" else end) for tile, end in game.legal_moves()]
    if game.lone_double:
        moves += [(tile, "right") for tile, _ in moves]
    return sorted(moves, key=lambda move: (move[1], halves(move[0])[::-1]))


def ends_of(game):
    """Ends of the naive chain as the kernel numbers them."""
    left, right = game.chain[0], game.chain[-1]
    return left[0] + 7 * (left[0] == left[1]), right[1] + 7 * (right[0] == right[1])


def retrace_all(made, rows, log, placements, chooser):
    """Retrace consecutive rounds; the scores and the start pass from round to round (F3, F14)."""
    totals, match, before, starter = np.zeros(2 * TOTALS, np.int64), -1, None, 0
    for row, line in zip(rows, log, strict=True):
        if row[kernel.ROUND] == 0:
            match, before = match + 1, [0] * made.rules.sides
        else:
            assert row[kernel.STARTER] == (starter + 1) % made.rules.players
        starter = int(row[kernel.STARTER])
        game = retrace(made, row, line, before, chooser(match, int(row[kernel.ROUND])))
        before = list(game.scores)
        for event in game.log:
            if not isinstance(event, Knock):
                totals[event.total + (0 if event.accepted else TOTALS)] += 1
    assert totals.tolist() == placements.tolist()


@pytest.mark.parametrize("target", [61, None])
@pytest.mark.parametrize("players", PLAYERS)
def test_kernel_agrees_with_the_naive_game_move_by_move(players, target):
    """F1 to F14, 16,000 random rounds at each number of players; each choice is the stream's."""
    rounds = 12_000 if target else 4_000
    made = experiment(
        GAME, matches=rounds, seed=11, strategies="random", rules={"players": players, "target": target}
    )

    def chooser(match, number):
        index = match * INDEX_STRIDE + number
        keys = [stream_key(made.seed, PLAYER + player, index) for player in range(players)]

        def choose(game, moves, player):
            laid = made.rules.hand_size - len(game.hands[player])
            return moves[below(word(keys[player], laid), len(moves))]

        return choose

    rows, log, placements = play_traced(made, rounds)
    assert len(rows) >= rounds
    retrace_all(made, rows, log, placements, chooser)


@pytest.mark.parametrize("players", PLAYERS)
def test_kernel_agrees_with_the_naive_game_under_a_script(players):
    """F1 to F14, 4,000 scripted rounds at each number of players."""
    made = experiment(GAME, matches=4_000, seed=12, strategies=SCRIPTED, rules={"players": players})

    def choose(game, moves, player):
        return moves[0] if len(game.chain) & 1 else moves[-1]

    rows, log, placements = play_traced(made, 4_000)
    assert len(rows) >= 4_000
    retrace_all(made, rows, log, placements, lambda match, number: choose)


@pytest.mark.parametrize(
    "rules",
    [
        {"players": 2, "hand": 14},
        {"players": 3, "hand": 9, "out_bonus": 0},
        {"players": 4, "hand": 7, "target": 30},
        {"players": 2, "hand": 1, "target": 10},
        {"players": 4, "hand": 1, "out_bonus": 5},
    ],
)
def test_kernel_agrees_with_the_naive_game_under_other_rules(rules):
    made = experiment(
        GAME, matches=300, seed=13, strategies=["random", *["greedy"] * (rules["players"] - 1)], rules=rules
    )
    rows, log, placements = play_traced(made, 300)
    retrace_all(made, rows, log, placements, lambda match, number: lambda *_: None)


@helper
def general(_policies):
    return registers.GENERAL


slow_matches = specialise(kernel.play_matches, {kernel.path_of: general})
PATHS = [
    ("random",),
    ("greedy",),
    ("heuristic",),
    ("heuristic:knock=2,danger=3", "random", "greedy", "heuristic"),
]
OTHER_RULES = [
    {"players": 2, "hand": 14},
    {"players": 2, "hand": 1, "target": 10},
    {"players": 3, "hand": 9, "out_bonus": 0},
    {"players": 3, "target": 999},
    {"players": 4, "hand": 7, "target": 30},
    {"players": 4, "hand": 1, "out_bonus": 5},
]


def play_untraced(play, made, matches):
    """Play matches and return all that the kernel tells, to be compared."""
    rows = np.zeros((40_000, kernel.COLUMNS), np.int16)
    placements, log = np.zeros(2 * TOTALS, np.int64), np.zeros((1, kernel.LOG_SIZE), np.int64)
    rules, seats = made.rules.row(), seat_rows(made.strategies, kernel.DECISIONS)
    outcome = play(made.seed, 0, matches, rules, *seats, rows, placements, log, False)
    assert outcome[:2] == (kernel.OK, matches)
    return outcome, rows.tobytes(), placements.tolist()


@pytest.mark.parametrize("names", PATHS)
@pytest.mark.parametrize("target", [61, None])
@pytest.mark.parametrize("players", PLAYERS)
def test_rounds_in_registers_equal_the_general_path(players, target, names):
    strategies = [names[player % len(names)] for player in range(players)]
    rules = {"players": players, "target": target}
    made = experiment(GAME, matches=1_500, seed=14, strategies=strategies, rules=rules)
    fast = play_untraced(kernel.play_matches, made, 1_500)
    assert fast == play_untraced(slow_matches, made, 1_500)


@pytest.mark.parametrize("names", PATHS)
@pytest.mark.parametrize("rules", OTHER_RULES)
def test_rounds_in_registers_equal_the_general_path_under_other_rules(rules, names):
    strategies = [names[player % len(names)] for player in range(rules["players"])]
    made = experiment(GAME, matches=100, seed=15, strategies=strategies, rules=rules)
    fast = play_untraced(kernel.play_matches, made, 100)
    assert fast == play_untraced(slow_matches, made, 100)


def wrapped(view, params, luck):
    """What the heuristic chooses, asked as a user's function is."""
    rows = np.empty((4, params.size))
    rows[:] = params
    return thoughtful.choose_move(view, rows)


@pytest.fixture(scope="module")
def wrapper():
    """Return a user's strategy that asks the heuristic, compiled once for all numbers of players."""
    return GAME.book.custom("wrapper", "heuristic", move=wrapped)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_users_strategy_that_asks_the_heuristic_plays_as_the_heuristic(wrapper, players):
    """The general path shows a user's function what the built-in players read from registers."""
    counters = []
    for strategies in ("heuristic", wrapper, ["heuristic", *[wrapper] * (players - 1)]):
        made = experiment(GAME, matches=500, seed=16, strategies=strategies, rules={"players": players})
        counters.append(GAME.play(made, 0, 500, False).counters)
    for other in counters[1:]:
        assert all(np.array_equal(counter, other[name]) for name, counter in counters[0].items())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", PLAYERS)
def test_referee_accepts_replays(players, name):
    """F1 to F14, as the record shows them; and the replayed rounds are those that were counted."""
    made = experiment(GAME, matches=150, seed=7, strategies=name, rules={"players": players})
    records = [record for match in range(150) for record in GAME.replay(made, match)]
    assert referee(records) == len(records)
    piece = GAME.play(made, 0, 150, True)
    assert piece.units == len(records)
    for side in range(made.rules.sides):
        assert piece.rows[f"score_{side}"].tolist() == [record["scores"][side] for record in records]
    assert piece.rows["match"].tolist() == [record["match"] for record in records]
    assert piece.rows["ended"].tolist() == [record["ended"] for record in records]


def test_referee_accepts_rounds_alone_and_a_line_up_of_all_strategies():
    made = experiment(GAME, units=200, seed=8, strategies=NAMES, rules={"players": 3})
    records = [record for match in range(200) for record in GAME.replay(made, match)]
    assert referee(records) == 200
    assert {record["rules"]["target"] for record in records} == {None}


FIGURES = {
    2: (0.7045, (5.709, 5.380), 10.36, 10.97, 1.86, 0.509),
    3: (0.4558, (4.228, 3.878, 3.722), 10.83, 14.33, 2.20, 0.342),
    4: (0.7225, (8.689, 8.424), 15.94, 7.31, 1.20, 0.503),
}


@pytest.mark.parametrize("players", PLAYERS)
def test_check_figures_of_rounds_without_a_target(players):
    """The rulebook's table, within four standard errors of ours and of its own."""
    blocked, points, tiles, *_ = FIGURES[players]
    made = experiment(GAME, units=200_000, seed=15, strategies="random", rules={"players": players})
    counters = GAME.play(made, 0, 200_000, False).counters
    totals, gram, n = counters["totals"][0], counters["gram"][0], counters["clusters"][0]
    means = totals / n
    errors = np.sqrt((np.diagonal(gram) / n - means**2) * (1 / n + 1 / 480_000))
    ours = {1 + place: value for place, value in enumerate(points)} | {10: blocked, 11: tiles}
    rounding = {11: 0.005}
    for quantity, value in ours.items():
        slack = rounding.get(quantity, 0.0005)
        assert abs(means[quantity] - value) < 4 * errors[quantity] + slack


@pytest.mark.parametrize("players", PLAYERS)
def test_check_figures_of_matches(players):
    *_, mean, spread, wins = FIGURES[players]
    made = experiment(GAME, matches=24_000, seed=16, strategies="random", rules={"players": players})
    counters = GAME.play(made, 0, 24_000, False).counters
    lengths, n = counters["rounds"], 24_000
    assert lengths.sum() == n
    rounds = np.arange(lengths.size)
    average = (lengths * rounds).sum() / n
    deviation = np.sqrt((lengths * rounds**2).sum() / n - average**2)
    both = np.sqrt(2 / n)
    assert abs(average - mean) < 4 * spread * both + 0.005
    assert abs(deviation - spread) < 4 * spread * both + 0.005
    won = sum(counters["winners"][first, first % made.rules.sides] for first in range(players)) / n
    assert abs(won - wins) < 4 * np.sqrt(0.25) * both + 0.0005
    assert counters["winners"][:, 3].sum() == 0


def test_one_signature_a_kernel():
    for players in PLAYERS:
        for name in NAMES:
            for extent in ({"units": 5}, {"matches": 2}):
                made = experiment(GAME, **extent, seed=1, strategies=name, rules={"players": players})
                GAME.play(made, 0, 2, True)
                GAME.replay(made, 0)
            GAME.study(experiment(GAME, hands=1, strategies=name, rules={"players": players}), 0, 1)
    for entry in (kernel.play_matches, tally.tally, options.play_options):
        assert len(entry.signatures) == 1


def test_golden_playthrough():
    """A round of each number of players as people read it, in plain text."""
    golden = Path(__file__).parent / "golden" / "fives_and_threes.txt"
    texts = []
    for players in PLAYERS:
        made = experiment(GAME, matches=1, seed=7, strategies="heuristic", rules={"players": players})
        texts.append(GAME.describe(GAME.replay(made, 0)[1], False))
    assert "\n\n".join(texts) + "\n" == golden.read_text(encoding="ascii")
