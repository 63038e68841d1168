"""`oche hand NAME`: how a player's darts scatter, and where they should aim, from everything that they threw."""

import argparse
import sys
from collections.abc import Iterator
from typing import Final

from daemon.cli.history import open_history
from daemon.history.stored_match import last_state, parsed, players_of
from daemon.record.reader import History
from daemon.system.catalogue import faces, games
from daemon.system.exit_codes import Exit, Failed
from engine import jsontext
from engine.match import Match

MOST_DARTS: Final = 20_000
"""How many of a player's newest darts are read; older ones tell of another hand, because a hand changes."""
FEWEST_DARTS: Final = 30


def hand(arguments: argparse.Namespace) -> int:
    """Fits the hand of a player. Failed without numpy, without a journal, or with too few darts."""
    try:
        from twin import aims
        from twin.fit import fit
        from twin.summary import sentences, summary
    except ImportError as error:
        raise Failed("`oche hand` needs numpy: pip install 'oche[twin]'.") from error
    history = open_history(arguments.data)
    fitted = fit(aims.thrown(_matches(history, arguments.name), arguments.name, MOST_DARTS))
    if fitted is None or fitted.darts < FEWEST_DARTS:
        found = 0 if fitted is None else fitted.darts
        raise Failed(f"{found} darts of {arguments.name} are known, in {arguments.data}: {FEWEST_DARTS} are needed.")
    about = summary(fitted)
    if arguments.json:
        print(jsontext.dump(about | {"player": arguments.name}))
    else:
        sys.stdout.writelines(f"{line}\n" for line in sentences(arguments.name, about))
    return Exit.DONE


def _matches(history: History, name: str) -> Iterator[Match]:
    """The matches with this person, the newest first. Damaged ones and those of games that are gone are left out."""
    for stored in history.all_stored():
        if name not in players_of(stored.row) or name in (parsed(stored.row.bots) or {}):
            continue
        record = history.record(stored.row.id)
        last = None if record is None else last_state(record, games(), faces())
        if last is not None:
            yield last
