"""What must hold of a scoreboard on a wall, whatever it shows: nothing is cut, and what matters is large enough."""

import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright

from daemon.system.catalogue import games
from tests.browser.test_portrait import FAULTS
from tests.chromium import ARGUMENTS, PROGRAM
from tests.stage import Moment, Stage, moments, stage

WALLS: Final = ((1920, 1080), (1280, 720), (1280, 800), (1024, 768), (1080, 1920), (3840, 2160))
PHONES: Final = ((390, 844), (844, 390))
GAMES: Final = ("x01", "cricket")
PLAYERS: Final = tuple(range(1, 17))
KINDS: Final = ("first", "dart", "checkout", "bust", "leg", "over")
LAYOUTS: Final = ("board", "scores")
LANGUAGES: Final = ("en", "de", "fr")

SMALL: Final = """() => {
  const unit = Math.min(innerWidth, innerHeight) / 1080;
  const px = node => parseFloat(getComputedStyle(node).fontSize) / unit;
  const seen = node => node.getClientRects().length > 0;
  const faults = [];
  const all = query => [...document.querySelectorAll(`main ${query}`)].filter(seen);
  for (const name of all(".name .text, .figures tbody th"))
    if (px(name) < 31.9) faults.push(`name of ${px(name).toFixed(1)} px: ${name.textContent}`);
  const scores = all(".score").map(px);
  if (!document.querySelector(".result") && Math.max(...scores, 0) < 159.9)
    faults.push(`the largest score has ${Math.max(...scores, 0).toFixed(1)} px`);
  const parts = ".panel :is(small, b, h1, h2, span), .turn :is(p, .slot), .result :is(p, th, td, b)";
  for (const node of all(parts)) {
    const text = [...node.childNodes].filter(child => child.nodeType === 3 && child.data.trim());
    const written = text.length && !node.closest(".spoken, .bot");
    if (written && px(node) < 23.9) faults.push(`${px(node).toFixed(1)} px: ${node.className} “${node.textContent}”`);
  }
  return [...new Set(faults)];
}"""
"""What is too small, in pixels of a screen with 1080 lines: names 32, the thrower's score 160, the rest 24."""

SCROLLS: Final = (
    "() => document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight"
)
SIDEWAYS: Final = "() => document.documentElement.scrollWidth > innerWidth"


def show(on: Stage, page: Page, moment: Moment, layout: str, size: tuple[int, int]) -> None:
    """Shows a moment in a layout at a size; a result as a page shows it that has just been opened."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if (page.evaluate("localStorage.getItem('oche.layout')") or "board") != layout:
        page.evaluate("layout => localStorage.setItem('oche.layout', layout)", layout)
        page.reload()
    on.show(page, moment.state)
    if moment.moment == "leg":
        # A result that is there when the page opens is shown at once.
        page.reload()
    if "result" in moment.state:
        page.locator(".result").wait_for()
    page.evaluate("document.fonts.ready")


def faults(page: Page, size: tuple[int, int]) -> list[str]:
    """What is wrong with what a page shows at this size. A phone scrolls, but not sideways."""
    if size in PHONES:
        return ["scrolls sideways"] if page.evaluate(SIDEWAYS) and size[0] < size[1] else []
    found: list[str] = [*page.evaluate(FAULTS), *page.evaluate(SMALL)]
    return [*found, "scrolls"] if page.evaluate(SCROLLS) else found


def main(words: list[str]) -> int:
    """Every combination, with a picture of each in build/screens. A word of the arguments must be in its name."""
    root = Path(__file__).parents[1] / "build" / "screens"
    root.mkdir(parents=True, exist_ok=True)
    count = wrong = 0
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=[*ARGUMENTS])
        with stage(browser, Path(place)) as on:
            for language in LANGUAGES:
                page = on.page(WALLS[0], language)
                for layout, moment, size in every():
                    name = f"{moment.game}-{moment.players}-{moment.moment}-{layout}-{size[0]}x{size[1]}-{language}"
                    if not all(word in name for word in words):
                        continue
                    show(on, page, moment, layout, size)
                    found = faults(page, size)
                    page.screenshot(path=root / f"{name}.png")
                    count, wrong = count + 1, wrong + bool(found)
                    for fault in found:
                        print(f"{name}: {fault}", flush=True)
        browser.close()
    print(f"{count} screens, {wrong} with faults")
    return int(wrong > 0)


def every() -> list[tuple[str, Moment, tuple[int, int]]]:
    """Every combination, so that those that need a reload are together; of games without layouts one moment each."""
    found: list[tuple[str, Moment, Any]] = [
        (layout, moment, size)
        for layout in LAYOUTS
        for moment in moments(GAMES, PLAYERS, KINDS)
        for size in (*WALLS, *PHONES)
    ]
    others = ((name, game.seats) for name, game in sorted(games().items()) if name not in GAMES)
    found += [
        ("board", Moment(name, number, "later"), size)
        for name, seats in others
        for number in seats
        if number in PLAYERS
        for size in (*WALLS, *PHONES)
    ]
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
