"""What is shouted across the board and called at the end of legs, sets and matches, in every language."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import TELEVISION, OpenPage, PageDaemon
from tests.browser.steps import pad, press, sees_darts, start
from tests.chromium import WITH_WINDOWS
from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, Mosquitto, takes_connections, until

CHROMIUM = WITH_WINDOWS
"""The one without windows plays no sound."""

LISTENING: Final = """() => {
  window.heard = { shouted: [], said: [] };
  speechSynthesis.speak = words => heard.said.push(words.text);
  let last = null;
  new MutationObserver(() => {
    const flash = document.querySelector(".flash");
    if (flash && flash !== last) heard.shouted.push((flash.querySelector(".words") ?? flash).textContent);
    last = flash;
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
"""A word is shown for a moment: what is put on the page is written down there, so that none is missed."""

LANGUAGES: Final = {
    "en": ("Checkout!", "Leg: Ann", "Set: Ann", "Ann wins the match"),
    "de": ("Checkout!", "Leg: Ann", "Set: Ann", "Ann gewinnt das Spiel"),
    "fr": ("Finish\u202f!", "Manche\u00a0: Ann", "Set\u00a0: Ann", "Ann remporte la partie"),
}
CALLED: Final = {
    "en": ["And the leg", "And the set", "And the leg", "And the match!"],
    "de": ["Leg gewonnen", "Set gewonnen", "Leg gewonnen", "Und damit das Spiel!"],
    "fr": ["Et la manche", "Et le set", "Et la manche", "Et la partie\u202f!"],
}


@pytest.fixture
def televisions(open_page: OpenPage) -> dict[str, Page]:
    """One in each language, with an ear at it."""
    pages = {tongue: open_page("/board/lounge?caller", TELEVISION, tongue) for tongue in LANGUAGES}
    for page in pages.values():
        page.evaluate(LISTENING)
    return pages


def check_out(page_daemon: PageDaemon, phone: Page) -> None:
    """101 in three darts."""
    page_daemon.throw("20;3", "1;1", "20;2")
    sees_darts(phone, "T20", "S1", "D20")


def test_a_leg_a_set_and_the_match_are_each_called_what_they_are(
    page_daemon: PageDaemon, phone: Page, televisions: dict[str, Page]
) -> None:
    start(phone, "X01", ["Ann"], {"Start": "101", "Legs to win a set": "2", "Sets to win": "2"})
    for leg in range(4):
        check_out(page_daemon, phone)
        for tongue, page in televisions.items():
            page.wait_for_function(f"() => heard.said.filter(text => {CALLED[tongue]}.includes(text)).length > {leg}")
        press(phone, "Next")
        sees_darts(phone, *(["T20", "S1", "D20"] if leg == 3 else []))
    for tongue, page in televisions.items():
        expect(page.locator(".result")).to_be_visible()
        checkout, leg_won, set_won, match_won = LANGUAGES[tongue]
        shouted = [word for word in page.evaluate("heard.shouted") if word != checkout]
        assert shouted == [leg_won, set_won, leg_won, match_won]
        said = page.evaluate("heard.said")
        assert [words for words in said if words in CALLED[tongue]] == CALLED[tongue]
        assert not any("wins" in words for words in said), "called already by the winning dart"


def test_a_match_of_one_leg_has_no_leg_and_no_set(page_daemon: PageDaemon, phone: Page, open_page: OpenPage) -> None:
    page = open_page("/board/lounge?caller")
    page.evaluate(LISTENING)
    start(phone, "X01", ["Ann", "Bob"], {"Start": "101"})
    check_out(page_daemon, phone)
    page.wait_for_function("() => heard.said.length > 1")
    press(phone, "Undo")
    pad(phone, "Double", "20")
    page.wait_for_function("() => heard.said.length > 3")
    press(phone, "Next")
    expect(page.locator(".awaits.won")).to_have_text("Ann wins")
    assert page.evaluate("heard.said") == ["Game shot, Ann!", "And the match!"] * 2
    shouted = [word for word in page.evaluate("heard.shouted") if word != "Checkout!"]
    assert shouted == ["Ann wins the match"] * 2


AWARDS: Final = {
    "cerberus_50": ("50! Ann", "Fifty! The maximum, Ann!"),
    "hat_trick": ("Hat trick!", "Hat trick!"),
    "ton_80": ("Ton 80!", "One hundred and eighty!"),
    "master_of_the_world": ("Ann is Master of the World", "Ann is Master of the World"),
}


def test_an_award_is_celebrated_and_not_pushed_aside_by_what_comes_with_it(chromium: Browser, tmp_path: Path) -> None:
    """As the bus says it: an award, then who won by the same step. An award that is not known is passed over."""
    with (
        Mosquitto(tmp_path) as broker,
        watching(broker.port) as watcher,
        Daemon(tmp_path, "--board", "lounge=virtual@sim:", "--broker", broker.url) as daemon,
    ):
        referee = Referee(watcher, "lounge")
        referee.online()
        assert referee.ask({"start": {"game": "cerberus", "players": ["Ann", "Bob"], "options": {}}})["ok"]
        until(lambda: takes_connections(daemon.http), "the pages' port")
        page = chromium.new_context(locale="en").new_page()
        page.goto(f"http://127.0.0.1:{daemon.http}/board/lounge?caller")
        expect(page.locator("main[data-revision]:not(.stale)")).to_be_visible()
        page.evaluate(LISTENING)
        for revision, (award, (shout, call)) in enumerate(AWARDS.items(), 90):
            about = {"match": "m", "revision": revision, "player": "Ann", "points": 50}
            for kind, more in (("award", {"award": "of_tomorrow"}), ("award", {"award": award}), ("out", {})):
                event = {"id": f"{revision}-{kind}-{more}", "event": kind} | about | more
                watcher.publish(f"{referee.root}/event", event)
            page.wait_for_function("calls => heard.said.includes(calls)", arg=call)
            page.wait_for_function("words => heard.shouted.includes(words)", arg=shout)
            page.wait_for_function(f"() => heard.said.filter(words => words === 'Ann is out').length > {revision - 90}")
        assert page.evaluate("heard.shouted") == [shout for shout, _ in AWARDS.values()]
        page.context.close()
