"""`oche matches` and `oche export`: what was played, from the journal; the daemon may be running or not."""

import argparse
import json
import sqlite3
import sys
from pathlib import Path

from daemon.history import History, MatchRow
from engine import jsontext


def matches(arguments: argparse.Namespace) -> int:
    """Lists the matches, the newest first."""
    history = _history(arguments.data)
    if history is None:
        return 0
    for row, count in history.matches():
        header = json.loads(row.header)
        if arguments.json:
            print(jsontext.dump(_about(row, header, count)))
        else:
            who = ", ".join(header["players"])
            end = "going on" if row.ended is None else f"won by {', '.join(json.loads(row.winners or '[]'))}"
            end = "stopped" if row.result == "stopped" else end
            print(f"{row.id}  {row.started[:16].replace('T', ' ')}  {row.board}  {header['game']}: {who} ({end})")
    return 0


def export(arguments: argparse.Namespace) -> int:
    """Prints one match as a match file."""
    history = _history(arguments.data)
    row = None if history is None else history.match(arguments.id)
    if history is None or row is None:
        print(f"There is no match {arguments.id!r}; `oche matches` lists them.", file=sys.stderr)
        return 1
    print(row.header)
    for line in history.actions(row.id):
        print(line)
    return 0


def _history(folder: Path) -> History | None:
    history = History(folder)
    if not history.path.is_file():
        return None
    try:
        history.matches()
    except sqlite3.Error as error:
        raise SystemExit(f"The journal {history.path} cannot be read: {error}.") from error
    return history


def _about(row: MatchRow, header: dict[str, object], count: int) -> dict[str, object]:
    about = {"id": row.id, "board": row.board, "started": row.started, "actions": count}
    end = {} if row.ended is None else {"ended": row.ended, "result": row.result}
    won = {} if row.winners is None else {"winners": json.loads(row.winners)}
    return about | {"game": header["game"], "players": header["players"], "options": header["options"]} | end | won
