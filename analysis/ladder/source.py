"""Where the numbers of a ladder come from, for the last chapter of a report."""

from analysis.document import Source
from analysis.ladder.gains import ladder_command
from analysis.provenance import counted, rules_text
from sim.ladder.ladder import Ladder


def ladder_source(ladder: Ladder) -> Source:
    """Describe a ladder as the source of numbers."""
    plan = ladder.plan
    players = {"Rungs": plan.strategies, "Challengers": plan.challengers}
    return Source(
        f"ladder of {len(plan.strategies)}",
        {
            "Rules": rules_text(plan.rules),
            **{role: ", ".join(one.name for one in listed) for role, listed in players.items() if listed},
            "Seed": str(plan.seed),
            "Played": f"{ladder.extent}, in {counted(len(plan.cells), 'pair')} and"
            f" {counted(len(ladder.tables), 'table')} of the same",
        },
        ladder_command(ladder),
        ladder.versions,
    )
