"""Pictures of the screens in the lists of `docs/screens.md`, each in the state that shows the most of its list."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.cups import CUPS, cup
from tests.chromium import ARGUMENTS, WITH_WINDOWS
from tests.pictures import ACROSS, PEOPLE, PHONE, Shot, Studio, studio
from tests.stage import BOARD, Moment, Stage, stage

WALL: Final = (1280, 720)
QUALITY: Final = 82


@dataclass(frozen=True)
class Screen:
    """A scoreboard at one moment; `act` is what somebody does to it first."""

    name: str
    moment: Moment
    size: tuple[int, int] = WALL
    path: str = f"/board/{BOARD}"
    act: Callable[[Page], None] = lambda page: None


def _scores(page: Page) -> None:
    page.get_by_role("button", name="Scores only").click()


SETS: Final = (("start", 501), ("legs", 2), ("sets", 2))
SCREENS: Final = (
    Screen("x01-sets", Moment("x01", 2, "checkout", SETS)),
    Screen("x01-scores", Moment("x01", 2, "checkout", SETS), act=_scores),
    Screen("x01-sixteen", Moment("x01", 16, "dart"), (1024, 768)),
    Screen("x01-portrait", Moment("x01", 8, "dart"), (720, 1280)),
    Screen("cricket-scores", Moment("cricket", 2, "dart", (("mode", "cut-throat"),)), act=_scores),
    Screen("result-cricket", Moment("cricket", 2, "over")),
    Screen("throw-to-start", Moment("cricket", 3, "first")),
)
OVERLAY: Final = {"overlay-cricket": f"/overlay/{BOARD}", "overlay-mistakes": f"/overlay/{BOARD}?size=9&colour=red"}
FILM: Final = "html { background: #35513f !important }"
CUPS_SHOWN: Final = {"tournament-double": ("double-16", 0.5), "tournament-over": ("knockout-8", 1.0)}


def screens(on: Stage, folder: Path) -> None:
    """The scoreboards, the overlay, and tournaments."""
    for screen in SCREENS:
        page = on.page(screen.size, path=screen.path)
        on.show(page, screen.moment.state)
        screen.act(page)
        _write(page, folder, screen.name)
    on.put("match", {**Moment("cricket", 2, "dart").state, "revision": 1, "match": "film"})
    for name, path in OVERLAY.items():
        page = on.page(WALL, path=path)
        page.locator(".overlay-box, main").first.wait_for()
        page.add_style_tag(content=FILM)
        _write(page, folder, name)
    for name, (kind, part) in CUPS_SHOWN.items():
        count, keys = CUPS[kind]
        on.publish("oche/test/tournament", {**cup(count, part, keys), "name": "Friday Cup"})
        page = on.page(WALL, path="/tournament")
        page.locator(".cup, .cup-winner").first.wait_for()
        _write(page, folder, name)


@dataclass(frozen=True)
class Played:
    """The control page, or another one of the board, at one moment; `act` is what somebody touches first."""

    name: str
    shot: Shot
    act: Callable[[Page], None] = lambda page: None
    size: tuple[int, int] = PHONE
    path: str = "/control"


def _corrects(page: Page) -> None:
    page.locator("button.chip").first.click()
    page.get_by_role("dialog").wait_for()


def _total(page: Page) -> None:
    page.get_by_role("button", name="Total", exact=True).click()


def _numbers(page: Page) -> None:
    page.get_by_role("button", name="Numbers", exact=True).click()


def _has_reached(page: Page) -> None:
    page.locator(".reached .facts div").first.wait_for()


def _darts(state: dict[str, Any]) -> int:
    return len(state["turn"]["darts"])


TWO: Final[Sequence[str]] = PEOPLE[:2]
X01: Final = Shot("x01", lambda s: _darts(s) == 2 and "checkout" in s["turn"], {"start": 301}, TWO)
PLAYED: Final = (
    Played("phone-correction", X01, _corrects),
    Played("phone-total", Shot("x01", lambda s: s["players"][0]["score"] < 400, {"start": 501}, TWO), _total),
    Played("phone-numbers", X01, _numbers),
    Played("phone-across", X01, size=ACROSS),
    Played("phone-combats", Shot("dart_wars", lambda s: s["turn"]["phase"] == "combats", {"order": "listed"}, seed=3)),
    *(
        Played(
            "result-alone",
            Shot("bobs_27", lambda s: s["finished"], {}, TWO[:1], seed),
            size=WALL,
            path="",
            act=_has_reached,
        )
        for seed in (2, 3, 1)
    ),
)


def played(set_up: Studio, browser: Browser, folder: Path) -> None:
    """Control pages while something is entered, corrected or chosen; and one player's result after others of theirs."""
    for one in PLAYED:
        actor = set_up.play(one.shot)
        width, height = one.size
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", locale="en")
        page = context.new_page()
        page.add_init_script(f"localStorage.setItem('oche.player', '{actor}')")
        page.goto(f"{set_up.origin}/board/lounge{one.path}")
        page.locator("main[data-revision]:not(.stale)").wait_for()
        one.act(page)
        _write(page, folder, one.name)


def _write(page: Page, folder: Path, name: str) -> None:
    page.evaluate("document.fonts.ready")
    (folder / f"{name}.jpg").write_bytes(page.screenshot(type="jpeg", quality=QUALITY))
    page.context.close()


def main() -> None:
    """Writes each of them into `docs/pictures`."""
    folder = Path(__file__).parents[1] / "docs" / "pictures"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=WITH_WINDOWS, args=[*ARGUMENTS])
        with tempfile.TemporaryDirectory() as place, stage(browser, Path(place)) as on:
            screens(on, folder)
        with tempfile.TemporaryDirectory() as place, studio(browser, Path(place)) as set_up:
            played(set_up, browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
