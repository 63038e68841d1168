"""What rules of the configuration show and play on the scoreboard."""

import struct
import wave
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

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
NOTE_SHOWN: Final = """() => {
  // Then the picture comes at once.
  window.kept = new Image();
  kept.src = "/show/red.png";
  const beyond = () => {
    const tile = document.querySelector(".tile")?.getBoundingClientRect();
    const room = tile ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    return [...document.querySelectorAll(".shown > *")].filter((part) => {
      const box = part.getBoundingClientRect();
      const across = box.left < room.left - 1 || box.right > room.right + 1;
      return across || box.top < room.top - 1 || box.bottom > room.bottom + 1;
    }).map((part) => part.outerHTML);
  };
  const look = () => {
    const shown = document.querySelector(".shown");
    const whole = shown?.querySelector("img")?.naturalWidth === 64;
    const still = shown?.getAnimations().length === 0;
    if (whole && still) window.seen = { words: shown.textContent, tile: !!shown.closest(".tile"), beyond: beyond() };
    else requestAnimationFrame(look);
  };
  look();
}"""
"""Keeps what a rule shows, once its picture is there, and what of it is beyond the place of its board, or the page.

It is there for five seconds: on a busy machine it may be gone before anybody looks.
"""
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
    # What the last of these matches showed is not taken for what a test waits for.
    assert found.ask({"start": {"game": "x01", "players": ["Cleo", "Bob"]}})["ok"]
    watcher.wait(
        lambda message: message.topic.endswith("/show") and "Cleo" in message.payload["words"], "the last of it"
    )
    yield found
    watcher.close()


def listening(page: Page) -> Page:
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
    return page


def seen(page: Page) -> dict[str, Any]:
    """What a rule showed since `NOTE_SHOWN`; waits for it, and until it is gone."""
    found: dict[str, Any] = page.wait_for_function("() => window.seen").json_value()
    expect(page.locator(".shown")).to_have_count(0)
    return found


def test_words_and_a_picture_are_shown_and_a_sound_is_played(referee: Referee, open_page: OpenPage) -> None:
    page = open_page("/board/lounge")
    page.evaluate(PLAYED)
    listening(page).get_by_role("button", name="Sound").click()
    page.evaluate(NOTE_SHOWN)
    assert referee.ask({"start": MATCH})["ok"]
    assert seen(page)["words"] == "x01: game on, Ann!"
    page.wait_for_function("played.length > 0")
    assert page.evaluate("played") == ["/show/beep.wav"]


@pytest.mark.parametrize("size", [(390, 844), (1080, 1920), (1024, 768)])
def test_it_fits_on_every_screen(size: tuple[int, int], referee: Referee, open_page: OpenPage) -> None:
    page = listening(open_page("/board/lounge", size))
    page.evaluate(NOTE_SHOWN)
    assert referee.ask({"start": MATCH})["ok"]
    assert seen(page) == {"words": "x01: game on, Ann!", "tile": False, "beyond": []}


def test_the_wall_shows_it_in_the_place_of_its_board(referee: Referee, open_page: OpenPage) -> None:
    page = listening(open_page("/wall", (1280, 720)))
    expect(page.locator(".tile")).to_have_count(1)
    page.evaluate(NOTE_SHOWN)
    assert referee.ask({"start": MATCH})["ok"]
    assert seen(page) == {"words": "x01: game on, Ann!", "tile": True, "beyond": []}
