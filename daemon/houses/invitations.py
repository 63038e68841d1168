"""Invitations to a match with another house: a code that works for one house, until it expires."""

import json
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from daemon.session.house_payloads import Invitation as InvitationBody
from daemon.system.secure_files import write_secret
from engine import jsontext
from engine.refusals import Refusal

log = logging.getLogger(__name__)

FILE: Final = "invitations.json"
"""In the data directory."""
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
    """The invitations of a node, in a file of the directory `data` with mode 0600. `now` is the clock, in UTC."""

    def __init__(self, data: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.path, self._now = data / FILE, now
        self._wrong: dict[str, list[datetime]] = {}
        found = _read(self.path)
        self._is_readable = found is not None
        self._known = found or ()

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
                if known.used_by == place or (known.used_by is None and not _has_expired(known, now)):
                    return known
                break
        wrong.append(now)
        return NOT_INVITED

    def use(self, invitation: Invitation, place: str | None, match: str | None = None) -> None:
        """Notes who has accepted an invitation, nobody for `None`, and what match began. OSError."""
        used = replace(invitation, used_by=place, match=match)
        self._write(tuple(used if known.secret == used.secret else known for known in self._known))

    def drop_expired(self, is_over: Callable[[str], bool]) -> None:
        """Removes what has expired from the file, but for matches that are not over: their guests can come back.

        Tried again at the next call if the file cannot be written.
        """
        now = self._now()
        kept = tuple(
            known
            for known in self._known
            if not _has_expired(known, now) or (known.match is not None and not is_over(known.match))
        )
        if kept != self._known:
            with suppress(OSError):
                self._write(kept)

    def names(self, player: str) -> bool:
        """Whether an invitation names a player."""
        return any(player in known.players for known in self._known)

    def forget(self, player: str) -> None:
        """Withdraws the invitations that name a player. OSError if that cannot be written."""
        # A file that cannot be read may name anybody, and none of its codes is valid.
        if self.names(player) or not self._is_readable:
            self._write(tuple(known for known in self._known if player not in known.players))

    def _write(self, known: tuple[Invitation, ...]) -> None:
        write_secret(self.path, jsontext.dump([asdict(one) for one in known]), self.path.parent)
        self._known, self._is_readable = known, True


def _has_expired(invitation: Invitation, now: datetime) -> bool:
    return now >= datetime.fromisoformat(invitation.expires)


def _read(path: Path) -> tuple[Invitation, ...] | None:
    """The invitations in a file; `None` if it cannot be read."""
    try:
        known = tuple(
            Invitation(**one | {"players": tuple(one["players"]), "guests": tuple(one["guests"])})
            for one in json.loads(path.read_text(encoding="utf-8"))
        )
        for one in known:
            if datetime.fromisoformat(one.expires).tzinfo is None:
                raise ValueError(f"the time {one.expires} names no time zone")
        return known
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as error:
        log.warning("the invitations in %s cannot be read, and are not valid any more: %s", path, error)
        return None
