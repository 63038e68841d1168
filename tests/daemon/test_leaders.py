"""Leaderboards: who leads in what, in which period; worked out by hand."""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.history.archive import Archive
from daemon.history.leaders import LINES, Period, period_of
from engine.refusals import Refusal
from tests.daemon.past import LEG, Past


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")  # Also where no zone files are installed.
        time.tzset()
        yield
    time.tzset()


def local(*parts: int) -> datetime:
    return datetime(*parts).astimezone()  # type: ignore[arg-type]


def boards(archive: Archive, period: Period) -> dict[str, list[Any]]:
    found = archive.leaders(period)
    assert not isinstance(found, Refusal)
    return {f"{board.get('game', '')} {board['figure']}".strip(): list(board["players"]) for board in found["boards"]}


def values(archive: Archive, period: Period, board: str) -> list[tuple[str, float]]:
    return [(line["name"], line["value"]) for line in boards(archive, period).get(board, [])]


@pytest.mark.usefixtures("berlin")
def test_an_evening_lasts_beyond_midnight() -> None:
    tonight = Period("tonight", "2026-07-04T10:00:00")
    assert period_of("tonight", local(2026, 7, 4, 23, 0)) == tonight
    assert period_of("tonight", local(2026, 7, 5, 1, 0)) == tonight
    assert period_of("tonight", local(2026, 7, 5, 11, 59)) == tonight
    assert period_of("tonight", local(2026, 7, 5, 12, 0)) == Period("tonight", "2026-07-05T10:00:00")


@pytest.mark.usefixtures("berlin")
def test_a_month_is_that_of_the_calendar_also_when_the_clocks_change() -> None:
    # Summer time ends on the 25th of October.
    expected = Period("2026-10", "2026-09-30T22:00:00", "2026-10-31T23:00:00")
    assert period_of("2026-10", local(2026, 11, 20)) == expected
    assert period_of("month", local(2026, 10, 31, 20)) == Period("month", expected.since, expected.until)
    assert period_of("2026-12", local(2026, 1, 1)) == Period("2026-12", "2026-11-30T23:00:00", "2026-12-31T23:00:00")
    assert period_of("all", local(2026, 1, 1)) == Period("all")


@given(st.text(max_size=9))
def test_any_other_word_is_refused(text: str) -> None:
    found = period_of(text, datetime(2026, 1, 1, tzinfo=UTC))
    assert isinstance(found, Period | Refusal)
    assert not isinstance(period_of(f"x{text}", datetime(2026, 1, 1, tzinfo=UTC)), Period)


def test_who_leads(past: Past, archive: Archive) -> None:
    for _ in range(3):
        past.add("x01", ("Ann", "Bob"), LEG, start=101)
    past.add("x01", ("Bob", "Ann"), "S20 . S1 . T20 S1 D10 .", start=101)
    past.add("x01", ("Bob",), "T20 S1 MISS . D20 .", start=101)
    past.add("cricket", ("Ann", "Bob"), "T20 T19 T18 . S1 . T17 T16 MISS . S1 . T15 MISS DB . S1 . SB .")
    everything = Period("all")
    assert values(archive, everything, "won") == [("Ann", 4), ("Bob", 1)]  # Bob had nobody to beat in the match alone
    assert values(archive, everything, "x01 best_checkout") == [("Ann", 101), ("Bob", 81)]
    assert values(archive, everything, "cricket mpr") == [("Ann", 5.25), ("Bob", 0.0)]
    rated = boards(archive, everything)["rating"]
    assert [line["name"] for line in rated] == ["Ann", "Bob"]
    assert "gain" not in rated[0]
    # Of the fourth day: one match, too few for an average of the month, but not for its best.
    day = Period("month", "2026-03-04T00:00:00", "2026-03-05T00:00:00")
    assert values(archive, day, "x01 average") == []
    assert values(archive, day, "x01 best_checkout") == [("Bob", 81)]
    tonight = Period("tonight", day.since, day.until)
    assert values(archive, tonight, "x01 average") == [("Bob", 75.75), ("Ann", 3.0)]
    ann, bob = boards(archive, day)["rating"]
    assert bob["gain"] > 0 > ann["gain"]
    assert (ann["matches"], bob["matches"]) == (4, 4)
    assert boards(archive, Period("month", "2027-03-01T00:00:00", "2027-04-01T00:00:00")) == {}


def test_a_match_that_ended_early_leads_nothing(past: Past, archive: Archive) -> None:
    past.add("x01", ("Ann", "Bob"), "T20 T20 T20 .")
    assert boards(archive, Period("all")) == {}


def test_fewest_darts_and_turns_lead(past: Past, archive: Archive) -> None:
    nine = "T20 T20 T20 . S1 . T20 T20 T20 . S1 . T20 T19 D12 ."
    past.add("x01", ("Ann", "Bob"), nine)
    past.add("x01", ("Bob",), f"S1 S1 S1 . {nine.replace(' S1 .', '').replace('T19 D12', 'T18 D12')}")
    assert values(archive, Period("all"), "x01 best_leg") == [("Ann", 9), ("Bob", 12)]
    assert values(archive, Period("all"), "x01 tons.180") == [("Ann", 2), ("Bob", 2)]


def test_a_leaderboard_has_ten_lines(past: Past, archive: Archive) -> None:
    names = [f"Player {n:02}" for n in range(12)]
    for one, other in zip(names[::2], names[1::2], strict=True):
        past.add("x01", (one, other), LEG, start=101)
    assert len(boards(archive, Period("all"))["rating"]) == LINES


def test_the_command_lists_and_prints_them(tmp_path: Path, past: Past) -> None:
    past.add("x01", ("Ann", "Bob"), LEG, start=101)
    with contextlib.closing(past.journal):
        pass
    command = [sys.executable, "-m", "daemon.main", "leaders", "--data", str(tmp_path)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "rating" in text
    assert text.index("Ann") < text.index("Bob")
    shown = subprocess.run([*command, "2026-03", "--json"], check=True, capture_output=True, text=True).stdout
    assert json.loads(shown)["boards"][0]["players"][0]["name"] == "Ann"
    wrong = subprocess.run([*command, "yesterday"], check=False, capture_output=True, text=True)
    assert (wrong.returncode, "tonight" in wrong.stderr) == (1, True)
