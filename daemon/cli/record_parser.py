"""The command lines about what was played: matches, players, leaderboards and backups."""

from collections.abc import Callable
from pathlib import Path

from daemon.cli.parsing import Parser, data_of


def record(command: Callable[..., Parser]) -> None:
    """Adds the commands."""
    matches = command("matches", help="list what was played", example="oche matches --json")
    matches.add_argument("--json", action="store_true", help="one object a line")
    export = command(
        "export", help="print one match as a match file", example="oche export 20260101-193000-4f2a1c > evening.jsonl"
    )
    export.add_argument("id", metavar="ID", help="as `oche matches` prints it")
    forget = command("forget", help="remove a player's name from all matches", example="oche forget Ann")
    forget.add_argument("name", metavar="NAME", help="as typed at the start of a match")
    hand = command(
        "hand",
        help="show how a player's darts scatter, and where they should aim; needs oche[twin]",
        example="oche hand Ann\noche hand Ann --json",
    )
    hand.add_argument("name", metavar="NAME", help="as typed at the start of a match")
    hand.add_argument("--json", action="store_true", help="one object")
    leaders = command(
        "leaders",
        help="show who leads in the rating and in each game",
        example="oche leaders\noche leaders tonight\noche leaders 2026-10 --json",
    )
    leaders.add_argument(
        "period",
        metavar="PERIOD",
        nargs="?",
        default="all",
        help="tonight, month, all, or a month like 2026-10; default all",
    )
    leaders.add_argument("--json", action="store_true", help="one object")
    salvage = command(
        "salvage",
        help="write what is intact in a damaged journal to a folder, a match file each",
        example="oche salvage rescued --data /var/lib/oche",
    )
    salvage.add_argument("out", metavar="OUT", type=Path, help="a folder that is empty or does not exist")
    backup = command("backup", help="write everything that is kept to one file", example="oche backup oche.tar.gz")
    backup.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    restore = command("restore", help="put a backup back", example="oche restore oche.tar.gz")
    restore.add_argument("file", metavar="FILE", type=Path, help="what `oche backup` wrote")
    for part in (matches, export, forget, hand, leaders, salvage, backup):
        data_of(part)
    data_of(restore, may_be_missing=True)
