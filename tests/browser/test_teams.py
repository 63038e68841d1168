"""Partners stand together, with what they share once: on the scoreboard and on the phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.steps import press, start


@pytest.mark.parametrize("game", ["X01", "Cricket"])
def test_a_team_has_one_score_and_shows_who_throws(game: str, open_page: OpenPage) -> None:
    phone, television = open_page("/board/lounge/control", PHONE), open_page("/board/lounge")
    start(phone, game, ["Ann", "Bob", "Cid", "Dan"], {"Teams (partners share a score)": "2"})
    names = television.locator(".players .name, .cricket thead .name")
    for page in (television, phone):
        expect(page.locator(".players .score, .cricket .score, .mini output")).to_have_count(2)
        first, second = page.get_by_role("group", name="Team 1"), page.get_by_role("group", name="Team 2")
        expect(first.locator(".text")).to_have_text(["Ann", "Cid"])
        expect(second.locator(".text")).to_have_text(["Bob", "Dan"])
        expect(first.locator(".throws")).to_have_text("Ann")
        expect(second.locator(".throws")).to_have_count(0)
        assert violations(page) == []
    expect(names).to_have_count(2)
    for _ in range(2):
        press(phone, "Next")
    # Back at the first team it is the other partner's turn.
    expect(television.locator(".throws")).to_have_text("Cid")
