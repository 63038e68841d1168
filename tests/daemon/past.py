"""A past for the tests of the history: matches written from words into a journal."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from daemon.history.match_import import read_match_file
from daemon.record.journal import Imported, Journal
from daemon.system.catalogue import faces, games
from engine import jsontext
from engine.match import Header
from engine.matchfile import Games

BEGIN: Final = datetime(2026, 3, 1, 20, tzinfo=UTC)
LEG: Final = "T20 S1 D20 ."
"""What wins a leg of 101 with three darts."""


class Past:
    """Writes matches, each a day after the one before."""

    def __init__(self, journal: Journal, played: Games | None = None) -> None:
        self.journal, self._games, self._count = journal, games() if played is None else played, 0

    def add(self, game: str, players: Sequence[str], words: str, board: str = "lounge", **options: Any) -> str:
        """A match from words: a bed is a dart, `.` is next. Returns its id."""
        imported = self._read(game, players, words, options)
        return self._written(replace(imported, match=replace(imported.match, board=board)))

    def played(self, header: Header, actions: Iterable[dict[str, Any]], at: datetime) -> str:
        """A match of no board that was begun at a time, from its actions, one each second. Returns its id."""
        return self._written(self._imported(header, actions, at))

    def _read(self, game: str, players: Sequence[str], words: str, options: dict[str, Any]) -> Imported:
        at = BEGIN + timedelta(days=self._count)
        self._count += 1
        actions = ({"next": True} if word == "." else {"throw": word} for word in words.split())
        return self._imported(Header(game, tuple(players), options), actions, at)

    def _imported(self, header: Header, actions: Iterable[dict[str, Any]], at: datetime) -> Imported:
        begin = int(at.timestamp() * 1000)
        timed = (action | {"at_ms": begin + n * 1000} for n, action in enumerate(actions))
        lines = (jsontext.dump(line) for line in (header.to_json(), *timed))
        read = read_match_file("\n".join(lines).encode(), self._games, faces())
        assert isinstance(read, Imported), read
        return read

    def _written(self, imported: Imported) -> str:
        asyncio.run(self.journal.write(imported))
        return imported.match.id
