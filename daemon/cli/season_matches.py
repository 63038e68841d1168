"""The matches of a season for `oche season results`: those of the journal, or the lines of `oche hall matches`."""

import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from daemon.cli.history import open_history
from daemon.history.stored_match import last_state
from daemon.system.catalogue import faces, games
from daemon.system.error_text import error_text
from daemon.system.urls import UsageError
from engine.refusals import Refusal
from league.season_matches import PlayedMatch, evening_of, played_from_json, played_from_view


def of_journal(folder: Path, since: date) -> Iterator[PlayedMatch]:
    """The finished matches of two sides in a data directory. Damaged ones are left out, and named on stderr."""
    history = open_history(folder)
    for stored in reversed(history.all_stored()):
        if stored.row.result != "finished" or (day := evening_of(stored.row.started)) < since:
            continue
        record = history.record(stored.row.id)
        match = None if record is None else last_state(record, games(), faces())
        if match is None or not match.finished:
            print(f"The match {stored.row.id} cannot be read, and does not count.", file=sys.stderr)
            continue
        winners = match.game.winners(match.state) or ()
        players = [player | {"won": player["name"] in winners} for player in match.view()["players"]]
        if (found := played_from_view(day, {"players": players})) is not None:
            yield found


def of_file(name: str, since: date) -> Iterator[PlayedMatch]:
    """The matches in a file, one a line; `-` is the input. UsageError names the first line that is not a match."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name} cannot be read: {error_text(error)}.") from error
    for number, line in enumerate(text.splitlines(), 1):
        try:
            found = played_from_json(json.loads(line))
        except (ValueError, RecursionError):
            found = Refusal("bad_value", "This is not JSON.")
        if isinstance(found, Refusal):
            raise UsageError(f"{name}, line {number}: {found.message}")
        if found.day >= since:
            yield found
