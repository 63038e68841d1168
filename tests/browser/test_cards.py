"""A player's card: made on their page; read by its link, and in the form of a new match by a scanner and a camera."""

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from daemon.shipping.membership import Membership, save
from daemon.shipping.sent_file import SentFile
from league.cards import Card, card_text
from league.signatures import key_text, new_key, public_key
from tests.browser.axe import violations
from tests.browser.conftest import PHONE
from tests.pictures import Studio, studio

SEES: Final = """card => {
  window.BarcodeDetector = class {
    async detect() { return [{ rawValue: "https://example.org" }, { rawValue: card }]; }
  };
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  setInterval(() => pen.fillRect(0, 0, 9, 9), 100);
  window.stream = canvas.captureStream(5);
  navigator.mediaDevices.getUserMedia = async () => window.stream;
}"""
"""What this browser lacks on Linux: finding QR codes. The stream is one, of a canvas."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cards")


@pytest.fixture(scope="module")
def set_up(chromium: Browser, place: Path) -> Iterator[Studio]:
    with studio(chromium, place) as running:
        start = {"game": "count_up", "players": ["Ann", "Bob"]}
        assert running.referee.ask({"start": start})["ok"]
        assert running.referee.ask({"stop": True})["ok"]
        yield running


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="en")
    yield context
    context.close()


def made(studio: Studio, player: str) -> str:
    asked = Request(f"{studio.origin}/players/{player}/card", b"{}", method="PUT")
    with urlopen(asked) as answer:
        return str(json.load(answer)["card"])


def in_a_league(data: Path) -> bytes:
    """Has the node know a league, as its hall has told it; returns the private key of the league."""
    key = new_key()
    save(data, Membership("http://localhost:9", "crown", new_key()))
    SentFile(data).note("league", json.dumps({"league": key_text(public_key(key))}))
    return key


def seats(page: Page) -> list[str]:
    found: list[str] = page.locator(".seats ol input:not([type])").evaluate_all("all => all.map(one => one.value)")
    return found


def test_a_referee_makes_and_revokes_a_card(set_up: Studio, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{set_up.origin}/players/Ann")
    card = page.locator(".player-card")
    card.get_by_role("button", name="Make a card").click()
    code = card.locator("svg.qr")
    expect(code).to_be_visible()
    link = code.get_attribute("data-text")
    assert link is not None and re.search(r"/card#1\.[A-Za-z0-9_-]{22}$", link)
    assert violations(page) == []
    page.emulate_media(media="print")
    box = code.bounding_box()
    assert box is not None and box["x"] < 40 and box["y"] < 40, "on paper it is all there is"
    expect(page.locator("h1")).to_be_hidden()
    page.emulate_media(media="screen")
    page.reload()
    expect(card.get_by_role("button", name="Make another card")).to_be_visible()
    expect(code).to_have_count(0)
    card.get_by_role("button", name="Revoke the card").click()
    expect(card.get_by_role("button", name="Make a card")).to_be_visible()
    opened = context.new_page()
    opened.goto(link)
    expect(opened.locator("[role=status]")).to_contain_text("This card is not valid")


def test_a_link_takes_a_seat(set_up: Studio, context: BrowserContext) -> None:
    """As a phone's own camera opens it. The address has the secret no more."""
    page = context.new_page()
    page.goto(f"{set_up.origin}/card#{made(set_up, 'Bob')}")
    page.wait_for_url("**/board/lounge/control")
    expect(page.locator(".seats ol input:not([type])").first).to_have_value("Bob")
    page.go_back()
    assert "1." not in page.url
    page.goto(f"{set_up.origin}/board/lounge/control")
    expect(page.locator(".seats ol li")).to_have_count(2)
    assert seats(page) == ["", ""], "a card counts once"


def test_a_scanner_that_types_takes_a_seat(set_up: Studio, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{set_up.origin}/board/lounge/control")
    page.get_by_role("button", name="Read a card").click()
    field = page.get_by_label("Or the text of the card")
    field.fill("https://example.org")
    field.press("Enter")
    expect(page.locator(".card-reader .problem")).to_contain_text("not a card")
    assert violations(page) == []
    field.fill(f"http://another.local/card#{made(set_up, 'Ann')}")
    field.press("Enter")
    expect(field).to_have_count(0)
    assert seats(page) == ["Ann", ""]
    page.get_by_role("button", name="Read a card").click()
    field.fill(made(set_up, "Ann"))
    field.press("Enter")
    expect(field).to_have_count(0)
    assert seats(page) == ["Ann", ""], "nobody has two seats"


def test_a_camera_takes_a_seat_and_is_off_again(set_up: Studio, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{set_up.origin}/board/lounge/control")
    expect(page.get_by_role("button", name="Read a card")).to_be_visible()
    page.evaluate(SEES, f"{set_up.origin}/card#{made(set_up, 'Bob')}")
    page.get_by_role("button", name="Read a card").click()
    expect(page.locator(".seats ol input:not([type])").first).to_have_value("Bob")
    expect(page.locator(".card-reader")).to_have_count(0)
    page.wait_for_function("() => window.stream.getTracks().every(track => track.readyState === 'ended')")


def test_a_card_of_the_league_takes_a_seat_and_a_forged_one_is_refused(
    set_up: Studio, place: Path, context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(f"{set_up.origin}/players/Ann")
    expect(page.locator(".player-card button").first).to_be_enabled()
    expect(page.locator(".player-card")).not_to_contain_text("league")

    card, key = Card("a" * 32, "Ann", date(2199, 1, 1)), in_a_league(place / "data")
    page.goto(f"{set_up.origin}/board/lounge/control")
    page.get_by_role("button", name="Read a card").click()
    field = page.get_by_label("Or the text of the card")
    field.fill(card_text(card, new_key()))
    field.press("Enter")
    expect(page.locator(".card-reader .problem")).to_contain_text("not one of this league")
    field.fill(card_text(card, key))
    field.press("Enter")
    expect(field).to_have_count(0)
    assert seats(page) == ["Ann", ""]

    page.goto(f"{set_up.origin}/players/Ann")
    shown = page.locator(".player-card")
    expect(shown).to_contain_text("has shown a card of the league")
    assert violations(page) == []
    shown.get_by_role("button", name="Revoke the card").click()
    expect(shown).not_to_contain_text("league")
