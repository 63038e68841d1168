"""A player's picture and sounds: added on their page, shown and played on the scoreboard."""

import io
import re
import wave
from typing import Final
from urllib.request import Request, urlopen

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, PageDaemon
from tests.browser.steps import press, start
from tests.browser.test_shown import PLAYED, red_square

HOLD: Final = """() => {
  const [begin, end] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
  const held = new Map();
  window.setTimeout = (act, ms, ...values) => {
    if (ms !== 4000) return begin(act, ms, ...values);
    const timer = begin(() => undefined, 0);
    held.set(timer, act);
    return timer;
  };
  window.clearTimeout = (timer) => { held.delete(timer); end(timer); };
  window.endHeld = () => { for (const act of held.values()) act(); held.clear(); };
}"""
"""What is shown for 4 s stays until `endHeld()`: however slow the machine, a test sees it."""


def silence() -> bytes:
    """A WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(b"\0\0" * 80)
    return file.getvalue()


def put(daemon: PageDaemon, player: str, slot: str, content: bytes) -> None:
    with urlopen(Request(f"{daemon.origin}/players/{player}/{slot}", content, method="PUT")) as answer:
        assert answer.status == 200


def test_a_picture_and_sounds_on_the_scoreboard(page_daemon: PageDaemon, phone: Page, open_page: OpenPage) -> None:
    for slot, content in (("picture", red_square()), ("walk_on", silence()), ("bust", silence())):
        put(page_daemon, "Bob", slot, content)
    television = open_page("/board/lounge?sound")
    television.evaluate(PLAYED)
    television.evaluate(HOLD)
    start(phone, "X01", ["Bob", "Ann"], {"Start": "101"})
    expect(television.locator(".shown p")).to_have_text("Bob")
    television.wait_for_function("() => document.querySelector('.shown img')?.naturalWidth === 64")
    television.wait_for_function("() => played.length === 1")
    assert television.evaluate("paused") == []
    page_daemon.throw("20;3", "19;3")
    television.wait_for_function("() => played.length === 2")
    assert [name.split("/")[-1].split("-")[0] for name in television.evaluate("played")] == ["walk_on", "bust"]
    assert television.evaluate("paused[0] === played[0]"), "a walk-on ends with the first dart"
    television.evaluate("endHeld()")
    expect(television.locator(".shown")).to_have_count(0)
    press(phone, "Next")
    expect(television.locator(".awaits")).to_have_text("Ann: dart 1")
    press(phone, "Next")
    expect(television.locator(".awaits")).to_have_text("Bob: dart 1")
    assert len(television.evaluate("played")) == 2, "a walk-on is for the first turn"


def test_a_referee_adds_and_removes_files(phone: Page, open_page: OpenPage, complaints: list[str]) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page = open_page("/players/Ann", (390, 844))
    row = page.locator(".player-files dl > div").filter(has_text="Picture")
    row.locator("input").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"no picture"})
    expect(page.locator(".player-files .problem")).to_contain_text("PNG")
    expect(row.locator("input")).to_have_value("")  # so that the same file can be chosen again
    complaints.clear()  # of the refusal
    row.locator("input").set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": red_square()})
    expect(row.locator("img")).to_be_visible()
    expect(page.locator(".player-files .problem")).to_have_text("")
    page.get_by_role("button", name="Remove: Picture", exact=True).click()
    expect(row.locator("img")).to_have_count(0)
    page.get_by_role("button", name="Teal").click()
    expect(page.get_by_role("button", name="Teal")).to_have_attribute("aria-pressed", "true")
    # On the scoreboard and the phone the name has a line of this colour.
    for path, size in (("/board/lounge", (1920, 1080)), ("/board/lounge/control", (390, 844))):
        name = open_page(path, size).locator(".text.own")
        expect(name).to_have_text("Ann")
        expect(name).to_have_attribute("style", re.compile("#00c0a0"))
    page.get_by_role("button", name="None").click()
    expect(page.get_by_role("button", name="None")).to_have_attribute("aria-pressed", "true")
