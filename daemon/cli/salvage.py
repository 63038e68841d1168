"""`oche salvage`: writes what is whole in a journal to a folder, also if SQLite and the daemon refuse the journal.

It only reads the data directory; a daemon can be running there.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from daemon.record.journal_file import make_folder
from daemon.record.salvage import Saved, SavedMatch, salvage

REPORT: Final = "report.json"
_ID: Final = re.compile(r"[0-9a-z][0-9a-z-]{0,63}")


def run_salvage(arguments: argparse.Namespace) -> int:
    """Returns 1 if something is damaged, or nothing could be read or written."""
    out: Path = arguments.out
    try:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            print(f"{out} exists and is not an empty folder. Name another one.", file=sys.stderr)
            return 1
        saved = salvage(arguments.data)
    except FileNotFoundError:
        print(f"There is no journal in {arguments.data}. Name the data directory with --data.", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"The journal in {arguments.data} cannot be read: {error.strerror}.", file=sys.stderr)
        return 1
    try:
        make_folder(out)
        report = _written(saved, out)
    except OSError as error:
        print(f"{out} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    for entry in report["matches"]:
        if "damaged" in entry:
            where = f"from action {entry['first_bad_action']} on" if entry["first_bad_action"] else "in its own row"
            said = f"The match {entry['id']} is damaged {where}; {entry['actions']} actions were written."
            print(said, file=sys.stderr)
    for problem in saved.problems:
        print(problem, file=sys.stderr)
    whole = sum(match.bad is None for match in saved.matches)
    print(f"{out}: {whole} of {len(saved.matches)} matches are whole; {REPORT} says what is not.")
    return 1 if saved.damaged else 0


def _written(saved: Saved, out: Path) -> dict[str, Any]:
    matches = [_match(match, n, out) for n, match in enumerate(saved.matches, 1)]
    report = {
        "damaged": saved.damaged,
        "problems": saved.problems,
        "matches": matches,
        "boards": saved.boards,
        "hits": saved.hits,
        "replies": saved.counts["command"],
        "states": saved.counts["snapshot"],
    }
    (out / REPORT).write_text(json.dumps(report, indent=1) + "\n")
    return report


def _match(match: SavedMatch, number: int, out: Path) -> dict[str, Any]:
    """Writes what is whole of one match; returns its entry in the report."""
    name = match.id if _ID.fullmatch(match.id) else f"match-{number}"
    # Without its header it is not a match file and cannot be replayed.
    file = f"{name}.jsonl" if match.row is not None else f"{name}.actions.jsonl"
    header = [] if match.row is None else [match.row.header]
    (out / file).write_text("\n".join([*header, *match.lines, ""]))
    about: dict[str, Any] = {"id": match.id, "file": file, "actions": len(match.lines)}
    if match.bad is not None:
        return about | {"damaged": True, "first_bad_action": match.bad}
    return about if match.checked else about | {"checked": False}
