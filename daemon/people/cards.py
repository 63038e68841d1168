"""The cards of players: who has one takes a seat with it. Files of the data directory, forgotten with the player.

A card is a version, a dot and 128 random bits: `1.` and 22 letters, digits, dashes and underscores. Whoever has it can
show it, until a referee makes the player another one or revokes it. It gives no right: it is worth a name in the form
of a new match, which a referee could type as well. The name of a card's file is a part of its hash, so that neither
the data directory nor a backup has a card of this node that works. The cards of a league (`league_cards.py`) are in the
same folder.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from daemon.system.secure_files import give_to_owner, write_secret
from engine.refusals import Refusal

FOLDER: Final = "cards"
VERSION: Final = "1"
"""Another number is a card of another kind."""
TOKEN_BYTES: Final = 16
CARD: Final = re.compile(rf"{VERSION}\.[A-Za-z0-9_-]{{22}}")
MOST: Final = 1000
"""How many players can have a card; beyond it another one is refused."""


def make(data: Path, player: str) -> str | Refusal:
    """Returns a new card of a player, in place of the one before. OSError if it cannot be written."""
    before = [path for path in files_of(data, player) if "id" not in about(path)]
    if not before and len(files(data)) >= MOST:
        return Refusal("not_allowed", f"{MOST} players have cards; revoke that of another one first.")
    card = f"{VERSION}.{secrets.token_urlsafe(TOKEN_BYTES)}"
    path = path_of(data, card)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    give_to_owner(path.parent, data)
    write_secret(path, json.dumps({"player": player}).encode(), data)
    for old in before:
        old.unlink(missing_ok=True)
    return card


def player_of(data: Path, card: str) -> str | None:
    """Returns the player of a card; None if it was revoked, or is not a card."""
    return _player(path_of(data, card)) if CARD.fullmatch(card) else None


def files_of(data: Path, player: str) -> list[Path]:
    """Returns the files of a player's card, as far as there are any."""
    return [path for path in files(data) if _player(path) == player]


def revoke(data: Path, player: str) -> list[Path]:
    """Removes a player's card. Returns the files that cannot be removed."""
    stay = []
    for path in files_of(data, player):
        try:
            path.unlink(missing_ok=True)
        except OSError:
            stay.append(path)
    return stay


def path_of(data: Path, card: str) -> Path:
    """Returns the file of a card, or of the id of a league's card."""
    return data / FOLDER / f"{hashlib.sha256(card.encode()).hexdigest()[:32]}.json"


def files(data: Path) -> list[Path]:
    """Returns the files of all cards."""
    return sorted(_found(data / FOLDER))


def _found(folder: Path) -> Iterator[Path]:
    # What a killed process has left of a file begins with a dot, and counts as well: it may name the player.
    try:
        yield from (path for path in folder.iterdir() if ".json" in path.name)
    except OSError:
        return


def about(path: Path) -> dict[str, Any]:
    """Returns what a file of a card says; empty if it cannot be read."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _player(path: Path) -> str | None:
    name = about(path).get("player")
    return name if isinstance(name, str) else None
