"""A dart is corrected on the phone."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import PageDaemon
from tests.browser.steps import press, sees_darts, sees_scores, start


def test_miss_bounce_next_and_undo(page_daemon: PageDaemon, phone: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    press(phone, "Miss")
    sees_darts(phone, "Miss")
    press(phone, "Bounce")
    page_daemon.throw("20;1")
    sees_darts(phone, "Miss", "S20")
    press(phone, "Next")
    expect(phone.locator(".awaits")).to_have_text("Bob: dart 1")
    press(phone, "Undo")
    sees_darts(phone, "Miss", "S20")
    press(phone, "Undo")
    sees_darts(phone, "Miss")
    sees_scores(phone, "501", "501")


def test_a_dart_is_corrected_to_the_bed_beside_it(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;1", "5;1")
    sees_scores(television, "476", "501")
    phone.get_by_role("button", name="Dart 2: S5. Correct it").click()
    offered = phone.locator(".near button").all_inner_texts()
    assert {"T5", "S20", "S12", "Miss"} <= set(offered)
    assert len(offered) < 20
    phone.locator(".near").get_by_text("S20", exact=True).click()
    sees_darts(television, "S20", "S20")
    sees_scores(television, "461", "501")


def test_a_dart_is_corrected_to_any_bed(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;1")
    phone.get_by_role("button", name="Dart 1: S20. Correct it").click()
    sheet = phone.get_by_role("dialog")
    sheet.get_by_role("button", name="Triple").click()
    sheet.get_by_role("button", name="T 3", exact=True).click()
    expect(sheet).to_have_count(0)
    sees_darts(television, "T3")
    sees_scores(television, "492", "501")


def test_a_dart_is_corrected_to_a_foul_and_back(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;3", "5;1")
    sees_scores(television, "436", "501")
    phone.get_by_role("button", name="Dart 1: T20. Correct it").click()
    sheet = phone.get_by_role("dialog")
    expect(sheet.get_by_role("button", name="On a border")).to_have_count(0)
    sheet.get_by_role("button", name="Foul").click()
    expect(sheet).to_have_count(0)
    sees_darts(television, "Foul", "S5")
    sees_scores(television, "496", "501")
    phone.get_by_role("button", name="Dart 1: Foul. Correct it").click()
    sheet.get_by_role("button", name="S 1", exact=True).click()
    sees_darts(television, "S1", "S5")
