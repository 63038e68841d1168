"""Contact sheets of what moves: a 180, a checkout that wins a leg, and a won match, for `docs/screens.md`.

A real match is played up to the last dart of each. The frames are those that Chromium painted after this dart, the
nearest to each of `TIMES`.
"""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, ViewportSize

from tests.lounge import lounge
from tests.mqtt_clients import Referee

SIZE: Final[ViewportSize] = {"width": 1280, "height": 720}
TIMES: Final = (0.0, 0.1, 0.2, 0.3, 0.5, 1.2, 1.8, 3.6, 5.0)
"""Seconds after the dart at which a frame is wanted."""
WIDTH: Final = 480
"""Of a frame in the sheet, in pixels."""
COLUMNS: Final = 3


@dataclass(frozen=True)
class Recording:
    """A match of X01 up to a dart: `begun` leads to it, `dart` is what is recorded."""

    name: str
    options: dict[str, Any]
    begun: Sequence[dict[str, Any]]
    dart: str


def _throws(*beds: str) -> list[dict[str, Any]]:
    return [{"throw": bed} for bed in beds]


NEXT: Final = {"next": True}
RECORDINGS: Final = (
    Recording("180", {"start": 501}, _throws("T20", "T20"), "T20"),
    Recording(
        "checkout",
        {"start": 301, "legs": 2},
        [*_throws("T20", "T20", "T20"), NEXT, *_throws("T20", "S5", "S20"), NEXT, *_throws("T20", "S11")],
        "DB",
    ),
    Recording(
        "match",
        {"start": 301},
        [*_throws("T20", "T20", "T19"), NEXT, *_throws("T19", "T19", "S5"), NEXT, *_throws("T20", "T16")],
        "D8",
    ),
)


def moment_sheets(browser: Browser, folder: Path) -> None:
    """Writes `moment-NAME.jpg` for each recording."""
    with tempfile.TemporaryDirectory() as place, lounge(Path(place)) as (referee, origin):
        for recording in RECORDINGS:
            frames = _recorded(browser, referee, f"{origin}/board/lounge", recording)
            (folder / f"moment-{recording.name}.jpg").write_bytes(_sheet(browser, frames))


def _recorded(browser: Browser, referee: Referee, url: str, recording: Recording) -> list[tuple[float, str]]:
    """The frames after the dart: the seconds since it, and a picture in base64."""
    start = {"game": "x01", "players": ["Ada", "Ben"], "options": recording.options}
    for command in ({"start": start}, *recording.begun):
        answer = referee.ask(command)
        assert answer["ok"], answer
    page = browser.new_page(viewport=SIZE, color_scheme="dark", locale="en")
    page.goto(url)
    page.locator("main[data-revision]:not(.stale)").wait_for()
    page.evaluate("document.fonts.ready")
    frames = _paints(page, referee, recording.dart)
    page.close()
    return frames


def _paints(page: Page, referee: Referee, dart: str) -> list[tuple[float, str]]:
    session = page.context.new_cdp_session(page)
    painted: list[tuple[float, str]] = []

    def keep(frame: dict[str, Any]) -> None:
        painted.append((frame["metadata"]["timestamp"], frame["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "jpeg", "quality": 90})
    page.wait_for_timeout(300)
    thrown = time.time()
    assert referee.ask({"throw": dart})["ok"]
    page.wait_for_timeout(TIMES[-1] * 1000 + 300)
    session.send("Page.stopScreencast")
    # A frame stays until the next one is painted.
    shown = [max((one for one in painted if one[0] <= thrown + at), default=painted[0]) for at in TIMES]
    return [(at, data) for at, (_, data) in zip(TIMES, shown, strict=True)]


def _sheet(browser: Browser, frames: Sequence[tuple[float, str]]) -> bytes:
    """The frames as one picture, each with its time."""
    figures = "".join(
        f"<figure><img src='data:image/jpeg;base64,{data}'><figcaption>{at:.1f} s</figcaption></figure>"
        for at, data in frames
    )
    style = (
        f"body {{ margin: 0; display: grid; grid-template-columns: repeat({COLUMNS}, {WIDTH}px); background: #000 }}"
        f"figure {{ margin: 4px }} img {{ width: {WIDTH - 8}px; display: block }}"
        "figcaption { padding: 2px 0 6px; color: #ccc; font: 16px sans-serif }"
    )
    page = browser.new_page(viewport={"width": COLUMNS * WIDTH, "height": 100})
    page.set_content(f"<style>{style}</style>{figures}")
    page.evaluate("Promise.all([...document.images].map(image => image.decode()))")
    taken = page.screenshot(type="jpeg", quality=82, full_page=True)
    page.close()
    return taken
