"""A board, a broker or a daemon that is away is said on the page, with what to do, and no score is covered."""

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION
from tests.browser.steps import start
from tests.browser.test_portrait import FAULTS, WALL
from tests.browser.test_reading import SCROLLS
from tests.faults.damage import evening
from tests.rig import Daemon, free_port, takes_connections, until
from tests.stage import Moment, stage

ROOT: Final = Path(__file__).parents[2]
LANGUAGES: Final = ("en", "de", "fr")
SENTENCES: Final = {
    "en": "The board is not there. Plug it in",
    "de": "Das Board wurde nicht gefunden. Schließ es an",
    "fr": "La cible est introuvable. Branchez-la",
}
MESSAGE: Final = "/dev/not-there is not there; is the board plugged in?"
UNDER: Final = """() => {
  const banner = document.querySelector(".banner").getBoundingClientRect();
  const lines = [...document.querySelectorAll(".stage .score, .stage .panel-head, .mini output, .bar")];
  return lines.length > 2 && lines.every(line => line.getBoundingClientRect().top >= banner.bottom - 1);
}"""
"""Whether all scores and headings are below the banner."""


def messages(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((ROOT / f"web/src/messages/{language}.json").read_text())
    return found


def opened(browser: Browser, daemon: Daemon, path: str, size: tuple[int, int], language: str = "en") -> Page:
    until(lambda: takes_connections(daemon.http), "the pages' port")
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale=language).new_page()
    page.goto(f"http://127.0.0.1:{daemon.http}{path}")
    return page


@pytest.fixture
def without_board(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon whose board has the wrong port."""
    with Daemon(tmp_path, "--board", "lounge=maddarts@/dev/not-there") as running:
        yield running


def test_a_wrong_port_is_said_with_what_to_do(without_board: Daemon, chromium: Browser) -> None:
    phone = opened(chromium, without_board, "/board/lounge/control", PHONE)
    start(phone, "X01", ["Ann", "Bob"])
    for language in LANGUAGES:
        page = opened(chromium, without_board, "/board/lounge", TELEVISION, language)
        banner = page.locator(".banner.fault")
        expect(banner).to_contain_text(SENTENCES[language])
        expect(banner.locator(".details")).to_have_text(MESSAGE)
        for width, height in (TELEVISION, WALL, (1024, 768), (1280, 720)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(UNDER), (language, width, height)
            assert page.evaluate(SCROLLS) is False, (language, width, height)
        page.set_viewport_size({"width": WALL[0], "height": WALL[1]})
        assert page.evaluate(FAULTS) == []
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert page.evaluate(UNDER)
        page.context.close()
    expect(phone.locator(".banner.fault")).to_contain_text(SENTENCES["en"])
    assert phone.evaluate(UNDER)
    assert violations(phone) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stuck_bed_is_marked_on_the_drawn_board(chromium: Browser, tmp_path: Path, language: str) -> None:
    with stage(chromium, tmp_path) as on:
        page = on.page(TELEVISION, language)
        on.show(page, Moment("x01", 2, "dart").state)
        board = page.locator(".dartboard")
        expect(page.locator("[data-stuck]")).to_have_count(0)
        on.put("status", {"state": "online", "model": "virtual", "can": {}, "stuck": ["T20", "SB"], "limits": []})
        said = messages(language)["board.stuck"].format(beds="T20, 25")
        expect(page.locator("[data-stuck]")).to_have_count(2)
        expect(board).to_have_attribute("aria-label", re.compile(re.escape(said)))
        mark, bed = (page.locator(f"[data-{what}='T20']").bounding_box() for what in ("stuck", "bed"))
        assert mark is not None
        assert bed is not None
        assert abs(mark["x"] + mark["width"] / 2 - bed["x"] - bed["width"] / 2) < bed["width"] / 2
        assert abs(mark["y"] + mark["height"] / 2 - bed["y"] - bed["height"] / 2) < bed["height"]
        # Without a match as well.
        on.put("match", None)
        expect(page.locator(".resting [data-stuck]")).to_have_count(2)
        assert violations(page) == []
        page.context.close()


def test_a_wrong_broker_is_said_on_every_page(tmp_path: Path, chromium: Browser) -> None:
    broker = f"mqtt://127.0.0.1:{free_port()}"
    with Daemon(tmp_path, "--board", "lounge=virtual@sim:", "--broker", broker) as daemon:
        said = messages("de")["trouble.broker"]
        for path in ("/board/lounge", "/board/lounge/control", "/?all"):
            page = opened(chromium, daemon, path, TELEVISION, "de")
            expect(page.get_by_text(said)).to_be_visible()
            page.context.close()


def test_a_daemon_that_is_away_is_said(without_board: Daemon, chromium: Browser) -> None:
    page = opened(chromium, without_board, "/board/lounge", TELEVISION)
    expect(page.locator(".banner.fault")).to_be_visible()
    without_board.kill()
    expect(page.get_by_role("alert")).to_contain_text(messages("en")["trouble.daemon"])
    without_board.start()
    expect(page.locator(".banner.fault")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_the_daemon_has_its_sentence(language: str) -> None:
    links = "".join(file.read_text() for file in (ROOT / "daemon/links").glob("*.py"))
    reasons = {*re.findall(r'Disconnected\(\s*"([a-z-]+)"', links), "starting"}
    table = (ROOT / "docs/bus.md").read_text().split("## When a board is faulty")[1].split("\n## ")[0]
    reasons |= set(re.findall(r"^\| `([a-z-]+)` \| ", table, re.MULTILINE)) - {"reason"}
    assert reasons >= {"missing", "no-rights", "busy", "disk", "silent", "starting"}
    assert {f"fault.{reason}" for reason in reasons} <= messages(language).keys()


def test_a_damaged_journal_is_said_where_no_match_is_played(tmp_path: Path, chromium: Browser) -> None:
    (tmp_path / "data").mkdir()
    # In a thread of its own: Playwright's loop runs in this one.
    with ThreadPoolExecutor(1) as other:
        other.submit(evening, tmp_path / "data", 1, killed=False).result()
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "oche.db")) as db:
        db.execute("UPDATE action SET line = '{' WHERE match = '20261120-den' AND n = 7")
        db.commit()
    # The match is over and on no board, so it is checked in the background.
    with Daemon(tmp_path, "--board", "attic=virtual@sim:", data=tmp_path / "data") as running:
        pages = {}
        for path, size in (("/?all", PHONE), ("/board/attic/control", PHONE), ("/board/attic", TELEVISION)):
            page = pages[path] = opened(chromium, running, path, size)
            expect(page.locator(".banner.fault")).to_contain_text(messages("en")["damage"])
            expect(page.locator(".banner .details")).to_contain_text("20261120-den is damaged from action 7")
            assert violations(page) == []
        assert pages["/board/attic"].evaluate(SCROLLS) is False
        start(pages["/board/attic/control"], "X01", ["Ann", "Bob"])
        for path in ("/board/attic/control", "/board/attic"):
            expect(pages[path].locator(".banner")).to_have_count(0)
        expect(pages["/?all"].locator(".banner")).to_have_count(1)
        pages["/?all"].goto(f"http://127.0.0.1:{running.http}/history")
        expect(pages["/?all"].locator(".matches li", has_text="damaged")).to_have_count(1)
