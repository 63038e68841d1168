"""The pictures of what people see who walk up: an idle screen, pairing, past matches, a player, and faults."""

import contextlib
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
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
from tests.mqtt_clients import Referee, watching
from tests.rehearsal import rehearse
from tests.rig import Daemon, Mosquitto, PtyBoard, takes_connections, until
from tests.stage import Moment, stage
from tests.venue_pictures import ONLINE

WALL: Final = (1280, 720)
PHONE: Final = (390, 844)
QUALITY: Final = 82
AS_IN_THE_GUIDE: Final = "(links, place) => links.forEach(a => a.textContent = a.textContent.replace(/^[^/]+/, place))"
"""The pages of a test have a port of their own; a node has the usual one."""


def main() -> None:
    """Writes a picture of each into `docs/pictures`."""
    folder = Path(__file__).parents[1] / "docs" / "pictures"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=WITH_WINDOWS, args=[*ARGUMENTS])
        for take in (_idle, _pairing, _past, _faults):
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


def _play(referee: Referee, game: str, players: tuple[str, str]) -> None:
    """Plays a match to its end."""
    *_, last = rehearse(game, players, {"start": 301} if game == "x01" else {}, 1, skill_mm=8.0)
    options = {**({"start": 301} if game == "x01" else {}), "manual_chance": True}
    for command in ({"start": {"game": game, "players": list(players), "options": options}}, *last.past):
        answer = referee.ask(command)
        assert answer["ok"], answer


def _idle(browser: Browser, place: Path, folder: Path) -> None:
    """Tonight's results, at eight in the evening."""
    config = place / "oche.toml"
    config.write_text(CONFIG)
    boards = ("--config", str(config), "--board", "lounge=virtual@sim:?pace=600")
    with (
        Mosquitto(place) as broker,
        watching(broker.port) as watcher,
        Daemon(place, *boards, "--broker", broker.url) as daemon,
    ):
        referee = Referee(watcher, "lounge")
        referee.online()
        until(lambda: takes_connections(daemon.http), "the pages' port")
        _play(referee, "x01", ("Ada", "Ben"))
        _play(referee, "cricket", ("Ada", "Cleo"))
        referee.ask({"stop": True})
        page = _page(browser, WALL)
        page.clock.install(time=_evening())
        page.goto(f"http://127.0.0.1:{daemon.http}/board/lounge")
        page.clock.run_for(1000)
        page.locator(".idle-card").wait_for()
        _write(page, folder, "idle")
        page.context.close()


def _evening() -> str:
    """Before the night, when a screen without a match is dim."""
    return datetime.now().astimezone().strftime("%Y-%m-%dT20:00:00")


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


def _past(browser: Browser, place: Path, folder: Path) -> None:
    """The list of past matches, and the page of a player."""

    def write() -> None:
        with contextlib.closing(Journal(place / "data")) as journal:
            fill(Past(journal))

    # The journal needs a thread in which no event loop runs: Playwright has one here.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(write).result()
    board = PtyBoard(place)
    with PageDaemon(place, board, "embedded:") as daemon:
        page = _page(browser, PHONE)
        page.goto(f"{daemon.origin}/history")
        page.locator(".matches a").first.wait_for()
        _write(page, folder, "history")
        page.goto(f"{daemon.origin}/players/Ann")
        page.locator("main svg").first.wait_for()
        _write(page, folder, "player")
        page.set_viewport_size({"width": 1280, "height": 720})
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
