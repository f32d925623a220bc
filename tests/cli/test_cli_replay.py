"""``dealworth replay``: the deals that a run counted, as text and as records."""

import json
import subprocess

import numpy as np
import pytest

from sim import load
from tests.cli.command import PROGRAM, environment
from tests.reference.referee_three_two_five import referee

GAME = "three-two-five"


def records_of(outcome) -> list[dict]:
    assert (outcome.status, outcome.err) == (0, "")
    return [json.loads(line) for line in outcome.out.splitlines()]


def by_seat(record: dict, values: list[int]) -> list[int]:
    return [values[(record["dealer"] + 1 + seat) % 3] for seat in range(3)]


@pytest.mark.parametrize("deals", [900, 893])
def test_replays_add_up_to_the_counters_of_the_run(dealworth, deals):
    dealworth.simulate("--deals", deals, "--seed", 4, "--out", "run")
    run = load("run")
    records = records_of(dealworth("replay", GAME, "--run", "run", "--count", run.matches, "--json"))
    assert len(records) == deals
    totals = run.counters["totals"][2]
    assert list(totals[1:4]) == list(np.sum([by_seat(r, r["tricks_won"]) for r in records], axis=0))
    assert list(totals[4:7]) == list(np.sum([by_seat(r, r["score"]) for r in records], axis=0))
    assert list(totals[13:16]) == list(np.sum([r["score"] for r in records], axis=0))


def test_the_run_of_a_folder_is_the_run_of_its_options(dealworth):
    options = "--seed 4 --strategy random first-suit random --rules scoring=surplus pulls=false"
    dealworth("simulate", GAME, *options.split(), "--matches", 20, "--hands", 0, "--out", "run", "--jobs", 1)
    from_run = dealworth("replay", GAME, "--run", "run", "--match", 17, "--count", 3, "--json")
    typed = dealworth("replay", GAME, *options.split(), "--match", 17, "--count", 3, "--json")
    assert len(records_of(from_run)) == 27 and from_run.out == typed.out


def test_a_configuration_file_gives_its_own_deals(dealworth, tmp_path):
    (tmp_path / "run.toml").write_text('deals = 20\nseed = 4\nstrategy = "random"\njobs = 1\n', "utf-8")
    last = records_of(dealworth("replay", GAME, "--config", "run.toml", "--match", 2, "--json"))
    assert [record["deal"] for record in last] == [0, 1]
    status, _, err = dealworth("replay", GAME, "--config", "run.toml", "--match", 3)
    assert status == 2 and "match 3: the run has matches 0 to 2" in err


def test_matches_and_deals_are_chosen(dealworth):
    words = ("replay", GAME, "--strategy", "random", "--json", "--seed", 2)
    chosen = records_of(dealworth(*words, "--match", 5, "--deal", 3, "--count", 2))
    assert [(record["match"], record["deal"]) for record in chosen] == [(5, 3), (6, 3)]
    whole = records_of(dealworth(*words, "--match", 5))
    assert [record["deal"] for record in whole] == list(range(9)) and whole[3] == chosen[0]
    assert records_of(dealworth(*words, "--match", 10**12, "--deal", 0))[0]["match"] == 10**12


def test_matches_beyond_the_run_are_refused(dealworth):
    dealworth.simulate("--matches", 4, "--out", "run")
    for words in (("--match", 4), ("--match", 2, "--count", 3)):
        status, out, err = dealworth("replay", GAME, "--run", "run", *words)
        assert (status, out) == (2, "") and "match 4: the run has matches 0 to 3" in err


@pytest.mark.parametrize("rules", ["scoring=difference", "scoring=surplus", "sevens=spades_high"])
def test_the_referee_accepts_what_is_printed(dealworth, rules):
    words = ("--strategy", "first-suit", "--rules", rules, "--seed", 7, "--count", 10, "--json")
    records = records_of(dealworth("replay", GAME, *words))
    referee(records)
    assert len(records) == 90


def test_text_names_every_card_with_symbols(dealworth):
    words = ("replay", GAME, "--strategy", "random", "--seed", 7, "--deal", 1)
    (record,) = records_of(dealworth(*words, "--json"))
    status, text, _ = dealworth(*words)
    assert status == 0
    symbols = dict(zip("SHDC", "♠♥♦♣", strict=True))
    tricks = [card for trick in record["tricks"] for card in trick["cards"]]
    assert len(tricks) == 30
    assert all(card[0] + symbols[card[1]] in text for card in tricks)
    assert "strategies by player: random, random, random" in text
    assert "seed 7, sevens=low scoring=difference pulls=true deals_per_match=9" in text


def test_letters_where_there_are_no_symbols_and_silence_where_nobody_reads(compiled, tmp_path):
    """Case 26; and a reader that closes its end is no error."""
    words = [*PROGRAM, "replay", GAME, "--strategy", "random", "--count", "500"]
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        env=environment(PYTHONIOENCODING="ascii"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        first = b"".join(process.stdout.readline() for _ in range(20)).decode("ascii")
        process.stdout.close()
        complaint = process.stderr.read()
    assert "->" in first and "player" in first
    assert (process.returncode, complaint) == (141, b"")
