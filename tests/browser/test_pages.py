"""The pages in a real browser, from the real daemon: a match is started, thrown, corrected and followed."""

import math

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from daemon.system.version import version
from engine.geometry import centre_of
from engine.segments import SEGMENTS
from tests.browser.conftest import BROKERS, PHONE, OpenPage, PageDaemon
from tests.browser.steps import pad, press, roll, sees_darts, sees_scores, start

EDGE = 1.25
"""Half the width of the drawn board, in radii of the double wire."""


def touch(page: Page, bed: str) -> None:
    """A finger on the middle of a bed, where the engine says that it is."""
    board = page.locator(".touch").bounding_box()
    assert board is not None
    at = centre_of(SEGMENTS[bed])
    half = board["width"] / 2
    page.mouse.click(board["x"] + half + at.x / EDGE * half, board["y"] + half - at.y / EDGE * half)


@BROKERS
def test_a_television_shows_the_match_and_follows_the_darts(
    page_daemon: PageDaemon, television: Page, phone: Page
) -> None:
    expect(television.get_by_text("Ready to play")).to_be_visible()
    start(phone, "X01", ["Ann", "Bob"])
    sees_scores(television, "501", "501")
    page_daemon.throw("20;3")
    sees_scores(television, "441", "501")
    page_daemon.throw("19;3", "5;1")
    sees_darts(television, "T20", "T19", "S5")
    sees_scores(television, "379", "501")
    expect(television.locator(".total")).to_have_text("This visit 122")
    expect(television.locator(".dart")).to_have_count(3)
    expect(television.locator(".awaits")).to_have_text("Ann: pull the darts, then Next")


def test_who_comes_later_is_right_at_once(page_daemon: PageDaemon, phone: Page, open_page: OpenPage) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;3", "19;3")
    sees_darts(phone, "T20", "T19")
    late = open_page("/board/lounge")
    sees_darts(late, "T20", "T19")
    sees_scores(late, "384", "501")


def test_the_only_board_is_where_one_lands(open_page: OpenPage, page_daemon: PageDaemon) -> None:
    page = open_page("/")
    page.wait_for_url(f"{page_daemon.origin}/board/lounge")
    page.goto(f"{page_daemon.origin}/?all")
    expect(page.get_by_role("heading", name="lounge")).to_be_visible()
    expect(page.locator("footer")).to_have_text(f"oche {version()}")
    expect(page.get_by_role("link", name="Control")).to_have_attribute("href", "/board/lounge/control")


def test_a_board_that_does_not_exist_is_said_so(open_page: OpenPage) -> None:
    page = open_page("/board/cellar")
    expect(page.get_by_role("heading", name="There is no board called cellar here.")).to_be_visible()
    page.get_by_role("link", name="All boards").click()
    expect(page.get_by_role("heading", name="lounge")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "said", "command"),
    [
        ("/setup", "Setup is not running here.", "oche setup"),
        ("/learn", "No board is being learned here.", "oche learn"),
    ],
)
def test_a_command_that_does_not_run_is_said_so_and_asked_for_once(
    open_page: OpenPage, complaints: list[str], path: str, said: str, command: str
) -> None:
    page = open_page(path, PHONE, alone=True)
    expect(page.get_by_role("heading", name=said)).to_be_visible()
    expect(page.locator("code")).to_contain_text(command)
    expect(page.get_by_role("link", name="All boards")).to_have_attribute("href", "/?all")
    # Longer than the page waits from one question to the next.
    page.wait_for_timeout(700)
    assert len(complaints) == 1
    complaints.clear()


def test_no_phone_is_asked_whose_it_is_where_nobody_holds_cards(phone: Page) -> None:
    start(phone, "Dards", ["Ann"])
    expect(phone.locator(".awaits")).to_have_text("Ann: dart 1")
    expect(phone.get_by_text("Whose phone is this?")).to_have_count(0)


def test_touching_the_drawn_board_throws_the_bed_that_the_engine_has_there(phone: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    names = {"SI6": "S6", "SO11": "S11", "SB": "25", "DB": "Bull"}
    for bed in ("T20", "D3", "SI6", "SO11", "T17", "SB", "DB", "D20"):
        touch(phone, bed)
        sees_darts(phone, names.get(bed, bed))
        sees_scores(phone, str(501 - SEGMENTS[bed].points), "501")
        press(phone, "Undo")
        sees_darts(phone)


def test_a_finger_slides_to_the_bed_it_means(phone: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    board = phone.locator(".touch").bounding_box()
    assert board is not None
    half = board["width"] / 2
    phone.mouse.move(board["x"] + half, board["y"] + half)
    phone.mouse.down()
    expect(phone.locator(".aim")).to_have_text("Bull")
    at = centre_of(SEGMENTS["T19"])
    phone.mouse.move(board["x"] + half + at.x / EDGE * half, board["y"] + half - at.y / EDGE * half)
    expect(phone.locator(".aim")).to_have_text("T19")
    sees_darts(phone)
    phone.mouse.up()
    sees_darts(phone, "T19")


def test_a_wild_number_is_named(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "Cerberus", ["Ann", "Bob"], {"Real dice and cards, entered by hand": True})
    roll(phone, "9 9 9")
    expect(television.locator(".die")).to_have_text(["9", "Bull", "?Wild"])
    page_daemon.throw("9;3", "20;3", "5;2")
    wild = phone.get_by_role("group", name="Wild number")
    expect(wild.get_by_role("button", name="20", exact=True)).to_have_attribute("aria-pressed", "true")
    sees_scores(television, "18", "0")
    wild.get_by_role("button", name="5", exact=True).click()
    sees_scores(television, "15", "0")
    expect(television.locator(".dice .sum")).to_have_text("5×3=15")
    press(phone, "Next")
    expect(wild).to_have_count(0)


def test_cerberus_lights_its_targets_and_says_who_is_behind(
    page_daemon: PageDaemon, phone: Page, television: Page
) -> None:
    start(phone, "Cerberus", ["Ann", "Bob"], {"Real dice and cards, entered by hand": True})
    roll(phone, "7 16 10")
    expect(television.locator(".die")).to_have_text(["7", "16", "10"])
    lit = television.locator("path.lit").evaluate_all("beds => beds.map(bed => bed.dataset.bed).sort()")
    assert lit == sorted(f"{ring}{number}" for ring in ("SI", "SO", "T", "D") for number in (7, 16, 10))
    page_daemon.throw("7;2", "7;1", "16;1")
    expect(television.locator(".die.marked")).to_have_text(["7", "16"])
    sees_scores(television, "12", "0")
    expect(television.locator(".behind .long")).to_have_text(["12 behind"])
    expect(television.locator(".behind.leads")).to_have_count(1)


def test_cricket_is_chalked(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "Cricket", ["Ann", "Bob"])
    page_daemon.throw("20;3", "20;1", "19;2")
    sees_scores(television, "20", "0")
    marks = television.locator(".cricket tbody tr").first.get_by_role("img")
    assert [mark.get_attribute("aria-label") for mark in marks.all()] == ["3 of 3", "0 of 3"]


def test_x01_shows_a_finish_and_who_won(page_daemon: PageDaemon, phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann"], {"Start": "101"})
    page_daemon.throw("20;3")
    expect(television.locator(".route li")).to_have_text(["S9", "D16"])
    lit = television.locator("path.lit").evaluate_all("beds => beds.map(bed => bed.dataset.bed)")
    assert sorted(lit) == ["SI9", "SO9"]
    page_daemon.throw("1;1", "20;2")
    sees_scores(television, "0")
    press(phone, "Next")
    expect(television.locator(".awaits")).to_have_text("Ann wins")
    expect(television.locator(".player.won")).to_have_count(1)
    phone.get_by_role("button", name="New match").click()
    start(phone, "X01", ["Ann", "Bob"])
    sees_scores(television, "101", "101")


def test_a_match_is_ended_after_a_second_thought(phone: Page, television: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    phone.get_by_role("button", name="End match").click()
    phone.get_by_role("button", name="Cancel").click()
    sees_scores(television, "501", "501")
    phone.get_by_role("button", name="End match").click()
    phone.get_by_role("button", name="End match").click()
    expect(television.get_by_text("Ready to play")).to_be_visible()
    expect(phone.get_by_role("heading", name="Start a match")).to_be_visible()


def test_what_is_refused_is_said_in_the_replys_own_sentence(phone: Page) -> None:
    phone.get_by_text("Cerberus", exact=True).click()
    phone.locator(".seats input:not([type])").first.fill("Cerberus")
    phone.get_by_role("button", name="Game on").click()
    expect(phone.get_by_role("alert")).to_contain_text("Cerberus is the name of the house; choose another name.")


def test_what_is_meant_for_an_old_score_is_refused(page_daemon: PageDaemon, phone: Page, open_page: OpenPage) -> None:
    """Two people press Next; the news of the first press has not reached the second, who means the same turn."""
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;1", "5;1", "1;1")
    other = open_page("/favicon.svg", PHONE, alone=True)
    slow = SlowNews()
    other.route_web_socket("**/mqtt", slow.join)
    other.goto(f"{page_daemon.origin}/board/lounge/control")
    for page in (phone, other):
        expect(page.locator(".awaits")).to_have_text("Ann: pull the darts, then Next")
    slow.waits = True
    press(phone, "Next")
    expect(phone.locator(".awaits")).to_have_text("Bob: dart 1")
    press(other, "Next")
    slow.arrives()
    expect(other.get_by_role("alert")).to_contain_text("The match has moved on")
    for page in (phone, other):
        expect(page.locator(".awaits")).to_have_text("Bob: dart 1")


class SlowNews:
    """A page's WebSocket on which, for a while, nothing comes in."""

    def __init__(self) -> None:
        self.waits = False
        self._held: list[str | bytes] = []
        self._socket: WebSocketRoute | None = None

    def join(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda news: self._held.append(news) if self.waits else socket.send(news))

    def arrives(self) -> None:
        assert self._socket is not None
        self.waits = False
        for news in self._held:
            self._socket.send(news)


def test_a_bot_plays_by_itself(phone: Page, television: Page) -> None:
    phone.get_by_text("X01", exact=True).click()
    phone.get_by_label("Bot", exact=True).first.check()
    slider = phone.get_by_role("slider")
    slider.fill("-8")
    expect(slider).to_have_attribute("aria-valuetext", "county player · 8 mm")
    phone.get_by_role("button", name="Game on").click()
    expect(television.locator(".name .bot")).to_have_count(1)
    expect(television.locator(".slot:not(.open)").first).to_be_visible()


def test_everything_can_be_done_with_a_keyboard(phone: Page) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    pad(phone, "Triple", "20")
    sees_darts(phone, "T20")
    reached = set()
    for _ in range(60):
        phone.keyboard.press("Tab")
        reached.add(
            phone.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText")
        )
    assert {"Undo", "Miss", "Bounce", "Next", "T 20", "Single", "Bull", "Dart 1: T20. Correct it"} <= reached
    phone.get_by_role("button", name="Dart 1: T20. Correct it").focus()
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("dialog")).to_be_visible()
    phone.keyboard.press("Escape")
    expect(phone.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "message"), [("de", "Ann: Wirf den ersten Dart"), ("fr", "Ann : lancez pour commencer")]
)
def test_the_pages_speak_the_readers_language(phone: Page, open_page: OpenPage, language: str, message: str) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page = open_page("/board/lounge", language=language)
    expect(page.locator(".awaits")).to_have_text(message)
    assert page.locator("html").get_attribute("lang") == language


def test_the_drawn_board_has_the_engines_proportions(television: Page) -> None:
    """The outline of each bed holds the point in which the engine sees its middle, and none holds another's."""
    expect(television.locator("path[data-bed]")).to_have_count(82)
    points = {
        bed.text: centre_of(bed) for bed in SEGMENTS.values() if bed.text != "MISS" and not bed.text[1:].isdigit()
    }
    points |= {text: centre_of(SEGMENTS[text]) for n in range(1, 21) for text in (f"D{n}", f"T{n}")}
    found = television.evaluate(
        """points => Object.fromEntries(Object.entries(points).map(([bed, [x, y]]) => [bed,
            [...document.querySelectorAll("path[data-bed]")]
                .filter(path => path.isPointInFill(new DOMPoint(x, -y))).map(path => path.dataset.bed)]))""",
        {text: [at.x, at.y] for text, at in points.items()},
    )
    assert found == {text: [text] for text in points}
    assert len(points) == 82
    assert all(math.hypot(at.x, at.y) < 1 for at in points.values())
