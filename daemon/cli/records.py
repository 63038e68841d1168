"""`oche matches`, `oche export` and `oche forget`: what was played, from the journal.

The daemon may be running or not; but to forget somebody takes the journal to write, which one program has at a time.
"""

import argparse
import asyncio
import contextlib
import json
import sqlite3
import sys
from pathlib import Path

from daemon.cli.colours import is_screen
from daemon.cli.exit_codes import Failed
from daemon.cli.progress import progress
from daemon.mqtt.broker import FOLDER as BROKER
from daemon.mqtt.mosquitto import MEMORY
from daemon.record.archive import Archive, describe
from daemon.record.history import History
from daemon.record.journal import Journal
from daemon.record.journal_file import InUse, JournalError
from daemon.shelf import faces, games
from engine import jsontext
from engine.refusals import Refusal


def matches(arguments: argparse.Namespace) -> int:
    """Lists the matches, the newest first."""
    history = _history(arguments.data)
    if not history.matches():
        print(f"No match was played in {arguments.data} yet.", file=sys.stderr)
    for row, count in history.matches():
        header = json.loads(row.header)
        if arguments.json:
            print(jsontext.dump(describe(row, count)))
        else:
            who = ", ".join(header["players"])
            end = "going on" if row.ended is None else f"won by {', '.join(json.loads(row.winners or '[]'))}"
            end = "stopped" if row.result == "stopped" else end
            print(f"{row.id}  {row.started[:16].replace('T', ' ')}  {row.board}  {header['game']}: {who} ({end})")
    return 0


def export(arguments: argparse.Namespace) -> int:
    """Prints one match as a match file."""
    history = _history(arguments.data)
    row = history.match(arguments.id)
    if row is None:
        print(f"There is no match {arguments.id!r}; `oche matches` lists them.", file=sys.stderr)
        return 1
    count = next(count for other, count in history.matches() if other.id == row.id)
    # On a screen the match itself shows how far it is.
    with contextlib.nullcontext() if is_screen(sys.stdout) else progress(f"Match {row.id}", count) as done:
        print(row.header)
        for number, line in enumerate(history.actions(row.id), 1):
            print(line)
            if done is not None:
                done(number)
    return 0


def forget(arguments: argparse.Namespace) -> int:
    """Takes a player's name out of every match."""
    _history(arguments.data)
    try:
        journal = Journal(arguments.data)
    except InUse:
        print("The daemon is running; forget the player on its page /players, or stop it first.", file=sys.stderr)
        return 1
    except JournalError as error:
        print(error, file=sys.stderr)
        return 1
    try:
        changes = Archive(journal, games(), faces()).without(arguments.name)
        if isinstance(changes, Refusal) or not changes:
            nobody = f"Nobody called {arguments.name} has played here."
            print(changes.sentence if isinstance(changes, Refusal) else nobody, file=sys.stderr)
            return 1
        asyncio.run(journal.change(*changes))
        # It has what was shown at the end, and all of that is said anew at the next start.
        (arguments.data / BROKER / MEMORY).unlink(missing_ok=True)
    finally:
        journal.close()
    print(f"{arguments.name} is forgotten in {len(changes)} match{'' if len(changes) == 1 else 'es'}.")
    return 0


def _history(folder: Path) -> History:
    """The journal of a data directory. Failed where there is none, or it cannot be read."""
    history = History(folder)
    if not history.path.is_file():
        raise Failed(f"There is no journal in {folder}: nothing was played there. Name another with --data.")
    try:
        history.matches()
    except sqlite3.Error as error:
        raise Failed(f"The journal {history.path} cannot be read: {error}.") from error
    return history
