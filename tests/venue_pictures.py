"""The pictures of the wall, the overlay, the end of a match and a tournament, for `docs/screens.md`."""

import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser

from tests.browser.cups import CUPS, cup
from tests.stage import BOARD, Moment, Stage, stage

SIZE: Final = (1280, 720)
TALL: Final = (720, 1280)
ONLINE: Final[dict[str, Any]] = {"state": "online", "model": "virtual", "can": {}, "stuck": [], "limits": []}
WALL: Final = {
    "attic": Moment("cricket", 2, "dart"),
    "bar": Moment("x01", 2, "checkout", (("legs", 3),)),
    "cellar": Moment("shanghai", 3, "over"),
    "garden": Moment("x01", 4, "dart"),
}
FILM: Final = "html { background: linear-gradient(120deg, #35513f 40%, #5a2f3f 40% 60%, #b9b9c4 60%) !important }"
"""What an overlay is laid over, in its picture."""


def venue_pictures(browser: Browser, folder: Path) -> None:
    """Writes a picture of each."""
    with tempfile.TemporaryDirectory() as place, stage(browser, Path(place)) as on:
        take(on, folder)


def take(on: Stage, folder: Path) -> None:
    """The same on a stage that is there."""
    for board, moment in WALL.items():
        on.publish(f"oche/test/board/{board}/status", ONLINE)
        on.publish(f"oche/test/board/{board}/match", {**moment.state, "revision": 1, "match": board})
    on.publish("oche/test/board/snug/status", {**ONLINE, "state": "offline", "reason": "gone"})
    on.put("match", {**WALL["bar"].state, "revision": 1, "match": "film"})
    _picture(on, folder, "wall", SIZE, "/wall", ".tile >> nth=6")
    _picture(on, folder, "overlay", SIZE, f"/overlay/{BOARD}", ".overlay-box", FILM)
    for name, game in (("result", "x01"), ("result-cerberus", "cerberus")):
        on.put("match", {**Moment(game, 2, "over").state, "revision": 1, "match": name})
        _picture(on, folder, name, SIZE, f"/board/{BOARD}", ".result")
    for name, size, kind, part in (
        ("tournament", SIZE, "knockout-64", 0.3),
        ("tournament-groups", TALL, "groups-64", 0.6),
    ):
        count, keys = CUPS[kind]
        on.publish("oche/test/tournament", {**cup(count, part, keys), "name": "Friday Cup"})
        _picture(on, folder, name, size, "/tournament", ".cup")


def _picture(
    on: Stage, folder: Path, name: str, size: tuple[int, int], path: str, drawn: str, style: str | None = None
) -> None:
    page = on.page(size, path=path)
    page.locator(drawn).first.wait_for()
    if style is not None:
        page.add_style_tag(content=style)
    page.evaluate("document.fonts.ready")
    (folder / f"{name}.png").write_bytes(page.screenshot())
    page.context.close()
