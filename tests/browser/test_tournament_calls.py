"""`/tournament` speaks who is called to which board, in the language of the browser; a phone only its owner's calls."""

from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.cups import cup
from tests.chromium import WITH_WINDOWS
from tests.stage import Stage

CHROMIUM = WITH_WINDOWS
"""The one without windows plays no sound."""

HEARD: Final = """() => {
  window.heard = [];
  window.shaken = 0;
  speechSynthesis.speak = words => heard.push([words.lang, words.text]);
  navigator.vibrate = () => { shaken++; return true; };
}"""
TOPIC: Final = "oche/test/tournament"


def opened(on: Stage, size: tuple[int, int], language: str, button: str) -> Page:
    """A page with a tournament of eight and the caller switched on."""
    on.publish(TOPIC, cup(8, 0.3, {"format": "knockout"}))
    page = on.page(size, language, "/tournament")
    expect(page.locator(".cup-lists")).to_be_visible()
    page.evaluate(HEARD)
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_role("button", name=button, exact=True)).to_have_attribute("aria-pressed", "true")
    settled(page)
    return page


def settled(page: Page) -> None:
    """Waits for what the last change on the page starts: Preact runs it in a task after the next frame."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def say(on: Stage, number: int, home: str, away: str, **more: Any) -> None:
    """Publishes a call as the daemon does."""
    called = {"id": f"x-{number}", "event": "called", "fixture": "R1-1", "players": [home, away], "board": "3"}
    on.tell(f"{TOPIC}/event", called | more)


def hears(page: Page, *said: str) -> None:
    """Waits for these calls, one after the other."""
    page.wait_for_function("count => heard.length >= count", arg=len(said))
    assert [text for _, text in page.evaluate("heard")] == list(said)


@pytest.mark.parametrize(
    ("language", "button", "said"),
    [
        ("en", "Caller", "{} and {} to board 3"),
        ("de", "Ansage", "{} und {} an Board 3"),
        ("fr", "Annonces", "{} et {} à la cible 3"),
    ],
)
def test_a_wall_speaks_every_call_once(on_stage: Stage, language: str, button: str, said: str) -> None:
    page = opened(on_stage, (1280, 720), language, button)
    pairs = [(f"Ann {number}", f"Bob {number}") for number in range(8)]
    for number, pair in enumerate(pairs):
        say(on_stage, number, *pair)
        say(on_stage, number, *pair)
    say(on_stage, 100, "Ann", "Bob", event="result", score=[2, 0])
    say(on_stage, 101, "Cem", "Eve")
    hears(page, *(said.format(*pair) for pair in [*pairs, ("Cem", "Eve")]))
    assert {spoken for spoken, _ in page.evaluate("heard")} == {language}
    assert violations(page) == []
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_role("button", name=button, exact=True)).to_have_attribute("aria-pressed", "false")
    page.context.close()


def test_a_phone_speaks_the_calls_of_its_owner_and_shakes(on_stage: Stage) -> None:
    page = opened(on_stage, (390, 844), "en", "Caller")
    page.get_by_label("Your name").select_option("Ann")
    page.wait_for_function("localStorage.getItem('oche.tournament.me') === 'Ann'")
    say(on_stage, 200, "Li", "Dora")
    say(on_stage, 201, "Bob", "Ann", board="lounge")
    hears(page, "Bob and Ann to board lounge")
    assert page.evaluate("shaken") == 1
    assert violations(page) == []
    page.context.close()
