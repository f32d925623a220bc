"""Wrong and right words on the command line: one line and status 2, or the numbers that were meant."""

import argparse
from pathlib import Path

import pytest

from analysis.cli.arguments import job_count, parse, setting, whole

GAME = "three-two-five"


WRONG = [
    ("", "COMMAND"),
    ("simulat three-two-five", "simulat"),
    ("simulate", "GAME"),
    ("simulate bridge", "bridge"),
    ("simulate three-two-five --speed 9", "--speed"),
    ("simulate three-two-five --deal 9", "--deal"),
    ("simulate three-two-five --deals 0", "'0'"),
    ("simulate three-two-five --deals -3", "'-3'"),
    ("simulate three-two-five --deals 9.5", "'9.5'"),
    ("simulate three-two-five --deals 1,5", "'1,5'"),
    ("simulate three-two-five --deals many", "'many'"),
    ("simulate three-two-five --deals 1e400", "'1e400'"),
    ("simulate three-two-five --deals 1e14", "100000000000000"),
    ("simulate three-two-five --deals", "--deals"),
    ("simulate three-two-five --matches x", "'x'"),
    ("simulate three-two-five --deals 9 --matches 1", "deals or matches"),
    ("simulate three-two-five --rounds 9", "--rounds"),
    ("simulate three-two-five --deals-per-match 10", "multiple of three"),
    ("simulate three-two-five --out ", "a path is needed"),
    ("simulate three-two-five --resume ", "a path is needed"),
    ("replay three-two-five --deal 9", "deals 0 to 8"),
    ("strategies ", "no game ''"),
    ("simulate three-two-five --deals-per-match 0", "'0'"),
    ("simulate three-two-five --seed -1", "'-1'"),
    ("simulate three-two-five --seed luck", "'luck'"),
    ("simulate three-two-five --seed 9223372036854775808", "9223372036854775808"),
    ("simulate three-two-five --strategy genius", "genius"),
    ("simulate three-two-five --strategy random+genius", "genius"),
    ("simulate three-two-five --strategy heuristic:wisdom=1", "wisdom"),
    ("simulate three-two-five --strategy random+always-reveal+never-reveal", "both settle trump"),
    ("simulate three-two-five --strategy heuristic:", "nothing after the ':'"),
    ("simulate three-two-five --strategy random:cover=1", "never reads parameter 'cover'"),
    ("simulate three-two-five --strategy random\x1b[31m", "cannot be printed"),
    ("simulate three-two-five --out new\nline", "name 'new\\nline'"),
    ("simulate three-two-five --out half\udcff", "cannot be printed"),
    ("report half\udcff", "cannot be printed"),
    ("simulate three-two-five --rules pulls=true --rules pulls=false", "rule 'pulls' is given twice"),
    ("simulate three-two-five --rules pulls=true pulls=true", "rule 'pulls' is given twice"),
    (
        "simulate three-two-five --rules deals_per_match=9 --deals-per-match 3",
        "rule 'deals_per_match' is given twice",
    ),
    ("simulate three-two-five --deals 9 --check", "--check needs a process of its own"),
    ("simulate three-two-five --strategy random random", "2 strategies for 3 players"),
    ("simulate three-two-five --strategy", "--strategy"),
    ("simulate three-two-five --rules low", "'low'"),
    ("simulate three-two-five --rules sevens=", "'sevens='"),
    ("simulate three-two-five --rules sevens=high", "high"),
    ("simulate three-two-five --rules jokers=2", "jokers"),
    ("simulate three-two-five --rules pulls=maybe", "maybe"),
    ("simulate three-two-five --rules deals_per_match=10", "10"),
    ("simulate three-two-five --hands -1", "'-1'"),
    ("simulate three-two-five --hands 1e9", "1000000000"),
    ("simulate three-two-five --completions 1", "1"),
    ("simulate three-two-five --jobs 0", "'0'"),
    ("simulate three-two-five --jobs -2", "'-2'"),
    ("simulate three-two-five --jobs two", "'two'"),
    ("simulate three-two-five --jobs 5000", "5000"),
    ("simulate three-two-five --config nothing.toml", "nothing.toml"),
    ("simulate three-two-five --resume nothing", "nothing"),
    ("simulate three-two-five --resume nothing --seed 3", "--seed"),
    ("simulate three-two-five --out no/such\0folder", "cannot be printed"),
    ("replay bridge", "bridge"),
    ("replay three-two-five --match -1", "'-1'"),
    ("replay three-two-five --count 0", "'0'"),
    ("replay three-two-five --deal 9", "deal 9"),
    ("replay three-two-five --round 1", "--round"),
    ("replay three-two-five --run nothing", "nothing"),
    ("replay three-two-five --run nothing --strategy random", "--strategy"),
    ("replay three-two-five --strategy genius", "genius"),
    ("report", "run folders"),
    ("report nothing --standard", "run folders"),
    ("report nothing", "nothing"),
    ("strategies bridge", "bridge"),
    ("bench bridge", "bridge"),
    ("bench --repeats 0", "'0'"),
    ("bench --strategy genius", "genius"),
    ("bench three-two-five --rounds 9", "--rounds"),
    ("bench --jobs none", "'none'"),
]


@pytest.mark.parametrize(("line", "named"), WRONG, ids=[line or "nothing" for line, _ in WRONG])
def test_wrong_input_gives_one_line_status_2_and_leaves_nothing(dealworth, tmp_path, line, named):
    status, out, err = dealworth(*line.split(" ")) if line else dealworth()
    assert status == 2
    assert err.startswith("dealworth: ")
    assert err.count("\n") == 1 and named in err
    assert "{" not in out and not list(tmp_path.iterdir())


WRONG_FILES = [
    ("deals = ", "TOML"),
    ("deals = " + "[" * 5000, "nested too deeply"),
    ("deals_per_match = 3\n[rules]\ndeals_per_match = 6", "rule 'deals_per_match' is given twice"),
    ('speed = "high"', "speed"),
    ('resume = "here"', "resume"),
    ("deals = 1.5", "1.5"),
    ("deals = -9", "-9"),
    ("seed = true", "seed = true"),
    ("deals = [9, 10]", "one value"),
    ("strategy = []", "one value"),
    ('json = "yes"', "true or false"),
    ("deals_per_match = 3\ndeals-per-match = 6", "twice"),
    ('rows = "yes"', "yes"),
    ('strategy = ["random", "genius", "random"]', "genius"),
    ("[rules]\nsevens = 7", "7"),
    ("[rules]\njokers = 2", "jokers"),
    ('rules = "low"', "low"),
]


@pytest.mark.parametrize(("text", "named"), WRONG_FILES)
def test_wrong_configuration_names_what_is_wrong(dealworth, tmp_path, text, named):
    (tmp_path / "run.toml").write_text(text, encoding="utf-8")
    status, out, err = dealworth("simulate", GAME, "--config", "run.toml")
    assert (status, out) == (2, "")
    assert err.startswith("dealworth: ") and err.count("\n") == 1 and named in err
    assert [path.name for path in tmp_path.iterdir()] == ["run.toml"]


def test_a_configuration_may_begin_with_a_byte_order_mark(dealworth, tmp_path):
    words = 'deals = 9\nhands = 0\nstrategy = "random"\nout = "run"\n'
    (tmp_path / "run.toml").write_text(words, encoding="utf-8-sig")
    status, out, err = dealworth("simulate", GAME, "--config", "run.toml")
    assert (status, err) == (0, "") and "9 deals" in out


@pytest.mark.parametrize(
    "name", ["a$b$", "[bold]b[/]", "עברית", "_under", "100%s", "-dash", " lead", "日本", "<b>&"]
)
def test_a_folder_has_the_name_that_was_typed(dealworth, tmp_path, name):
    status, out, _ = dealworth.simulate("--deals", 9, f"--out={name}")
    assert status == 0 and f"folder      {name}\n" in out
    assert (tmp_path / name / "manifest.json").exists()


def test_a_configuration_that_is_no_text_is_named(dealworth, tmp_path):
    (tmp_path / "run.toml").write_bytes(b"\xff\xfe\x00deals")
    assert "run.toml" in dealworth("simulate", GAME, "--config", "run.toml").err


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("9", 9),
        ("9e6", 9_000_000),
        ("9E+6", 9_000_000),
        ("1.5e3", 1500),
        ("9000000.0", 9_000_000),
        ("1_000_000", 1_000_000),
        ("9,000,000", 9_000_000),
        (" 12 ", 12),
    ],
)
def test_whole_numbers_are_read_as_people_write_them(text, number):
    assert whole(text) == number


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "+1", "1,5", "1,50", "12,3456", "1__0", "1e-3", "inf", "nan", "٣"]
)
def test_what_is_no_whole_number_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="whole number from 1"):
        whole(text)


def test_jobs_and_settings_are_read():
    assert [job_count(text) for text in ("-1", "1", "16")] == [-1, 1, 16]
    assert setting(" scoring = surplus ") == ("scoring", "surplus")


def test_strategies_may_be_repeated_or_listed():
    listed = parse(["simulate", GAME, "--strategy", "random", "heuristic", "random"])
    repeated = parse(
        ["simulate", GAME, "--strategy", "random", "--strategy", "heuristic", "--strategy", "random"]
    )
    assert listed.strategy == repeated.strategy == ["random", "heuristic", "random"]


def test_what_is_typed_wins_over_the_file(tmp_path):
    file = tmp_path / "run.toml"
    file.write_text(
        'deals = 9_000\nseed = 7\nstrategy = "random"\nrows = true\nout = "there"\n'
        '[rules]\nsevens = "hearts_high"\nscoring = "surplus"\npulls = false\n',
        encoding="utf-8",
    )
    from_file = parse(["simulate", GAME, "--config", str(file)])
    assert (from_file.deals, from_file.seed, from_file.strategy) == (9000, 7, ["random"])
    assert (from_file.rows, from_file.out, from_file.matches) == (True, "there", None)
    assert dict(from_file.rules) == {"sevens": "hearts_high", "scoring": "surplus", "pulls": "False"}
    words = "--matches 5 --seed 0 --no-rows --strategy heuristic --rules scoring=tricks"
    typed = parse(["simulate", GAME, "--config", str(file), *words.split()])
    assert (typed.deals, typed.matches, typed.seed, typed.rows) == (None, 5, 0, False)
    assert typed.strategy == ["heuristic"]
    assert dict(typed.rules) == {"sevens": "hearts_high", "scoring": "tricks", "pulls": "False"}


def test_a_replay_takes_the_same_file(tmp_path):
    file = tmp_path / "run.toml"
    file.write_text('deals = 20\nseed = 7\njobs = 1\nout = "there"\n', encoding="utf-8")
    args = parse(["replay", GAME, "--config", str(file)])
    assert (args.deals, args.seed, args.deal) == (20, 7, None)


def test_help_of_every_command(dealworth, capsys):
    for command in ("simulate", "replay", "report", "advise", "strategies", "bench"):
        with pytest.raises(SystemExit) as left:
            dealworth(command, "--help")
        assert left.value.code == 0
        assert f"usage: dealworth {command}" in capsys.readouterr().out


def test_version(dealworth, capsys):
    with pytest.raises(SystemExit) as left:
        dealworth("--version")
    assert left.value.code == 0 and capsys.readouterr().out.startswith("dealworth")


def test_an_existing_folder_is_refused_and_replaced_only_by_force(dealworth, tmp_path):
    assert dealworth.simulate("--deals", 9, "--out", "run").status == 0
    before = (tmp_path / "run" / "manifest.json").read_bytes()
    status, out, err = dealworth.simulate("--deals", 18, "--out", "run")
    assert (status, out) == (2, "") and "'run' exists already" in err
    assert (tmp_path / "run" / "manifest.json").read_bytes() == before
    assert dealworth.simulate("--deals", 18, "--out", "run", "--force").status == 0
    assert (tmp_path / "run" / "manifest.json").read_bytes() != before


def test_force_never_replaces_what_is_no_run(dealworth, tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_bytes(b"cat")
    (tmp_path / "file").write_text("text", encoding="utf-8")
    for name in ("photos", "file"):
        status, _, err = dealworth.simulate("--deals", 9, "--out", name, "--force")
        assert status == 2 and repr(name) in err
    assert (tmp_path / "photos" / "cat.png").read_bytes() == b"cat"
    assert [path.name for path in (tmp_path / "photos").iterdir()] == ["cat.png"]


def test_a_complete_run_cannot_be_resumed(dealworth):
    dealworth.simulate("--deals", 9, "--out", "run")
    status, _, err = dealworth("simulate", GAME, "--resume", "run")
    assert status == 2 and "'run' is complete" in err


def test_a_damaged_run_folder_is_named(dealworth, tmp_path):
    dealworth.simulate("--deals", 9, "--out", "run")
    (tmp_path / "run" / "counters.npz").write_bytes(b"nonsense")
    for words in (["replay", GAME, "--run", "run"], ["report", "run"]):
        status, _, err = dealworth(*words)
        assert status == 2 and "run" in err and err.count("\n") == 1


def test_a_report_needs_a_file_to_write_to(dealworth, tmp_path):
    dealworth.simulate("--deals", 9, "--out", "run")
    status, _, err = dealworth("report", "run", "--out", Path("run"))
    assert status == 2 and "'run' is a folder" in err
