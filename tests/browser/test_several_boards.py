"""A match on two boards: started on a phone, and shown on both screens; in X01 each has its own player first."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION, OpenPage, PageDaemon
from tests.browser.steps import press, sees_darts, sees_scores, start
from tests.mqtt_clients import Referee, watching
from tests.rig import PtyBoard

BOARDS = {"Board of Ann": "lounge", "Board of Bob": "kitchen"}


@pytest.fixture
def kitchen(tmp_path: Path) -> Iterator[PtyBoard]:
    board = PtyBoard(tmp_path, "kitchen")
    yield board
    board.unplug()


@pytest.fixture
def page_daemon(tmp_path: Path, pty: PtyBoard, kitchen: PtyBoard) -> Iterator[PageDaemon]:
    more = ("--board", f"kitchen=maddarts@{kitchen.path}")
    with PageDaemon(tmp_path, pty, "embedded:", "maddarts", *more) as running:
        yield running


def test_a_match_on_two_boards(phone: Page, open_page: OpenPage, page_daemon: PageDaemon, kitchen: PtyBoard) -> None:
    lounge_tv, kitchen_tv = (open_page(f"/board/{board}", TELEVISION) for board in ("lounge", "kitchen"))
    expect(phone.get_by_role("button", name="Game on")).to_be_visible()
    assert violations(phone) == []
    seats = phone.locator(".seats select")
    expect(seats).to_have_count(2)
    for seat in seats.all():
        seat.select_option("kitchen")
    expect(phone.get_by_text("Nobody throws at lounge")).to_be_visible()
    expect(phone.get_by_role("button", name="Game on")).to_be_disabled()
    start(phone, "X01", ["Ann", "Bob"], BOARDS)

    for tv, order in ((lounge_tv, ["Ann", "Bob"]), (kitchen_tv, ["Bob", "Ann"])):
        expect(tv.locator(".turn .at-board")).to_have_text("lounge")
        expect(tv.locator(".panel .player .name")).to_have_text(order)
    page_daemon.throw("20;3", "19;3", "18;3")
    sees_darts(kitchen_tv, "T20", "T19", "T18")
    sees_scores(kitchen_tv, "501", "330")
    press(phone, "Next")
    expect(lounge_tv.locator(".turn .at-board")).to_have_text("kitchen")
    expect(phone.locator(".now .at-board")).to_have_text("kitchen")
    kitchen.say(b"20;1\r\n")
    sees_darts(lounge_tv, "S20")
    sees_darts(phone, "S20")
    assert violations(kitchen_tv) == []

    other = open_page("/board/kitchen/control", PHONE)
    press(other, "Undo")
    sees_darts(lounge_tv)

    # In Dart Wars the place of a player in the match is their sign: it is the same on all screens, and on the map.
    with watching(page_daemon.http, websocket=True) as watcher:
        referee = Referee(watcher, "lounge")
        assert referee.ask({"stop": True})["ok"]
        wars = {"game": "dart_wars", "players": ["Ann", "Bob"], "boards": ["lounge", "kitchen"]}
        assert referee.ask({"start": wars})["ok"]
    for tv in (lounge_tv, kitchen_tv):
        expect(tv.locator(".army .name")).to_have_text(["Ann", "Bob"])
