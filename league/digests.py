"""What a node signs: a finished match without names, and who sat in a seat of it. Pure text."""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

MATCH_PREFIX: Final = "oche-match-1"
SEAT_PREFIX: Final = "oche-seat-1"
JOIN_PREFIX: Final = "oche-join-1"
"""The first line of what is signed, so that no signature of one kind fits another."""
MAX_EDITION: Final = 1_000_000

_NODE: Final = re.compile(r"[a-z0-9-]{1,32}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_PLAYER: Final = re.compile(r"[0-9a-f]{32}")
MAX_ID: Final = 64
MAX_SEAT: Final = 999
MAX_BOT_MM: Final = 1000
MAX_TIME: Final = 40


def digest_of(file: str) -> str:
    """The SHA-256 of a match file in hexadecimal."""
    return sha256(file.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A finished match as it is signed. `digest` is that of its nameless file; times are ISO 8601 in UTC.

    A later edition replaces an earlier one of the same node and match.
    """

    node: str
    match: str
    edition: int
    digest: str
    started: str
    ended: str

    def signed_text(self) -> bytes:
        """What the signature covers."""
        fields = (self.digest, self.node, self.match, str(self.edition), self.started, self.ended)
        return "\n".join((MATCH_PREFIX, *fields, "")).encode()

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON value."""
        return {
            "node": self.node,
            "match": self.match,
            "edition": self.edition,
            "digest": self.digest,
            "started": self.started,
            "ended": self.ended,
        }


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sat in a seat (from 1) of a match. It is signed and stored for itself, so that it can be deleted for itself.

    `player` is a random id of 32 hexadecimal digits; None for a bot, whose `bot` is the spread of its darts in mm.
    """

    seat: int
    name: str
    player: str | None = None
    bot: float | None = None

    def signed_text(self, node: str, match: str) -> bytes:
        """What the signature covers, for a match of a node."""
        fields = (node, match, str(self.seat), self.player or "", self.name, "" if self.bot is None else repr(self.bot))
        return "\n".join((SEAT_PREFIX, *fields, "")).encode()

    def to_json(self) -> dict[str, Any]:
        """The seat as a JSON value."""
        about: dict[str, Any] = {"seat": self.seat, "name": self.name}
        about |= {} if self.player is None else {"player": self.player}
        return about if self.bot is None else about | {"bot": self.bot}


def record_from_json(value: Any) -> MatchRecord | None:
    """The record in a parsed JSON value; None if it is not one."""
    match value:
        case {"node": str(n), "match": str(m), "edition": int(e), "digest": str(d), "started": str(s), "ended": str(t)}:
            good = _NODE.fullmatch(n) and is_line(m, MAX_ID) and type(e) is int and 1 <= e <= MAX_EDITION
            if good and _DIGEST.fullmatch(d) and is_line(s, MAX_TIME) and is_line(t, MAX_TIME):
                return MatchRecord(n, m, e, d, s, t)
    return None


def seat_from_json(value: object) -> Seat | None:
    """The seat in a parsed JSON value; None if it is not one."""
    if not isinstance(value, dict):
        return None
    seat, name, player, bot = (value.get(key) for key in ("seat", "name", "player", "bot"))
    if type(seat) is not int or not 1 <= seat <= MAX_SEAT or not isinstance(name, str) or not is_line(name, MAX_ID):
        return None
    if isinstance(player, str) and bot is None and is_player_id(player):
        return Seat(seat, name, player)
    # Somebody who is neither could never be forgotten.
    if player is None and isinstance(bot, int | float) and not isinstance(bot, bool) and 0 <= bot <= MAX_BOT_MM:
        return Seat(seat, name, None, float(bot))
    return None


def plain_code(code: str) -> str:
    """A code to join as it counts: people may type it in small letters and without hyphens."""
    return code.upper().replace("-", "").replace(" ", "")


def join_text(code: str, node: str) -> bytes:
    """What a node signs when it joins a hall."""
    return f"{JOIN_PREFIX}\n{plain_code(code)}\n{node}\n".encode()


def is_player_id(value: object) -> bool:
    """Whether a value is the id of a player."""
    return isinstance(value, str) and _PLAYER.fullmatch(value) is not None


def is_node_name(value: object) -> bool:
    """Whether a value is the name of a node."""
    return isinstance(value, str) and _NODE.fullmatch(value) is not None


def is_line(value: object, longest: int) -> bool:
    """Whether a value is one line of printable characters, neither empty nor too long."""
    return isinstance(value, str) and 0 < len(value) <= longest and value.isprintable()
