"""Which matches can differ from what is counted, so that an answer does not look at every match of the journal."""

import contextlib
import sqlite3
from collections.abc import Mapping

from daemon.history.figures_file import FiguresFile
from daemon.record.reader import History, RecordState, Seen


class Unsettled:
    """The matches that can have changed since all were found to be counted.

    Kept in memory alone, so at the first look of a process SQLite compares every match: 0.06 s for 26,000 on x86.
    """

    def __init__(self, history: History, figures: FiguresFile) -> None:
        self._history, self._figures = history, figures
        self._settled: tuple[Seen, int] | None = None
        self._last: tuple[Seen, int] | None = None
        """The last look, with the number of the file of figures that it was compared with."""

    def look(self) -> tuple[Mapping[str, RecordState], dict[str, RecordState]]:
        """The matches that can have changed, all running ones among them; and those of them that are not counted."""
        if self._settled is not None:
            seen, file = self._settled
            states, now = self._history.states_since(seen)
            uncounted, number = self._figures.compared(states)
            if number == file:
                self._last = (now, file)
                return states, uncounted
        # What was counted is gone with the file that it was in.
        self._settled = None
        # A file that is missing or damaged cannot be compared with: then every match is read.
        with contextlib.suppress(sqlite3.DatabaseError):
            states, now, file = self._history.states_unlike(self._figures.path)
            uncounted, number = self._figures.compared(states)
            if number == file:
                self._last = (now, file)
                return states, uncounted
        states, now = self._history.states_since(None)
        uncounted, number = self._figures.compared(states)
        self._last = None if number is None else (now, number)
        return states, uncounted

    def settle(self) -> None:
        """Notes that every match of the last look is counted."""
        self._settled = self._last

    def start_over(self) -> None:
        """Looks at every match the next time: any can have changed."""
        self._settled = self._last = None
