"""Formats on the phone: a medley is built and started, and its legs are shown as their games."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import PageDaemon
from tests.browser.steps import press, sees_darts


def test_a_medley_is_built_on_the_phone_and_played(page_daemon: PageDaemon, phone: Page) -> None:
    phone.get_by_role("searchbox").fill("Count-Up")
    phone.get_by_text("Count-Up", exact=True).click()
    phone.get_by_text("Options", exact=True).click()
    phone.get_by_label("Rounds").fill("1")
    phone.get_by_text("Legs and who starts").click()
    phone.get_by_label("Then play").select_option("x01")
    phone.get_by_role("button", name="Add to the match").click()
    phone.get_by_label("Then play").select_option("choice")
    phone.get_by_role("button", name="Add to the match").click()
    expect(phone.locator(".medley li")).to_have_text(["Count-Up", "X01×", "a game of choice×"])
    phone.get_by_role("button", name="Game on").click()
    for dart in ("20;3", "1;1"):
        expect(phone.get_by_role("heading", level=1)).to_contain_text("Count-Up")
        page_daemon.throw(dart)
        sees_darts(phone, "T20" if dart == "20;3" else "S1")
        press(phone, "Next")
        # The next dart must not land in this turn.
        sees_darts(phone)
    expect(phone.get_by_role("heading", level=1)).to_contain_text("X01")
    expect(phone.locator(".mini output")).to_have_text(["501", "501"])
    press(phone, "Undo")
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Count-Up")
    sees_darts(phone, "S1")
