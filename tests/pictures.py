"""Plays on the virtual board and takes pictures of the pages at the sizes of a television and a phone."""

import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright

from tests.rig import Daemon, Mosquitto, Referee, watching

TELEVISION: Final = (1920, 1080)
PHONE: Final = (390, 844)
CHROMIUM: Final = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
STARTS: Final = {
    "cerberus": {"game": "cerberus", "players": ["Ada", "Ben", "Cleo"], "options": {"cerberus_points": 4}},
    "x01": {"game": "x01", "players": ["Ada", "Ben"], "options": {"start": 170}},
}
SKILLS: Final = {"Ada": 9, "Ben": 14, "Cleo": 18}


def main(folder: Path) -> None:
    with (
        tempfile.TemporaryDirectory() as place,
        Mosquitto(Path(place)) as broker,
        watching(broker.port) as watcher,
        Daemon(Path(place), "--board", "lounge=virtual@sim:?pace=0.4&seed=4", "--broker", broker.url) as daemon,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[*CHROMIUM])
        referee = Referee(watcher, "lounge")
        referee.online()
        url = f"http://127.0.0.1:{daemon.http}/board/lounge"
        for name, start in STARTS.items():
            since = len(watcher.seen)
            bots = {player: SKILLS[player] for player in start["players"]}
            assert referee.ask({"start": start | {"bots": bots}})["ok"]
            referee.state(lambda s: s["players"][1]["score"] != s["players"][0]["score"], "some score", since)
            for size, path, suffix in ((TELEVISION, "", ""), (PHONE, "/control", "-control")):
                page = browser.new_page(viewport={"width": size[0], "height": size[1]})
                page.goto(url + path)
                _two_darts(page)
                page.screenshot(path=folder / f"{name}{suffix}.png")
                page.close()
        browser.close()


def _two_darts(page: Page) -> None:
    """Waits until the board shows two darts of a turn, the moment that says most."""
    page.locator(".dart").nth(1).wait_for(timeout=30_000)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
