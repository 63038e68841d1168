"""The caller: what a player requires, marks, and the files of a pack in place of the browser's voice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, PageDaemon
from tests.browser.steps import press, sees_darts, start
from tests.chromium import WITH_WINDOWS
from tests.rig import PtyBoard

CHROMIUM = WITH_WINDOWS
"""The one without windows plays no sound."""

PACK: Final = ("0", "20", "40", "60", "game_shot", "player_ann", "you_require", "cricket.marks_3")
HEARD: Final = """() => {
  window.heard = [];
  window.Audio = class {
    constructor(at) { this.at = at; }
    play() { heard.push(this.at); queueMicrotask(() => this.onended()); return Promise.resolve(); }
    pause() {}
  };
  speechSynthesis.speak = words => heard.push(words.text);
}"""


@pytest.fixture
def page_daemon(tmp_path: Path, pty: PtyBoard) -> Iterator[PageDaemon]:
    with PageDaemon(tmp_path, pty, "embedded:") as running:
        folder = running.data / "callers" / "Russ"
        folder.mkdir(parents=True)
        for word in PACK:
            (folder / f"{word}.ogg").write_bytes(b"sound")
        yield running


@pytest.fixture
def ear(open_page: OpenPage) -> Page:
    """A scoreboard with the caller switched on."""
    page = open_page("/board/lounge?caller")
    page.evaluate(HEARD)
    return page


def hears(page: Page, *calls: str) -> None:
    """Waits for calls, one after the other from the start, and no others."""
    page.wait_for_function("count => heard.length >= count", arg=len(calls))
    assert page.evaluate("heard") == list(calls)


def test_the_browser_says_what_is_required(page_daemon: PageDaemon, phone: Page, ear: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"], {"Start": "101"})
    page_daemon.throw("20;3")
    sees_darts(ear, "T20")
    press(phone, "Next")
    hears(ear, "60", "Bob, you require 101")


def test_a_pack_says_what_it_has_and_the_browser_the_rest(page_daemon: PageDaemon, phone: Page, ear: Page) -> None:
    start(phone, "X01", ["Bob", "Ann"], {"Start": "101"})
    ear.get_by_label("Voice of the caller").select_option("Russ")
    page_daemon.throw("20;3")
    sees_darts(ear, "T20")
    press(phone, "Next")
    files = [f"/callers/Russ/{name}.ogg" for name in ("60", "player_ann")]
    hears(ear, *files, "you require 101")
    ear.reload()
    expect(ear.get_by_label("Voice of the caller")).to_have_value("Russ")


def test_marks_are_called_in_the_words_of_the_game(page_daemon: PageDaemon, phone: Page, ear: Page) -> None:
    start(phone, "Cricket", ["Ann", "Bob"])
    ear.get_by_label("Voice of the caller").select_option("Russ")
    page_daemon.throw("20;3")
    sees_darts(ear, "T20")
    press(phone, "Next")
    hears(ear, "/callers/Russ/cricket.marks_3.ogg", "Bob")


def test_a_corrected_dart_calls_nothing_again(page_daemon: PageDaemon, phone: Page, ear: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;1", "5;1", "1;1")
    sees_darts(ear, "S20", "S5", "S1")
    hears(ear, "26")
    phone.get_by_role("button", name="Dart 1: S20. Correct it").click()
    sheet = phone.get_by_role("dialog")
    sheet.get_by_role("button", name="Triple").click()
    sheet.get_by_role("button", name="T 3", exact=True).click()
    expect(sheet).to_have_count(0)
    sees_darts(ear, "T3", "S5", "S1")
    press(phone, "Next")
    hears(ear, "26", "Bob")
