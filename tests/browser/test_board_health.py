"""The page of a board's health, for its owner: beds and lines that fail, with the evidence and what to do."""

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from daemon.history import board_health_files
from daemon.history.board_health_answer import VERSION, BoardHealth
from daemon.history.player_matches import word_of
from daemon.record.journal import Journal
from daemon.record.match_list import Filter
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION, OpenPage, PageDaemon
from tests.daemon.past import LEG, Past
from tests.rig import PtyBoard

MODEL: Final = "maddarts"
HEALTH: Final[BoardHealth] = {
    "state": "ready",
    "darts": 2104,
    "players": 2,
    "needed": 300,
    "lines": True,
    "faults": [
        {
            "kind": "line",
            "name": "row 11",
            "beds": ["SI19", "T19", "SO19", "D19"],
            "seen": 21,
            "expected": 118.4,
            "chance": 3.1e-12,
        },
        {"kind": "bed", "name": "T20", "beds": ["T20"], "seen": 31, "expected": 104.6, "chance": 2.5e-5},
        {"kind": "doubled", "name": "SI20", "beds": ["SI20"], "seen": 9, "expected": 140},
    ],
}


@pytest.fixture
def page_daemon(tmp_path: Path, pty: PtyBoard) -> Iterator[PageDaemon]:
    """A daemon that knows the health of the lounge's board."""
    data = tmp_path / "data"
    with contextlib.closing(Journal(data)) as journal, ThreadPoolExecutor(1) as thread:
        # Playwright's own loop runs in this one.
        thread.submit(lambda: Past(journal).add("x01", ("Ann", "Bob"), LEG, start=101)).result()
        played = word_of(journal.listed(Filter(board="lounge"), None, 1, {}))
    with PageDaemon(tmp_path, pty, "embedded:", MODEL) as running:
        known: dict[str, Any] = {**HEALTH, "version": VERSION, "of": f"{played}-{MODEL}"}
        board_health_files.write(data, "lounge", known)
        yield running


def test_what_fails_is_marked_with_the_evidence(open_page: OpenPage) -> None:
    page = open_page("/board/lounge/control", PHONE)
    page.get_by_role("link", name="Board health").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Health of lounge")
    expect(page.get_by_text("From the newest 2,104 darts of 2 players.")).to_be_visible()
    marked = page.locator(".dartboard .danger").evaluate_all("beds => beds.map(bed => bed.dataset.bed).sort()")
    assert marked == ["D19", "SI19", "SO19", "T19", "T20"]
    assert page.locator(".dartboard .lit").evaluate_all("beds => beds.map(bed => bed.dataset.bed)") == ["SI20"]
    line, bed, doubled = page.locator(".faults li").all()
    expect(line).to_contain_text("Row 11 fails")
    expect(line.locator("dd")).to_have_text(["21", "118"])
    expect(line).to_contain_text("a chance below 1 in 1,000,000")
    expect(line).to_contain_text("clean the contacts of this line")
    expect(bed.locator("dd")).to_have_text(["31", "105"])
    expect(bed).to_contain_text("So few from a bed that misses 4 of 10 darts: a chance of 1 in 40,000.")
    expect(doubled.locator("dd")).to_have_text(["9", "140"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_only_a_referee_sees_it(open_page: OpenPage) -> None:
    page = open_page("/board/lounge/health", TELEVISION)
    expect(page.locator(".faults li")).to_have_count(3)
    player = '{"user": "ann", "password": "secret", "role": "player"}'
    page.evaluate("player => localStorage.setItem('oche.access', player)", player)
    page.reload()
    expect(page.get_by_role("alert")).to_have_text("Only a referee may see which beds of a board fail.")
    expect(page.locator(".health")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "words"), [("de", "Zeile 11 versagt"), ("fr", "Ligne 11 est en défaut"), ("en", "Row 11 fails")]
)
def test_it_speaks_the_language_of_the_page(open_page: OpenPage, language: str, words: str) -> None:
    page = open_page("/board/lounge/health", PHONE, language)
    expect(page.locator(".faults h2").first).to_have_text(words)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_board_without_darts_says_how_many_are_needed(open_page: OpenPage) -> None:
    page = open_page("/board/kitchen/health", PHONE)
    expect(page.get_by_role("status")).to_contain_text("300 are needed")
