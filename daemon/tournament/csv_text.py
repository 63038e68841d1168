"""CSV in and out: a list of entrants, and the matches with their results."""

import csv
import io
from collections.abc import Mapping
from typing import Any, Final

from engine.refusals import Refusal
from league.csv_cells import guarded, head_of, rows_of, unguarded

RESULTS: Final = (
    *("fixture", "stage", "round", "home", "away", "home_legs", "away_legs", "state", "match"),
    *("home_180s", "away_180s"),
)


def results_csv(state: Mapping[str, Any]) -> str:
    """A line for each match, with a head, from the state as it is published."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(RESULTS)
    names = {entrant["number"]: guarded(entrant["name"]) for entrant in state["entrants"]}
    for fixture in state["fixtures"]:
        sides = [names.get(fixture.get(side), "") for side in ("home", "away")]
        score = fixture.get("score", ("", ""))
        about = [fixture["id"], fixture["stage"], fixture["round"], *sides, *score, fixture["state"]]
        writer.writerow([*about, fixture.get("match", ""), *fixture.get("maximums", ("", ""))])
    return text.getvalue()


def entrants_from_csv(text: str) -> list[dict[str, Any]] | Refusal:
    """The commands that enter everybody in a list. Its head names the columns `name`, and `seed` and `players` if
    they are there; a list without a head has a name on each line. `players` of a pair or a team are separated by a
    slash."""
    if isinstance(rows := rows_of(text, "name"), Refusal):
        return rows
    lines = [line for line in rows if any(cell.strip() for cell in line)]
    if not lines:
        return Refusal("bad_value", "The list is empty.")
    head = head_of(lines)
    if "name" not in head:
        head, lines = ["name"], [[], *lines]
    found = []
    for number, line in enumerate(lines[1:], 2):
        row = {column: cell.strip() for column, cell in zip(head, line, strict=False) if cell.strip()}
        if "name" not in row:
            return Refusal("bad_value", f"Line {number} has no name.")
        entry: dict[str, Any] = {"name": unguarded(row["name"])}
        if "seed" in row:
            if not row["seed"].isdecimal():
                return Refusal("bad_value", f"Line {number}: {row['seed'][:20]!r} is not a seed.")
            entry["seed"] = int(row["seed"])
        if "players" in row:
            entry["players"] = [player.strip() for player in row["players"].split("/")]
        found.append({"enter": entry})
    return found
