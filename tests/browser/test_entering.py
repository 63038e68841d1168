"""What a scorer enters besides single darts: totals of visits, and what was wrong in earlier turns."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, OpenPage, PageDaemon
from tests.browser.steps import press, sees_darts, sees_scores, start


def enter(phone: Page, total: str) -> None:
    """A total and Enter, once it can be entered."""
    field = phone.get_by_label("Points of the visit").first
    field.fill(total)
    expect(phone.get_by_role("button", name="Send")).to_be_enabled()
    field.press("Enter")


def test_a_match_is_scored_by_totals(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"], {"Start": "101"})
    phone.get_by_role("button", name="Total", exact=True).click()
    enter(phone, "60")
    sees_scores(television, "41", "101")
    sees_scores(phone, "41", "101")
    # Enter again replaces it, and Enter alone goes on.
    enter(phone, "61")
    sees_scores(television, "40", "101")
    sees_scores(phone, "40", "101")
    expect(phone.get_by_role("navigation").get_by_role("button", name="Next")).to_be_enabled()
    phone.get_by_label("Points of the visit").first.press("Enter")
    expect(phone.locator(".awaits")).to_have_text(re.compile("^Bob"))
    phone.get_by_role("button", name="26", exact=True).click()
    sees_scores(phone, "40", "75")
    press(phone, "Next")
    expect(phone.locator(".awaits")).to_have_text(re.compile("^Ann"))
    enter(phone, "181")
    expect(phone.get_by_role("alert").get_by_text("A visit has 0 to 180 points.")).to_be_visible()
    enter(phone, "41")
    expect(phone.locator(".refusal")).to_contain_text("A bust is 0")
    field = phone.get_by_label("Points of the visit").first
    field.fill("40")
    expect(phone.get_by_label("Last dart")).to_have_value("D20")
    expect(phone.locator("select[name=darts]")).to_have_value("1")
    field.press("Enter")
    expect(television.locator(".result")).to_contain_text("Ann")


def test_a_dart_of_an_earlier_turn_is_corrected(page_daemon: PageDaemon, phone: Page, open_page: OpenPage) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;3", "20;1", "5;1")
    sees_scores(phone, "416", "501")
    press(phone, "Next")
    expect(phone.locator(".awaits")).to_have_text(re.compile("^Bob"))
    page_daemon.throw("1;1")
    sees_darts(phone, "S1")
    phone.get_by_text("Earlier darts").click()
    phone.get_by_role("button", name="Ann, dart 2: S20. Correct it").click()
    expect(phone.get_by_role("heading", name="Dart 2 of Ann was S20. Where was it?")).to_be_visible()
    phone.get_by_role("dialog").get_by_role("button", name="Miss").click()
    sees_scores(phone, "436", "500")
    sees_darts(phone, "S1")


def test_no_dart_of_another_turn_is_corrected(page_daemon: PageDaemon, phone: Page, open_page: OpenPage) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;3")
    phone.get_by_role("button", name="Dart 1: T20. Correct it").click()
    expect(phone.get_by_role("dialog")).to_be_visible()
    press(open_page("/board/lounge/control", PHONE), "Next")
    expect(phone.locator(".awaits")).to_have_text(re.compile("^Bob"))
    page_daemon.throw("1;1")
    sees_darts(phone, "S1")
    expect(phone.get_by_role("dialog")).to_have_count(0)


def test_a_turn_has_a_clock_that_is_only_shown(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"], {"Clock for a turn (seconds)": "600"})
    for page in (phone, television):
        expect(page.get_by_role("timer")).to_have_text(re.compile(r"^(10:00|\d:\d\d)"))
    press(phone, "Next")
    expect(television.locator(".awaits")).to_have_text(re.compile("^Bob"))
    expect(television.get_by_role("timer")).to_be_visible()


def test_entering_fits_a_small_phone(page_daemon: PageDaemon, phone: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"], {"Start": "101"})
    phone.get_by_role("button", name="Total", exact=True).click()
    phone.get_by_label("Points of the visit").first.fill("101")
    expect(phone.get_by_label("Last dart")).to_be_visible()
    for width, height in (PHONE, PHONE[::-1], (320, 640)):
        phone.set_viewport_size({"width": width, "height": height})
        assert not phone.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_sound_of_a_screen_is_switched_from_a_phone(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    here, there = (page.get_by_role("button", name="Caller") for page in (phone, television))
    expect(there).to_have_attribute("aria-pressed", "false")
    here.click()
    for button in (here, there):
        expect(button).to_have_attribute("aria-pressed", "true")
    # What is touched at the screen holds there, also when it is loaded again, until the phone says otherwise.
    there.click()
    television.reload()
    # What the board's status says came before the match.
    expect(television.locator("main")).to_have_attribute("aria-busy", "false")
    expect(phone.get_by_role("button", name="Caller")).to_have_attribute("aria-pressed", "true")
    expect(there).to_have_attribute("aria-pressed", "false")
    phone.get_by_role("button", name="Sound", exact=True).click()
    expect(television.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    expect(there).to_have_attribute("aria-pressed", "false")
