"""Games without a scoreboard of their own: the general one draws what their views say, and asks for their choices."""

import re

from playwright.sync_api import Page, expect

from tests.browser.steps import pad, press, sees_scores, start


def test_three_targets_are_called_on_the_phone_and_the_first_is_lit(phone: Page, television: Page) -> None:
    start(phone, "Call Three", ["Ann", "Bob"])
    asked = phone.get_by_role("group", name="Bob chooses for Ann")
    for number, left in (("20", 20), ("3", 19), ("Bull", 0)):
        asked.get_by_role("button", name=number, exact=True).click()
        expect(asked.get_by_role("button")).to_have_count(left)
    expect(television.locator(".call")).to_have_text(["20", "3", "Bull"])
    expect(television.locator(".call.awaited")).to_have_text(["20"])
    lit = re.compile(r"\blit\b")
    expect(television.locator('[data-bed="T20"]')).to_have_class(lit)
    expect(television.locator('[data-bed="T3"]')).not_to_have_class(lit)
    press(phone, "Next")
    expect(phone.get_by_role("group", name="Ann chooses for Bob")).to_be_visible()
    expect(television.locator(".call")).to_have_text(["–", "–", "–"])


def test_scores_that_are_lives_have_a_heart_and_no_sum_and_other_words_have_their_names(
    phone: Page, television: Page
) -> None:
    start(phone, "Big Six", ["Ann", "Bob"])
    expect(television.locator(".facts div")).to_have_text(["TargetS6"])
    press(phone, "Next")
    sees_scores(television, "2", "3")
    expect(television.get_by_role("status", name="Lives")).to_have_text(["2", "3"])
    expect(television.get_by_role("img", name=re.compile("Lives"))).to_have_count(0)
    expect(television.locator(".slots .total")).to_have_count(0)


def test_squares_show_their_marks_and_their_owner(phone: Page, television: Page) -> None:
    start(phone, "Tic-Tac-Toe", ["Ann", "Bob"])
    squares = television.get_by_role("list", name="Squares").get_by_role("listitem")
    expect(squares).to_have_text(["20", "19", "18", "17", "Bull", "16", "15", "14", "13"])
    pad(phone, "Triple", "20")
    pad(phone, "Double", "19")
    expect(squares.nth(0)).to_have_attribute("title", "Ann")
    expect(squares.nth(1)).to_have_text("19●●")
    expect(squares.nth(1)).not_to_have_attribute("title", "Ann")
    # Who has no scoreboard in view sees the same on the phone.
    own = phone.get_by_role("list", name="Squares").get_by_role("listitem")
    expect(own).to_have_text(squares.all_text_contents())


def test_a_race_shows_the_course_of_each_player(phone: Page, television: Page) -> None:
    start(phone, "Nine Lives", ["Ann", "Bob"])
    expect(television.get_by_role("img", name="Place 0 of 20")).to_have_count(2)
    # The score is the place; the lives are hearts beside it.
    expect(television.get_by_role("img", name="Lives: 3")).to_have_count(2)
    # What there is to say of the match begins below its title.
    expect(television.locator(".facts")).to_have_count(0)
    pad(phone, "Triple", "1")
    expect(television.get_by_role("img", name="Place 1 of 20")).to_have_count(1)
    expect(television.get_by_role("img", name="Place 0 of 20")).to_have_count(1)
