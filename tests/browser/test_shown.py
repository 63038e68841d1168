"""What rules of the configuration show and play on the scoreboard."""

import struct
import wave
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, PageDaemon
from tests.mqtt_clients import Referee, Watcher
from tests.rig import PtyBoard, again_and_again, free_port

RULES: Final = """
[[show]]
when = { event = "started" }
words = "$game: game on, $player!"
picture = "red.png"
sound = "beep.wav"
"""
PLAYED: Final = """() => {
  window.played = [];
  window.paused = [];
  window.Audio = class {
    constructor(at) { this.at = at; played.push(at); }
    play() { return Promise.resolve(); }
    pause() { paused.push(this.at); }
  };
}"""
INSIDE: Final = """() => {
  const room = document.querySelector(".tile").getBoundingClientRect();
  return [...document.querySelectorAll(".shown > *")].filter((part) => {
    const box = part.getBoundingClientRect();
    const across = box.left < room.left - 1 || box.right > room.right + 1;
    return across || box.top < room.top - 1 || box.bottom > room.bottom + 1;
  }).map((part) => part.outerHTML);
}"""
"""What a rule shows beyond the place of its board."""
MATCH: Final = {"game": "x01", "players": ["Ann", "Bob"]}


def red_square() -> bytes:
    """A PNG of 64 by 64 red points."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\xff\0\0" * 64 for _ in range(64))
    header = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class DaemonWithRules(PageDaemon):
    """A daemon with rules, whose broker has a port for programs."""

    def __init__(self, folder: Path, board: PtyBoard) -> None:
        self.program_port = free_port()
        super().__init__(folder, board, f"embedded://127.0.0.1:{self.program_port}")
        (folder / "oche.toml").write_text(RULES)
        self._arguments += ("--config", str(folder / "oche.toml"))
        files = self.data / "show"
        files.mkdir(parents=True)
        (files / "red.png").write_bytes(red_square())
        with wave.open(str(files / "beep.wav"), "wb") as sound:
            sound.setparams((1, 2, 8000, 0, "NONE", ""))
            sound.writeframes(b"\0\0" * 80)


@pytest.fixture
def page_daemon(tmp_path: Path, pty: PtyBoard) -> Iterator[DaemonWithRules]:
    with DaemonWithRules(tmp_path, pty) as running:
        yield running


@pytest.fixture
def referee(page_daemon: DaemonWithRules) -> Iterator[Referee]:
    watcher = Watcher(page_daemon.program_port)
    found = Referee(watcher, "lounge")
    found.online()
    # The rules are read by a process of their own: a match is started until it is there, with a pause for that process.
    with again_and_again(lambda: found.ask({"start": MATCH}), 0.2):
        watcher.wait(lambda message: message.topic.endswith("/show"), "what the rules show")
    yield found
    watcher.close()


def listening(page: Page) -> Page:
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    return page


def test_words_and_a_picture_are_shown_and_a_sound_is_played(referee: Referee, open_page: OpenPage) -> None:
    page = open_page("/board/lounge")
    page.evaluate(PLAYED)
    listening(page).get_by_role("button", name="Sound").click()
    assert referee.ask({"start": MATCH})["ok"]
    shown = page.locator(".shown")
    expect(shown).to_have_text("x01: game on, Ann!")
    page.wait_for_function("document.querySelector('.shown img')?.naturalWidth === 64")
    page.wait_for_function("played.length > 0")
    assert page.evaluate("played") == ["/show/beep.wav"]
    expect(shown).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (1080, 1920), (1024, 768)])
def test_it_fits_on_every_screen(size: tuple[int, int], referee: Referee, open_page: OpenPage, tmp_path: Path) -> None:
    page = listening(open_page("/board/lounge", size))
    assert referee.ask({"start": MATCH})["ok"]
    box = page.locator(".shown p").bounding_box()
    page.screenshot(path=tmp_path / "shown.png")
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    assert box["y"] + box["height"] <= size[1]


def test_the_wall_shows_it_in_the_place_of_its_board(referee: Referee, open_page: OpenPage, tmp_path: Path) -> None:
    page = listening(open_page("/wall", (1280, 720)))
    expect(page.locator(".tile")).to_have_count(1)
    assert referee.ask({"start": MATCH})["ok"]
    expect(page.locator(".tile .shown")).to_have_text("x01: game on, Ann!")
    page.wait_for_function("document.querySelector('.tile .shown img')?.naturalWidth === 64")
    assert page.evaluate(INSIDE) == []
    page.screenshot(path=tmp_path / "wall.png")
    expect(page.locator(".shown")).to_have_count(0)
