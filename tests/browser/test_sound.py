"""Sound and the caller: silent until asked for, then heard at what happens."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Hall, OpenPage
from tests.browser.steps import sees_darts, start, were_darts

LISTENING = """() => {
  window.heard = { sources: 0, said: [] };
  const begin = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) { heard.sources++; begin.apply(this, when); };
  speechSynthesis.speak = words => heard.said.push([words.lang, words.text]);
}"""


@pytest.fixture
def ear(open_page: OpenPage) -> Page:
    """A television with an ear at it: what is played and what is said is counted on the way out."""
    page = open_page("/board/lounge")
    page.evaluate(LISTENING)
    return page


def test_nothing_is_heard_that_nobody_asked_for(hall: Hall, phone: Page, ear: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    hall.throw("20;3", "20;3", "20;3")
    were_darts(phone, "T20", "T20")
    sees_darts(ear, "T20", "T20", "T20")
    assert ear.evaluate("heard") == {"sources": 0, "said": []}
    expect(ear.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
    expect(ear.get_by_role("button", name="Caller")).to_have_attribute("aria-pressed", "false")


def test_a_hundred_and_eighty_is_seen_heard_and_called(hall: Hall, phone: Page, ear: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    ear.get_by_role("button", name="Sound").click()
    ear.get_by_role("button", name="Caller").click()
    hall.throw("20;3")
    sees_darts(ear, "T20")
    ear.wait_for_function("() => heard.sources > 0")
    hall.throw("20;3", "20;3")
    were_darts(phone, "T20", "T20")
    expect(ear.locator(".flash.maximum")).to_have_text("180")
    ear.wait_for_function("() => heard.said.length > 0")
    assert ear.evaluate("heard.said") == [["en", "180"]]
    # Three darts of two parts each, and the fanfare.
    ear.wait_for_function("() => heard.sources > 6")
    ear.get_by_role("button", name="Sound").click()
    before = ear.evaluate("heard.sources")
    phone.get_by_role("navigation").get_by_role("button", name="Next").click()
    expect(ear.locator(".awaits")).to_have_text("Bob: dart 1")
    hall.throw("19;3")
    sees_darts(ear, "T19")
    assert ear.evaluate("heard.sources") == before
    assert ear.evaluate("heard.said.at(-1)") == ["en", "Bob"]


def test_what_was_asked_for_is_remembered(hall: Hall, phone: Page, ear: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    ear.get_by_role("button", name="Caller").click()
    ear.reload()
    expect(ear.get_by_role("button", name="Caller")).to_have_attribute("aria-pressed", "true")
    expect(ear.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")


def test_a_bust_is_shouted(hall: Hall, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"], {"Start": "101"})
    hall.throw("20;3", "19;3")
    expect(television.locator(".flash.bust")).to_have_text("Bust")
    expect(television.locator(".total.word")).to_contain_text("Bust")
