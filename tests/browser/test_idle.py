"""A board without a match invites: the evening's results, how to join, what to play; and it knows when it is night."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION
from tests.browser.test_portrait import FAULTS
from tests.browser.test_reading import SCROLLS
from tests.mqtt_clients import Referee, watching
from tests.pictures import Shot, Studio
from tests.rig import Daemon, Mosquitto, takes_connections, until

CONFIG = '[web]\nname = "The Crown"\nlogo = "gone.png"\nidle = "League night on Thursday"\nnight = ["23:00", "07:00"]\n'
CARD_MS = 12_000
EVENING = "2026-11-21T20:00:00"


@pytest.fixture(scope="module")
def origin(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The pages of a daemon on whose board a match of X01 and one of Cricket were played to their end."""
    place: Path = tmp_path_factory.mktemp("crown")
    config = place / "oche.toml"
    config.write_text(CONFIG)
    with (
        Mosquitto(place) as broker,
        watching(broker.port) as watcher,
        Daemon(
            place, "--config", str(config), "--board", "lounge=virtual@sim:?pace=600", "--broker", broker.url
        ) as daemon,
    ):
        referee = Referee(watcher, "lounge")
        referee.online()
        until(lambda: takes_connections(daemon.http), "the pages' port")
        studio = Studio(chromium, referee, f"http://127.0.0.1:{daemon.http}")
        studio.play(Shot("x01", lambda state: state["finished"], {"start": 301}, ("Ada", "Ben"), skill_mm=8))
        studio.play(Shot("cricket", lambda state: state["finished"], {}, ("Ada", "Cleo"), skill_mm=8))
        assert referee.ask({"stop": True})["ok"]
        yield studio.origin


def opened(chromium: Browser, origin: str, size: tuple[int, int], at: str, language: str = "en") -> Page:
    """The idle screen, with a clock that the test moves."""
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, locale=language)
    page = context.new_page()
    page.clock.install(time=at)
    page.goto(f"{origin}/board/lounge")
    return page


def test_the_news_change_slowly_and_games_are_proposed(chromium: Browser, origin: str) -> None:
    page = opened(chromium, origin, TELEVISION, EVENING)
    page.clock.run_for(1000)
    card = page.locator(".idle-card")
    titles = set()
    for _ in range(6):
        expect(card).to_have_count(1)
        titles.add(card.get_by_role("heading").inner_text())
        page.clock.run_for(CARD_MS)
    assert {"Last result", "Records of the house", "Try this game"} <= titles
    expect(page.locator(".empty .brand img")).to_have_count(0)
    expect(page.get_by_text("The Crown")).to_be_visible()
    expect(page.get_by_text("League night on Thursday")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize(
    ("language", "sizes"),
    [("en", (TELEVISION, PHONE)), ("de", ((1024, 768), (1280, 720))), ("fr", ((1080, 1920), PHONE))],
)
def test_nothing_is_cut_on_any_wall(
    chromium: Browser, origin: str, language: str, sizes: tuple[tuple[int, int], ...]
) -> None:
    page = opened(chromium, origin, TELEVISION, EVENING, language)
    page.clock.run_for(1000)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(5):
            expect(page.locator(".idle-card")).to_have_count(1)
            if (width, height) != PHONE:
                assert page.evaluate(FAULTS) == []
                assert page.evaluate(SCROLLS) is False
            page.clock.run_for(CARD_MS)
    assert violations(page) == []
    page.context.close()


def test_the_screen_is_dim_at_night_and_bright_in_the_morning(chromium: Browser, origin: str) -> None:
    page = opened(chromium, origin, TELEVISION, EVENING)
    page.clock.run_for(1000)
    expect(page.locator(".empty")).to_be_visible()
    expect(page.locator(".night")).to_have_count(0)
    page.clock.fast_forward("03:30:00")
    expect(page.locator(".empty.night")).to_have_count(1)
    page.clock.fast_forward("08:00:00")
    expect(page.locator(".night")).to_have_count(0)
    page.context.close()


def test_nothing_moves_for_those_who_want_that(chromium: Browser, origin: str) -> None:
    lit = []
    for motion in ("reduce", "no-preference"):
        page = chromium.new_page(reduced_motion="reduce" if motion == "reduce" else "no-preference")
        page.clock.install(time=EVENING)
        page.goto(f"{origin}/board/lounge")
        page.clock.run_for(1000)
        expect(page.locator(".idle-card")).to_have_count(1)
        lit.append(page.locator(".beds .aimed").count())
        if motion == "reduce":
            assert page.evaluate("document.getAnimations().filter(one => one.playState === 'running').length") == 0
        page.close()
    assert lit == [0, 1]
