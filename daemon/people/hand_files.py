"""What was worked out about each player's hand: files of the data directory, forgotten with the player.

A file is made again from the journal when it is missing or older than the player's last match.
"""

import hashlib
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from daemon.system.secure_files import give_to_owner, write_secret
from daemon.system.skills import LAST

FOLDER: Final = "hands"
MOST: Final = 100
"""How many players have a file; the one that was written first goes."""

MOST_MM: Final = 1000.0
"""A spread beyond it is not one."""


def path_of(data: Path, player: str) -> Path:
    """The file of a player. A name can have any characters, so the file's has none of it."""
    return data / FOLDER / f"{hashlib.sha256(player.encode()).hexdigest()[:32]}.json"


def read(data: Path, player: str) -> dict[str, Any] | None:
    """What is known of a player's hand; None if nothing is, or the file is damaged."""
    try:
        about = json.loads(path_of(data, player).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return about if isinstance(about, dict) and about.get("player") == player else None


def write(data: Path, player: str, about: dict[str, Any]) -> None:
    """Keeps what is known of a player's hand. OSError if it cannot be written."""
    path = path_of(data, player)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    give_to_owner(path.parent, data)
    write_secret(path, json.dumps(about | {"player": player}).encode(), data)
    files = sorted(path.parent.glob("*.json"), key=_written)
    for old in files[:-MOST]:
        old.unlink(missing_ok=True)


def files_of(data: Path, player: str) -> list[Path]:
    """Returns a player's file, and what a killed process has left of it, as far as there are any."""
    path = path_of(data, player)
    return [*([path] if os.path.lexists(path) else []), *path.parent.glob(f".{path.name}-*")]


def forget(data: Path, player: str) -> list[Path]:
    """Removes all of `files_of` a player. Returns those that cannot be removed."""
    stay = []
    for file in files_of(data, player):
        try:
            file.unlink(missing_ok=True)
        except OSError:
            stay.append(file)
    return stay


def spread_of(data: Path, player: str, month: str | None = None) -> float | None:
    """Returns the spread of a player's darts in mm, of all of them or of a month; None if their hand is not known.

    A month is `YYYY-MM`, or LAST for the newest one that is over.
    """
    about = read(data, player) or {}
    if month is None:
        return _spread(about.get("hand"))
    months = about.get("months")
    known = [each for each in months if isinstance(each, dict)] if isinstance(months, list) else []
    if month == LAST:
        now = datetime.now(UTC).strftime("%Y-%m")
        month = max((name for each in known if isinstance(name := each.get("month"), str) and name < now), default=now)
    return next((_spread(each) for each in known if each.get("month") == month), None)


def _spread(hand: object) -> float | None:
    spread = hand.get("skill_mm") if isinstance(hand, dict) else None
    return float(spread) if isinstance(spread, int | float) and 0 < spread < MOST_MM else None


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
