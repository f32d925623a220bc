"""Every option of the command line. Nothing heavy is imported here, so that ``--help`` is instant.

A configuration file is turned into the words that would have been typed, and both are read by the same
parser: names, spellings and complaints are the same, and what was typed wins.
"""

import argparse
import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis.cli.values import (
    from_zero,
    job_count,
    path,
    picture,
    positive,
    setting,
    signed,
    three_numbers,
    whole,
)

UNITS = ("deal", "round")
"""What games count; a game accepts the options of its own unit only."""

RULE_OPTIONS = ("players", "deals_per_match")
"""Rules that have an option of their own."""

_EXTENT = ("deals", "rounds", "matches")


class Parser(argparse.ArgumentParser):
    """Parser that raises its complaints, for the one place that prints them, and completes no names."""

    def __init__(self, **kwargs: Any):
        super().__init__(allow_abbrev=False, **kwargs)

    def error(self, message: str) -> Any:
        """Raise a complaint as ``ValueError`` in place of printing usage and leaving."""
        raise ValueError(message)


def parse(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read a command line, and the configuration file that it names.

    Returns
    -------
    Namespace
        Options that were not given are None.

    Raises
    ------
    ValueError
        If a word is not understood.
    """
    args = _command_line().parse_args(words)
    _refuse_twice(args)
    if getattr(args, "config", None) is not None:
        _fill(args, read_config(args.config))
    return args


def _refuse_twice(args: argparse.Namespace) -> None:
    """Refuse a rule that is given twice, by ``--rules`` or by an option of its own."""
    given = [name for name, _ in getattr(args, "rules", None) or ()]
    given += [name for name in RULE_OPTIONS if getattr(args, name, None) is not None]
    for name in given:
        if given.count(name) > 1:
            raise ValueError(f"rule {name!r} is given twice")


_SWITCHES = ("rows", "force", "check", "json")
_LISTS = ("strategy", "rules")


def read_config(file: str) -> argparse.Namespace:
    """Read the options of ``simulate`` from a TOML file; strategies as a list, rules as a table.

    Raises
    ------
    ValueError
        If the file cannot be read, or a key or value is not valid.
    """
    try:
        content = tomllib.loads(Path(file).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ValueError(f"cannot read {file!r}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{file!r} is no TOML file: {error}") from None
    except RecursionError:
        raise ValueError(f"{file!r} is no TOML file: nested too deeply") from None
    options = _run_options()
    valid = sorted(name.replace("_", "-") for name in vars(options.parse_args([])))
    words, seen = [], set()
    for key, value in content.items():
        name = key.replace("_", "-")
        if name not in valid:
            raise ValueError(f"{file!r}: no option {key!r}: valid are {', '.join(valid)}")
        if name in seen:
            raise ValueError(f"{file!r}: option {key!r} is given twice")
        seen.add(name)
        words += _typed(file, name, value)
    try:
        args = options.parse_args(words)
        _refuse_twice(args)
        return args
    except ValueError as error:
        raise ValueError(f"{file!r}: {error}") from None


def _typed(file: str, key: str, value: Any) -> list[str]:
    """Return the words that one entry of a configuration file stands for."""
    if (key in _SWITCHES) != isinstance(value, bool):
        wanted = "true or false is needed" if key in _SWITCHES else "a value is needed, not a switch"
        raise ValueError(f"{file!r}: {key} = {json.dumps(value)}: {wanted}")
    if isinstance(value, bool):
        return [f"--{key}" if value else f"--no-{key}"]
    if isinstance(value, dict):
        return [f"--{key}={name}={item}" for name, item in value.items()]
    if isinstance(value, list) and (not value or key not in _LISTS):
        raise ValueError(f"{file!r}: {key} = {value!r}: one value is needed")
    return [f"--{key}={item}" for item in (value if isinstance(value, list) else [value])]


def _fill(args: argparse.Namespace, config: argparse.Namespace) -> None:
    """Take from the file what was not typed; rules are merged, one typed extent displaces another."""
    typed_extent = any(getattr(args, name, None) is not None for name in _EXTENT)
    typed = {name for name, _ in args.rules or ()}
    typed |= {name for name in RULE_OPTIONS if getattr(args, name) is not None}
    for name, value in vars(config).items():
        if name == "rules":
            args.rules = [rule for rule in value or () if rule[0] not in typed] + (args.rules or []) or None
        elif name in RULE_OPTIONS and name in typed:
            continue
        elif getattr(args, name, None) is None and not (typed_extent and name in _EXTENT):
            setattr(args, name, value)


def _command_line() -> Parser:
    parser = Parser(
        prog="dealworth",
        description="What a decision is worth in a game of cards or dominoes, by playing it out many times.",
        epilog="`dealworth COMMAND --help` explains a command; `dealworth strategies` lists the games.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    _add_simulate(commands)
    _add_replay(commands)
    _add_solve(commands)
    _add_report(commands)
    _add_advise(commands)
    _add_book(commands)
    _add_ladder(commands)
    _add_equity(commands)
    _add_strategies(commands)
    _add_bench(commands)
    return parser


class _Version(argparse.Action):
    """Look the version up only if it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"dealworth {version('dealworth')}")
        except PackageNotFoundError:
            print("dealworth, not installed")
        parser.exit()


_ONE_A_PLAYER = "one for all, or one a player; PLAY, PLAY+TRUMP or PLAY:weight=1.5 (default heuristic)"
_CHECK = "check every index of the compiled game against its array; slow, and compiled by itself"
_RUNGS = "the rungs, each as PLAY, PLAY+TRUMP or PLAY:weight=1.5 (default: the usual ones)"


def _game_options(strategies: str = _ONE_A_PLAYER) -> Parser:
    """Options that say how a game is played."""
    options = Parser(add_help=False)
    group = options.add_argument_group("the game")
    group.add_argument("--players", type=whole, metavar="P", help="how many, where the rules leave a choice")
    group.add_argument(
        "--deals-per-match", type=whole, metavar="L", help="length of a match, where the rules fix one"
    )
    group.add_argument("--seed", type=from_zero, metavar="S", help="fixes every card (default 1)")
    group.add_argument(
        "--strategy",
        nargs="+",
        action="extend",
        metavar="NAME",
        help=strategies,
    )
    group.add_argument(
        "--rules",
        nargs="+",
        action="extend",
        type=setting,
        metavar="KEY=VALUE",
        help="options of the rulebook that differ from its defaults",
    )
    return options


def _run_options() -> Parser:
    """Options of ``simulate`` that a configuration file may hold as well."""
    options = Parser(add_help=False, parents=[_game_options()])
    extent = options.add_argument_group("how much")
    extent.add_argument(
        "--matches",
        type=whole,
        metavar="N",
        help="whole matches to play (default 10,000; where players think 2,000 or 100)",
    )
    extent.add_argument("--deals", type=whole, metavar="N", help="deals to count, exactly; also 9e6")
    extent.add_argument(
        "--rounds", type=whole, metavar="N", help="rounds to play alone, scored without a target"
    )
    extent.add_argument(
        "--hands",
        type=from_zero,
        metavar="H",
        help="hands of the option study: every option on common deals"
        " (default 1000; where players think 100 or 20; 0 for none)",
    )
    extent.add_argument(
        "--completions",
        type=whole,
        metavar="C",
        help="deals for each of them (default 64; where players think 32 or 8)",
    )
    group = options.add_argument_group("the run")
    _add_jobs(group)
    group.add_argument("--out", type=path, metavar="DIR", help="run folder (default results/GAME-DATE-TIME)")
    switch = argparse.BooleanOptionalAction
    group.add_argument("--rows", action=switch, help="also keep one row a deal or round, as parquet")
    group.add_argument("--force", action=switch, help="replace a run folder that exists")
    group.add_argument("--check", action=switch, help=_CHECK)
    group.add_argument("--json", action=switch, help="print one JSON object")
    return options


def _add_jobs(options: Any) -> None:
    options.add_argument(
        "--jobs", type=job_count, metavar="J", help="work at the same time (default -1: one a core)"
    )


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="the same options as TOML; what is typed wins")


def _add_game(parser: argparse.ArgumentParser, **more: Any) -> None:
    parser.add_argument("game", metavar="GAME", help="such as three-two-five", **more)


def _add_simulate(commands: Any) -> None:
    parser = commands.add_parser(
        "simulate",
        parents=[_run_options()],
        usage="dealworth simulate GAME [options]",
        help="play many deals and keep the counters",
        description="Play many deals, keep the counters in a run folder and show what they say.",
        epilog="example: dealworth simulate three-two-five --deals 9e6 --strategy heuristic random random",
    )
    _add_game(parser)
    _add_config(parser)
    parser.add_argument(
        "--resume", type=path, metavar="DIR", help="go on with the interrupted run in this folder"
    )


def _add_replay(commands: Any) -> None:
    parser = commands.add_parser(
        "replay",
        parents=[_game_options()],
        usage="dealworth replay GAME [options]",
        help="show single deals, card by card",
        description="Show deals card by card: the very ones that a run with the same options counts.",
    )
    _add_game(parser)
    _add_config(parser)
    parser.add_argument("--run", metavar="DIR", help="take the options of the run in this folder")
    parser.add_argument("--match", type=from_zero, metavar="M", help="number of the match (default 0)")
    for unit in UNITS:
        parser.add_argument(f"--{unit}", type=from_zero, metavar="D", help=f"only this {unit} of a match")
    parser.add_argument("--count", type=whole, metavar="N", help="matches from M on (default 1)")
    parser.add_argument("--check", action="store_true", default=None, help=_CHECK)
    parser.add_argument("--json", action="store_true", help="print one record a line")


def _add_solve(commands: Any) -> None:
    parser = commands.add_parser(
        "solve",
        usage="dealworth solve RECORD [options]",
        help="show what each card or tile was worth",
        description="Solve deals of 3-2-5 and rounds of Fives and Threes with all hands open: of each card or"
        " tile played, what its player was sure of after it, and after the best one; of one position, what"
        " every choice is worth.",
        epilog="example: dealworth replay three-two-five --json | dealworth solve - --deal 3 --trick 4",
    )
    parser.add_argument(
        "record",
        metavar="RECORD",
        help="file of records, one a line, as `replay GAME --json` prints them, or - for standard input; one"
        " made by hand needs of 3-2-5 trump, hands, dealer or leader, and tricks played so far; of Fives and"
        " Threes game, hands, starter, and moves made so far",
    )
    which = parser.add_argument_group("which records and positions")
    which.add_argument("--line", type=whole, metavar="N", help="only the record on this line, from 1")
    which.add_argument("--match", type=from_zero, metavar="M", help="only records of this match")
    which.add_argument("--deal", type=from_zero, metavar="D", help="3-2-5: only this deal of a match")
    which.add_argument("--trick", type=whole, metavar="T", help="3-2-5: one position of this trick, from 1")
    which.add_argument(
        "--card", type=whole, metavar="C", help="3-2-5: which card of it, 1 to 3 (default 1: the lead)"
    )
    which.add_argument(
        "--round", type=from_zero, metavar="R", help="Fives and Threes: only this round of a match"
    )
    which.add_argument(
        "--move", type=whole, metavar="N", help="Fives and Threes: one position, by its move in the replay"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a record")


def _add_report(commands: Any) -> None:
    parser = commands.add_parser(
        "report",
        usage="dealworth report (DIR [DIR ...] | --standard) [--out FILE]",
        help="write figures and tables of runs as one HTML page",
        description="Write one HTML page that needs nothing else, with figures and tables of the runs.",
    )
    parser.add_argument(
        "folders", nargs="*", metavar="DIR", help="folder of a run, an opening book or a ladder"
    )
    parser.add_argument(
        "--standard",
        action="store_true",
        help="play the usual line-ups now, one to two minutes, and report on them",
    )
    parser.add_argument("--out", type=path, metavar="FILE", help="where (default results/report.html)")


def _add_advise(commands: Any) -> None:
    parser = commands.add_parser(
        "advise",
        parents=[_game_options()],
        usage="dealworth advise GAME HAND [options]",
        help="rank what can be done with a hand",
        description="Rank what can be done with a hand, with the loss against the best and how sure it is.",
        epilog="example: dealworth advise fives-and-threes '6|6 5|4 3|1 2|2 0|5 1|1 4|6'",
    )
    _add_game(parser)
    parser.add_argument(
        "hand", nargs="+", metavar="HAND", help="cards as AS TD 9h, tiles as '6|5' or 6-5; quoted or not"
    )
    parser.add_argument(
        "--precision",
        type=positive,
        metavar="E",
        help="standard error to stop at, where no book has the answer (default 0.02; of nested players 0.1)",
    )
    _add_jobs(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_book(commands: Any) -> None:
    parser = commands.add_parser(
        "book",
        parents=[_game_options()],
        usage="dealworth book GAME [options]",
        help="value every option of every opening hand",
        description="Compare the options of every opening hand to a stated precision, and keep the table.",
        epilog="example: dealworth book three-two-five --precision 0.05 --rules scoring=surplus",
    )
    _add_game(parser)
    extent = parser.add_argument_group("how much")
    extent.add_argument(
        "--precision",
        type=positive,
        metavar="E",
        help="standard error of best against second, and in 3-2-5 at most of call against reveal"
        " (default 0.02, in Fives and Threes 0.03)",
    )
    extent.add_argument(
        "--budget", type=whole, metavar="N", help="most play-outs; they go to hands that are close"
    )
    extent.add_argument(
        "--every", type=whole, metavar="K", help="only every K-th class of hands: a quick look"
    )
    extent.add_argument(
        "--debts",
        type=three_numbers,
        metavar="F,T,W",
        help="3-2-5: pulls of five, three and two in a later deal, negative if suffered: --debts=-2,1,1",
    )
    group = parser.add_argument_group("the book")
    _add_jobs(group)
    group.add_argument(
        "--out", type=path, metavar="DIR", help="its folder (default results/book-GAME-DATE-TIME)"
    )
    group.add_argument(
        "--resume", type=path, metavar="DIR", help="go on with the interrupted book in this folder"
    )
    group.add_argument("--force", action="store_true", default=None, help="replace a book that exists")
    group.add_argument("--json", action="store_true", help="print one JSON object")


def _add_ladder(commands: Any) -> None:
    parser = commands.add_parser(
        "ladder",
        parents=[_game_options(_RUNGS)],
        usage="dealworth ladder [GAME] [options]",
        help="rank strategies by playing each against others of every other",
        description="Play every strategy against others of every other, on the same deals and in all"
        " places, rank them, and see how the product's answers move with the strength of the table.",
        epilog="example: dealworth ladder --strategy first-suit heuristic --challengers random --matches 1e4",
    )
    _add_game(parser, nargs="?", default="three-two-five")
    parser.add_argument(
        "--challengers",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="strategies that only meet the rungs, to see how far it can be exploited; "
        "PLAY+against-RUNG meets that rung alone (default: for the usual rungs, those that answer one)",
    )
    extent = parser.add_argument_group("how much")
    extent.add_argument(
        "--quick", action="store_true", default=None, help="a first look, in less than five minutes"
    )
    extent.add_argument(
        "--matches",
        type=whole,
        metavar="N",
        help="matches of every pair, whatever it costs (default: by the cost of its players)",
    )
    group = parser.add_argument_group("the ladder")
    _add_jobs(group)
    group.add_argument(
        "--out", type=path, metavar="DIR", help="its folder (default results/ladder-GAME-DATE-TIME)"
    )
    group.add_argument(
        "--resume", type=path, metavar="DIR", help="go on with the interrupted ladder in this folder"
    )
    group.add_argument("--force", action="store_true", default=None, help="replace a ladder that exists")
    group.add_argument(
        "--figure", type=picture, metavar="FILE", help="also draw the heat map: a .png, .svg or .pdf file"
    )
    group.add_argument("--json", action="store_true", help="print one JSON object")


def _add_equity(commands: Any) -> None:
    parser = commands.add_parser(
        "equity",
        parents=[_game_options()],
        usage="dealworth equity GAME --score N N [N] [options]",
        help="tell the chance to win a match from where it stands",
        description="Tell the chance to win a match from where it stands, and what points are worth there.",
        epilog="examples: dealworth equity fives-and-threes --score 55 58 --starter other; "
        "dealworth equity three-two-five --score +2 -1 -1 --deals-left 2",
    )
    _add_game(parser)
    where = parser.add_argument_group("where the match stands")
    where.add_argument(
        "--score",
        nargs="+",
        type=signed,
        metavar="N",
        help="Fives and Threes: yours, then the others' clockwise, by side where partners play; 3-2-5: of the"
        " players who sit five, three and two next",
    )
    where.add_argument(
        "--starter",
        metavar="WHO",
        help="who starts the next round: me (default) or other; of three players me, left or right",
    )
    where.add_argument("--deals-left", type=whole, metavar="N", help="deals still to play (default 1)")
    where.add_argument(
        "--debts",
        type=three_numbers,
        metavar="F,T,W",
        help="pulls of five, three and two in the next deal, negative if suffered: --debts=-2,1,1",
    )
    parser.add_argument(
        "--precision",
        type=positive,
        metavar="E",
        help="standard error of a chance that is played (default 0.004; where players think 0.02 or 0.05)",
    )
    group = parser.add_argument_group("a whole table")
    group.add_argument(
        "--table", action="store_true", default=None, help="make the table for all standings, and keep it"
    )
    group.add_argument(
        "--out", type=path, metavar="DIR", help="its folder (default results/equity-GAME-DATE-TIME)"
    )
    group.add_argument(
        "--resume", type=path, metavar="DIR", help="go on with the interrupted table in this folder"
    )
    group.add_argument("--force", action="store_true", default=None, help="replace a table that exists")
    _add_jobs(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_strategies(commands: Any) -> None:
    parser = commands.add_parser(
        "strategies",
        usage="dealworth strategies [GAME] [--json]",
        help="list games and their strategies",
        description="List games and their strategies.",
    )
    _add_game(parser, nargs="?")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_bench(commands: Any) -> None:
    parser = commands.add_parser(
        "bench",
        usage="dealworth bench [GAME ...] [options]",
        help="measure the speed of this machine",
        description="Measure deals and card plays a second, by strategy and number of jobs, beside a C loop.",
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help="such as three-two-five (default: all)")
    for unit in UNITS:
        parser.add_argument(
            f"--{unit}s",
            type=whole,
            metavar="N",
            help=f"{unit}s a repeat (default 1,000,000; where players think 1,000 or 20)",
        )
    parser.add_argument("--repeats", type=whole, metavar="R", help="median of so many (default 5)")
    parser.add_argument(
        "--jobs",
        nargs="+",
        action="extend",
        type=job_count,
        metavar="J",
        help="numbers of jobs (default 1 2)",
    )
    parser.add_argument(
        "--strategy", nargs="+", action="extend", metavar="NAME", help="which (default: the usual ones)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
