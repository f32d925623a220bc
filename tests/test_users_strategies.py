"""A user's own compiled functions as strategies, and what happens when they break the rules."""

import re
from functools import partial

import pytest
from reference.referee_three_two_five import referee
from witness import (
    CARD,
    HIGH,
    LOW,
    MINUS_ONE,
    NOTHING,
    RETURN,
    REVOKE,
    STRANGER,
    TIE,
    TRUMP,
    TWO_CARDS,
    bits,
    hands_in_play,
    scripted,
)

from sim import StrategyError, experiment, replay, run, strategy
from sim.core.jit import helper
from sim.three_two_five.knowledge import LEGAL

GAME = "three-two-five"


def test_a_users_functions_play_as_built_in_ones_do():
    """The card functions of a strategy, one player or all three, in threads and in processes."""
    made = experiment(GAME, matches=200, seed=6, strategies=[scripted(), scripted(LOW), scripted(HIGH)])
    one = run(made)
    assert one.digest == run(made, 2, piece=9).digest
    assert one.digest != run(experiment(GAME, matches=200, seed=6, strategies=[scripted()] * 3)).digest


CARD_WRONG = "chose a card that is not legal (R22, R23)"
RETURN_WRONG = "returned a card that is not legal (R18)"
TRUMP_WRONG = "called no suit (R9)"
TIE_WRONG = "chose a trump suit that is not among the tied ones (R11)"
CARDS = r"([AKQJT987][SHDC] ?)+"
ANY_TRUMP = "0 S, 1 H, 2 D, 3 C, 4 to reveal"
TIED = r"\d [SHDC](, \d [SHDC]){1,2}"
CHEATS = [
    (CARD, NOTHING, CARD_WRONG, "0, no card", CARDS),
    (CARD, MINUS_ONE, CARD_WRONG, "-1, no card", CARDS),
    (CARD, TWO_CARDS, CARD_WRONG, CARDS, CARDS),
    (CARD, STRANGER, CARD_WRONG, CARDS, CARDS),
    (CARD, REVOKE, CARD_WRONG, CARDS, CARDS),
    (RETURN, NOTHING, RETURN_WRONG, "0, no card", CARDS),
    (RETURN, MINUS_ONE, RETURN_WRONG, "-1, no card", CARDS),
    (RETURN, TWO_CARDS, RETURN_WRONG, CARDS, CARDS),
    (RETURN, STRANGER, RETURN_WRONG, CARDS, CARDS),
    (RETURN, REVOKE, RETURN_WRONG, CARDS, CARDS),
    (TRUMP, -1, TRUMP_WRONG, "-1", ANY_TRUMP),
    (TRUMP, 5, TRUMP_WRONG, "5", ANY_TRUMP),
    (TIE, -1, TIE_WRONG, "-1", TIED),
    (TIE, 4, TIE_WRONG, "4", TIED),
    (TIE, REVOKE, TIE_WRONG, r"\d", TIED),
]


@pytest.mark.parametrize(("kind", "how", "said", "answer", "legal"), CHEATS)
def test_an_answer_against_the_rules_ends_the_run_and_is_named(kind, how, said, answer, legal):
    """Case 35: strategy, player, rule, match, deal and seed, the answer and what was legal."""
    line_up = [scripted(), scripted(breaks=kind, how=how, name="cheat"), scripted()]
    with pytest.raises(StrategyError) as caught:
        run(experiment(GAME, matches=60, seed=3, strategies=line_up), 2, piece=4)
    message = str(caught.value)
    assert message.startswith(f"strategy 'cheat' of player 1 {said} in match ")
    assert re.search(
        rf"in match \d+, deal [0-8] of seed 3: it answered {answer}, legal are {legal}$", message
    )


def test_the_place_of_a_wrong_answer_is_the_first_one():
    """The deals before it are played honestly; the message names the very deal in which it comes."""
    honest = experiment(GAME, matches=1, seed=3, strategies=[scripted()] * 3)
    takers = [{pull["taker"] for pull in record["pulls"]} for record in replay(honest, 0)]
    deal = next(number for number, players in enumerate(takers) if 1 in players)
    line_up = [scripted(), scripted(breaks=RETURN, how=NOTHING, name="cheat"), scripted()]
    with pytest.raises(StrategyError, match=f"'cheat' of player 1 .* in match 0, deal {deal} of seed 3"):
        run(experiment(GAME, matches=1, seed=3, strategies=line_up))


def test_a_wrong_answer_in_the_option_study_names_its_hand():
    broken = strategy(GAME, "broken", base="random", card=lambda view, params, luck: 0)
    with pytest.raises(StrategyError, match=r"'broken' of player 1 chose .* in hand 0 of seed 1: it .*"):
        run(experiment(GAME, hands=3, strategies=["random", broken, "random"]))


@pytest.mark.parametrize(
    ("functions", "said"),
    [
        ({"lead": lambda view, params, luck: 0}, "no decision 'lead': valid are card, return, trump, tie"),
        ({"card": 7}, "decision 'card': a function is needed, not 7"),
    ],
)
def test_what_is_no_function_of_a_decision_is_named(functions, said):
    with pytest.raises(ValueError) as caught:
        strategy(GAME, "mine", **functions)
    assert str(caught.value) == said


def test_parameters_of_a_users_strategy_are_its_bases():
    """A function reads the parameter row; other weights are another strategy of the same kernel."""
    bold = strategy(GAME, "bold", base="heuristic:cover=0.75", card=lambda view, params, luck: view[LEGAL])
    assert bold.params == strategy(GAME, "heuristic:cover=0.75").params != strategy(GAME, "heuristic").params
    assert bold.policies == strategy(GAME, "heuristic").policies


@pytest.mark.parametrize("name", ["random", "heuristic+never-reveal", "heuristic:cover=0.5"])
def test_the_name_of_a_built_in_strategy_is_taken(name):
    """Results carry names only: under this one they would be read as the built-in strategy's."""
    with pytest.raises(ValueError, match=re.escape(f"name {name!r}: taken by a built-in strategy")):
        strategy(GAME, name, base="random", card=lambda view, params, luck: view[LEGAL])


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda view, params, luck: view.no_such_thing, "cannot compile"),
        (lambda view, params, luck: 0.5, "float64, not a whole number"),
        (lambda view, params, luck: None, "none, not a whole number"),
    ],
)
def test_what_cannot_answer_with_a_whole_number_is_refused(function, said):
    with pytest.raises(ValueError, match=said) as caught:
        strategy("three-two-five", "mine", base="random", card=function)
    assert "\n" not in str(caught.value)


@helper
def lowest(view, params, luck):
    """Play the lowest legal bit."""
    return view[LEGAL] & -view[LEGAL]


def cheat(view, params, luck):
    """Play the lowest legal bit, and claim all tricks and cards."""
    card = view[LEGAL] & -view[LEGAL]
    view[:] = -1
    return card


def beside_thinking(function):
    """Line up a user's card function, its other decisions sampled, beside a player who thinks throughout."""
    return [strategy(GAME, "mine", base="rollout-2", card=function), "nested-2", "random"]


@pytest.fixture(scope="module")
def beside():
    """Matches of a user's function beside a player who thinks."""
    return experiment(GAME, matches=8, strategies=beside_thinking(lowest))


def test_a_users_function_plays_beside_players_who_think(beside):
    """Its base decides what it does not, by the same addresses; all is within the rules."""
    one = run(beside)
    assert one.digest == run(beside, 2, piece=1).digest
    assert (
        one.digest != run(experiment(GAME, matches=8, strategies=["rollout-2", "nested-2", "random"])).digest
    )
    records = replay(beside, 0)
    referee(records)
    for record in records:
        left = set(hands_in_play(record)[0])
        for trick in record["tricks"]:
            place = (0 - trick["leader"]) % 3
            led, card = trick["cards"][0][1], trick["cards"][place]
            following = [other for other in left if place and other[1] == led] or left
            assert card == min(following, key=bits().get)
            left.remove(card)


def test_what_a_function_writes_to_its_view_stays_with_it(beside):
    """A cheat that gives itself tricks and cards changes nothing but its own copy."""
    assert run(experiment(GAME, matches=8, strategies=beside_thinking(cheat))).digest == run(beside).digest


def spoil(view, params, luck):
    """Play the lowest legal bit, and overwrite both arrays."""
    card = view[LEGAL] & -view[LEGAL]
    params[:] = 9.0
    view[:] = -1
    return card


def test_what_a_function_writes_to_its_parameters_stays_with_it():
    """Its base decides trumps, returns and ties by the same parameters."""
    digests = {
        run(experiment(GAME, matches=40, strategies=[mine, "heuristic", "heuristic"])).digest
        for mine in (strategy(GAME, "mine", base="heuristic", card=one) for one in (lowest, spoil))
    }
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda view: 0, "a function of view, params, luck is needed, not of (view)"),
        (lambda view, params, luck, more: 0, "not of (view, params, luck, more)"),
        (min, "a function is needed, not <built-in function min>"),
        (partial(lowest, luck=0), "a function is needed, not functools.partial"),
    ],
)
def test_a_function_of_another_kind_is_refused_where_it_is_given(function, said):
    for check in (False, True):
        with pytest.raises(ValueError, match=re.escape(said)):
            strategy(GAME, "mine", base="random", check=check, card=function)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\x1b[31m", "half \ud800", "\u2028", 7])
def test_a_name_that_cannot_be_printed_is_refused(name):
    with pytest.raises(ValueError, match="name ") as caught:
        strategy(GAME, name, base="random", card=lowest)
    assert "\n" not in str(caught.value)
