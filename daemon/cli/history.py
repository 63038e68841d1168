"""`oche matches`, `oche export` and `oche forget`: the matches in the journal.

The daemon can be running, except for `oche forget`: only one process can write to the journal.
"""

import argparse
import asyncio
import contextlib
import sys
from pathlib import Path

from daemon.history.answers import MatchInfo
from daemon.history.archive import Archive
from daemon.history.forgetting import has_namesake, without_player
from daemon.history.stored_match import describe
from daemon.houses.invitations import Invitations
from daemon.mqtt.broker import FOLDER as BROKER
from daemon.mqtt.mosquitto import MEMORY
from daemon.people import cards, hand_files, player_files
from daemon.record.journal import Journal
from daemon.record.journal_file import DATABASE_ERRORS, InUse, JournalError, unreadable
from daemon.record.reader import History, damage_of
from daemon.record.rescue import kept_aside
from daemon.shipping.forgetting import forgetting_at_hall
from daemon.system.catalogue import faces, games
from daemon.system.colours import is_screen
from daemon.system.exit_codes import Failed
from daemon.system.progress import progress
from daemon.tournament import forgetting as tournament_names
from engine import jsontext
from engine.refusals import Refusal


def matches(arguments: argparse.Namespace) -> int:
    """Lists the matches, the newest first."""
    history = open_history(arguments.data)
    if not history.matches():
        print(f"No match was played in {arguments.data} yet.", file=sys.stderr)
    for stored in history.all_stored():
        record = history.record(stored.row.id)
        about = describe(stored, 1 if record is None else record.bad)
        print(jsontext.dump(about) if arguments.json else _line(about))
    for match_id in history.orphans():
        print(f"There are actions of a match {match_id} that is gone; the match is damaged.", file=sys.stderr)
    return 0


def _line(about: MatchInfo) -> str:
    who = ", ".join(about["players"])
    end = "going on" if "ended" not in about else f"won by {', '.join(map(str, about.get('winners', [])))}"
    end = "stopped" if about.get("result") == "stopped" else end
    end += f"; damaged from action {about['first_bad_action']} on" if "damaged" in about else ""
    end += "; not checked" if "checked" in about else ""
    when = about["started"][:16].replace("T", " ")
    return f"{about['id']}  {when}  {about['board']}  {about['game']}: {who} ({end})"


def export(arguments: argparse.Namespace) -> int:
    """Prints one match as a match file."""
    history = open_history(arguments.data)
    record = history.record(arguments.id)
    if record is None:
        print(f"There is no match {arguments.id!r}; `oche matches` lists them.", file=sys.stderr)
        return 1
    if (damage := damage_of(record)) is not None:
        print(f"{damage.message} `oche salvage OUT` writes what is whole of it.", file=sys.stderr)
        return 1
    # On a terminal the match itself shows the progress.
    quiet = is_screen(sys.stdout)
    with contextlib.nullcontext() if quiet else progress(f"Match {arguments.id}", len(record.lines)) as done:
        print(record.stored.row.header)
        for number, line in enumerate(record.lines, 1):
            print(line)
            if done is not None:
                done(number)
    return 0


def forget(arguments: argparse.Namespace) -> int:
    """Removes a player's name from every match."""
    open_history(arguments.data)
    try:
        journal = Journal(arguments.data)
    except InUse:
        print("The daemon is running; forget the player on its page /players, or stop it first.", file=sys.stderr)
        return 1
    except JournalError as error:
        print(error, file=sys.stderr)
        return 1
    try:
        archive = Archive(journal, games(), faces())
        changes = without_player(arguments.name, journal, games(), faces())
        shared = has_namesake(arguments.name, journal)
        files = [] if shared else player_files.files_of(arguments.data, arguments.name)
        files += hand_files.files_of(arguments.data, arguments.name)
        files += cards.files_of(arguments.data, arguments.name)
        files += tournament_names.naming(arguments.data, arguments.name)
        invitations = Invitations(arguments.data)
        if isinstance(changes, Refusal) or not (changes or files or invitations.names(arguments.name)):
            nobody = f"Nobody called {arguments.name} has played here."
            print(changes.message if isinstance(changes, Refusal) else nobody, file=sys.stderr)
            return 1
        if changes:
            with forgetting_at_hall(arguments.data, arguments.name):
                asyncio.run(journal.write(*changes))
        # After the journal: a file that cannot be removed must not keep the name in every match.
        stay = [] if shared else player_files.forget(arguments.data, arguments.name)
        stay += hand_files.forget(arguments.data, arguments.name)
        stay += cards.revoke(arguments.data, arguments.name)
        try:
            invitations.forget(arguments.name)
        except OSError:
            stay.append(invitations.path)
        entered = tournament_names.forget(arguments.data, arguments.name)
        stay += entered.stay
        archive.tidy()
        # The broker's file has the last states with the name; the next start publishes them again.
        (arguments.data / BROKER / MEMORY).unlink(missing_ok=True)
    finally:
        journal.close()
    where = f"{len(changes)} match{'' if len(changes) == 1 else 'es'}"
    if number := len(entered.contents):
        where += f" and {number} tournament{'' if number == 1 else 's'}"
    print(f"{arguments.name} is forgotten in {where}.")
    for aside in kept_aside(arguments.data):
        print(f"{aside.message} It may name {arguments.name}.", file=sys.stderr)
    if stay:
        print(player_files.stays_of(stay, arguments.name), file=sys.stderr)
    return 1 if stay else 0


def open_history(folder: Path) -> History:
    """Returns the journal of a data directory. Raises Failed if it is missing or cannot be read."""
    history = History(folder)
    if not history.path.is_file():
        raise Failed(f"There is no journal in {folder}: nothing was played there. Name another with --data.")
    try:
        history.matches()
    except DATABASE_ERRORS as error:
        raise Failed(unreadable(history.path, str(error))) from error
    return history
