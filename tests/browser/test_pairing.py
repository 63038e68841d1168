"""A phone on the network logs in with the code on the scoreboard, and then belongs to its player."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION, PageDaemon
from tests.chromium import NETWORK_NAME
from tests.daemon.guest import OVER_THE_NETWORK
from tests.daemon.house import make_user
from tests.rig import PtyBoard, oche

HANDS = '{"start": {"game": "dards", "players": ["Ann", "Bob"], "options": {"order": "listed", "mode": "hands"}}}'


class NetworkPageDaemon(PageDaemon):
    """The same, open to the network."""

    def __init__(self, folder: Path, board: PtyBoard, *more: str) -> None:
        super().__init__(folder, board, "embedded:", "maddarts", *more)
        self._arguments = (*self._arguments, "--http", f"{OVER_THE_NETWORK}:{self.http}")
        self._opened: list[BrowserContext] = []

    def from_the_network(self, browser: Browser, path: str, size: tuple[int, int]) -> Page:
        return self._page(browser, f"http://{NETWORK_NAME}:{self.http}{path}", size)

    def here(self, browser: Browser, path: str) -> Page:
        return self._page(browser, f"http://localhost:{self.http}{path}", TELEVISION)

    def _page(self, browser: Browser, address: str, size: tuple[int, int]) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en")
        self._opened.append(context)
        page = context.new_page()
        page.goto(address)
        return page

    def close_pages(self) -> None:
        """A page that stays open looks for its daemon, which has ended, for as long as the browser runs."""
        for context in self._opened:
            context.close()
        self._opened.clear()

    def do(self, command: str) -> None:
        broker = f"ws://localhost:{self.http}/mqtt"
        oche("throw", "--broker", broker, "--node", "test", "--board", "lounge", command)


@pytest.fixture
def open_hall(tmp_path: Path, pty: PtyBoard) -> Iterator[NetworkPageDaemon]:
    with NetworkPageDaemon(tmp_path, pty) as running:
        yield running
        running.close_pages()


def test_a_phone_is_let_in_and_has_its_own_hand(open_hall: NetworkPageDaemon, chromium: Browser) -> None:
    television = open_hall.here(chromium, "/board/lounge")
    shown = television.locator(".panel .code")
    shown_code = shown.inner_text().removeprefix("Code ")
    code = re.sub(r"\D", "", shown_code)
    assert len(shown_code) == len(code) + 1
    phone = open_hall.from_the_network(chromium, "/board/lounge/control", PHONE)
    expect(phone.get_by_role("heading", name="Log in")).to_be_visible()
    assert violations(phone) == []

    phone.get_by_label("Code").fill("000000" if code != "000000" else "111111")
    phone.get_by_label("Your name").fill("Ann")
    phone.get_by_role("button", name="Log in").first.click()
    expect(phone.get_by_role("alert")).to_contain_text("not the code")

    # As it is shown, with its gap.
    phone.get_by_label("Code").fill(shown_code)
    phone.get_by_role("button", name="Log in").first.click()
    expect(phone.get_by_role("heading", name="lounge")).to_be_visible()
    expect(shown).not_to_contain_text(shown_code)

    open_hall.do(HANDS)
    cards = phone.locator(".hand button")
    expect(cards.first).to_be_enabled()
    undo = phone.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    expect(undo).to_have_accessible_description("Only the referee can undo, start and end a match.")
    expect(phone.get_by_text("Ann, it is your turn.")).to_be_visible()
    expect(phone.locator(".mini li", has_text="you")).to_contain_text("Ann")
    cards.first.click()
    expect(cards.first).to_be_disabled()
    expect(phone.locator("main")).to_have_attribute("data-revision", "2")


def test_the_square_leads_to_the_form_with_its_code(open_hall: NetworkPageDaemon, chromium: Browser) -> None:
    codes = open_hall.here(chromium, "/pairing.json").inner_text("body")
    code = json.loads(codes)["display"]
    screen = open_hall.from_the_network(chromium, f"/pair?code={code}", TELEVISION)
    expect(screen.get_by_label("Code")).to_have_value(code)
    screen.get_by_role("button", name="Log in").first.click()
    expect(screen.get_by_role("heading", name="Ready to play")).to_be_visible()


def test_the_scoreboards_square_leads_to_its_control(open_hall: NetworkPageDaemon, chromium: Browser) -> None:
    """Through the form the first time, at once when the phone comes back; also from the corner of a match."""
    television = open_hall.here(chromium, "/board/lounge")
    address = television.locator(".panel .address a").get_attribute("href") or ""
    expect(television.locator("svg.qr")).to_have_attribute("data-text", address)
    read = urlsplit(address)
    phone = open_hall.from_the_network(chromium, f"{read.path}?{read.query}", PHONE)
    phone.get_by_label("Your name").fill("Ann")
    phone.get_by_role("button", name="Log in").first.click()
    phone.wait_for_url("**/board/lounge/control")
    expect(phone.get_by_role("heading", name="lounge")).to_be_visible()

    open_hall.do(HANDS)
    expect(television.locator(".join")).to_be_visible()
    shown = json.loads(open_hall.here(chromium, "/pairing.json").inner_text("body"))
    joins = re.compile(rf"http://.*/pair\?code={shown['player']}&board=lounge$")
    expect(television.locator(".join svg.qr")).to_have_attribute("data-text", joins)
    phone.goto(f"http://{NETWORK_NAME}:{open_hall.http}/pair?code={shown['player']}&board=lounge")
    phone.wait_for_url("**/board/lounge/control")
    expect(phone.get_by_role("heading", name="lounge · Dards")).to_be_visible()


def test_a_code_leads_to_no_page_of_others(open_hall: NetworkPageDaemon, chromium: Browser) -> None:
    code = json.loads(open_hall.here(chromium, "/pairing.json").inner_text("body"))["referee"]
    phone = open_hall.from_the_network(chromium, f"/pair?code={code}&board=//evil.example/x", PHONE)
    phone.get_by_role("button", name="Log in").first.click()
    expect(phone.get_by_role("heading", name="Ready to play").or_(phone.get_by_text("Start a match"))).to_be_visible()
    assert urlsplit(phone.url).hostname == NETWORK_NAME


def test_a_user_with_a_password_comes_in(open_hall: NetworkPageDaemon, chromium: Browser) -> None:
    made = make_user(open_hall.data, "rita", "referee")
    phone = open_hall.from_the_network(chromium, "/history", PHONE)
    phone.goto(f"http://{NETWORK_NAME}:{open_hall.http}/pair")
    phone.get_by_text("I have a password").click()
    phone.get_by_label("User").fill("rita")
    phone.get_by_label("Password", exact=True).fill(made)
    phone.get_by_role("button", name="Log in").last.click()
    # The list of boards leads on to the only board.
    expect(phone).to_have_url(re.compile("/board/lounge"))
    expect(phone.get_by_role("heading", name="Ready to play")).to_be_visible()
    assert phone.evaluate("fetch('/history.json').then((answer) => answer.status)") == 401
    phone.goto(f"http://{NETWORK_NAME}:{open_hall.http}/history")
    expect(phone.locator("main")).not_to_contain_text("Say who you are")


def _codes(open_hall: NetworkPageDaemon, chromium: Browser) -> dict[str, str]:
    codes: dict[str, str] = json.loads(open_hall.here(chromium, "/pairing.json").inner_text("body"))
    return codes


def _in_halves(code: str) -> str:
    return f"{code[:3]}\u00a0{code[3:]}"


def _come_in(page: Page, code: str, name: str) -> None:
    page.get_by_label("Code").fill(code)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Log in").first.click()


def test_a_screen_elsewhere_shows_no_code_and_a_referee_adds_players(
    open_hall: NetworkPageDaemon, chromium: Browser
) -> None:
    screen = open_hall.from_the_network(chromium, "/board/lounge", TELEVISION)
    _come_in(screen, _codes(open_hall, chromium)["display"], "")
    expect(screen.locator(".panel")).to_contain_text("The code is on the referee’s phone")
    expect(screen.locator(".code")).to_have_count(0)
    expect(screen.locator(".newcomers")).to_contain_text("was added as display, from 127.0.0.1")
    expect(screen.locator(".newcomers button")).to_have_count(0)
    assert violations(screen) == []

    phone = open_hall.from_the_network(chromium, "/board/lounge/control", PHONE)
    _come_in(phone, _codes(open_hall, chromium)["referee"], "Rita")
    phone.get_by_role("button", name="Add a player", exact=True).click()
    expect(phone.locator(".invite .code")).to_contain_text(_in_halves(_codes(open_hall, chromium)["player"]))
    expect(screen.locator(".newcomers")).to_contain_text("Rita was added as referee")
    assert violations(phone) == []


def test_who_came_in_is_confirmed_or_removed_on_the_scoreboard(open_hall: NetworkPageDaemon, chromium: Browser) -> None:
    television = open_hall.here(chromium, "/board/lounge")
    for name in ("Ann", "Eve"):
        phone = open_hall.from_the_network(chromium, "/board/lounge/control", PHONE)
        _come_in(phone, _codes(open_hall, chromium)["player"], name)
        expect(phone.get_by_role("heading", name="lounge")).to_be_visible()
    lines = television.locator(".newcomers p")
    expect(lines.first).to_contain_text("Eve was added as player, from 127.0.0.1")
    expect(lines.last).to_have_text("1 more")
    assert violations(television) == []
    lines.first.get_by_role("button", name="Remove").click()
    expect(lines).to_have_count(1)
    expect(lines.first).to_contain_text("Ann was added as player")
    lines.first.get_by_role("button", name="Confirm").click()
    expect(lines).to_have_count(0)
    expect(phone.get_by_role("heading", name="Log in")).to_be_visible()
    assert [user["name"] for user in json.loads((open_hall.data / "users.json").read_text())] == ["ann"]
