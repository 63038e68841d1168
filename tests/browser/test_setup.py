"""The first run in the browser: a board on a pty, a dart of it, and a daemon that plays from what was written."""

import re
import subprocess
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from learning.hearing import MS
from learning.presses import AGAIN_NS
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION
from tests.browser.steps import plain_board
from tests.learning.unknown import Person, Unknown
from tests.mqtt_clients import Referee, Watcher
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, Mosquitto, PtyBoard, free_port


class FirstRun:
    """`oche setup --http` with nobody at its terminal."""

    def __init__(self, config: Path) -> None:
        self.process = subprocess.Popen(
            [OCHE, "setup", "--config", str(config), "--http", str(free_port()), "--seconds", "60"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.said = ""
        while "/setup?key=" not in self.said:
            line = self.process.stdout.readline()
            assert line, self.said
            self.said += line
        self.url = re.findall(r"http://\S+", self.said)[0]

    def end(self) -> int:
        assert self.process.stdout is not None
        if not self.process.stdout.closed:
            self.said += self.process.communicate(timeout=LIMIT_SECONDS)[0]
        return self.process.returncode


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "etc" / "oche.toml"


@pytest.fixture
def first_run(config: Path) -> Iterator[FirstRun]:
    running = FirstRun(config)
    yield running
    running.process.kill()
    running.end()


Plays = Callable[[str, str, str], None]


@pytest.fixture
def plays(config: Path, pty: PtyBoard, tmp_path: Path, watcher: Watcher) -> Plays:
    """Plays with the written configuration: the bytes of a dart on this board are a hit in this segment."""

    def dart(board: str, said: str, segment: str) -> None:
        with Daemon(tmp_path, "--config", str(config)):
            Referee(watcher, board).online()
            pty.say(f"{said}\r\n".encode())
            watcher.wait(lambda m: m.topic.endswith(f"/{board}/hit") and m.payload["segment"] == segment, "a dart")

    return dart


Open = Callable[[str, tuple[int, int]], Page]


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Open]:
    """Opens an address in a browser of its own; no page may have complained."""
    complaints: list[str] = []

    def opened(url: str, size: tuple[int, int] = PHONE) -> Page:
        page = chromium.new_page(viewport={"width": size[0], "height": size[1]}, locale="en")
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        return page

    yield opened
    assert complaints == []


def asks(page: Page, question: str) -> None:
    """The page asks this, fits its width, and everyone can use it."""
    expect(page.get_by_role("heading", level=1)).to_have_text(question)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []


def test_from_the_first_question_to_a_match(
    first_run: FirstRun, config: Path, browser: Open, pty: PtyBoard, broker: Mosquitto, plays: Plays
) -> None:
    page, television = (browser(first_run.url, size) for size in (PHONE, TELEVISION))
    asks(page, "Where is the board?")
    page.get_by_text("It is somewhere else").click()
    _is_at(page, "somewhere")
    expect(page.get_by_role("alert")).to_contain_text("'somewhere' is not a valid board")
    _is_at(page, str(pty.path))

    asks(page, "Which model is it?")
    # The dart of another model would be another bed: it is taken back.
    page.get_by_role("button", name="RaspuinoDart").click()
    asks(page, "What is its name?")
    page.get_by_label("Name of the board").fill("Lounge!")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot name a board")
    page.get_by_label("Name of the board").fill("lounge")
    page.get_by_role("button", name="Continue").click()
    asks(page, "Throw a dart at lounge")
    page.get_by_role("button", name="No, another model").click()
    page.get_by_role("button", name="MAD darts").click()
    expect(page.get_by_label("Name of the board")).to_have_value("lounge")
    page.get_by_role("button", name="Continue").click()

    asks(page, "Throw a dart at lounge")
    _until_heard(page, pty, "19;3", "T19")
    _until_heard(page, pty, "20;2", "D20")
    expect(page.locator(".dartboard .lit[data-bed]")).to_have_attribute("data-bed", "D20")
    # Who looks at the same address on another screen sees the same.
    asks(television, "Throw a dart at lounge")
    expect(television.locator(".heard output")).to_have_text("D20")
    page.get_by_role("button", name="Yes, that bed").click()

    asks(page, "Which broker?")
    page.get_by_text("I have one already").click()
    page.get_by_label("Its address").fill(f"mqtt://127.0.0.1:{free_port()}")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing answers")
    page.get_by_label("Its address").fill(broker.url)
    page.get_by_role("button", name="Continue").click()

    asks(page, "Who may see the pages?")
    page.get_by_role("button", name="Back").click()
    asks(page, "Which broker?")
    page.get_by_role("button", name="Continue").click()
    assert not config.exists()
    page.get_by_role("button", name="Only this machine").click()
    asks(page, "Game on")
    expect(page.get_by_role("link")).to_have_attribute("href", "http://localhost:8080")
    expect(television.get_by_role("link")).to_have_text("http://localhost:8080")

    assert first_run.end() == 0, first_run.said
    assert tomllib.loads(config.read_text()) == {"broker": broker.url, "boards": {"lounge": f"maddarts@{pty.path}"}}
    plays("lounge", "19;3", "T19")


def test_a_board_that_nobody_knows_is_learned_on_the_way(
    first_run: FirstRun, config: Path, browser: Open, pty: PtyBoard, broker: Mosquitto, plays: Plays
) -> None:
    board, page = plain_board(), browser(first_run.url, PHONE)
    page.get_by_text("It is somewhere else").click()
    _is_at(page, str(pty.path))
    page.get_by_role("button", name="None of these").click()
    page.get_by_label("Name of the board").fill("garage")
    page.get_by_role("button", name="Continue").click()
    _lesson(page, board, pty)

    asks(page, "Throw a dart at garage")
    code = board.codes["T20"]
    assert code is not None
    _until_heard(page, pty, code, "T20")
    page.get_by_role("button", name="Yes, that bed").click()
    page.get_by_text("I have one already").click()
    page.get_by_label("Its address").fill(broker.url)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Everyone on my network").click()
    asks(page, "Game on")
    expect(page.locator("svg.qr")).to_be_visible()
    assert first_run.end() == 0, first_run.said

    learnt = config.parent / "boards" / "garage.toml"
    assert tomllib.loads(config.read_text())["boards"] == {"garage": f"{learnt}@{pty.path}"}
    assert learnt.stat().st_mode & 0o444 == 0o444
    plays("garage", code, "T20")


def test_a_message_with_a_long_path_fits_the_page(first_run: FirstRun, browser: Open) -> None:
    page, path = browser(first_run.url, PHONE), f"/dev/serial/by-id/{'usb_board' * 12}"
    page.get_by_text("It is somewhere else").click()
    _is_at(page, path)
    asks(page, "Which model is it?")
    page.get_by_role("button", name="MAD darts").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".heard")).to_contain_text(path)
    asks(page, "Throw a dart at board")


def test_nobody_answers_without_the_key(first_run: FirstRun, browser: Open, config: Path) -> None:
    page = browser(first_run.url.partition("?")[0], PHONE)
    expect(page.get_by_text("Open the address that `oche setup` printed")).to_be_visible()
    answer = page.request.post(
        f"{first_run.url.partition('/setup')[0]}/setup.json", data={"step": "board", "answer": "none"}
    )
    assert answer.status == 403
    asks(browser(first_run.url, PHONE), "Where is the board?")


def _is_at(page: Page, address: str) -> None:
    page.get_by_label("A port or an address").fill(address)
    page.get_by_role("button", name="Continue", exact=True).click()


def _until_heard(page: Page, pty: PtyBoard, said: str, shown: str) -> None:
    """Throws until the port is open: nobody tells when that is, and a person throws again too."""
    heard = page.locator(".heard output")
    end = time.monotonic() + LIMIT_SECONDS
    while not (heard.count() and heard.text_content() == shown):
        assert time.monotonic() < end, f"{shown} was never shown"
        pty.say(f"{said}\r\n".encode())
        page.wait_for_timeout(500)


def _lesson(page: Page, board: Unknown, pty: PtyBoard) -> None:
    """Presses what the page lights, to the end of the lesson."""
    person, last = Person(board, 1), ""
    status = page.get_by_role("status")
    expect(status).to_contain_text("hold it for three seconds")
    over = page.get_by_text("Throw a dart at garage")
    none = page.get_by_role("button", name="There is none")
    lit = page.locator(".dartboard .lit[data-bed]")
    while True:
        expect(lit.or_(none).or_(over).first).to_be_visible()
        if over.count():
            return
        # What stands there changes with each answer: the count of presses, what is asked, or the page itself.
        before = page.evaluate(_SHOWN)
        if not lit.count():
            none.click()
        else:
            code = person.press(lit.first.get_attribute("data-bed") or "")
            assert code is not None
            # Sooner it would be the same press.
            page.wait_for_timeout(AGAIN_NS // MS + 100 if code == last else 130)
            last = code
            pty.say(f"{code}\r\n".encode())
        page.wait_for_function(f"before => {_SHOWN} !== before", arg=before)


_SHOWN = "[...document.querySelectorAll('.learn .bar, .learn .asked')].map(e => e.innerText).join()"
