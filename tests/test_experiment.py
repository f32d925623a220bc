"""Descriptions of runs: what is refused and how it is named, and reading a description back."""

import pickle
from dataclasses import replace

import pytest

from sim import GAMES, experiment, find_game, replay, run, strategy
from sim.experiment import from_dict

GAME = "three-two-five"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"strategies": "clever"}, "no strategy 'clever': valid are random, first-suit, heuristic"),
        ({"strategies": "random+luck"}, "no addition to 'random' 'luck': valid are random-suit, "),
        ({"strategies": "heuristic:boldness=1"}, "no parameter 'boldness': valid are "),
        ({"strategies": "heuristic:cover=nan"}, "parameter cover='nan': a number is needed"),
        ({"strategies": "heuristic:cover=much"}, "parameter cover='much': a number is needed"),
        (
            {"strategies": "heuristic+weighed"},
            "strategy 'heuristic+weighed': addition 'weighed' changes nothing: leave it out",
        ),
        ({"strategies": "expert+infer"}, "strategy 'expert+infer': addition 'infer' changes nothing"),
        (
            {"strategies": "heuristic:"},
            "nothing after the ':': give parameters as name=value, or leave it out",
        ),
        ({"strategies": "random:cover=1"}, "strategy 'random:cover=1' never reads parameter 'cover': "),
        (
            {"strategies": "heuristic:worlds=3"},
            "strategy 'heuristic:worlds=3' never reads parameter 'worlds': ",
        ),
        (
            {"strategies": "heuristic+never-reveal:reveal_ace=1"},
            "strategy 'heuristic+never-reveal:reveal_ace=1' never reads parameter 'reveal_ace': it reads ",
        ),
        ({"strategies": "rollout-5:worlds=9"}, "strategy 'rollout-5:worlds=9': 'rollout-5' settles worlds: "),
        ({"units": "9"}, "deals '9': must be a whole number"),
        ({"matches": "9"}, "matches '9': must be a whole number"),
        ({"strategies": ["random"] * 2}, "2 strategies for 3 players: give one, or 3"),
        ({"seed": -1}, "seed -1: must be a whole number from 0 to 9223372036854775807"),
        ({"seed": 2**63}, "seed 9223372036854775808: must be a whole number"),
        ({"units": -9}, "deals -9: must be a whole number"),
        ({"units": 2.5}, "deals 2.5: must be a whole number"),
        ({"units": 9, "matches": 1}, "give deals or matches, not both"),
        ({"units": 0}, "nothing to play: give deals, matches or hands"),
        ({"hands": 5, "completions": 1}, "completions 1: must be a whole number from 2"),
    ],
)
def test_a_wrong_experiment_is_named(options, said):
    sizes = {} if {"units", "hands", "matches"} & options.keys() else {"matches": 1}
    with pytest.raises(ValueError) as caught:
        experiment(GAME, **{"strategies": "random", **sizes, **options})
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "random+always-reveal+never-reveal",
            "'always-reveal' and 'never-reveal' both settle trump: give one",
        ),
        (
            "rollout-5+against-random+against-first-suit",
            "'against-random' and 'against-first-suit' both settle",
        ),
        ("rollout-5+against-random+against-random", "addition 'against-random' is given twice"),
    ],
)
def test_additions_that_contradict_each_other_are_named(name, said):
    with pytest.raises(ValueError) as caught:
        find_game(GAME).book.parse(name)
    assert str(caught.value).startswith(f"strategy {name!r}: {said}")


def test_an_addition_that_is_taken_changes_something():
    book = find_game(GAME).book
    for base in (policy.name.replace("N", "3") for policy in book.policies):
        plain, taken = book.parse(base), 0
        for addition in (policy.name.replace("K", "3") for policy in book.overlays):
            try:
                more = book.parse(f"{base}+{addition}")
            except ValueError:
                continue
            taken += 1
            assert (more.policies, more.params) != (plain.policies, plain.params)
        assert taken >= 4


@pytest.mark.parametrize(
    "name",
    ["random", "first-suit", "heuristic", "heuristic+never-reveal", "random+weighed", "rollout-2"],
)
def test_parameters_that_are_refused_change_nothing(name):
    book = find_game(GAME).book
    plain, refused = book.parse(name), {}
    for number, parameter in enumerate(book.parameters):
        try:
            book.parse(f"{name}:{parameter}=1")
        except ValueError as error:
            if "never reads" in str(error):
                refused[number] = 77.0
    assert refused
    changed = replace(plain, params=tuple(refused.get(n, value) for n, value in enumerate(plain.params)))
    few = 1 if name == "rollout-2" else 40
    made = [run(experiment(GAME, matches=few, strategies=[one] * 3)) for one in (plain, changed)]
    assert made[0].digest == made[1].digest


@pytest.mark.parametrize("match", [-1, 3, 1.0, True, "0"])
def test_a_match_that_the_run_does_not_play_is_named(match):
    with pytest.raises(ValueError, match=f"match {match!r}: the run has matches 0 to 2"):
        replay(experiment(GAME, matches=3, strategies="random"), match)


def test_an_unknown_game_is_named():
    with pytest.raises(ValueError, match="no game 'whist': valid are three-two-five"):
        experiment("whist", matches=1)


@pytest.mark.parametrize("name", ["three-two-five", "three_two_five"])
def test_a_game_is_found_by_either_name(name):
    assert find_game(name) is GAMES[0] and GAMES[0].command == "three-two-five"


def test_a_game_is_pickled_by_name():
    for game in GAMES:
        assert pickle.loads(pickle.dumps(game)) is game


def test_a_description_reads_back():
    made = experiment(
        GAME,
        units=1003,
        seed=5,
        strategies=["random", "heuristic+never-reveal", "heuristic:cover=0.75"],
        rules={"sevens": "hearts_high", "deals_per_match": 3},
        hands=4,
        completions=8,
    )
    assert from_dict(made.as_dict()) == made
    assert (made.matches, made.units) == (335, 1003)
    assert made.as_dict()["strategies"] == ["random", "heuristic+never-reveal", "heuristic:cover=0.75"]


def test_a_users_strategy_cannot_be_read_back_by_name():
    mine = strategy(GAME, "mine", base="random", card=lambda view, params, luck: 0)
    with pytest.raises(ValueError, match="no strategy 'mine'"):
        from_dict(experiment(GAME, matches=1, strategies=mine).as_dict())


def test_one_strategy_is_for_all_players():
    made = experiment(GAME, matches=1, strategies="first-suit")
    assert [player.name for player in made.strategies] == ["first-suit"] * 3
    assert made == experiment(GAME, matches=1, strategies=["first-suit"] * 3)


def test_a_run_of_hands_alone_plays_no_match():
    made = experiment(GAME, hands=10, strategies="random")
    assert (made.matches, made.units, made.hands) == (0, 0, 10)
