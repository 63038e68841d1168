"""What can be written to the journal, and the rows that it consists of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board's counters: the number of its last hit, its revision, and the id of the match on it.

    `mark` is how far the edges of a board that counts them were read, in the words of its dialect.
    """

    name: str
    seq: int = 0
    revision: int = 0
    match: str | None = None
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match without its actions. `header` and `bots` are JSON, times ISO 8601 in UTC, `winners` a JSON list."""

    id: str
    board: str
    header: str
    bots: str
    started: str
    ended: str | None = None
    result: str | None = None
    winners: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """What one dart, command or button changes on a board."""

    board: BoardRow
    match: MatchRow | None = None
    actions: tuple[tuple[int, str], ...] = ()
    """The next actions of `match`, each with its number."""
    snapshot: tuple[int, str] | None = None
    """The state of `board.match`, with the number of actions behind it."""
    reply: tuple[str, str] | None = None
    """The id of a command, and the reply to it."""
    ended: MatchRow | None = None
    """The match that was on the board before."""
    others: tuple[tuple[str, str | None], ...] = ()
    """The other boards that this changes, each with the id of the match on it: they get the same revision."""
    hit: str | None = None
    """The payload of hit `board.seq`. The last few are kept: a hit that was not acknowledged is sent again."""
    waits_from: int | None = None
    """The number of the first hit that waits for the answer of another house: it is kept however many follow."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A whole match that was played elsewhere."""

    match: MatchRow
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A match that replaces itself because a player in it is forgotten. No board has it in memory.

    `match` is None where the match is deleted. `user` is the player's user name: the replies to their commands go too.
    """

    id: str
    user: str
    match: MatchRow | None
    lines: tuple[str, ...]


Change = Entry | Imported | Forgotten
