"""Figures of matches add up to those of months and of all matches, whatever comes, changes and goes."""

import asyncio
import contextlib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.history import figures_file
from daemon.history.figures_file import FiguresFile
from daemon.history.figures_json import dump as dumped
from daemon.history.figures_json import load
from daemon.history.statistics import Figures, of_match, total
from daemon.record.journal import Entry, Journal
from daemon.record.reader import BoardRow, MatchRow
from daemon.system.catalogue import faces, games
from engine.games import GAMES
from engine.match import Match
from engine.matchfile import open_match
from engine.play import apply
from engine.random_play import random_match
from tests.daemon.random_matches import NAMES, archive, bring_in


def test_without_a_match_only_its_month_is_added_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All matches of somebody with many would take seconds."""
    checked, read = figures_file._checked, list[str]()

    def noting(table: str, row: tuple[Any, ...]) -> Figures:
        read.append(table)
        return checked(table, row)

    monkeypatch.setattr(figures_file, "_checked", noting)
    with contextlib.closing(Journal(tmp_path)) as journal:
        for month, matches in enumerate((5, 1, 3)):
            bring_in(journal, matches, month * 3_000_000_000)
        past, figures, states = archive(tmp_path), FiguresFile(journal, games()), journal.states()
        past.players()
        months = Counter(match_id[:6] for match_id in states)
        assert sorted(months.values()) == [1, 3, 5]
        left = {match_id: past.counted(match_id) for match_id in states}
        for gone, match in states.items():
            read.clear()
            figures.add_damaged(gone, match)
            assert read.count("figures") < 2 * months[gone[:6]]
            del left[gone]
            parts = {
                name: [one.figures[name] for one in left.values() if one and name in one.figures] for name in NAMES
            }
            assert figures.totals() == {name: total(some, games()) for name, some in parts.items() if some}


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), order=st.permutations(range(5)))
def test_figures_outlast_being_written(seed: int, order: list[int], tmp_path_factory: pytest.TempPathFactory) -> None:
    """And add up to the same in whatever order matches come."""
    chance = Random(seed)
    parts = []
    for _ in range(5):
        game = chance.choice(["x01", "cricket", "dards"])
        record = random_match(GAMES[game], ("Ann", "Bob"), {}, None, chance, 40)
        match = open_match(record.header, games(), faces())
        assert isinstance(match, Match)
        for action in record.actions:
            match = getattr(apply(match, action), "match", match)
        parts.append(of_match(match)["Ann"])
    assert [load(dumped(part)) for part in parts] == parts
    running = parts[order[0]]
    for n in order[1:]:
        running = load(dumped(total([running, parts[n]], games())))
    assert running == total(parts, games())


def test_a_match_that_an_undo_opens_again_counts_once(tmp_path: Path) -> None:
    header = '{"match": 1, "rules": 1, "game": "x01", "players": ["Ann", "Bob"], "options": {"start": 101}}'
    row = MatchRow("20260301-200000-aaaaaa", "den", header, "{}", "2026-03-01T20:00:00+00:00")
    over = replace(row, ended="2026-03-01T20:01:00+00:00", result="finished", winners='["Ann"]')
    lines = ['{"throw":"T20"}', '{"throw":"S1"}', '{"throw":"D20"}', '{"next":true}', '{"undo":true}']
    board = BoardRow("den", match=row.id)

    def counts() -> tuple[Any, ...]:
        ann: Any = archive(tmp_path).player("Ann")
        return ann["matches"], ann["won"], ann["x01"]["darts"]

    with contextlib.closing(Journal(tmp_path)) as journal:
        for n, line in enumerate(lines[:4], 1):
            asyncio.run(journal.write(Entry(board, over if n == 4 else row, ((n, line),))))
        assert counts() == (1, 1, 3)
        asyncio.run(journal.write(Entry(board, row, ((5, lines[4]),))))
        assert counts() == (1, 0, 3)
