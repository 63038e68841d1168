"""What axe-core, the accessibility checker, finds on a page. It comes with the pages' development dependencies."""

from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, expect

_AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page) -> list[tuple[str, str, list[str]]]:
    """Every rule that the page breaks, with the elements that break it. Animations are ended before it is looked at."""
    # On a busy machine a page can lose its connection for a moment, and dims what it shows.
    expect(page.locator(".stale")).to_have_count(0)
    page.emulate_media(reduced_motion="reduce")
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [(rule["id"], rule["help"], [node["html"][:160] for node in rule["nodes"]]) for rule in found["violations"]]
