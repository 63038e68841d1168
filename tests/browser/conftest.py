"""Fixtures of the browser's tests: a real Chromium, and the daemon as a process with a board on a pty."""

import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect, sync_playwright

from tests.browser.page_pool import PagePool
from tests.chromium import ARGUMENTS, PROGRAM
from tests.mqtt_clients import Referee, watching
from tests.rig import LIMIT_SECONDS, Daemon, PtyBoard, takes_connections, until
from tests.stage import Stage, stage

BROKERS = pytest.mark.parametrize("page_daemon", ["embedded:", "demo:"], indirect=True)
TELEVISION = (1920, 1080)
PHONE = (390, 844)

OpenPage = Callable[..., Page]

LIMIT_MS = LIMIT_SECONDS * 1000
# Far beyond what anything takes, so that a busy machine fails no test.
expect.set_options(timeout=LIMIT_MS)


def patient(browser: Browser) -> Browser:
    """Returns the browser; loading a page and a click may take as long as `expect` may, not Playwright's 30 seconds."""
    # Playwright takes a limit for each context and each page, not for a browser. Motion is reduced, as in `open_page`:
    # frames of animations cost much of what the browser computes. A test about motion asks for `no-preference`.
    new_context, new_page = browser.new_context, browser.new_page

    def limited_context(**options: Any) -> BrowserContext:
        context = new_context(**{"reduced_motion": "reduce"} | options)
        context.set_default_timeout(LIMIT_MS)
        return context

    def limited_page(**options: Any) -> Page:
        page = new_page(**{"reduced_motion": "reduce"} | options)
        page.set_default_timeout(LIMIT_MS)
        return page

    browser.new_context, browser.new_page = limited_context, limited_page  # type: ignore[method-assign]
    return browser


@pytest.fixture(scope="module")
def chromium(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The Chromium that a module names as `CHROMIUM`, or else that of `tests.chromium`.

    One for each file, not for the session: as long as it is open, Playwright's own loop runs in this thread, and no
    other test could run one.
    """
    program: str | None = getattr(request.module, "CHROMIUM", PROGRAM)
    with sync_playwright() as playwright:
        browser = patient(playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS)))
        yield browser
        browser.close()


class PageDaemon(Daemon):
    """A daemon with the board `lounge`, and others if `more` names them, that serves the pages."""

    def __init__(self, folder: Path, board: PtyBoard, broker: str, model: str = "maddarts", *more: str) -> None:
        super().__init__(folder, "--board", f"lounge={model}@{board.path}", "--broker", broker, *more)
        self.board = board
        self._is_online = False

    def start(self) -> None:
        self._is_online = False
        super().start()
        until(lambda: takes_connections(self.http), "the pages' port")

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.http}"

    def throw(self, *darts: str) -> None:
        """Darts as the board reports them: `20;3` is the triple 20.

        The first waits until the board is online. Pages show a match before its port is open, and what arrived until
        then is discarded by the opening.
        """
        if not self._is_online:
            until(self._reports_online, "the board to be online")
            self._is_online = True
        self.board.say("".join(f"{dart}\r\n" for dart in darts).encode())

    def _reports_online(self) -> bool:
        with urllib.request.urlopen(f"{self.origin}/metrics", timeout=LIMIT_SECONDS) as answer:
            return b'oche_board_online{board="lounge"} 1.0' in answer.read()


class Cable:
    """The WebSocket of one page, which the test can interrupt."""

    def __init__(self) -> None:
        self.pulled = False
        self.heard: list[bytes] = []
        """What came from the broker."""
        self._sockets: list[WebSocketRoute] = []

    def join(self, socket: WebSocketRoute) -> None:
        if self.pulled:
            socket.close()
            return
        server = socket.connect_to_server()

        def down(message: str | bytes) -> None:
            self.heard.append(message.encode() if isinstance(message, str) else message)
            socket.send(message)

        server.on_message(down)
        self._sockets.append(socket)

    def pull(self) -> None:
        self.pulled = True
        for wire in self._sockets:
            wire.close()
        self._sockets.clear()

    def plug(self) -> None:
        self.pulled = False


@pytest.fixture
def page_daemon(request: pytest.FixtureRequest, tmp_path: Path, pty: PtyBoard) -> Iterator[PageDaemon]:
    """The daemon with the embedded broker; a test with `BROKERS` runs with each broker the daemon brings."""
    with PageDaemon(tmp_path, pty, getattr(request, "param", "embedded:")) as running:
        yield running


@pytest.fixture(scope="module")
def lasting_daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PageDaemon, Referee]]:
    """A daemon with the embedded broker for all tests of a file, and who ends its matches."""
    folder = tmp_path_factory.mktemp("lounge")
    board = PtyBoard(folder)
    try:
        with PageDaemon(folder, board, "embedded:") as running, watching(running.http, websocket=True) as watcher:
            referee = Referee(watcher, "lounge")
            referee.online()
            yield running, referee
    finally:
        board.unplug()


@pytest.fixture
def shared_daemon(lasting_daemon: tuple[PageDaemon, Referee]) -> Iterator[PageDaemon]:
    """The daemon of the file, whose board has no match. Earlier matches of the file are in its history."""
    running, referee = lasting_daemon
    yield running
    referee.ask({"stop": True})


@pytest.fixture
def complaints() -> list[str]:
    """Console errors and uncaught exceptions of the pages. A test that expects some clears the list."""
    return []


@pytest.fixture(scope="module")
def on_stage(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Pages whose states the test itself publishes."""
    with stage(chromium, tmp_path_factory.mktemp("stage")) as running:
        yield running


def one_at_a_time(open_in: Callable[[str], Page]) -> Iterator[Callable[[str], Page]]:
    """Yields a function that returns the page in a language, and closes the one before: a page that nobody looks at
    costs as much as the others. At the end closes the last one."""
    opened: dict[str, Page] = {}

    def page(language: str) -> Page:
        if language not in opened:
            for other in opened.values():
                other.context.close()
            opened.clear()
            opened[language] = open_in(language)
        return opened[language]

    yield page
    for last in opened.values():
        last.context.close()


@pytest.fixture(scope="module")
def staged(on_stage: Stage) -> Iterator[Callable[[str], Page]]:
    """The page on the stage in a language."""
    yield from one_at_a_time(lambda language: on_stage.page(TELEVISION, language))


@pytest.fixture(scope="module")
def page_pool(chromium: Browser) -> PagePool:
    return PagePool(chromium)


@pytest.fixture
def open_page(page_pool: PagePool, page_daemon: PageDaemon, complaints: list[str]) -> Iterator[OpenPage]:
    """Opens a page. At the end, no page may have logged an error.

    The page can be one of an earlier test. A test that changes it in a way that outlasts its address (a route, a clock,
    a listener) or needs an empty cache asks for one that is `alone`.
    """
    shared: list[tuple[Page, str]] = []
    contexts = []
    page_pool.complaints = complaints

    def opened(
        path: str,
        size: tuple[int, int] = TELEVISION,
        language: str = "en",
        scheme: str = "dark",
        cable: Cable | None = None,
        *,
        alone: bool = False,
    ) -> Page:
        if alone or cable is not None:
            page = page_pool.new(language)
            contexts.append(page.context)
        else:
            page = page_pool.take(language)
            shared.append((page, language))
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(
            media="null",
            color_scheme="light" if scheme == "light" else "dark",
            # Without it, half of what the browser computes is frames of animations.
            reduced_motion="reduce",
        )
        if cable is not None:
            page.route_web_socket("**/mqtt", cable.join)
        page.goto(f"{page_daemon.origin}{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
    for page, language in shared:
        page_pool.give_back(page, language, page_daemon.origin)
    assert complaints == []


@pytest.fixture
def television(open_page: OpenPage) -> Page:
    return open_page("/board/lounge", TELEVISION)


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page("/board/lounge/control", PHONE)
