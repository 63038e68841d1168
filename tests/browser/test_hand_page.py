"""The part of a player's page about their hand."""

import contextlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from daemon.history.hand_answer import VERSION, HandPage
from daemon.history.player_matches import state_of
from daemon.people import hand_files
from daemon.record.journal import Journal
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION, OpenPage, PageDaemon
from tests.daemon.past import LEG, Past
from tests.rig import PtyBoard

PAGE: Final[HandPage] = {
    "state": "ready",
    "darts": 1000,
    "needed": 30,
    "hand": {
        "x_mm": 23.2,
        "y_mm": 28.5,
        "tilt": 0.22,
        "right_mm": 0.2,
        "up_mm": -2.8,
        "skill_mm": 26.0,
        "error": {"x_mm": 0.7, "y_mm": 1.0, "tilt": 0.05, "right_mm": 0.9, "up_mm": 1.1, "skill_mm": 0.6},
    },
    "best": {"x_mm": -38.5, "y_mm": -101.5, "bed": "S19", "points": 16.0},
    "at_t20": 14.9,
    "average": {"expected": 32.5, "thrown": 30.2},
    "routes": [{"left": 27, "own": ["S19", "D4"], "standard": ["S11", "D8"], "darts": 0.59}],
    "costly": {"match": "20260301-200000-20d04e", "left": 16, "darts": 1, "bed": "SO11", "cost": 5.9},
    "practice": {"kind": "doubles", "darts": 278, "hit": 19, "expected": 23.7, "drill": "bobs_27"},
    "months": [
        {"month": "2026-03", "darts": 250, "skill_mm": 28.0, "error": 1.2},
        {"month": "2026-04", "darts": 750, "skill_mm": 26.0, "error": 0.8},
    ],
}


@pytest.fixture
def page_daemon(tmp_path: Path, pty: PtyBoard) -> Iterator[PageDaemon]:
    """A daemon that knows the hand of Ann."""
    data = tmp_path / "data"
    with contextlib.closing(Journal(data)) as journal, ThreadPoolExecutor(1) as thread:
        # Playwright's own loop runs in this one.
        thread.submit(lambda: Past(journal).add("x01", ("Ann", "Bob"), LEG, start=101)).result()
        known: dict[str, Any] = {**PAGE, "version": VERSION, "of": state_of(journal, "Ann")}
    hand_files.write(data, "Ann", known)
    with PageDaemon(tmp_path, pty, "embedded:") as running:
        yield running


def test_a_hand_and_what_follows_from_it(open_page: OpenPage) -> None:
    page = open_page("/players/Ann", PHONE)
    coach = page.locator(".coach")
    expect(coach).to_contain_text("From 1,000 darts.")
    expect(coach.get_by_role("img", name="for points aim at S19")).to_be_visible()
    expect(coach.locator(".rates dd")).to_have_text(["23.2 mm", "28.5 mm", "0.2 mm", "2.8 mm"])
    expect(coach).to_contain_text("For the most points aim at S19: 16.0 a dart. At triple 20 it is 14.9.")
    expect(coach).to_contain_text("Thrown: 30.2 points a visit. With the best aims this hand has 32.5.")
    expect(coach.get_by_role("link")).to_have_text("The dart that cost the most: S11 with 16 left, 5.9 darts")
    expect(coach.locator(".routes tbody tr")).to_have_text("27S19 D4S11 D80.6")
    expect(coach.get_by_role("img", name="Scatter in mm: from 28.0 to 26.0")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    # One touch starts the drill.
    coach.get_by_role("button", name="Start Bob’s 27 on lounge").click()
    page.wait_for_url("**/board/lounge/control")
    expect(page.get_by_role("heading", name="Bob’s 27")).to_be_visible()


def test_a_board_on_which_somebody_plays_is_left_alone(open_page: OpenPage) -> None:
    page = open_page("/players/Ann", TELEVISION)
    page.get_by_role("button", name="Start Bob’s 27 on lounge").click()
    page.wait_for_url("**/board/lounge/control")
    page.goto(re.sub(r"/board/.*", "/players/Ann", page.url))
    expect(page.get_by_text("No board is free.")).to_be_visible()


def test_a_player_who_is_no_referee_starts_no_drill(open_page: OpenPage) -> None:
    page = open_page("/players/Ann", TELEVISION)
    expect(page.get_by_role("button", name="Start Bob’s 27 on lounge")).to_be_visible()
    player = '{"user": "ann", "password": "secret", "role": "player"}'
    page.evaluate("player => localStorage.setItem('oche.access', player)", player)
    page.reload()
    expect(page.locator(".practice")).to_be_visible()
    expect(page.locator(".drill")).to_have_count(0)
