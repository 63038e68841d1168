"""Ratings and classes in the history: they grow with the matches, and are those of the record whatever has happened."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.history import rating_table
from daemon.history.archive import Archive
from daemon.history.figures_file import FiguresFile
from daemon.history.figures_schema import NAME
from daemon.history.forgetting import without_player
from daemon.record.journal import Journal
from daemon.record.reader import History
from daemon.system.catalogue import faces, games
from league.ratings import NEW, Ranking, Rating, rate
from tests.daemon.past import LEG, Past
from tests.daemon.random_matches import bring_in


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with contextlib.closing(Journal(tmp_path)) as journal:
        yield journal


def archive(folder: Path) -> Archive:
    return Archive(History(folder), games(), faces())


def ratings(folder: Path) -> dict[str, Any]:
    found = archive(folder).players()
    assert isinstance(found, list)
    return {one["name"]: one["rating"] for one in found if "rating" in one}


def from_the_record(folder: Path) -> dict[str, Any]:
    """The ratings without any that are kept."""
    for path in folder.glob(f"{NAME}*"):
        path.unlink()
    return ratings(folder)


def test_each_match_of_people_counts_once(journal: Journal, tmp_path: Path) -> None:
    past = Past(journal)
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    past.add("x01", ("Bob", "Ann", "Cid"), f"S1 . {LEG}", start=101)
    expected: dict[str, Rating] = {}
    for sides, places in (((("Ann",), ("Bob",)), (1, 2)), ((("Ann",), ("Bob",), ("Cid",)), (1, 2, 2))):
        expected |= rate(expected, Ranking(sides, places))
    assert ratings(tmp_path) == {name: rating_table.rating_json(rating) for name, rating in expected.items()}
    before = ratings(tmp_path)
    # A drill, a handicap, and a match that nobody won yet.
    past.add("x01", ("Ann",), LEG, start=101)
    past.add("x01", ("Ann", "Bob"), LEG, start=101, handicap={"Bob": 201})
    past.add("x01", ("Ann", "Bob"), "S1 .", start=101)
    assert ratings(tmp_path) == before
    past.add("x01", ("Ann", "Cid", "Bob", "Dee"), LEG, start=101, teams=2)
    assert {name: one["matches"] for name, one in ratings(tmp_path).items()} == {"Ann": 3, "Bob": 3, "Cid": 2, "Dee": 1}


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_ratings_are_those_of_the_record(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder, chance = tmp_path_factory.mktemp("data"), Random(seed)
    with contextlib.closing(Journal(folder)) as journal:
        for n in range(4):
            # Later imports can have earlier matches.
            bring_in(journal, 2, chance.randrange(10_000_000) + n)
            ratings(folder)
            if n == 2:
                changes = without_player("Ann", journal, games(), faces())
                assert isinstance(changes, list)
                asyncio.run(journal.write(*changes))
                archive(folder).tidy()
        grown = ratings(folder)
        assert "Ann" not in grown or n == 3
        assert grown == from_the_record(folder)


def test_many_matches_are_rated_in_pieces(journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    past = Past(journal)
    for n in range(7):
        past.add("x01", ("Ann", "Bob") if n % 3 else ("Bob", "Ann"), LEG, start=101)
    whole = ratings(tmp_path)
    monkeypatch.setattr(rating_table, "AT_ONCE", 3)
    for path in tmp_path.glob(f"{NAME}*"):
        path.unlink()
    behind = archive(tmp_path)
    assert isinstance(behind.players(), list)
    assert behind.is_behind
    list(archive(tmp_path).look_over())
    assert ratings(tmp_path) == whole
    assert not FiguresFile(History(tmp_path), games()).ratings("2026-01-01")


def test_a_file_that_cannot_be_written_is_given_up(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk. `look_over` must come to its end."""
    Past(journal).add("x01", ("Ann", "Bob"), LEG, start=101)
    tried: list[int] = []

    def rate(_: FiguresFile, most: int) -> bool:
        tried.append(most)
        assert len(tried) < 10, "tried for ever"
        return False

    monkeypatch.setattr(FiguresFile, "rate", rate)
    assert not list(archive(tmp_path).look_over())
    assert len(tried) == 2


def test_a_forgotten_player_has_no_rating_in_the_file(journal: Journal, tmp_path: Path) -> None:
    past = Past(journal)
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    assert ratings(tmp_path)["Ann"]["least"] > rating_table.rating_json(NEW)["least"]
    changes = without_player("Ann", journal, games(), faces())
    assert isinstance(changes, list)
    asyncio.run(journal.write(*changes))
    archive(tmp_path).tidy()
    assert not any(b"Ann" in path.read_bytes() for path in tmp_path.glob(f"{NAME}*"))
    assert ratings(tmp_path).keys() == {"Bob", "Player 1"}


def test_classes_are_of_the_last_legs(journal: Journal, tmp_path: Path) -> None:
    past = Past(journal)

    def ann() -> Any:
        return archive(tmp_path).player("Ann")

    for _ in range(9):
        past.add("x01", ("Ann",), LEG, start=101)
    assert "classes" not in ann()
    # 10 legs with 101 points a visit are 13 and 6 of 7 steps.
    past.add("x01", ("Ann",), LEG, start=101)
    assert ann()["classes"] == {"x01": 13.8}
    assert ann()["x01"]["ppd"] == 33.67
    for _ in range(30):
        past.add("x01", ("Ann",), "S20 S20 S20 . MISS MISS MISS . S1 D20 .", start=101)
    # 101 points with 8 darts: 37.875 a visit.
    assert ann()["classes"] == {"x01": 1.9}
