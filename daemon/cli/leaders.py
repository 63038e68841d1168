"""`oche leaders`: who leads in the rating, in wins, and in what each game counts."""

import argparse
from datetime import datetime
from typing import Final

from daemon.cli.history import open_history
from daemon.history.answers import LeaderBoard
from daemon.history.archive import Archive
from daemon.history.leaders import period_of
from daemon.system.catalogue import faces, games
from daemon.system.exit_codes import Exit, Failed
from engine import jsontext
from engine.refusals import Refusal

LINES: Final = 3
"""How many players a board has without `--json`."""


def leaders(arguments: argparse.Namespace) -> int:
    """Prints the leaderboards of a period. Failed for another period, and while too many matches are not counted."""
    period = period_of(arguments.period, datetime.now().astimezone())
    if isinstance(period, Refusal):
        raise Failed(f"{arguments.period!r} is not a period: tonight, month, all, or a month like 2026-11.")
    archive = Archive(open_history(arguments.data), games(), faces())
    found = archive.leaders(period)
    if isinstance(found, Refusal):
        raise Failed(f"{found.message} The daemon counts them while it runs.")
    if arguments.json:
        print(jsontext.dump(found))
        return Exit.DONE
    if not found["boards"]:
        print("No match was played to its end in this time.")
    for board in found["boards"]:
        print(f"{board.get('game', 'all games')}: {_figure(board)}")
        for place, line in enumerate(board["players"][:LINES], 1):
            error = f" ± {line['error']}" if "error" in line else ""
            gain = f" ({line['gain']:+})" if "gain" in line else ""
            print(f"  {place}. {line['name']}  {line['value']}{error}{gain}")
    return Exit.DONE


def _figure(board: LeaderBoard) -> str:
    return board["figure"].replace("_", " ").replace("tons.", "visits of ")
