"""Plays a match of each game up to a moment that says much, and takes pictures of the pages there.

The moments are rehearsed (`tests/rehearsal.py`), the typeface is the pages' own, and nothing moves, so that a
picture is the same from run to run; from machine to machine letters are drawn a little otherwise.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.chromium import ARGUMENTS, WITH_WINDOWS
from tests.lounge import lounge
from tests.moment_sheets import moment_sheets
from tests.mqtt_clients import Referee
from tests.rehearsal import Scene, moment, rehearse
from tests.venue_pictures import venue_pictures

SIZES: Final = ((390, 844), (1280, 800), (1920, 1080), (3840, 2160))
PHONE: Final = SIZES[0]
LAPTOP: Final = SIZES[1]
ACROSS: Final = (844, 390)
COMPARED: Final = (PHONE, ACROSS, LAPTOP, (720, 1280), (1024, 768))
"""What the tests compare: a phone in both directions, a wide wall, a portrait one, and 4:3."""
PEOPLE: Final = ("Ada", "Ben", "Cleo")


@dataclass(frozen=True)
class Shot:
    """A moment of a match: `wanted` says of a state whether it is the one, and more that a page must show."""

    game: str
    wanted: Callable[[dict[str, Any]], bool]
    options: dict[str, Any] = field(default_factory=dict)
    players: Sequence[str] = PEOPLE
    seed: int = 1
    skill_mm: float = 12.0

    @property
    def scene(self) -> Scene:
        """The moment, with all that led to it."""
        return moment(rehearse(self.game, self.players, self.options, self.seed, self.skill_mm), self.wanted)


def _darts(state: dict[str, Any]) -> int:
    return len(state["turn"]["darts"])


SHOTS: Final = (
    Shot("x01", lambda s: _darts(s) == 2 and "checkout" in s["turn"], {"start": 301}),
    Shot("cricket", lambda s: _darts(s) == 2 and s["round"] == 4, {}, PEOPLE[:2]),
    Shot("cerberus", lambda s: _darts(s) == 2 and s["round"] == 3 and s["turn"]["marks"] > 2, {"cerberus_points": 4}),
    Shot("dards", lambda s: _darts(s) == 2 and s["stack"]["height"] > 2, {"order": "listed"}),
    Shot("yatzy_dart", lambda s: s["turn"]["awaits"] == "choose" and s["round"] == 6 and s["turn"]["player"] == "Ben"),
    Shot("dart_wars", lambda s: bool(s["turn"]["owed"]) and len(s["zones"]) > 12, {"order": "listed"}, seed=3),
)

GALLERY: Final = (
    Shot("halve_it", lambda s: _darts(s) == 2 and s["round"] == 6),
    Shot("killer", lambda s: _darts(s) == 2 and min(p["score"] for p in s["players"]) == 1, skill_mm=25.0),
    Shot("snooker", lambda s: _darts(s) == 1 and s["round"] == 5, {}, PEOPLE[:2]),
    Shot("hare_and_hounds", lambda s: _darts(s) == 2 and s["round"] == 4),
    Shot("tic_tac_toe", lambda s: _darts(s) == 2 and sum("owner" in q for q in s["squares"]) > 3, {}, PEOPLE[:2]),
    Shot("battleship", lambda s: _darts(s) == 2 and s["round"] == 4, {}, PEOPLE[:2]),
    Shot("bingo", lambda s: _darts(s) == 2 and s["round"] == 2, skill_mm=25.0),
    Shot("connect_four", lambda s: _darts(s) == 2 and s["round"] == 3, {}, PEOPLE[:2], skill_mm=25.0),
    Shot("call_three", lambda s: _darts(s) == 2 and s["round"] == 3),
    Shot("random_checkout", lambda s: _darts(s) == 1 and s["round"] > 6 and "checkout" in s["turn"], {}, PEOPLE[:1]),
)
"""The most different games of the kit, for the guide to choosing one."""


class Studio:
    """A daemon with a board and a browser: plays up to a moment, then takes pictures of it."""

    def __init__(self, browser: Browser, referee: Referee, origin: str) -> None:
        self._browser, self.referee, self.origin = browser, referee, origin

    def play(self, shot: Shot) -> str:
        """Plays up to the moment; who must act there."""
        scene = shot.scene
        options = {**shot.options, "manual_chance": True}
        start = {"start": {"game": shot.game, "players": list(shot.players), "options": options}}
        for command in (start, *scene.past):
            answer = self.referee.ask(command)
            if not answer["ok"]:
                raise ValueError(f"{command}: {answer}")
        actor: str = scene.view["turn"]["actor"]
        return actor

    def picture(self, actor: str, size: tuple[int, int], *, kind: Literal["png", "jpeg"] = "png") -> bytes:
        """The scoreboard, or at a phone's size the control page of the one who must act."""
        width, height = size
        phone = size in (PHONE, ACROSS)
        context = self._browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="light" if phone else "dark",
            reduced_motion="reduce",
            locale="en",
        )
        page = context.new_page()
        page.add_init_script(f"localStorage.setItem('oche.player', '{actor}')")
        page.goto(f"{self.origin}/board/lounge{'/control' if phone else ''}")
        _settled(page)
        taken = page.screenshot(type=kind, quality=82) if kind == "jpeg" else page.screenshot()
        context.close()
        return taken


def _settled(page: Page) -> None:
    """The state is shown, the typeface is there, and no hand is on its way."""
    page.locator("main[data-revision]:not(.stale)").wait_for()
    page.evaluate("document.fonts.ready")
    if page.locator(".seat").count():
        page.locator(".hand").wait_for()


@contextmanager
def studio(browser: Browser, place: Path) -> Iterator[Studio]:
    """A daemon and a broker of its own for the length of a block."""
    with lounge(place) as (referee, origin):
        yield Studio(browser, referee, origin)


def approved_name(shot: Shot, size: tuple[int, int]) -> str:
    return f"{shot.game}-{size[0]}x{size[1]}.jpg"


def gallery(set_up: Studio, folder: Path) -> None:
    """The scoreboards of the guide to choosing a game."""
    for shot in GALLERY:
        set_up.play(shot)
        (folder / f"game-{shot.game}.jpg").write_bytes(set_up.picture(shot.players[0], LAPTOP, kind="jpeg"))


def start_form(set_up: Studio, browser: Browser, folder: Path) -> None:
    """The form of a new match on a phone, after a match of people whom it suggests."""
    set_up.referee.ask({"start": {"game": "x01", "players": list(PEOPLE)}})
    set_up.referee.ask({"stop": True})
    page = browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, color_scheme="light", locale="en")
    page.goto(f"{set_up.origin}/board/lounge/control")
    page.locator(".people").wait_for()
    page.evaluate("document.fonts.ready")
    # As high as the form: what stays at the bottom of the screen is then at its end.
    height: int = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": PHONE[0], "height": height})
    page.screenshot(path=folder / "start.png", full_page=True)
    page.close()


def main(what: str) -> None:
    """`docs`: the guides' pictures, and all sizes into build/pictures. `approve`: those that the tests compare with."""
    root = Path(__file__).parents[1]
    everything, approved = root / "build" / "pictures", root / "tests" / "browser" / "approved"
    for folder in (everything, approved):
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=WITH_WINDOWS, args=[*ARGUMENTS])
        with studio(browser, Path(place)) as set_up:
            for shot in SHOTS:
                actor = set_up.play(shot)
                if what == "approve":
                    for size in COMPARED:
                        (approved / approved_name(shot, size)).write_bytes(set_up.picture(actor, size, kind="jpeg"))
                    continue
                for size in SIZES:
                    taken = set_up.picture(actor, size)
                    (everything / f"{shot.game}-{size[0]}x{size[1]}.png").write_bytes(taken)
                    if size in (PHONE, LAPTOP):
                        name = f"{shot.game}-control.png" if size == PHONE else f"{shot.game}.png"
                        name = f"match-{name}" if shot.game == "dart_wars" else name
                        (root / "docs" / "pictures" / name).write_bytes(taken)
            if what != "approve":
                gallery(set_up, root / "docs" / "pictures")
                start_form(set_up, browser, root / "docs" / "pictures")
        if what != "approve":
            venue_pictures(browser, root / "docs" / "pictures")
            moment_sheets(browser, root / "docs" / "pictures")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "docs")
