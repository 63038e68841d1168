"""The pictures of what people see who walk up: an idle screen, pairing, past matches, a player, and faults."""

import contextlib
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from daemon.record.journal import Journal
from daemon.setup.config_file import HTTP_PORT
from tests.browser.conftest import PageDaemon
from tests.browser.test_idle import CONFIG
from tests.browser.test_pairing import NetworkPageDaemon
from tests.browser.test_past_pages import fill
from tests.chromium import ARGUMENTS, WITH_WINDOWS
from tests.daemon.past import Past
from tests.rehearsal import rehearse
from tests.rig import PtyBoard
from tests.stage import Moment, stage
from tests.twin.record import add
from tests.venue_pictures import ONLINE
from twin.hand import Hand

WALL: Final = (1280, 720)
PHONE: Final = (390, 844)
QUALITY: Final = 82
WORKED_OUT_MS: Final = 300_000
"""How long a hand may take on a busy machine."""
AS_IN_THE_GUIDE: Final = "(links, place) => links.forEach(a => a.textContent = a.textContent.replace(/^[^/]+/, place))"
"""The pages of a test have a port of their own; a node has the usual one."""
MONTHS: Final = ("2025-09", "2025-10", "2025-11", "2025-12", "2026-01", "2026-02")


def main() -> None:
    """Writes a picture of each into `docs/pictures`."""
    folder = Path(__file__).parents[1] / "docs" / "pictures"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=WITH_WINDOWS, args=[*ARGUMENTS])
        for take in (_idle, _pairing, _history, _player, _faults):
            with tempfile.TemporaryDirectory() as place:
                take(browser, Path(place), folder)
        browser.close()


def _page(browser: Browser, size: tuple[int, int]) -> Page:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark", reduced_motion="reduce", locale="en"
    )
    return context.new_page()


def _write(page: Page, folder: Path, name: str) -> None:
    page.evaluate("document.fonts.ready")
    page.locator(".address a").evaluate_all(AS_IN_THE_GUIDE, f"oche.local:{HTTP_PORT}")
    (folder / f"{name}.jpg").write_bytes(page.screenshot(type="jpeg", quality=QUALITY))


def _written(place: Path, write: Callable[[Past], None]) -> None:
    """Writes past matches. The journal needs a thread in which no event loop runs: Playwright has one here."""

    def run() -> None:
        with contextlib.closing(Journal(place / "data")) as journal:
            write(Past(journal))

    with ThreadPoolExecutor(1) as thread:
        thread.submit(run).result()


def _play(past: Past, game: str, players: Sequence[str], at: datetime, skill_mm: float, seed: int = 1) -> None:
    """Plays a match to its end."""
    *_, last = rehearse(game, players, {"start": 301} if game == "x01" else {}, seed, skill_mm)
    past.played(last.match.header, last.past, at)


def _idle(browser: Browser, place: Path, folder: Path) -> None:
    """Tonight's results, at eight in the evening, on a node that phones can join."""
    config = place / "oche.toml"
    config.write_text(CONFIG)
    evening = _evening()

    def write(past: Past) -> None:
        _play(past, "x01", ("Ada", "Ben"), evening - timedelta(hours=1), 8.0)
        _play(past, "cricket", ("Ada", "Cleo"), evening - timedelta(minutes=30), 8.0)

    _written(place, write)
    board = PtyBoard(place)
    with NetworkPageDaemon(place, board, "--config", str(config)) as daemon:
        page = _page(browser, WALL)
        page.clock.install(time=evening)
        page.goto(f"http://localhost:{daemon.http}/board/lounge")
        page.clock.run_for(1000)
        page.locator(".panel .code").wait_for()
        page.locator(".idle-card").wait_for()
        _write(page, folder, "idle")
        page.context.close()
    board.unplug()


def _evening() -> datetime:
    """Before the night, when a screen without a match is dim."""
    return datetime.now().astimezone().replace(hour=20, minute=0, second=0, microsecond=0)


def _pairing(browser: Browser, place: Path, folder: Path) -> None:
    """The code on a scoreboard, and the phone that asks for it."""
    board = PtyBoard(place)
    with NetworkPageDaemon(place, board) as daemon:
        wall = daemon.here(browser, "/board/lounge")
        wall.set_viewport_size({"width": WALL[0], "height": WALL[1]})
        wall.clock.set_fixed_time(_evening())
        wall.reload()
        wall.locator(".panel .code").wait_for()
        # A card of the idle screen fades in.
        wall.wait_for_timeout(1500)
        _write(wall, folder, "pairing")
        wall.context.close()
        phone = daemon.from_the_network(browser, "/board/lounge/control", PHONE)
        phone.get_by_label("Code").wait_for()
        _write(phone, folder, "pairing-control")
        phone.context.close()
    board.unplug()


def _history(browser: Browser, place: Path, folder: Path) -> None:
    """The list of past matches."""
    _written(place, fill)
    board = PtyBoard(place)
    with PageDaemon(place, board, "embedded:") as daemon:
        page = _page(browser, PHONE)
        page.goto(f"{daemon.origin}/history")
        page.locator(".matches a").first.wait_for()
        _write(page, folder, "history")
        page.context.close()
    board.unplug()


def _player(browser: Browser, place: Path, folder: Path) -> None:
    """A player whose hand became better over six months."""

    def write(past: Past) -> None:
        for n, month in enumerate(MONTHS):
            hand = Hand(24 - 1.2 * n, 30 - 1.6 * n, 0.25, 4, -5)
            add(past, hand, 180, month, seed=n)
            for day, (game, other) in enumerate((("x01", "Ben"), ("x01", "Cleo"), ("cricket", "Ben"))):
                at = datetime(int(month[:4]), int(month[5:]), 20 + day, 19, tzinfo=UTC)
                _play(past, game, ("Ann", other), at, hand.skill_mm, seed=10 * n + day)

    _written(place, write)
    board = PtyBoard(place)
    with PageDaemon(place, board, "embedded:") as daemon:
        page = _page(browser, PHONE)
        page.goto(f"{daemon.origin}/players/Ann")
        # The hand and the checkouts are worked out by a process of their own.
        page.locator(".coach[aria-busy=false] .routes").wait_for(timeout=WORKED_OUT_MS)
        _write(page, folder, "player")
        page.set_viewport_size({"width": 1280, "height": 720})
        page.locator(".coach").screenshot(type="jpeg", quality=QUALITY, path=folder / "player-hand.jpg")
        page.screenshot(type="jpeg", quality=QUALITY, full_page=True, path=folder / "player-page.jpg")
        page.context.close()
    board.unplug()


def _faults(browser: Browser, place: Path, folder: Path) -> None:
    """A board that is away, and one with a stuck bed."""
    with stage(browser, place) as on:
        page = on.page(WALL)
        on.put("status", ONLINE)
        on.show(page, Moment("x01", 2, "dart").state)
        on.put("status", {**ONLINE, "stuck": ["D6"]})
        page.locator("[data-stuck]").first.wait_for()
        _write(page, folder, "fault-stuck")
        on.put("status", {**ONLINE, "state": "offline", "reason": "gone"})
        page.locator(".banner").wait_for()
        _write(page, folder, "fault-offline")
        page.context.close()


if __name__ == "__main__":
    main()
