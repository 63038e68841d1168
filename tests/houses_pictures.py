"""Takes the pictures of `docs/two-houses.md`: a code on the host's phone, the guest's scoreboard without the line."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import patient
from tests.browser.two_houses import Evening
from tests.chromium import ARGUMENTS, WITH_WINDOWS


def main() -> None:
    """Writes both into `docs/pictures`."""
    folder = Path(__file__).parents[1] / "docs" / "pictures"
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        browser = patient(playwright.chromium.launch(executable_path=WITH_WINDOWS, args=[*ARGUMENTS]))
        stack.callback(browser.close)
        evening = Evening(stack, browser, Path(place))

        def step(name: str) -> None:
            if name == "wrong-code":
                _code(evening, folder)
            elif name == "line-down":
                _line_down(browser, evening, folder)

        evening.play(step)


def _code(evening: Evening, folder: Path) -> None:
    """From the button that opens the panel on."""
    evening.host.get_by_role("button", name="Play with another house").evaluate("button => button.scrollIntoView()")
    evening.host.screenshot(path=folder / "two-houses-control.png")


def _line_down(browser: Browser, evening: Evening, folder: Path) -> None:
    """The guest's wall, in the language of the guide."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce", locale="en")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{evening.bob.daemon.http}/board/lounge")
    page.locator(".banner").wait_for()
    page.evaluate("document.fonts.ready")
    page.screenshot(path=folder / "two-houses.png")
    context.close()


if __name__ == "__main__":
    main()
