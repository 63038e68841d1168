"""Invitations to a match with another house: a code that works for one house, until it expires."""

import json
import logging
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from daemon.session.house_payloads import Invitation as InvitationBody
from daemon.system.secure_files import write_secret
from engine import jsontext
from engine.refusals import Refusal

log = logging.getLogger(__name__)

VALID: Final = timedelta(hours=24)
"""How long a code can be accepted."""
KEPT: Final = 32
"""Invitations that are kept; the oldest beyond is forgotten."""
LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of a code: without those that look like others."""
LENGTH: Final = 8
WRONG: Final = 10
"""Wrong codes of one house within `CLOSED`, after which it is not listened to: 40 bits are not guessed like that."""
CLOSED: Final = timedelta(minutes=10)

NOT_INVITED: Final = Refusal("not_invited", "This code is not valid: it is wrong, old, or was used by another house.")


@dataclass(frozen=True, slots=True)
class Invitation:
    """A match that another house can accept. `guests` are its players.

    `used_by` is the board that accepted it, as `node/board`, and `match` what began then.
    """

    secret: str
    board: str
    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    guests: tuple[str, ...]
    expires: str
    used_by: str | None = None
    match: str | None = None

    def shown(self, node: str) -> InvitationBody:
        """The payload, with the whole code: it names the host too."""
        return {
            "code": f"{node}/{self.board}/{self.secret}",
            "game": self.game,
            "players": list(self.players),
            "options": self.options,
            "guests": list(self.guests),
            "expires": self.expires,
        }


def split_code(code: str) -> tuple[str, str, str] | Refusal:
    """The host's node, its board and the secret in a code."""
    node, _, rest = code.partition("/")
    board, _, secret = rest.partition("/")
    if not (node and board and secret) or not all(set(part) <= _NAME for part in (node, board)):
        return Refusal("not_invited", "A code is like anna/lounge/7KQ4MX2P: the house, its board, and eight letters.")
    return node, board, secret.upper()


_NAME: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


class Invitations:
    """The invitations of a node, in a file that only the daemon reads. `now` is the clock, in UTC."""

    def __init__(self, path: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._path, self._now = path, now
        self._wrong: dict[str, list[datetime]] = {}
        self._known = _read(path)

    def make(
        self, board: str, game: str, players: tuple[str, ...], options: dict[str, Any], guests: tuple[str, ...]
    ) -> Invitation:
        """Adds an invitation, and returns it. OSError if it cannot be written."""
        secret = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        expires = (self._now() + VALID).isoformat(timespec="seconds")
        found = Invitation(secret, board, game, players, options, guests, expires)
        self._write((*self._known, found)[-KEPT:])
        return found

    def find(self, board: str, secret: str, place: str) -> Invitation | Refusal:
        """The invitation that a code is for, if `place`, a board of another house, may accept it."""
        now, house = self._now(), place.partition("/")[0]
        wrong = self._wrong[house] = [at for at in self._wrong.get(house, ()) if now - at < CLOSED]
        if len(wrong) >= WRONG:
            return Refusal("not_invited", "Too many wrong codes; try again in ten minutes.")
        for known in self._known:
            if known.board == board and secrets.compare_digest(known.secret.encode(), secret.encode()):
                if known.used_by == place or (known.used_by is None and now < datetime.fromisoformat(known.expires)):
                    return known
                break
        wrong.append(now)
        return NOT_INVITED

    def use(self, invitation: Invitation, place: str | None, match: str | None = None) -> None:
        """Notes who has accepted an invitation, nobody for `None`, and what match began. OSError."""
        used = replace(invitation, used_by=place, match=match)
        self._write(tuple(used if known.secret == used.secret else known for known in self._known))

    def _write(self, known: tuple[Invitation, ...]) -> None:
        write_secret(self._path, jsontext.dump([asdict(one) for one in known]))
        self._known = known


def _read(path: Path) -> tuple[Invitation, ...]:
    try:
        return tuple(
            Invitation(**one | {"players": tuple(one["players"]), "guests": tuple(one["guests"])})
            for one in json.loads(path.read_text(encoding="utf-8"))
        )
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("the invitations in %s cannot be read, and are not valid any more: %s", path, error)
        return ()
