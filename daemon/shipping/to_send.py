"""What a node has to send to its hall: a running match, a chunk of its lines, and a finished match."""

from dataclasses import dataclass
from typing import Any

from engine.match import Header
from league.digests import MatchRecord


@dataclass(slots=True)
class Running:
    """A running match. `have`: how many of its lines the hall has, as far as it is known."""

    header: Header
    opening: dict[str, Any]
    actions: int = 0
    have: int = 0
    blocked: bool = False
    """Whether the next line must not leave the node before the match is over, or the hall does not take it."""


@dataclass(frozen=True, slots=True)
class Lines:
    """A chunk of a running match; `live` if nothing is behind it."""

    match: str
    first: int
    body: str
    live: bool
    opening: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match as it is sent. `state` is that of the journal."""

    record: MatchRecord
    state: str
    body: dict[str, Any]
