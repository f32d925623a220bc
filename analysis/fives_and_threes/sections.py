"""The report's chapters on Fives and Threes: the opening tile, the start, points, matches, line-ups."""

from collections.abc import Iterator, Sequence

from analysis.document import Block, Section, Text, distribution_formats, listing, picture
from analysis.fives_and_threes import figures, openings, scores, start
from analysis.fives_and_threes.answers import opening_answer, start_answer, target_answer
from analysis.fives_and_threes.open_hands.sections import played_section
from analysis.fives_and_threes.openings import Study
from analysis.ladder.sections import chapters as ladder_chapters
from analysis.provenance import labels, line_up
from analysis.wording import open_question
from sim.book.book import Book
from sim.fives_and_threes.options import all_hands
from sim.ladder.ladder import Ladder
from sim.results import Run

_POINTS = {
    "run": ("run", "text"),
    "phase": ("rounds", "text"),
    "place": ("place", "text"),
    "points": ("points", "number"),
    "low high": ("95% interval", "number"),
    "out": ("goes out", "percent"),
    "rounds": ("n rounds", "count"),
}
_ADVANTAGE = {
    "run": ("run", "text"),
    "phase": ("rounds", "text"),
    "advantage": ("points above the others", "signed"),
    "low high": ("95% interval", "signed"),
    "rounds": ("n rounds", "count"),
}
_WINS = {
    "run": ("run", "text"),
    "place": ("place at the first round", "text"),
    "share": ("matches won", "percent"),
    "low high": ("95% interval", "percent"),
    "fair": ("fair share", "percent"),
    "n": ("n matches", "count"),
}
_SIDES = {
    "run": ("run", "text"),
    "side": ("side", "text"),
    "strategy": ("strategy", "text"),
    "share": ("matches won", "percent"),
    "low high": ("95% interval", "percent"),
    "lead": ("lead in points a round", "signed"),
    "lead_low lead_high": ("95% interval of the lead", "signed"),
    "n": ("n matches", "count"),
}
_TOTALS = {
    "total": ("count", "text"),
    "points": ("points", "text"),
    "placements": ("tiles placed", "count"),
    "share": ("share", "percent"),
    "low high": ("95% interval", "percent"),
    "dropped": ("events dropped", "count"),
}
_LENGTH = {
    "run": ("run", "text"),
    "rounds": ("rounds a match", "number"),
    "rounds_low rounds_high": ("95% interval", "number"),
    "sd": ("standard deviation", "number"),
    "median": ("median", "text"),
    "most": ("19 of 20 within", "text"),
    "turns": ("turns a match", "number"),
    "matches": ("n matches", "count"),
}
_COSTS = {
    "run": ("run", "text"),
    "measure": ("measure", "text"),
    "value": ("value", "number"),
    "low high": ("95% interval", "number"),
    "matches": ("n matches", "count"),
}
_NEAR = {
    "run": ("run", "text"),
    "lacking": ("points short", "text"),
    "rounds": ("rounds begun so", "count"),
    "share": ("share", "percent"),
    "low high": ("95% interval", "percent"),
    "a_match": ("a match", "number"),
}
_ENDINGS = {
    "run": ("run", "text"),
    "phase": ("rounds", "text"),
    "ending": ("ending", "text"),
    "share": ("share", "percent"),
    "low high": ("95% interval", "percent"),
    "n": ("n rounds", "count"),
}
_TILES = {
    "tile": ("tile", "text"),
    "points": ("scores now", "text"),
    "value": ("value", "signed"),
    "edge": ("above its hand", "signed"),
    "edge_low edge_high": ("95% interval", "signed"),
    "best_on": ("best of its hand, about", "percent"),
    "hands": ("n hands", "count"),
}
_POLICIES = {
    "policy": ("policy", "text"),
    "value": ("value", "signed"),
    "cost": ("cost", "number"),
    "cost_low cost_high": ("95% interval of the cost", "number"),
}


def sections(results: Sequence[Run | Ladder]) -> list[Section]:
    """Return the chapters on results of Fives and Threes.

    Parameters
    ----------
    results : sequence of Run or Ladder
        The first run with an opening study gives the answer; of each number of players the first one with
        rounds gives the distributions; all with equal strategies tell what the start is worth, the others
        who beats whom. The ladders that are given are shown, or the shipped ones beside runs by their rules.

    Raises
    ------
    ValueError
        If an opening book is among them, or nothing was played on a ladder.
    """
    if any(isinstance(result, Book) for result in results):
        raise ValueError(
            "an opening book of Fives and Threes has no chapter in a report: give runs or ladders"
        )
    runs = [result for result in results if isinstance(result, Run)]
    ladders = [result for result in results if isinstance(result, Ladder)]
    played = [run for run in runs if run.units]
    studied = [openings.opening_study(run) for run in runs if run.hands]
    chapters = [Section("Which tile to open?", tuple(_answer(runs, studied)))] if runs else []
    chapters += ladder_chapters(ladders, runs)
    if played:
        leading = list({run.rules.players: run for run in reversed(played)}.values())[::-1]
        whole = [run for run in leading if run.rules.target is not None]
        equal = [run for run in played if len(set(run.strategies)) == 1]
        chapters.append(Section("The start", tuple(_start_blocks(equal or leading))))
        chapters.append(Section("Points and endings", tuple(_point_blocks(leading))))
        if whole:
            chapters.append(Section("Matches and the exact target", tuple(_match_blocks(whole))))
        unequal = [run for run in played if run not in equal]
        if unequal:
            chapters.append(Section("Who beats whom", tuple(_side_blocks(unequal, equal))))
        chapters += played_section(played)
    chapters += [
        Section(f"Opening tiles: {label}", tuple(_opening_blocks(found)))
        for label, found in zip(_labels(studied), studied, strict=True)
    ]
    return chapters


def _labels(studied: Sequence[Study]) -> list[str]:
    return labels([found.run for found in studied]) if studied else []


def _answer(runs: Sequence[Run], studied: Sequence[Study]) -> Iterator[Block]:
    if not studied:
        yield from open_question(runs[0])
        return
    first, *more = opening_answer(studied[0])
    yield Text(first, emphasis=True)
    yield from (Text(text) for text in more)
    yield from (Text(" ".join(opening_answer(found))) for found in studied[1:])
    yield Text(
        f"So it is between players of the strategy {line_up(studied[0].run)}, for a round alone without a"
        " target: values are points of the starter's side minus the mean of the others. Intervals are 95%."
        " For a hand of yours: dealworth advise fives-and-threes '6|6 5|4 …'."
    )


def _start_blocks(runs: Sequence[Run]) -> Iterator[Block]:
    first, *more = start_answer(runs)
    yield Text(first, emphasis=True)
    yield from (Text(text) for text in more)
    advantage, wins = start.start_advantage(runs), start.match_wins_by_place(runs)
    yield picture(
        figures.draw_start_advantage, advantage, "The starter's side against the others, round by round."
    )
    if len(wins):
        yield picture(
            figures.draw_match_wins_by_place,
            wins,
            "Matches won by place at the first round.",
        )
    yield Text(
        "The start moves on round by round, so that a match evens most of it out. Near the target rounds are"
        " cut short by a win, which is why later rounds differ from first ones."
    )
    yield listing(advantage, _ADVANTAGE, "Paired within matches, clustered by match.")
    yield listing(wins, _WINS, "Whole matches; Wilson intervals.")
    yield listing(start.points_by_place(runs), _POINTS, "Mean points a round by place.", True)


def _point_blocks(runs: Sequence[Run]) -> Iterator[Block]:
    first = runs[0]
    totals = scores.placement_totals(first)
    yield picture(
        figures.draw_placement_totals, totals, f"Counts of the ends over all placements ({line_up(first)})."
    )
    for run in runs:
        caption = f"Points of a side in a round ({line_up(run)})."
        yield picture(figures.draw_round_points, scores.round_points(run), caption)
    endings = scores.round_endings(runs)
    yield picture(figures.draw_round_endings, endings, "Going out, blocked, or won at the target.")
    yield listing(endings, _ENDINGS, "How rounds end; clustered by match.", True)
    yield listing(totals, _TOTALS, "Tiles placed by the count of both ends; exact intervals.", True)
    points = scores.round_points(runs)
    yield listing(points, distribution_formats(("place", "points"), "rounds"), "Rounds by points.", True)


def _match_blocks(runs: Sequence[Run]) -> Iterator[Block]:
    yield Text(target_answer(runs[0]), emphasis=True)
    lengths, near, final = scores.match_lengths(runs), scores.near_target(runs), scores.final_scores(runs)
    yield picture(figures.draw_match_lengths, lengths, "Rounds that a match takes.")
    if len(near):
        yield picture(figures.draw_near_target, near, "Rounds begun by a side fewer than 8 points short.")
    for run in runs:
        caption = f"Scores of those who do not win ({line_up(run)})."
        yield picture(figures.draw_final_scores, scores.final_scores(run), caption)
    yield listing(scores.match_length(runs), _LENGTH, "Length of a match; a turn is a placement or a knock.")
    yield listing(scores.target_costs(runs), _COSTS, "What the exact target costs; clustered by match.")
    yield listing(near, _NEAR, "Rounds begun near the target, by what a side lacks.", True)
    yield listing(lengths, distribution_formats(("rounds",), "matches"), "Matches by rounds.", True)
    yield listing(final, distribution_formats(("place", "score"), "matches"), "Matches by final score.", True)


def _side_blocks(unequal: Sequence[Run], equal: Sequence[Run]) -> Iterator[Block]:
    table = start.side_wins(unequal)
    if table["n"].all():
        yield picture(figures.draw_side_wins, table, "Matches won by the first side of each line-up.")
    yield listing(table, _SIDES, "Matches and points by side; points are paired within matches.")
    if equal:
        yield Text("A check: between equal strategies no player number may be favoured.")
        yield listing(start.side_wins(equal), _SIDES, "The same between equal strategies.", True)


def _opening_blocks(found: Study) -> Iterator[Block]:
    run = found.run
    tiles, policies = openings.opening_tiles(found), openings.opening_policies(found)
    every = run.hands == all_hands(run.rules)
    yield Text(
        f"To {'every one of all' if every else 'each of'} {run.hands:,} hands the others were dealt"
        f" {run.description['completions']:,} times, and each time every tile of the hand was opened with the"
        " same hidden tiles."
    )
    yield picture(figures.draw_opening_tiles, tiles, "What a tile gains as the opener over its hand's mean.")
    yield picture(figures.draw_opening_shares, tiles, "How often a tile is the best of its hand.")
    yield picture(
        figures.draw_opening_policies, policies, "What habits cost against the best tile of each hand."
    )
    yield listing(
        tiles,
        _TILES,
        "The 28 tiles as openers, the best first; points a round, over hands. How often a tile is the best is"
        " approximate with few deals a hand, and so without an interval.",
    )
    yield listing(
        policies,
        _POLICIES,
        "Simple policies against opening with what is truly best on each hand.",
    )
