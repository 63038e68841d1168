"""The boards of all nodes as they are now. Read from the index when somebody looks, at most once in a second."""

import asyncio
import logging
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from secrets import token_hex
from typing import Any, Final

from hall.installed import faces, games
from hall.replayed import SHOW_SECONDS, Picture, Replayed, after, names_on, opened, picture_of

log = logging.getLogger(__name__)

FRESH_SECONDS: Final = 1.0
"""How long an answer counts: so often at most the index is asked, however many look."""
RUNNING: Final = timedelta(minutes=30)
"""A match that has had no dart for so long is not shown."""
RESULT_SECONDS: Final = 90.0
"""How long the result of a match stays on its board."""
MOST_BOARDS: Final = 1_000
"""How many boards a hall shows, those with the latest darts; it bounds the memory of a process."""
MOST_LINES: Final = 5_000
"""How many lines are replayed at once: a fifth of a second. The rest follows with the next look."""

_RUNNING: Final = """
SELECT number, node, id, board, header, have FROM match
WHERE NOT is_over AND changed > now() - $1::INTERVAL
ORDER BY changed DESC LIMIT $2
"""
_LINES: Final = """
SELECT line.match, line.line FROM line
JOIN unnest($1::BIGINT[], $2::INTEGER[]) AS held(match, lines) ON line.match = held.match AND line.n > held.lines
ORDER BY line.match, line.n LIMIT $3
"""
_NAMES: Final = "SELECT match, seat, name FROM shown_seat WHERE match = ANY($1)"
_ENDED: Final = """
SELECT file.match, file.text FROM file JOIN match AS m ON m.number = file.match
WHERE file.match = ANY($1) AND m.changed > now() - $2::INTERVAL
"""

Key = tuple[str, str]
"""A node and its board."""


@dataclass(frozen=True, slots=True)
class SideShown:
    """One side on a board: the names, and the score as text."""

    names: str
    score: str
    active: bool
    won: bool


@dataclass(frozen=True, slots=True)
class BoardShown:
    """What the pages show of one board. `title` is None while its match cannot be shown."""

    node: str
    board: str
    match: str
    title: str | None = None
    sides: tuple[SideShown, ...] = ()
    darts: tuple[str, ...] = ()
    over: bool = False


@dataclass(frozen=True, slots=True)
class Boards:
    """All boards at one moment. `versions` says when each has changed last, `listed` when one was added or removed.

    Versions count for `epoch` alone, a random text of the process: another one counts its own.
    """

    epoch: str
    version: int = 0
    listed: int = 0
    shown: Mapping[Key, BoardShown] = field(default_factory=dict)
    versions: Mapping[Key, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Held:
    """A match in memory. `until`: it is over, and its result is shown until then."""

    key: Key
    match: str
    header: str
    replayed: Replayed
    until: float | None = None
    spent: float = 0.0
    """The seconds of processor time that its lines have taken."""
    shown: Picture | None = None

    def go_on(self, lines: Sequence[str]) -> None:
        """Plays lines. A game of a package that raises is shown no longer, and harms no other board."""
        has, began = self.replayed.lines + len(lines), time.thread_time()
        try:
            self.replayed = after(self.replayed, lines, SHOW_SECONDS - self.spent)
        except Exception:
            log.exception("the match %s of %s cannot be shown", self.match, self.key[0])
            self.replayed = Replayed(None, has)
        self.spent += time.thread_time() - began
        self.shown = None

    def end(self, file: str) -> None:
        """Plays a finished match from its file."""
        header, _, rest = file.partition("\n")
        self.replayed, self.spent = _opened(header, self.match), 0.0
        self.go_on(rest.split("\n")[:-1])

    def look(self) -> None:
        """Takes the picture of the match, if there is none since its last line."""
        if self.shown is not None or self.replayed.match is None:
            return
        try:
            self.shown = picture_of(self.replayed.match)
        except Exception:
            log.exception("the match %s of %s cannot be shown", self.match, self.key[0])
            self.replayed = Replayed(None, self.replayed.lines)
        if self.until is not None:
            self.replayed = Replayed(None, self.replayed.lines)  # The picture is all that is needed.


def _opened(header: str, match: str) -> Replayed:
    """A match before its first action. A game of a package that raises is not shown."""
    try:
        return opened(header, games(), faces())
    except Exception:
        log.exception("the match %s cannot be shown", match)
        return Replayed(None)


class LiveBoards:
    """Follows the running matches of all nodes, by a pool of connections."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._held: dict[int, _Held] = {}
        self._boards = Boards(token_hex(4))
        self._read_at = -FRESH_SECONDS
        self._reading = asyncio.Lock()

    async def boards(self) -> Boards:
        """All boards, not older than FRESH_SECONDS. Raises what asyncpg raises while the database is away."""
        async with self._reading:
            if time.monotonic() - self._read_at >= FRESH_SECONDS:
                await self._read()
                self._read_at = time.monotonic()
            return self._boards

    async def _read(self) -> None:
        async with self._pool.acquire() as db:
            running = await db.fetch(_RUNNING, RUNNING, MOST_BOARDS)
            numbers = {row["number"] for row in running}
            ended = [number for number, held in self._held.items() if held.until is None and number not in numbers]
            files = await db.fetch(_ENDED, ended, timedelta(seconds=RESULT_SECONDS)) if ended else []
            self._hold(running, ended, files)
            wanted = [(number, held.replayed.lines) for number, held in self._held.items() if held.until is None]
            lines = await db.fetch(_LINES, *_columns(wanted), MOST_LINES) if wanted else []
            names = await db.fetch(_NAMES, list(self._held))
        await asyncio.to_thread(self._replay, [(line["match"], line["line"]) for line in lines], files)
        self._show({row["number"]: row["have"] for row in running}, _names(names))

    def _hold(self, running: Sequence[Any], ended: Iterable[int], files: Iterable[Any]) -> None:
        """Begins matches that are new, and those whose lines have become fewer because the index was made again."""
        for row in running:
            held = self._held.get(row["number"])
            if held is None or held.until is not None or row["have"] < held.replayed.lines:
                key = (row["node"], row["board"])
                self._held[row["number"]] = _Held(key, row["id"], row["header"], _opened(row["header"], row["id"]))
        whole = {file["match"] for file in files}
        for number in ended:
            if number in whole:
                self._held[number].until = time.monotonic() + RESULT_SECONDS
            else:
                del self._held[number]  # No dart for a long time, deleted, or over for longer than results are shown.

    def _replay(self, lines: Iterable[tuple[int, str]], files: Iterable[Any]) -> None:
        """In a thread: nothing else changes what is held meanwhile."""
        for number, some in groupby(lines, key=lambda line: line[0]):
            self._held[number].go_on([line for _, line in some])
        for file in files:
            self._held[file["match"]].end(file["text"])
        for held in self._held.values():
            held.look()

    def _show(self, have: Mapping[int, int], names: Mapping[int, Mapping[int, str]]) -> None:
        now, before = time.monotonic(), self._boards
        self._held = {n: held for n, held in self._held.items() if held.until is None or held.until > now}
        # The latest match of a board wins: a running one over a result, then the one that came last.
        order = sorted(self._held.items(), key=lambda item: (item[1].until is None, item[0]))
        latest = {held.key: (number, held) for number, held in order}
        shown = {
            key: _shown(held, names.get(number, {}), whole=have.get(number, 0) <= held.replayed.lines)
            for key, (number, held) in sorted(latest.items(), key=lambda item: _order(item[0]))
        }
        if shown == before.shown:
            return
        version = before.version + 1
        versions = {
            key: before.versions[key] if before.shown.get(key) == board else version for key, board in shown.items()
        }
        listed = before.listed if shown.keys() == before.shown.keys() else version
        self._boards = Boards(before.epoch, version, listed, shown, versions)


def _order(key: Key) -> tuple[str, list[tuple[int, str]]]:
    """By node, then by board as people count them: 2 before 10."""
    node, board = key
    parts = re.findall(r"[0-9]+|[^0-9]+", board)
    return node, [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def _shown(held: _Held, names: Mapping[int, str], *, whole: bool) -> BoardShown:
    node, board = held.key
    picture = held.shown
    if picture is None or not whole:
        return BoardShown(node, board, held.match)
    sides = tuple(SideShown(names_on(side, names), side.score, side.active, side.won) for side in picture.sides)
    return BoardShown(node, board, held.match, picture.title, sides, picture.darts, picture.over)


def _names(rows: Iterable[Any]) -> dict[int, dict[int, str]]:
    found: dict[int, dict[int, str]] = {}
    for row in rows:
        found.setdefault(row["match"], {})[row["seat"]] = row["name"]
    return found


def _columns(rows: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [number for number, _ in rows], [lines for _, lines in rows]
