"""The form of a new match: a game is found among many, says what it is about, and is offered first the next time."""

from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.steps import start


def test_a_game_is_found_by_its_name_and_explains_itself(phone: Page) -> None:
    games = phone.get_by_role("group", name="Game")
    find = games.get_by_role("searchbox", name="Find a game")
    find.fill("no such game")
    expect(games.get_by_role("status")).to_have_text("No game has this name.")
    find.fill("KILLER")
    expect(games.locator(".choice")).to_have_text(["Blind Killer", "Killer"])
    games.get_by_text("Killer", exact=True).click()
    expect(find).to_have_value("")
    expect(games.get_by_role("radio", name="Killer", exact=True)).to_be_checked()
    games.get_by_text("Rules", exact=True).click()
    expect(games.locator("dt")).to_have_text(["Aim", "Turn", "End"])
    expect(games.locator("dd").first).to_have_text("Be the last one with lives.")
    assert violations(phone) == []


def test_the_last_game_is_offered_first_and_once(phone: Page) -> None:
    groups = phone.locator(".games > details")
    expect(groups.first.locator("summary")).to_have_text("Classics")
    start(phone, "Killer", ["Ann", "Bob"])
    phone.get_by_role("button", name="End match").click()
    expect(phone.get_by_role("button", name="Cancel")).to_be_visible()
    phone.get_by_role("button", name="End match").click()
    expect(groups.first.locator("summary")).to_have_text("Last played")
    expect(groups.first.locator(".choice")).to_have_text(["Killer"])
    expect(phone.locator(".choice", has_text="Killer").filter(has_not_text="Blind")).to_have_count(1)


def test_a_game_by_chance_is_one_for_those_who_play(phone: Page) -> None:
    chosen = phone.locator(".games input:checked + span")
    for _ in range(5):
        phone.get_by_role("button", name="Add a player").click()
    before = chosen.text_content()
    for _ in range(10):
        phone.get_by_role("button", name="Surprise us").click()
        expect(chosen).not_to_have_text(before or "")
        before = chosen.text_content()
        expect(phone.get_by_role("button", name="Game on")).to_be_enabled()
