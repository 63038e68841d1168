"""How much of a core a scoreboard's page needs: the time of its tasks, as Chromium counts it.

The figure is of this machine and of what else runs on it; no test asserts it.
"""

import itertools
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import CDPSession, Page, sync_playwright

from tests.browser.conftest import TELEVISION
from tests.chromium import ARGUMENTS, PROGRAM
from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, Mosquitto, takes_connections, until

SECONDS: Final = 60.0
DARTS_A_SECOND: Final = 2.0
DARTS: Final = ("S20", "S1", "S5")
"""A visit of 26: a leg of 1001 lasts for more than a minute of them."""


def _counted(session: CDPSession) -> dict[str, float]:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in metrics}


def _share(page: Page, session: CDPSession, seconds: float, referee: Referee | None) -> tuple[float, float]:
    """The parts of a core for all tasks and for scripts alone, over some seconds; with a referee two darts a second."""
    before, began = _counted(session), time.monotonic()
    darts = itertools.cycle(DARTS)
    thrown = 0
    while (passed := time.monotonic() - began) < seconds:
        if referee is not None and passed * DARTS_A_SECOND >= thrown:
            referee.ask({"throw": next(darts)})
            thrown += 1
            if thrown % len(DARTS) == 0:
                referee.ask({"next": True})
        else:
            page.wait_for_timeout(20)
    after, passed = _counted(session), time.monotonic() - began
    return tuple((after[name] - before[name]) / passed for name in ("TaskDuration", "ScriptDuration"))  # type: ignore[return-value]


def main(seconds: float) -> None:
    """Prints one line for each state of the board."""
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=[*ARGUMENTS])
        with (
            Mosquitto(Path(place)) as broker,
            watching(broker.port) as watcher,
            Daemon(Path(place), "--board", "lounge=virtual@sim:?pace=600", "--broker", broker.url) as daemon,
        ):
            referee = Referee(watcher, "lounge")
            referee.online()
            until(lambda: takes_connections(daemon.http), "the pages' port")
            page = browser.new_page(viewport={"width": TELEVISION[0], "height": TELEVISION[1]})
            page.goto(f"http://127.0.0.1:{daemon.http}/board/lounge")
            page.locator(".idle-card").wait_for()
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            idle = _share(page, session, seconds / 3, None)
            start = {"game": "x01", "players": ["Ann", "Bob", "Cleo"], "options": {"start": 1001}}
            referee.ask({"start": start})
            page.locator(".slots").wait_for()
            played = _share(page, session, seconds, referee)
        browser.close()
    for what, (tasks, scripts) in (("without a match", idle), ("two darts a second", played)):
        print(f"{what}: {tasks:.1%} of a core, scripts alone {scripts:.1%}")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)
