"""What strategies of Fives and Threes know, and how well they play."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from drawn_turns import due_view, legal_bits
from reference.dominoes import DOUBLE_SIX, deal, halves, points_of
from reference.fives_and_threes import Knock, Placement, Round
from scripted_rounds import move_bit, play

from analysis.moments import Moments
from sim.core.game import StrategyError
from sim.core.jit import helper
from sim.experiment import experiment
from sim.fives_and_threes import knowledge as know
from sim.fives_and_threes.game import FivesAndThrees
from sim.fives_and_threes.tally import QUANTITIES

GAME = FivesAndThrees()
PLAYERS = [2, 3, 4]
_MASK = (1 << 64) - 1


@helper
def by_all_it_knows(view, params, luck):
    """Legal move that depends on every place of the view."""
    mixed = 0
    for place in range(know.VIEW_SIZE):
        mixed = mixed * 6364136223846793005 + view[place]
    legal = view[know.LEGAL]
    for _ in range((mixed >> 33) & 7):
        legal = legal & (legal - 1) if legal & (legal - 1) else view[know.LEGAL]
    return legal & -legal


def same_choice(view):
    """What the function above answers, in plain Python."""
    mixed = 0
    for place in view:
        mixed = (mixed * 6364136223846793005 + place) & _MASK
    legal = view[know.LEGAL]
    for _ in range((mixed >> 33) & 7):
        legal = legal & (legal - 1) or view[know.LEGAL]
    return legal & -legal


@pytest.mark.parametrize("players", PLAYERS)
def test_a_view_holds_what_a_player_may_know_and_nothing_else(players):
    """Cases 14, 15: each choice hangs on the whole view, and the naive game's knowledge foretells it."""
    strategy = GAME.book.custom("knowing", "random", move=by_all_it_knows)
    made = experiment(GAME, matches=40, seed=21, strategies=strategy, rules={"players": players})
    choices = 0
    for match in range(40):
        for record in GAME.replay(made, match):
            game = Round(record["hands"], record["starter"], 61, 1, record["scores_before"])
            for move in record["moves"]:
                if move.get("knock"):
                    game.knock()
                    continue
                chosen = same_choice(due_view(game, record["round"], legal_bits(game)))
                assert chosen == 1 << move_bit(move["tile"], move["end"])
                game.play(move["tile"], move["end"])
                choices += 1
    assert choices > 1000


def other_world(game, player, rng):
    """Deal the tiles that a player cannot see anew, as its knowledge admits; None where that fails."""
    seen = game.knowledge(player)
    pool = sorted(set(DOUBLE_SIX) - seen.seen)
    hands = [list(hand) for hand in game.hands]
    for _ in range(200):
        rng.shuffle(pool)
        left = list(pool)
        for other in seen.lacks:
            fitting = [tile for tile in left if tile in seen.may_hold(other)]
            hands[other] = fitting[: seen.hand_sizes[other]]
            left = [tile for tile in left if tile not in hands[other]]
        if seen.admits(hands):
            return hands
    return None


@pytest.mark.parametrize("name", ["random", "greedy", "heuristic"])
@pytest.mark.parametrize("players", PLAYERS)
def test_case_15_permuting_the_hidden_tiles_changes_no_choice(players, name):
    rng, tried, changed = Random(22), 0, 0
    for _ in range(60):
        hands, scores = deal(players, rng), [rng.randrange(61) for _ in range(2 if players == 4 else players)]
        played = play([" ".join(hand) for hand in hands], [], scores=scores, then=name)
        stop = rng.randrange(len(played.moves))
        if played.moves[stop].get("knock"):
            continue
        game, script = Round(hands, 0, 61, 1, scores), []
        for move in played.moves[:stop]:
            if move.get("knock"):
                game.knock()
            else:
                game.play(move["tile"], move["end"])
                script.append((move["tile"], move["end"]))
        mover = played.moves[stop]["player"]
        world = other_world(game, mover, rng)
        laid = [
            [event.tile for event in game.log if isinstance(event, Placement) and event.player == p]
            for p in range(players)
        ]
        if world is None:
            continue
        permuted = [" ".join(laid[p] + list(world[p])) for p in range(players)]
        # What may be dealt elsewhere includes knocks that would not be forced: the log must stay the same.
        again = play(permuted, script, scores=scores, then=name)
        assert again.moves[:stop] == played.moves[:stop]
        assert again.moves[stop] == played.moves[stop]
        tried += 1
        changed += any(set(world[p]) != set(game.hands[p]) for p in range(players))
    assert tried > 30
    assert changed > 20


@pytest.mark.parametrize("players", PLAYERS)
def test_greedy_takes_the_most_that_the_target_allows(players):
    """F8 to F10 and F13: nothing legal would have been worth more."""
    made = experiment(GAME, matches=30, seed=23, strategies="greedy", rules={"players": players})
    dropped = 0
    for record in (record for match in range(30) for record in GAME.replay(made, match)):
        game = Round(record["hands"], record["starter"], 61, 1, record["scores_before"])
        for move in record["moves"]:
            if move.get("knock"):
                game.knock()
                continue
            mover, scores = game.to_move, list(game.scores)
            worths = []
            for tile, end in game.legal_moves():
                trial = Round(record["hands"], record["starter"], 61, 1, record["scores_before"])
                for event in game.log:
                    trial.knock() if isinstance(event, Knock) else trial.play(event.tile, event.end)
                placed = trial.play(tile, end)
                worths.append(placed.scores[game.side(mover)] - scores[game.side(mover)])
            placed = game.play(move["tile"], move["end"])
            assert placed.scores[game.side(mover)] - scores[game.side(mover)] == max(worths)
            dropped += not placed.accepted
    assert dropped > 0


def test_greedy_draws_uniformly_among_equals():
    """Of two tiles that open with equally many points each is laid half of the time."""
    made = experiment(GAME, units=4000, seed=24, strategies="greedy")
    opened = Counter()
    for match in range(4000):
        (record,) = GAME.replay(made, match)
        scoring = [tile for tile in record["hands"][record["starter"]] if points_of(sum(halves(tile)))]
        best = max((points_of(sum(halves(tile))) for tile in scoring), default=0)
        equals = [tile for tile in scoring if points_of(sum(halves(tile))) == best]
        if len(equals) == 2:
            opened[equals.index(record["moves"][0]["tile"])] += 1
    n = sum(opened.values())
    assert n > 500
    assert abs(opened[0] - n / 2) < 4 * np.sqrt(n) / 2


def lead_of_first_side(players, first, others, units=0, matches=0):
    """Points a round of side 0 above the mean of the others, and its error over matches."""
    strategies = [first if (p % 2 if players == 4 else p) == 0 else others for p in range(players)]
    made = experiment(
        GAME, units=units, matches=matches, seed=25, strategies=strategies, rules={"players": players}
    )
    counters = GAME.play(made, 0, units or matches, False).counters
    moments = Moments(int(counters["clusters"][2]), counters["totals"][2], counters["gram"][2], QUANTITIES)
    rest = ["points_1", "points_2"][: made.rules.sides - 1]
    lead = {"points_0": 1.0} | {name: -1 / len(rest) for name in rest}
    return moments.ratio(lead, "rounds"), counters["winners"].sum(axis=0), made.rules.sides


@pytest.mark.parametrize(("better", "worse"), [("heuristic", "greedy"), ("greedy", "random")])
@pytest.mark.parametrize("players", PLAYERS)
def test_strategies_rank_as_they_should(players, better, worse):
    """Paired by round: five standard errors above zero; and more matches won than a fair share."""
    lead, _, _ = lead_of_first_side(players, better, worse, units=40_000)
    assert lead.mean - 5 * lead.se > 0
    _, winners, sides = lead_of_first_side(players, better, worse, matches=4_000)
    n = winners.sum()
    fair = 1 / sides
    assert winners[0] / n - fair > 5 * np.sqrt(fair * (1 - fair) / n)


def test_equal_strategies_lead_nobody():
    """Case 18's kind: the lead of a strategy over itself is within four errors of zero."""
    for players in PLAYERS:
        lead, _, _ = lead_of_first_side(players, "heuristic", "heuristic", units=20_000)
        assert abs(lead.mean) < 4 * lead.se


def test_heuristic_weights_are_parameters():
    names = list(GAME.book.parameters)
    assert GAME.book.parse("heuristic:reply=0,knock=2").params[names.index("knock")] == 2
    with pytest.raises(ValueError, match="no parameter 'speed': valid are reply"):
        GAME.book.parse("heuristic:speed=1")
    played = {}
    for name in ("heuristic", "heuristic:reply=0"):
        made = experiment(GAME, units=300, seed=26, strategies=name)
        played[name] = [GAME.replay(made, match)[0]["moves"] for match in range(300)]
    assert played["heuristic"] != played["heuristic:reply=0"]


def test_changing_one_strategy_never_changes_the_tiles_dealt():
    hands = []
    for names in (["random", "greedy"], ["heuristic", "greedy"]):
        made = experiment(GAME, units=200, seed=27, strategies=names)
        records = [GAME.replay(made, match)[0] for match in range(200)]
        hands.append([(record["hands"], record["starter"]) for record in records])
    assert hands[0] == hands[1]


def two_moves(view, params, luck):
    return 3 << 56


def test_an_illegal_answer_is_named():
    cheat = GAME.book.custom("cheat", "random", move=two_moves)
    made = experiment(GAME, matches=3, seed=28, strategies=["random", cheat])
    with pytest.raises(
        StrategyError, match=r"'cheat' of player 1 made no legal move .* match 0, round 0 of seed 28"
    ):
        GAME.play(made, 0, 3, False)
