"""Games without a scoreboard of their own: the general one draws what their views say, and asks for their choices."""

import re

from playwright.sync_api import Page, expect

from tests.browser.steps import press, sees_scores, start


def test_three_targets_are_called_on_the_phone_and_the_first_is_lit(phone: Page, television: Page) -> None:
    start(phone, "Call Three", ["Ann", "Bob"])
    asked = phone.get_by_role("group", name="Bob must choose")
    for number, left in (("20", 20), ("3", 19), ("Bull", 0)):
        asked.get_by_role("button", name=number, exact=True).click()
        expect(asked.get_by_role("button")).to_have_count(left)
    expect(television.locator(".call")).to_have_text(["20", "3", "Bull"])
    expect(television.locator(".call.awaited")).to_have_text(["20"])
    lit = re.compile(r"\blit\b")
    expect(television.locator('[data-bed="T20"]')).to_have_class(lit)
    expect(television.locator('[data-bed="T3"]')).not_to_have_class(lit)
    press(phone, "Next")
    expect(phone.get_by_role("group", name="Ann must choose")).to_be_visible()
    expect(television.locator(".call")).to_have_text(["–", "–", "–"])


def test_lives_are_hearts_and_other_words_have_their_names(phone: Page, television: Page) -> None:
    start(phone, "Big Six", ["Ann", "Bob"])
    expect(television.locator(".facts div")).to_have_text(["TargetS6"])
    press(phone, "Next")
    sees_scores(television, "2", "3")
    expect(television.get_by_role("img", name="Lives: 2")).to_have_count(1)
    expect(television.get_by_role("img", name="Lives: 3")).to_have_count(1)
