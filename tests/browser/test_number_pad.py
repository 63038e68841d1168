"""The buttons for ring and number on the phone: they show what the board lights, and tell the two singles apart."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE
from tests.pictures import Studio, studio


@pytest.fixture(scope="module")
def set_up(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio(chromium, tmp_path_factory.mktemp("pad")) as running:
        yield running


@pytest.fixture
def phone(chromium: Browser, set_up: Studio) -> Iterator[Page]:
    # Not the numbers of the test before.
    set_up.referee.ask({"stop": True})
    page = chromium.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en")
    page.goto(f"{set_up.origin}/board/lounge/control")
    yield page
    page.close()


def playing(set_up: Studio, phone: Page, game: str) -> None:
    """The numbers of a match of Ann and Bob."""
    assert set_up.referee.ask({"start": {"game": game, "players": ["Ann", "Bob"]}})["ok"]
    phone.get_by_role("button", name="Numbers").click()


def names(phone: Page, look: str) -> list[str]:
    """The buttons that have this look."""
    found: list[str] = phone.locator(f".numberpad .{look}").evaluate_all(
        "all => all.map(button => button.ariaLabel ?? button.textContent)"
    )
    return found


def test_a_game_of_inner_singles_can_be_played_with_the_numbers(set_up: Studio, phone: Page) -> None:
    playing(set_up, phone, "steeplechase")
    rings = phone.locator(".rings button")
    expect(rings).to_have_text(["Outer single", "Inner single", "Double", "Triple"])
    assert names(phone, "lit") == []
    rings.nth(1).click()
    expect(phone.locator(".numberpad .lit")).to_have_count(1)
    assert names(phone, "lit") == ["SI 20"]
    assert violations(phone) == []
    phone.get_by_role("button", name="SI 20", exact=True).click()
    expect(phone.locator(".slot, button.chip").first).to_contain_text("20")
    state = set_up.referee.state(lambda state: bool(state["turn"]["darts"]), "the dart")
    assert (state["turn"]["darts"], state["players"][0]["score"]) == (["SI20"], 1)


def test_the_numbers_show_targets_and_dangers(set_up: Studio, phone: Page) -> None:
    playing(set_up, phone, "prisoner")
    expect(phone.locator(".numberpad .hurts")).to_have_count(2)
    assert (names(phone, "lit"), names(phone, "hurts")) == (["SO 1"], ["25", "Bull"])
    phone.get_by_role("button", name="Inner single").click()
    expect(phone.locator(".numberpad .hurts")).to_have_count(22)
    assert names(phone, "hurts") == [*(f"SI {number}" for number in range(1, 21)), "25", "Bull"]


def test_other_games_have_one_single(set_up: Studio, phone: Page) -> None:
    playing(set_up, phone, "x01")
    expect(phone.locator(".rings button")).to_have_text(["Single", "Double", "Triple"])
