"""``dealworth simulate``: exact counts, defaults, folders, rows, configuration, output for programs."""

import json
import subprocess
import sys
from datetime import datetime

import pyarrow.parquet as pq
import pytest

from analysis.cli import folders, simulate
from sim import find_game, load
from sim.parallel import core_count
from tests.cli.command import FAST, PROGRAM, environment

GAME = "three-two-five"


@pytest.mark.parametrize("deals", [3, 9, 999, 1002])
def test_exactly_n_deals_are_counted_by_any_number_of_jobs(dealworth, deals):
    """Cases 20 and 22."""
    digests = set()
    for jobs in (1, 2, 3, 4):
        outcome = dealworth.simulate("--deals", deals, "--jobs", jobs, "--out", f"run{jobs}", "--json")
        record = json.loads(outcome.out)
        assert (outcome.status, record["deals"], record["partial"]) == (0, deals, False)
        assert int(load(f"run{jobs}").counters["outcomes"].sum()) == deals
        digests.add(record["digest"])
    assert len(digests) == 1


def test_defaults(dealworth, monkeypatch):
    made = json.loads(dealworth("simulate", GAME, "--strategy", "random", "--json").out)
    assert (made["deals"], made["matches"], made["seed"]) == (90_000, 10_000, 1)
    assert (made["hands"], made["completions"]) == (1000, 64)
    assert made["jobs"] == core_count()
    assert made["rules"] == find_game(GAME).rules_type().as_dict()
    assert made["folder"].startswith("results") and load(made["folder"]).digest == made["digest"]
    plain = json.loads(dealworth("simulate", GAME, "--matches", 1, "--hands", 0, "--json").out)
    assert plain["strategies"] == ["heuristic"] * 3


@pytest.mark.parametrize(
    ("words", "made", "said"),
    [
        ("rollout-2", (2_000, 100, 32), "2,000 matches, 100 hands, 32 completions"),
        ("heuristic nested-2 random", (100, 20, 8), "100 matches, 20 hands, 8 completions"),
        ("rollout-2 --deals 90 --hands 3", (10, 3, 32), "32 completions"),
        ("expert --matches 5 --hands 0", (5, 0, 8), None),
        ("rollout-2 --matches 9 --hands 1 --completions 2", (9, 1, 2), None),
        ("first-suit", (10_000, 1_000, 64), None),
    ],
)
def test_players_that_think_play_less_by_default_and_it_is_said(dealworth, monkeypatch, words, made, said):
    """What is given counts; of the rest the terminal says how much it is, and how to have more."""
    seen = []

    def play(experiment, *_):
        seen.append((experiment.matches, experiment.hands, experiment.completions))
        raise ValueError("enough")

    monkeypatch.setattr(simulate, "_play", play)
    error = dealworth("simulate", GAME, "--strategy", *words.split()).err
    assert seen == [made]
    notes = error.removesuffix("dealworth: enough\n").splitlines()
    way = "--matches --hands --completions say otherwise"
    assert notes == ([f"players that think are slow: {said}; {way}"] if said else [])


def test_runs_of_the_same_second_get_folders_of_their_own(dealworth, monkeypatch):
    class Clock:
        @staticmethod
        def now():
            return datetime(2026, 1, 2, 3, 4, 5)

    monkeypatch.setattr(folders, "datetime", Clock)
    places = [json.loads(dealworth.simulate("--deals", 9, "--json").out)["folder"] for _ in range(3)]
    assert [place.rpartition("/")[2] for place in places] == [
        "three-two-five-20260102-030405",
        "three-two-five-20260102-030405-2",
        "three-two-five-20260102-030405-3",
    ]


def test_json_is_one_object_with_the_keys_of_the_record_format(dealworth):
    status, out, err = dealworth.simulate("--deals", 2000, "--seed", 5, "--json", "--out", "run")
    record = json.loads(out)
    assert (status, err, out.count("\n")) == (0, "", 1)
    estimate = {"mean", "se", "n"}
    assert set(record["seats"]) == {"five", "three", "two"}
    for seat in record["seats"].values():
        assert set(seat) == {"tricks", "score", "quota_met"}
        assert all(set(value) == estimate and value["n"] == 223 for value in seat.values())
    for name in ("all_exact", "cards_owed", "reveal_share"):
        assert set(record[name]) == estimate
    assert (record["game"], record["deals"], record["matches"]) == ("three_two_five", 2000, 223)
    assert (record["seed"], record["partial"], record["folder"]) == (5, False, "run")
    assert record["strategies"] == ["random"] * 3


def test_the_table_says_what_was_played_and_where_it_is(dealworth):
    status, out, _ = dealworth.simulate("--deals", 900, "--out", "run", "--rules", "scoring=surplus")
    assert status == 0
    for text in ("3-2-5: 900 deals in 100 matches", "tricks a deal", "quota met", "all quotas exact"):
        assert text in out
    for text in ("cards owed", "trump revealed", "matches tied", "95% interval", "mean ± s.e.", "100\n"):
        assert text in out
    assert "scoring=surplus" in out and "random" in out and load("run").digest in out
    assert "seed        1" in out and "folder      run" in out and "caution" not in out


def test_few_matches_are_cautioned_against(dealworth):
    out = dealworth.simulate("--deals", 9, "--out", "run").out
    assert "fewer than 30 matches" in out and "nan" not in out


def test_the_table_is_the_same_for_programs_and_people(dealworth):
    words = ("--deals", 9000, "--seed", 3)
    record = json.loads(dealworth.simulate(*words, "--json", "--out", "a").out)
    table = dealworth.simulate(*words, "--out", "b").out
    five = next(line for line in table.splitlines() if line.startswith("five"))
    assert float(five.split()[4]) == pytest.approx(record["seats"]["five"]["tricks"]["mean"], abs=0.01)


def test_a_configuration_file_is_the_same_as_options(dealworth, tmp_path):
    (tmp_path / "run.toml").write_text(
        'deals = 1e3\nseed = 11\nstrategy = ["random", "first-suit", "random+always-reveal"]\n'
        'deals-per-match = 6\nhands = 2\ncompletions = 4\njobs = 1\nout = "from-file"\n'
        '[rules]\nscoring = "tricks"\npulls = false\n',
        encoding="utf-8",
    )
    assert dealworth("simulate", GAME, "--config", "run.toml").status == 0
    words = "--deals 1000 --seed 11 --strategy random first-suit random+always-reveal --deals-per-match 6"
    more = "--hands 2 --completions 4 --jobs 1 --out typed --rules scoring=tricks pulls=false"
    assert dealworth("simulate", GAME, *words.split(), *more.split()).status == 0
    from_file, typed = load("from-file"), load("typed")
    assert from_file.description == typed.description
    assert from_file.digest == typed.digest
    assert from_file.rules.deals_per_match == 6 and from_file.description["units"] == 1000


def test_rows_hold_one_line_a_deal_in_documented_columns(dealworth):
    assert dealworth.simulate("--deals", 1000, "--rows", "--out", "run").status == 0
    table = pq.read_table("run/rows.parquet")
    assert table.num_rows == 1000
    assert table.column_names == list(find_game(GAME).row_columns)
    run = load("run")
    totals = run.counters["totals"][2]
    assert table["tricks_five"].to_numpy().sum() == totals[1]


def test_no_terminal_no_progress(dealworth):
    assert dealworth.simulate("--deals", 9000, "--out", "run").err == ""


@pytest.mark.parametrize("command", [(), ("simulate",), ("replay",), ("bench",)])
def test_help_loads_nothing_heavy(command):
    check = (
        "import sys\n"
        "from analysis.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'numpy', 'pandas', 'matplotlib', 'scipy', 'pyarrow', 'joblib', 'rich', 'sim'}\n"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    words = [sys.executable, "-c", check, *command, "--help"]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and "usage: dealworth" in done.stdout


def test_a_console_of_letters_only(compiled, tmp_path):
    """Case 26."""
    words = [*PROGRAM, "simulate", GAME, *FAST, "--deals", "900", "--out", "Läufe"]
    done = subprocess.run(
        words,
        cwd=tmp_path,
        env=environment(PYTHONIOENCODING="ascii"),
        capture_output=True,
        check=False,
    )
    out = done.stdout.decode("ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "mean +/- s.e." in out and "random x3" in out and "L\\xe4ufe" in out
    assert (tmp_path / "Läufe" / "manifest.json").exists()
