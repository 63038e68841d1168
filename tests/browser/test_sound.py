"""Sound and the caller: silent until somebody turns them on, then they announce each event."""

import shlex
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.browser.conftest import OpenPage, PageDaemon, patient
from tests.browser.steps import note_shouts, press, sees_darts, start, was_shouted, were_darts
from tests.chromium import ARGUMENTS, WITH_WINDOWS
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Mosquitto, PtyBoard

CHROMIUM = WITH_WINDOWS
"""The one without windows plays no sound."""

AWAKE: Final = """
const wake = AudioContext.prototype.resume;
AudioContext.prototype.resume = function () { return wake.call(this).then(() => { heard.awake = true; }); };
"""
"""Tells when sound runs. A sound that would begin half a second later than it was asked for is not played."""

LISTENING = f"""() => {{
  {AWAKE}
  window.heard = {{ sources: 0, said: [] }};
  const begin = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) {{ heard.sources++; begin.apply(this, when); }};
  speechSynthesis.speak = words => heard.said.push([words.lang, words.text]);
}}"""


HEARS: Final = (
    """window.heard = { sources: 0, said: [], states: [] };
const begin = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) {
  heard.sources++;
  heard.states.push(this.context.state);
  begin.apply(this, when);
};
speechSynthesis.speak = words => heard.said.push([words.lang, words.text]);"""
    + AWAKE
)
"""The same, from before the page's own script on."""


def is_awake(page: Page) -> None:
    """Waits until the page's sound runs."""
    page.wait_for_function("() => heard.awake")


@pytest.fixture
def ear(open_page: OpenPage) -> Page:
    """A television with an ear at it: what is played and what is said is counted on the way out."""
    page = open_page("/board/lounge")
    page.evaluate(LISTENING)
    note_shouts(page)
    return page


def test_nothing_is_heard_that_nobody_asked_for(page_daemon: PageDaemon, phone: Page, ear: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;3", "20;3", "20;3")
    were_darts(phone, "T20", "T20")
    sees_darts(ear, "T20", "T20", "T20")
    assert ear.evaluate("heard") == {"sources": 0, "said": []}
    expect(ear.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
    expect(ear.get_by_role("button", name="Caller")).to_have_attribute("aria-pressed", "false")


def test_a_hundred_and_eighty_is_seen_heard_and_called(page_daemon: PageDaemon, phone: Page, ear: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    ear.get_by_role("button", name="Sound").click()
    ear.get_by_role("button", name="Caller").click()
    is_awake(ear)
    page_daemon.throw("20;3")
    sees_darts(ear, "T20")
    ear.wait_for_function("() => heard.sources > 0")
    page_daemon.throw("20;3", "20;3")
    were_darts(phone, "T20", "T20")
    was_shouted(ear, "maximum", "180")
    ear.wait_for_function("() => heard.said.length > 0")
    assert ear.evaluate("heard.said") == [["en", "180"]]
    # Three darts of two parts each, and the fanfare.
    ear.wait_for_function("() => heard.sources > 6")
    ear.get_by_role("button", name="Sound").click()
    before = ear.evaluate("heard.sources")
    phone.get_by_role("navigation").get_by_role("button", name="Next").click()
    expect(ear.locator(".awaits")).to_have_text("Bob: dart 1")
    page_daemon.throw("19;3")
    sees_darts(ear, "T19")
    assert ear.evaluate("heard.sources") == before
    assert ear.evaluate("heard.said.at(-1)") == ["en", "Bob"]


KIOSK: Final = Path(__file__).parents[2] / "systemd" / "oche-kiosk.service"


def kiosk_flags() -> list[str]:
    """The browser's options in the kiosk's unit, except for the compositor: a test has no screen."""
    command = next(line for line in KIOSK.read_text().splitlines() if line.startswith("ExecStart="))
    return [word for word in shlex.split(command) if word.startswith("--") and word[2:] and "ozone" not in word]


def kiosk_path() -> str:
    """The path and the query of the page that the kiosk opens."""
    page = next(line for line in KIOSK.read_text().splitlines() if line.startswith("Environment=OCHE_PAGE="))
    return page.partition("//")[2].partition("/")[2]


def on_a_wall(chromium: Browser, page_daemon: PageDaemon, options: list[str], path: str, *scripts: str) -> Page:
    """A television that nobody touches, in a browser with these options, at this path.

    `scripts` run before the page's own.
    """
    browser = patient(chromium.browser_type.launch(executable_path=WITH_WINDOWS, args=[*ARGUMENTS, *options]))
    page = browser.new_page()
    for script in (HEARS, *scripts):
        page.add_init_script(script)
    page.goto(f"{page_daemon.origin}/{path}")
    return page


def test_a_kiosk_is_heard_from_the_first_dart_without_a_touch(
    page_daemon: PageDaemon, phone: Page, chromium: Browser
) -> None:
    kiosk = on_a_wall(chromium, page_daemon, kiosk_flags(), f"{kiosk_path()}&caller")
    start(phone, "X01", ["Ann", "Bob"])
    expect(kiosk.locator(".awaits")).to_have_text("Ann: throw to start")
    is_awake(kiosk)
    page_daemon.throw("20;3")
    sees_darts(kiosk, "T20")
    kiosk.wait_for_function("() => heard.sources > 0")
    assert kiosk.evaluate("heard.states") == ["running"]
    press(phone, "Next")
    kiosk.wait_for_function("() => heard.said.length > 1")
    assert kiosk.evaluate("heard.said") == [["en", "60"], ["en", "Bob"]]
    kiosk.context.browser.close()  # type: ignore[union-attr]


ASKS: Final = """let asks = 0;
const ask = AudioContext.prototype.resume;
const tellReady = () => { if (asks && document.querySelector(".awaits")) console.log(`ready ${asks}`); };
AudioContext.prototype.resume = function () {
  const number = ++asks;
  setTimeout(() => console.log(`given up ${number}`), 501);
  tellReady();
  return ask.call(this);
};
new MutationObserver(tellReady).observe(document, { childList: true, subtree: true });"""
"""Logs that a match is shown, and how often sound was asked for by then; and when each of these sounds is given up."""


def number_after(words: str, said: ConsoleMessage) -> int:
    """The number in a message that begins with these words; 0 in every other one."""
    return int(said.text.removeprefix(words)) if said.text.startswith(words) else 0


def test_where_a_touch_is_wanted_first_nothing_waits_for_it(
    page_daemon: PageDaemon, phone: Page, chromium: Browser
) -> None:
    options = ["--autoplay-policy=document-user-activation-required"]
    page = on_a_wall(chromium, page_daemon, options, "board/lounge?sound", ASKS)
    # For Chromium, whatever Playwright evaluates in a page is a touch. Until the real one, the page logs.
    with page.expect_console_message(lambda said: number_after("ready ", said) > 0) as ready:
        start(phone, "X01", ["Ann", "Bob"])
    before = number_after("ready ", ready.value)
    with page.expect_console_message(lambda said: number_after("given up ", said) > before):
        page_daemon.throw("20;3")
    page.locator(".panel").click()
    page_daemon.throw("19;1")
    sees_darts(page, "T20", "S19")
    page.wait_for_function("() => heard.sources > 0")
    assert page.evaluate("heard.sources") == 1, "the dart after the touch alone"
    page.context.browser.close()  # type: ignore[union-attr]


def test_an_event_that_is_published_again_is_announced_once(
    chromium: Browser, tmp_path: Path, pty: PtyBoard, broker: Mosquitto, watcher: Watcher
) -> None:
    """A message that was under way when a connection or the daemon ended comes again, with the same id."""
    with PageDaemon(tmp_path, pty, broker.url) as daemon:
        page, referee = chromium.new_page(locale="en"), Referee(watcher, "lounge")
        page.add_init_script(HEARS)
        referee.online()
        page.goto(f"{daemon.origin}/board/lounge?caller")
        referee.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})
        expect(page.locator(".awaits")).to_have_text("Ann: throw to start")
        referee.ask({"throw": "T20"})
        referee.ask({"next": True})
        page.wait_for_function("() => heard.said.length > 1")
        for message in [m for m in watcher.seen if m.topic.endswith("/lounge/event")]:
            watcher.publish(message.topic, message.payload)
        referee.ask({"throw": "T19"})
        referee.ask({"next": True})
        page.wait_for_function("() => heard.said.at(-1)[1] === 'Ann'")
        assert page.evaluate("heard.said.map(([, words]) => words)") == ["60", "Bob", "57", "Ann"]
        page.close()


def test_what_was_asked_for_is_remembered(page_daemon: PageDaemon, phone: Page, ear: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    ear.get_by_role("button", name="Caller").click()
    ear.reload()
    expect(ear.get_by_role("button", name="Caller")).to_have_attribute("aria-pressed", "true")
    expect(ear.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
    # What was switched off stays off, whatever the address asks for.
    ear.get_by_role("button", name="Caller").click()
    ear.goto(f"{page_daemon.origin}/board/lounge?caller&sound")
    expect(ear.get_by_role("button", name="Caller")).to_have_attribute("aria-pressed", "false")
    expect(ear.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")


def test_a_bust_is_shouted(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"], {"Start": "101"})
    note_shouts(television)
    page_daemon.throw("20;3", "19;3")
    was_shouted(television, "bust", "Bust")
    expect(television.locator(".total.word")).to_contain_text("Bust")
