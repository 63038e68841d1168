"""Tournaments of every format, of which a part was played, and how their page is shown."""

import random
from typing import Any, Final

from playwright.sync_api import Page, expect

from daemon.tournament.payloads import state_of
from league.events import Call, Draw, Enter, Report
from league.record import Record
from tests.league.evening import do, now, ready, score, setup
from tests.stage import Stage

NAMES: Final = ("Ann", "Bob", "Maximiliane", "Jean-Baptiste", "Zoë", "Christopher Underhill", "Li", "Dora")
WALLS: Final = ((1920, 1080), (1280, 720), (1024, 768), (1080, 1920))
PHONES: Final = ((390, 844), (844, 390))
OUTSIDE: Final = """() => [...document.querySelectorAll("main :is(p, h1, h2, span, td, th, li)")]
  .filter(part => part.getClientRects().length)
  .filter(part => {
    const box = part.getBoundingClientRect();
    return box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.left < -1 || box.top < -1;
  }).map(part => part.textContent)"""
"""Texts outside a screen that does not scroll."""
CUPS: Final[dict[str, tuple[int, dict[str, Any]]]] = {
    "knockout-8": (8, {"format": "knockout"}),
    "double-16": (16, {"format": "double"}),
    "groups-16": (16, {"format": "groups", "groups": 4, "advance": 2}),
    "round-8": (8, {"format": "round_robin"}),
    "swiss-64": (64, {"format": "swiss", "rounds": 6}),
    "knockout-64": (64, {"format": "knockout", "third_place": True}),
    "double-64": (64, {"format": "double"}),
    "groups-64": (64, {"format": "groups", "groups": 16, "advance": 2}),
}


def cup(count: int, part: float, keys: dict[str, Any]) -> dict[str, Any]:
    """A tournament of which this part was played; two matches are on boards."""
    chance = random.Random(count)
    record = do(Record(), setup(**keys))
    for number in range(count):
        again, which = divmod(number, len(NAMES))
        name = f"{NAMES[which]} {again + 1}" if again else NAMES[which]
        record = do(record, Enter(name, (name,)))
    if part >= 0:
        record = do(record, Draw("seed"))
        todo = int(len(now(record).fixtures) * part)
        while todo > 0 and (found := ready(record)):
            pairing = chance.choice(found)
            home = chance.random() < 0.5
            record = do(record, Report(pairing.fixture.id, score(record, pairing.fixture, home=home)), 1e9)
            todo -= 1
        for board, pairing in zip(("lounge", "garage"), ready(record), strict=False):
            record = do(record, Call(pairing.fixture.id, board), 1e9)
    return dict(state_of(now(record), "20260101-193000-abcdef", len(record.events), 2, 1e9))


def show(on: Stage, page: Page, state: dict[str, Any], name: str) -> None:
    """Shows a tournament under this name, which no other has."""
    on.publish("oche/test/tournament", {**state, "name": name})
    expect(page.locator("h1")).to_have_text(name)


def sized(page: Page, size: tuple[int, int], what: str) -> Any:
    """What a function of the page returns once it is drawn at this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page.evaluate(
        f"() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then({what})"
    )
