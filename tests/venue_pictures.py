"""The pictures of the wall and of the overlay, for `docs/screens.md`."""

import tempfile
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser

from tests.stage import BOARD, Moment, stage

SIZE: Final = (1280, 720)
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
    """Writes `wall.png` and `overlay.png`."""
    with tempfile.TemporaryDirectory() as place, stage(browser, Path(place)) as on:
        for board, moment in WALL.items():
            on.publish(f"oche/test/board/{board}/status", ONLINE)
            on.publish(f"oche/test/board/{board}/match", {**moment.state, "revision": 1, "match": board})
        on.publish("oche/test/board/snug/status", {**ONLINE, "state": "offline", "reason": "gone"})
        on.put("match", {**WALL["bar"].state, "revision": 1, "match": "film"})
        for name, path, drawn in (
            ("wall", "/wall", ".tile >> nth=6"),
            ("overlay", f"/overlay/{BOARD}", ".overlay-box"),
        ):
            page = on.page(SIZE, path=path)
            page.locator(drawn).wait_for()
            if name == "overlay":
                page.add_style_tag(content=FILM)
            page.evaluate("document.fonts.ready")
            (folder / f"{name}.png").write_bytes(page.screenshot())
            page.context.close()
