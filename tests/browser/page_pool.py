"""Pages that one test after another uses.

A page in a new context costs 1.4 seconds of a processor, most of it for the start of a renderer. A page that goes to
another address costs 0.9 (means of four scoreboards in Chromium without windows; with windows 3.6 and 1.5).
"""

from typing import Final

from playwright.sync_api import Browser, Page

MOST_IDLE: Final = 3
"""Pages kept for each language; what is given back beyond it is closed."""


class PagePool:
    """The pages of one browser. What they log as an error is added to `complaints`."""

    def __init__(self, browser: Browser) -> None:
        self.complaints: list[str] = []
        self._browser = browser
        self._idle: dict[str, list[Page]] = {}

    def new(self, language: str) -> Page:
        """Returns a page in a context of its own."""
        context = self._browser.new_context(locale=language)
        page = context.new_page()
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def take(self, language: str) -> Page:
        """Returns an empty page that no other test uses at the moment."""
        idle = self._idle.get(language)
        return idle.pop() if idle else self.new(language)

    def give_back(self, page: Page, language: str, origin: str) -> None:
        """Takes a page for the next test, without anything that it has stored for `origin`."""
        idle = self._idle.setdefault(language, [])
        if page.is_closed() or len(page.context.pages) > 1 or len(idle) >= MOST_IDLE:
            page.context.close()
            return
        page.goto("about:blank")
        page.mouse.move(0, 0)
        page.context.clear_cookies()
        session = page.context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        session.detach()
        idle.append(page)
