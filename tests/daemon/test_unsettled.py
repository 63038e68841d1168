"""The figures of an archive that remembers what is counted equal those of one that looks at every match."""

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.history import check_all
from daemon.history.archive import Archive
from daemon.history.figures_file import FiguresFile
from daemon.history.figures_schema import NAME
from daemon.history.unsettled import Unsettled
from daemon.record.journal import Entry, Imported, Journal
from daemon.record.reader import BoardRow, History, MatchRow
from daemon.system.catalogue import faces, games

HEADER: Final = '{"match": 1, "rules": 1, "game": "x01", "players": ["%s", "Bob"], "options": {"start": 101}}'
LINES: Final = ('{"throw":"T20"}', '{"throw":"S1"}', '{"throw":"D20"}', '{"next":true}')
AGAIN: Final = ('{"throw":"T20"}', '{"throw":"S3"}', '{"throw":"D19"}', '{"next":true}')
"""The same end with other darts, after the first."""
UNDO: Final = '{"undo":true}'
STEPS: Final = (
    "start",
    "go on",
    "go on",
    "finish",
    "undo",
    "import",
    "damage the file",
    "count elsewhere",
    "ask",
    "ask",
)


class Night:
    """A board on which matches are played, written as its session would write them."""

    def __init__(self, folder: Path, journal: Journal) -> None:
        self.folder, self.journal = folder, journal
        self.matches, self.played, self.is_over = 0, 0, False
        self.row: MatchRow | None = None
        self.lines = LINES

    def step(self, name: str) -> None:
        """Does one of `STEPS`, or nothing where it cannot be done now."""
        match name:
            case "start":
                self.row, self.played, self.is_over, self.lines = self._next(), 0, False, LINES
                self._write()
            case "go on" if self.row is not None and self.played < 3 and not self.is_over:
                self._write(self.lines[self.played])
            case "finish" if self.row is not None and not self.is_over:
                while self.played < len(LINES) - 1:
                    self._write(self.lines[self.played])
                self.is_over = True
                self._write(self.lines[-1])
            case "undo" if self.is_over:
                self.is_over = False
                for _ in range(3):
                    self._write(UNDO)
                self.played, self.lines = 1, AGAIN
            case "import":
                row = replace(self._next(), ended="2026-03-01T21:00:00+00:00", result="stopped")
                asyncio.run(self.journal.write(Imported(row, LINES[:2])))
            case "damage the file":
                (self.folder / NAME).write_bytes(b"not a database" * 99)
            case "count elsewhere":
                check_all.main(self.folder)

    def _next(self) -> MatchRow:
        self.matches += 1
        header = HEADER % ("Ann", "Cid", "Dee")[self.matches % 3]
        return MatchRow(f"20260301-2000{self.matches:02}-aaaaaa", "den", header, "{}", "2026-03-01T20:00:00+00:00")

    def _write(self, line: str | None = None) -> None:
        assert self.row is not None
        row = self.row
        if self.is_over:
            row = replace(row, ended="2026-03-01T20:01:00+00:00", result="finished", winners='["Ann"]')
        lines: tuple[tuple[int, str], ...] = ()
        if line is not None:
            self.played += 1
            number = self.journal.states().get(row.id)
            lines = ((1 if number is None else number.actions + 1, line),)
        asyncio.run(self.journal.write(Entry(BoardRow("den", match=row.id), row, lines)))


@settings(max_examples=5)
@given(steps=st.lists(st.sampled_from(STEPS), min_size=3, max_size=10))
def test_whatever_happens_the_figures_are_those_of_a_look_at_everything(
    steps: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("night")
    with contextlib.closing(Journal(folder)) as journal:
        night, kept = Night(folder, journal), Archive(journal, games(), faces())
        for name in ["start", *steps, "ask"]:
            night.step(name)
            if name == "ask":
                figures = kept.players()
                assert figures == Archive(History(folder), kept.games, kept.faces).players()


def test_a_match_that_ends_differently_after_an_undo_is_counted_again(tmp_path: Path) -> None:
    """Between two answers it is opened, ends again, and leaves its board: nothing says any more that it was open."""
    with contextlib.closing(Journal(tmp_path)) as journal:
        night, kept = Night(tmp_path, journal), Archive(journal, games(), faces())
        for name in ("start", "finish"):
            night.step(name)
        assert _beds(kept) == {"T20": 1, "S1": 1, "D20": 1}
        for name in ("undo", "finish", "start"):
            night.step(name)
        assert _beds(kept) == {"T20": 1, "S3": 1, "D19": 1}


def test_an_answer_looks_only_at_matches_that_can_have_changed(tmp_path: Path) -> None:
    with contextlib.closing(Journal(tmp_path)) as journal:
        night, figures = Night(tmp_path, journal), FiguresFile(journal, games())
        archive, unsettled = Archive(journal, games(), faces()), Unsettled(journal, figures)
        for name in ("start", "finish", "import", "import", "start", "go on"):
            night.step(name)
        assert night.row is not None
        archive.players()
        looked, uncounted = unsettled.look()
        assert (set(looked), uncounted) == ({night.row.id}, {})
        unsettled.settle()
        assert unsettled.look()[0].keys() == {night.row.id}
        night.step("import")
        looked, uncounted = unsettled.look()
        assert (len(looked), len(uncounted)) == (2, 1)
        night.step("damage the file")
        assert len(unsettled.look()[1]) == 4
        unsettled.start_over()
        assert len(unsettled.look()[0]) == 5


def _beds(archive: Archive) -> Any:
    players = archive.players()
    assert isinstance(players, list)
    return next(player["beds"] for player in players if player["name"] == "Cid")
