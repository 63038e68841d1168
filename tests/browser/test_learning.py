"""A whole lesson in the browser: the dartboard lights what to press, and a board on a pty answers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from daemon.system.urls import board_url
from daemon.teach.teacher import Teacher
from tests.browser.axe import violations
from tests.browser.conftest import PHONE
from tests.browser.steps import plain_board
from tests.firmware.avr_parts import FIRMWARE, needs_emulator
from tests.firmware.live import LiveBoard
from tests.learning.board import Learning, answer
from tests.learning.membrane import membrane
from tests.learning.unknown import Person, Unknown
from tests.rig import PtyBoard, free_port


@pytest.fixture
def board() -> Unknown:
    """The first whole and regular board of lines, without buttons."""
    return plain_board()


@pytest.fixture
def lesson(pty: PtyBoard, tmp_path: Path) -> Iterator[tuple[Learning, int]]:
    port = free_port()
    learning = Learning(str(pty.path), tmp_path / "garage.toml", "--http", str(port))
    yield learning, port
    if learning.process.poll() is None:
        learning.kill()


def test_a_whole_lesson(
    lesson: tuple[Learning, int], board: Unknown, pty: PtyBoard, chromium: Browser, tmp_path: Path
) -> None:
    learning, port = lesson
    person = Person(board, 1)
    page = _page(chromium, learning, port)
    expect(page.get_by_role("status")).to_have_text("Press the outer single 20 and hold it for three seconds")
    expect(page.locator(".dartboard .lit")).to_have_attribute("data-bed", "SO20")
    assert violations(page) == []
    learning._read = 0
    answer(learning, pty, person, board, 1)
    # The press is taken back and done again, by the buttons of the page.
    expect(page.get_by_text("Presses: 1")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Presses: 0")).to_be_visible()
    expect(page.locator(".dartboard .lit")).to_have_attribute("data-bed", "SO20")
    # What was asked before that is still among the lines of the terminal.
    assert learning.next_ask() == "SI20"
    while (asked := learning.next_ask()) is not None:
        if asked.startswith("button:"):
            expect(page.get_by_role("status")).to_contain_text(asked.removeprefix("button:"))
            page.get_by_role("button", name="There is none").click()
            if asked == "button:miss":
                break
            continue
        learning._read -= 1
        answer(learning, pty, person, board, 1)
    expect(page.get_by_role("status")).to_have_text("Done: garage.toml is written.")
    assert learning.ended() == 0, learning.lines
    assert (tmp_path / "garage.toml").exists()


@needs_emulator
def test_a_lesson_with_our_own_firmware(chromium: Browser, tmp_path: Path) -> None:
    """Nobody is asked anything before the board is known, then nobody has to hold a bed; two beds at once are told."""
    wired, port = membrane(4), free_port()
    live = LiveBoard(FIRMWARE / "images" / "atmega328p.hex", tmp_path)
    learning = Learning(str(live.path), tmp_path / "garage.toml", "--http", str(port))
    try:
        learning.line("The same in the browser")
        page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en")
        # The first second is shown for as long as it takes to look.
        quiet = Teacher(board_url(str(live.path)), tmp_path / "other.toml").to_json()
        page.route("**/lesson.json", lambda route: route.fulfill(json=quiet))
        page.goto(f"http://127.0.0.1:{port}/learn")
        status = page.get_by_role("status")
        expect(status).to_have_text("Do not touch the board")
        expect(page.get_by_role("button", name="No signal")).to_be_disabled()
        expect(page.locator(".dartboard .lit")).to_have_count(0)
        page.unroute("**/lesson.json")
        expect(status).to_have_text("Press the outer single 20")
        expect(page.locator(".dartboard .lit")).to_have_attribute("data-bed", "SO20")
        told, taken = page.get_by_text("closed together"), page.get_by_text("Presses: 1")
        while True:
            live.darts([wired.cells["S20"], wired.cells["S1"]], hold_ms=60)
            expect(told.or_(taken).first).to_be_visible()
            if told.is_visible():
                break
            # On a busy machine the second contact can be heard too late: then the first one was the press.
            page.get_by_role("button", name="Undo").click()
            expect(page.get_by_text("Presses: 0")).to_be_visible()
            live.wait_ms(500)
        expect(page.get_by_text("Presses: 0")).to_be_visible()
        live.wait_ms(500)
        live.dart(wired.cells["S20"], hold_ms=60)
        expect(page.get_by_text("Presses: 1")).to_be_visible()
        expect(told).to_have_count(0)
    finally:
        learning.kill()
        live.close()


def _page(chromium: Browser, learning: Learning, port: int) -> Page:
    # The page is there before the first bed is asked for.
    learning.next_ask()
    page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en")
    page.goto(f"http://127.0.0.1:{port}/learn")
    return page
