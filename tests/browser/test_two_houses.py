"""Two phones and two houses: an invitation by code, a match on both pages, and what they say when the line is down."""

from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, TELEVISION
from tests.houses.pair import House, SharedBroker
from tests.rig import takes_connections, until

START = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}}


def _page(stack: ExitStack, chromium: Browser, house: House, path: str, size: tuple[int, int], lang: str) -> Page:
    until(lambda: takes_connections(house.daemon.http), "the pages")
    page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
    stack.callback(page.close)
    page.goto(f"http://127.0.0.1:{house.daemon.http}/board/lounge{path}?lang={lang}")
    return page


def test_two_phones_and_two_houses(chromium: Browser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        shared = SharedBroker(tmp_path / "hub", "anna", "bob")
        shared.start()
        stack.callback(shared.kill)
        anna, bob = (House(tmp_path / node, node, shared.url(node)) for node in ("anna", "bob"))
        for house in (anna, bob):
            stack.callback(house.close)
            house.start()
        assert anna.ask(START)["ok"]
        host = _page(stack, chromium, anna, "/control", PHONE, "en")
        guest = _page(stack, chromium, bob, "/control", PHONE, "de")
        host.get_by_role("button", name="Play with another house").click()
        houses = host.get_by_role("region", name="Play with another house")
        expect(houses.get_by_role("button", name="Invite them")).to_be_disabled()
        houses.get_by_role("button", name="Bob").click()
        houses.get_by_role("button", name="Invite them").click()
        expect(houses.locator(".code")).to_contain_text("anna/lounge/")
        code = houses.locator(".code").inner_text()
        guest.get_by_role("button", name="Mit einem anderen Haus spielen").click()
        there = guest.get_by_role("region", name="Mit einem anderen Haus spielen")
        there.get_by_label("Ich habe einen Code").fill("anna/lounge/AAAAAAAA")
        there.get_by_role("button", name="Ansehen").click()
        expect(there.get_by_role("alert")).to_contain_text("Diese Einladung gilt nicht")
        there.get_by_label("Ich habe einen Code").fill(code)
        there.get_by_role("button", name="Ansehen").click()
        expect(there).to_contain_text("X01: Ann, Bob. Im anderen Haus: Bob.")
        there.get_by_role("button", name="Annehmen und spielen").click()
        expect(there.get_by_role("alert")).to_contain_text("Beende das Spiel dort zuerst")
        assert anna.ask({"stop": True})["ok"]
        there.get_by_role("button", name="Annehmen und spielen").click()
        bob.house("here")
        expect(host.locator("main.playing")).to_contain_text("Bob")
        television = _page(stack, chromium, bob, "", TELEVISION, "de")
        expect(television.locator("main")).to_contain_text("Ann")
        assert anna.ask({"throw": "S1"})["ok"]
        anna.say("S2", "S3")
        anna.shows("Ann", "S1", "S2", "S3")
        assert anna.ask({"next": True})["ok"]
        bob.shows("Bob")
        shared.kill()
        bob.house("away")
        bob.say("S20", "S19")
        for page in (guest, television):
            expect(page.locator(".banner")).to_contain_text("Das Haus anna ist nicht erreichbar.")
            expect(page.locator(".banner")).to_contain_text("S20, S19")
        expect(host.locator(".banner")).to_contain_text("The house bob cannot be reached.")
        shared.start()
        for page in (guest, television, host):
            expect(page.locator(".banner")).to_have_count(0)
        anna.shows("Bob", "S20", "S19")
