"""What was worked out about each player's hand: files of the data directory, forgotten with the player.

A file is made again from the journal when it is missing or older than the player's last match.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from daemon.system.secure_files import give_to_owner, write_secret
from daemon.system.skills import LAST

FOLDER: Final = "hands"
MOST: Final = 100
"""How many players have a file; the one that was written first goes."""

ALL: Final = "0"
"""The key of the legs of all matches, beside those of the months; it is before them all."""

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
    """Returns a player's file, those of their ghosts, and what a killed process has left of them, as far as there are
    any."""
    path = path_of(data, player)
    of_ghosts, unfinished = path.parent.glob(f"{path.stem}.*.ghost"), path.parent.glob(f".{path.stem}.*-*")
    return [*([path] if os.path.lexists(path) else []), *of_ghosts, *unfinished]


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
    known = {each.get("month"): each for each in months if isinstance(each, dict)} if isinstance(months, list) else {}
    return _spread(known.get(_named(month, known)))


def legs_of(data: Path, player: str, month: str | None, word: str) -> dict[str, Any]:
    """Returns the legs of X01 of all matches or of a month that a word of `LEGS` names, as JSON by their rules."""
    legs = (read(data, player) or {}).get("legs")
    of_time = legs.get(ALL if month is None else _named(month, legs)) if isinstance(legs, dict) else None
    found = of_time.get(word) if isinstance(of_time, dict) else None
    return found if isinstance(found, dict) else {}


def _named(month: str, known: Iterable[Any]) -> str:
    """The month itself; of LAST the newest one of those that are known and over, or else this one."""
    now = datetime.now(UTC).strftime("%Y-%m")
    return (
        month if month != LAST else max((name for name in known if isinstance(name, str) and name < now), default=now)
    )


def keep_ghost(data: Path, player: str, board: str, about: dict[str, Any]) -> None:
    """Keeps what a ghost of a player on a board has to throw, for a restart. OSError if it cannot be written."""
    path = path_of(data, player)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    give_to_owner(path.parent, data)
    write_secret(path.with_suffix(f".{board}.ghost"), json.dumps(about | {"player": player}).encode(), data)


def ghosts_on(data: Path, board: str) -> list[dict[str, Any]]:
    """Returns what was kept of the ghosts on a board; a damaged file is left out."""
    found = []
    for file in (data / FOLDER).glob(f"*.{board}.ghost"):
        with contextlib.suppress(OSError, ValueError, RecursionError):
            about = json.loads(file.read_bytes())
            if isinstance(about, dict) and isinstance(about.get("player"), str):
                found.append(about)
    return found


def is_known(data: Path, player: str) -> bool:
    """Whether a player has a file; not if they were forgotten."""
    return path_of(data, player).exists()


def end_ghosts(data: Path, board: str) -> None:
    """Removes what was kept of the ghosts on a board. OSError if it cannot be removed."""
    for file in (data / FOLDER).glob(f"*.{board}.ghost"):
        file.unlink(missing_ok=True)


def _spread(hand: object) -> float | None:
    spread = hand.get("skill_mm") if isinstance(hand, dict) else None
    return float(spread) if isinstance(spread, int | float) and 0 < spread < MOST_MM else None


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
