"""A page that has lost the daemon says so, shows no old score as if it were live, and is right again by itself."""

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import BROKERS, PHONE, TELEVISION, Cable, OpenPage, PageDaemon
from tests.browser.steps import press, sees_darts, sees_scores, start


@BROKERS
def test_a_killed_daemon_is_missed_and_found_again(
    page_daemon: PageDaemon, phone: Page, television: Page, complaints: list[str]
) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    page_daemon.throw("20;3", "20;1")
    sees_darts(television, "T20", "S20")
    page_daemon.kill()
    for page in (television, phone):
        expect(page.get_by_role("alert").filter(has_text="reconnecting")).to_be_visible()
        expect(page.locator(".stale")).to_have_count(1)
    for button in phone.locator(".thumbs button").all():
        expect(button).to_be_disabled()
    page_daemon.start()
    for page in (television, phone):
        expect(page.locator(".banner")).to_have_count(0)
        expect(page.locator(".stale")).to_have_count(0)
        sees_darts(page, "T20", "S20")
        sees_scores(page, "421", "501")
    page_daemon.throw("5;1")
    sees_darts(television, "T20", "S20", "S5")
    press(phone, "Next")
    expect(television.locator(".awaits")).to_have_text("Bob: dart 1")
    # The browser itself notes each vain attempt; the pages say nothing.
    assert all("WebSocket connection" in said or "ERR_CONNECTION_RE" in said for said in complaints), complaints
    complaints.clear()


@pytest.fixture
def unplugged(phone: Page, open_page: OpenPage) -> tuple[Page, Cable]:
    """A television that showed a match of X01, and shows that its connection is lost; and its cable."""
    start(phone, "X01", ["Ann", "Bob"])
    cable = Cable()
    page = open_page("/board/lounge", TELEVISION, cable=cable)
    sees_scores(page, "501", "501")
    cable.pull()
    expect(page.locator(".stage.stale")).to_be_visible()
    return page, cable


def test_what_changed_meanwhile_is_right_after_a_reconnect(
    page_daemon: PageDaemon, phone: Page, unplugged: tuple[Page, Cable]
) -> None:
    page, cable = unplugged
    page_daemon.throw("20;3")
    sees_scores(phone, "441", "501")
    expect(page.locator(".stage.stale")).to_be_visible()
    cable.plug()
    sees_scores(page, "441", "501")
    expect(page.locator(".stale")).to_have_count(0)


def test_a_match_that_ended_meanwhile_is_gone_after_a_reconnect(phone: Page, unplugged: tuple[Page, Cable]) -> None:
    """An empty retained topic sends nothing: the page must not go on showing what it had."""
    page, cable = unplugged
    phone.get_by_role("button", name="End match").click()
    phone.get_by_role("button", name="End match").click()
    expect(phone.get_by_role("heading", name="Start a match")).to_be_visible()
    cable.plug()
    expect(page.get_by_text("Ready to play")).to_be_visible()
    expect(page.locator(".stale")).to_have_count(0)


def test_what_was_typed_outlives_a_lost_connection(open_page: OpenPage) -> None:
    """The form of a new match stays, and can be sent once the page is connected again."""
    cable = Cable()
    phone = open_page("/board/lounge/control", PHONE, cable=cable)
    names = phone.locator(".seats input:not([type])")
    names.nth(0).fill("Ann")
    names.nth(1).fill("Bob")
    cable.pull()
    expect(phone.locator(".banner")).to_be_visible()
    go = phone.get_by_role("button", name="Game on")
    expect(go).to_be_disabled()
    cable.plug()
    expect(go).to_be_enabled()
    expect(names.nth(0)).to_have_value("Ann")
    expect(names.nth(1)).to_have_value("Bob")


def test_an_old_score_is_never_shown_as_live(
    page_daemon: PageDaemon, phone: Page, unplugged: tuple[Page, Cable]
) -> None:
    """Every picture between the loss of the connection and the new state is dimmed."""
    page, cable = unplugged
    page_daemon.throw("20;3")
    sees_scores(phone, "441", "501")
    page.evaluate(
        """() => { window.lied = []; const look = () => {
            const live = document.querySelector(".stage:not(.stale)");
            const score = live?.querySelector(".score")?.textContent;
            if (live && score !== "441") window.lied.push(score); };
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true,
                characterData: true }); }"""
    )
    cable.plug()
    sees_scores(page, "441", "501")
    expect(page.locator(".stale")).to_have_count(0)
    assert page.evaluate("window.lied") == []


class OldBroker:
    """The way to the broker as if it knew MQTT 3.1.1 alone.

    It answers a CONNECT of version 5 as that standard says (3.1.2.2): a CONNACK with code 1, unacceptable protocol
    level, then the end of the connection.
    """

    UNACCEPTABLE = b"\x20\x02\x00\x01"

    def __init__(self) -> None:
        self.levels: list[int] = []

    def join(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        known = False

        def up(message: str | bytes) -> None:
            nonlocal known
            assert isinstance(message, bytes)
            if not known:
                known = True
                # A CONNECT: the name of the protocol, then its level.
                level = message[message.index(b"MQTT") + 4]
                self.levels.append(level)
                if level == 5:
                    socket.send(self.UNACCEPTABLE)
                    socket.close()
                    return
            server.send(message)

        socket.on_message(up)


def test_a_broker_without_mqtt_5_is_spoken_to_in_3_1_1(
    page_daemon: PageDaemon, phone: Page, open_page: OpenPage
) -> None:
    start(phone, "X01", ["Ann", "Bob"])
    old = OldBroker()
    page = open_page("/favicon.svg", TELEVISION, alone=True)
    page.route_web_socket("**/mqtt", old.join)
    page.goto(f"{page_daemon.origin}/board/lounge")
    sees_scores(page, "501", "501")
    page_daemon.throw("20;3")
    sees_scores(page, "441", "501")
    assert old.levels == [5, 4]
