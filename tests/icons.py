"""Draws the icons of the installed pages from one drawing, web/public/favicon.svg."""

import struct
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.chromium import ARGUMENTS, PROGRAM

PUBLIC: Final = Path(__file__).parents[1] / "web" / "public"
DRAWING: Final = PUBLIC / "favicon.svg"
BACKGROUND: Final = "#101312"
"""The drawing's own ground: phones fill the corners of a maskable icon and of Apple's with it."""
ICONS: Final = {
    "icon-180.png": (180, 1.0, BACKGROUND),
    "icon-192.png": (192, 1.0, "transparent"),
    "icon-512.png": (512, 1.0, "transparent"),
    "icon-maskable-512.png": (512, 0.8, BACKGROUND),
}
"""By file: the size in pixels, the share of it that the drawing has, and the ground. A mask leaves the middle 80 %."""


def draw(browser: Browser, size: int, share: float, ground: str) -> bytes:
    """Returns an icon as PNG."""
    page = browser.new_page(viewport={"width": size, "height": size})
    style = (
        f"html {{ background: {ground}; overflow: hidden }} body {{ margin: {size * (1 - share) / 2}px }}"
        f"svg {{ display: block; width: {size * share}px; height: {size * share}px }}"
    )
    page.set_content(f"<style>{style}</style>{DRAWING.read_text('utf-8')}")
    taken = page.screenshot(omit_background=True)
    page.close()
    return taken


def ico(picture: bytes) -> bytes:
    """Returns a PNG in the container of `/favicon.ico`, which browsers ask for beside everything that is not a page."""
    width, height = size_of(picture)
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, width, height, 0, 0, 1, 32, len(picture), 22) + picture


def size_of(picture: bytes) -> tuple[int, int]:
    """Returns the width and the height of a PNG (its chunk IHDR)."""
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def main() -> None:
    """Writes every icon."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=[*ARGUMENTS])
        for name, (size, share, ground) in ICONS.items():
            (PUBLIC / name).write_bytes(draw(browser, size, share, ground))
        (PUBLIC / "favicon.ico").write_bytes(ico(draw(browser, 48, 1.0, "transparent")))
        browser.close()


if __name__ == "__main__":
    main()
