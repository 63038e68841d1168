"""The page `/show`: a rule is made, tried, corrected, changed and removed with a phone in hand."""

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from daemon.system.show_file import FILE
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, OpenPage, PageDaemon

SIZES: Final = [PHONE, (1080, 1920), (1024, 768), (1920, 1080), (1280, 720)]


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    found = open_page("/show", PHONE)
    expect(found.get_by_role("button", name="New rule")).to_be_visible()
    return found


def words_rule(page: Page, words: str) -> None:
    """Makes a rule that says something at 180, and saves it."""
    page.get_by_role("button", name="New rule").click()
    page.get_by_label("Add what happens").select_option("words")
    page.get_by_label("Words", exact=True).fill(words)
    page.get_by_role("button", name="Remove: Lights (WLED)").click()
    page.get_by_role("button", name="Save").click()


def test_a_rule_is_made_tried_changed_and_removed(page: Page, page_daemon: PageDaemon) -> None:
    words_rule(page, "$player: $total!")
    card = page.locator(".show-rule")
    expect(card.get_by_role("heading")).to_have_text("A turn scores exactly: 180")
    expect(card).to_contain_text("$player: $total!")
    card.get_by_role("button", name="Try it").click()
    expect(card.get_by_role("status")).to_have_text("Done")
    assert 'words = "$player: $total!"' in (page_daemon.data / FILE).read_text()
    card.get_by_role("button", name="Change").click()
    page.get_by_label("Add a condition").select_option("player")
    page.get_by_label("Player", exact=True).fill("Ann")
    page.get_by_label("Player", exact=True).press("Tab")
    page.get_by_label("Add a condition").select_option("segment")
    page.get_by_label("A dart lands in", exact=True).press_sequentially("t20, db")
    page.get_by_role("button", name="Save").click()
    expect(card.get_by_role("heading")).to_contain_text("Player: Ann")
    expect(card.get_by_role("heading")).to_contain_text("T20, DB")
    card.get_by_role("button", name=re.compile("^Remove")).click()
    card.get_by_role("button", name=re.compile("^Really remove")).click()
    expect(card).to_have_count(0)
    assert "[[show]]" not in (page_daemon.data / FILE).read_text()


def test_mistakes_are_said_beside_their_fields(page: Page, page_daemon: PageDaemon, complaints: list[str]) -> None:
    page.get_by_role("button", name="New rule").click()
    page.get_by_label("A turn scores exactly", exact=True).fill("")
    page.get_by_label("Address", exact=True).fill("wled.local")
    page.get_by_label("Seconds", exact=True).fill("9999")
    page.get_by_role("button", name="Save").click()
    address = page.locator(".show-field", has=page.get_by_label("Address", exact=True))
    expect(address.locator(".problem")).to_contain_text("http://wled.local")
    seconds = page.locator(".show-field", has=page.get_by_label("Seconds", exact=True))
    expect(seconds.locator(".problem")).to_contain_text("600")
    expect(page.locator(".show-editor > .problem, .show-rows + .problem").first).to_contain_text("condition")
    complaints.clear()  # the browser reports the status 422
    page.get_by_role("button", name="Cancel").click()
    (page_daemon.data / FILE).write_text("[[show]]\nwhen = { dart = 4, total = 3 }\nsound = '../x'\n")
    page.reload()
    card = page.locator(".show-rule")
    expect(card.locator(".problem")).to_have_count(3)
    card.get_by_role("button", name="Change").click()
    expect(page.locator(".show-field .problem")).to_have_count(2)


def test_each_card_and_row_keeps_its_own_text(page: Page) -> None:
    page.get_by_role("button", name="New rule").click()
    for payload in ("first", "second"):
        page.get_by_label("Add what happens").select_option("mqtt")
        page.get_by_label("Payload", exact=True).last.fill(payload)
    page.get_by_role("button", name="Remove: MQTT message").first.click()
    expect(page.get_by_label("Payload", exact=True)).to_have_value("second")
    total = page.get_by_label("A turn scores exactly", exact=True)
    total.fill("")
    total.press_sequentially("26")
    expect(total).to_have_value("26")


def test_a_sound_is_added_with_the_phone_and_nothing_comes_from_elsewhere(page: Page, page_daemon: PageDaemon) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.get_by_role("button", name="New rule").click()
    page.get_by_label("Add what happens").select_option("sound")
    page.locator("input[type=file]").set_input_files(
        {"name": "Höhe 180.mp3", "mimeType": "audio/mpeg", "buffer": b"sound"}
    )
    expect(page.get_by_label("File", exact=True)).to_have_value("H-he 180.mp3")
    assert (page_daemon.data / "show" / "H-he 180.mp3").read_bytes() == b"sound"
    assert asked
    assert all(address.startswith((page_daemon.origin, "ws:")) for address in asked)


def test_it_fits_on_every_screen_and_everybody_can_use_it(page: Page, tmp_path: Path) -> None:
    page.get_by_role("button", name="New rule").click()
    for condition in ("range", "event", "player", "combination", "bot"):
        page.get_by_label("Add a condition").select_option(condition)
    for output in ("sound", "picture", "words", "http", "mqtt"):
        page.get_by_label("Add what happens").select_option(output)
    page.get_by_label("This happens", exact=True).select_option("won")
    assert violations(page) == []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=tmp_path / f"editor-{width}.png")
