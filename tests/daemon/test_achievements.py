"""Achievements: each is reached in the match that completes it, and is that of the record whatever has happened."""

import asyncio
import contextlib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.history.answers import PlayerPage
from daemon.history.archive import Archive
from daemon.history.figures_schema import NAME
from daemon.history.forgetting import without_player
from daemon.record.journal import Journal
from daemon.record.reader import History
from daemon.system.catalogue import faces, games
from engine.refusals import Refusal
from engine.texts import LANGUAGES
from league.achievements import ACHIEVEMENTS, BY_KEY, reached
from tests.daemon.past import LEG, Past
from tests.daemon.random_matches import bring_in

NINE = "T20 T20 T20 . S1 . T20 T20 T20 . S1 . T20 T19 D12 ."


def page(archive: Archive, name: str) -> PlayerPage:
    found = archive.player(name)
    assert found is not None and not isinstance(found, Refusal)
    return found


def earned(archive: Archive, name: str) -> dict[str, str]:
    return {one["key"]: one["match"] for one in page(archive, name).get("achievements", [])}


def test_each_is_reached_in_the_match_that_completes_it(past: Past, archive: Archive) -> None:
    first = past.add("x01", ("Ann", "Bob"), LEG, start=101)
    assert earned(archive, "Ann") == {"first_match": first, "first_win": first, "checkout_100": first}
    assert earned(archive, "Bob") == {"first_match": first}
    # Nobody asks after each of these.
    for _ in range(3):
        past.add("x01", ("Bob", "Ann"), LEG, start=101)
    nine = past.add("x01", ("Ann", "Bob"), NINE)
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    found = earned(archive, "Ann")
    assert found == {
        "first_match": first, "first_win": first, "checkout_100": first,
        "maximum": nine, "leg_21": nine, "leg_15": nine, "nine_darter": nine,
    }  # fmt: skip
    for _ in range(3):
        past.add("x01", ("Ann", "Bob"), LEG, start=101)
    tenth = past.add("x01", ("Ann", "Bob"), LEG, start=101)
    assert earned(archive, "Ann") == found | {"matches_10": tenth}
    newest = page(archive, "Ann")["achievements"][0]
    assert (newest["title"]["de"], newest["started"][:10]) == ("10 Spiele", "2026-03-10")


def test_a_match_that_ended_early_reaches_nothing(past: Past, archive: Archive) -> None:
    past.add("x01", ("Ann", "Bob"), "T20 T20 T20 .")
    assert earned(archive, "Ann") == {}


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_achievements_are_those_of_the_record(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder, chance = tmp_path_factory.mktemp("data"), Random(seed)

    def of_all() -> dict[str, dict[str, str]]:
        archive = Archive(History(folder), games(), faces())
        return {name: earned(archive, name) for name in ("Bob", "Cid", "Dee") if archive.player(name) is not None}

    with contextlib.closing(Journal(folder)) as journal:
        for n in range(3):
            bring_in(journal, 2, chance.randrange(10_000_000) + n)
            of_all()
        changes = without_player("Ann", journal, games(), faces())
        assert isinstance(changes, list)
        if changes:
            asyncio.run(journal.write(*changes))
        Archive(History(folder), games(), faces()).tidy()
        grown = of_all()
        for path in folder.glob(f"{NAME}*"):
            path.unlink()
        assert of_all() == grown


def test_a_forgotten_player_has_none_in_the_file(past: Past, archive: Archive, tmp_path: Path) -> None:
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    assert earned(archive, "Ann")
    changes = without_player("Ann", past.journal, games(), faces())
    assert isinstance(changes, list)
    asyncio.run(past.journal.write(*changes))
    archive.refresh()
    archive.tidy()
    assert not any(b"Ann" in path.read_bytes() for path in tmp_path.glob(f"{NAME}*"))
    assert archive.player("Ann") is None


def test_the_table_is_whole() -> None:
    assert len(BY_KEY) == len(ACHIEVEMENTS)
    for one in ACHIEVEMENTS:
        assert all(one.title.to_json()[language] for language in LANGUAGES)
        assert (one.least is None) != (one.most is None)


figures = st.recursive(
    st.integers(-5, 2000) | st.text(max_size=2),
    lambda inner: st.dictionaries(
        st.sampled_from(["matches", "won", "games", "x01", "tons", "180", "best_leg", "awards"]), inner, max_size=6
    ),
)


@given(st.dictionaries(st.sampled_from(["matches", "won", "games", "x01", "beds"]), figures))
def test_any_figures_are_read(of: dict[str, object]) -> None:
    assert set(reached(of)) <= BY_KEY.keys()


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_more_never_reaches_less(n: int, more: int) -> None:
    assert set(reached({"matches": n})) <= set(reached({"matches": n + more}))
