"""The form of a new match: a game is found among many, says what it is about, and is offered first the next time."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, PageDaemon
from tests.browser.steps import start
from tests.rig import PtyBoard


def test_a_game_is_found_by_its_name_and_explains_itself(phone: Page) -> None:
    games = phone.get_by_role("group", name="Game")
    find = games.get_by_role("searchbox", name="Find a game")
    find.fill("no such game")
    expect(games.get_by_role("status")).to_have_text("No game has this name.")
    find.fill("KILLER")
    expect(games.locator(".choice b")).to_have_text(["Blind Killer", "Killer"])
    games.get_by_text("Killer", exact=True).click()
    expect(find).to_have_value("")
    expect(games.get_by_role("radio", name="Killer", exact=True)).to_be_checked()
    # Open at once for who has not played yet.
    expect(games.locator("dt")).to_have_text(["Aim", "Turn", "End"])
    expect(games.locator("dd").first).to_have_text("Be the last one with lives.")
    assert violations(phone) == []


def test_the_last_game_is_offered_first_and_once(phone: Page) -> None:
    groups = phone.locator(".games > details")
    expect(groups.first.locator("summary").first).to_have_text("Classics")
    start(phone, "Killer", ["Ann", "Bob"])
    phone.get_by_role("button", name="End match").click()
    expect(phone.get_by_role("button", name="Cancel")).to_be_visible()
    phone.get_by_role("button", name="End match").click()
    expect(groups.first.locator("summary").first).to_have_text("Last played")
    expect(groups.first.locator(".choice b")).to_have_text(["Killer"])
    expect(phone.get_by_role("radio", name="Killer", exact=True, include_hidden=True)).to_have_count(1)


def test_a_game_by_chance_is_one_for_those_who_play(phone: Page) -> None:
    chosen = phone.locator(".games input:checked + span b")
    for _ in range(5):
        phone.get_by_role("button", name="Add a player").click()
    before = chosen.text_content()
    for _ in range(10):
        phone.get_by_role("button", name="Surprise us").click()
        expect(chosen).not_to_have_text(before or "")
        before = chosen.text_content()
        expect(phone.get_by_role("button", name="Game on")).to_be_enabled()


def test_a_game_tells_its_players_and_minutes_and_why_it_cannot_start(phone: Page) -> None:
    killer = phone.locator(".choice", has=phone.get_by_role("radio", name="Killer", exact=True))
    phone.get_by_role("searchbox").fill("killer")
    expect(killer.locator("small")).to_have_text(re.compile(r"2–16 · \d+ min"))
    killer.click()
    expect(phone.locator(".facts-of")).to_have_text(re.compile(r"Players: 2–16 · about \d+ min with 2"))
    phone.get_by_role("button", name="Remove").last.click()
    expect(phone.get_by_text("Killer is for 2–16 players.")).to_be_visible()
    expect(phone.get_by_role("button", name="Game on")).to_be_disabled()


def test_a_favourite_is_offered_first_and_remembered(phone: Page) -> None:
    groups = phone.locator(".games > details")
    phone.get_by_role("searchbox").fill("shanghai")
    phone.get_by_text("Shanghai", exact=True).click()
    phone.get_by_role("button", name="Shanghai is a favourite").click()
    expect(groups.first.locator("summary").first).to_have_text("Favourites")
    phone.reload()
    expect(groups.first.locator(".choice b")).to_have_text(["Shanghai"])
    groups.first.locator("summary").first.click()
    phone.get_by_text("Shanghai", exact=True).click()
    phone.get_by_role("button", name="Shanghai is a favourite", pressed=True).click()
    expect(groups.first.locator("summary").first).to_have_text("Classics")


def test_the_rules_are_a_touch_away_during_a_match(phone: Page) -> None:
    start(phone, "Hi-Lo", ["Ann", "Bob"])
    phone.get_by_role("button", name="Rules").click()
    sheet = phone.get_by_role("dialog", name="Hi-Lo")
    expect(sheet.locator("dt")).to_have_text(["Aim", "Turn", "End"])
    assert violations(phone) == []
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)
    # The pages name a game as the game does, wherever it is listed.
    phone.goto(phone.url.replace("/board/lounge/control", "/history"))
    expect(phone.locator(".matches .what b")).to_have_text(["Hi-Lo"])


def test_a_board_that_reports_points_alone_says_what_it_cannot_play(
    tmp_path: Path, pty: PtyBoard, chromium: Browser
) -> None:
    with PageDaemon(tmp_path, pty, "embedded:", "score-only") as daemon:
        page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en")
        page.goto(f"{daemon.origin}/board/lounge/control")
        page.get_by_role("searchbox").fill("bingo")
        expect(page.locator(".choice small")).to_have_text(["not on this board"])
        page.get_by_text("Darts Bingo", exact=True).click()
        expect(page.locator(".about .why")).to_have_text(
            "This board reports points alone. The game must know which bed was hit."
        )
        expect(page.get_by_role("button", name="Game on")).to_be_disabled()
        for _ in range(5):
            page.get_by_role("button", name="Surprise us").click()
            expect(page.get_by_role("button", name="Game on")).to_be_enabled()
        page.close()
