"""Dart Wars on every screen: no name of the map is too small, nothing is cut, and the panel says what is possible."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from daemon.session import payloads
from tests.browser.axe import violations
from tests.browser.test_portrait import FAULTS
from tests.rehearsal import rehearse
from tests.screens import SCROLLS
from tests.stage import NAMES, Stage

State = dict[str, Any]

SIZES: Final = ((1920, 1080), (1280, 720), (1024, 768), (1080, 1920), (390, 844), (844, 390))
PHONE: Final = 600
"""The short side of a screen that is held in the hand is less."""
PHASES: Final = ("throws", "moves", "combats", "combat")

LETTERS: Final = """() => [...document.querySelectorAll(".worldmap text")].map(text => {
  const scale = text.closest("svg").getScreenCTM().a;
  return [scale * parseFloat(getComputedStyle(text).fontSize), text.textContent.trim()];
})"""
"""The height of each name and number of the map in pixels."""


@pytest.fixture
def opened(on_stage: Stage) -> Iterator[Callable[..., Page]]:
    pages: list[Page] = []

    def page(size: tuple[int, int], language: str = "en", path: str = "/board/stage") -> Page:
        pages.append(on_stage.page(size, language, path))
        return pages[-1]

    yield page
    for each in pages:
        each.context.close()


@cache
def states(players: int, seed: int) -> dict[str, State]:
    """One moment of each phase, in a match in which troops stand against each other."""
    found: dict[str, State] = {}
    for scene in rehearse("dart_wars", NAMES[:players], {"order": "listed"}, seed, skill_mm=9.0):
        view = scene.view
        turn = view["turn"]
        phase = turn["phase"]
        if phase == "combat" and not turn["combat"].get("darts"):
            continue
        if phase in found or len(view["zones"]) < 10 or (phase == "moves" and not turn["moves"]):
            continue
        found[phase] = dict(
            payloads.match_state("20260101-120000-stage", scene.match, {}, 1, payloads.earlier_turns(scene.match))
        )
        if found.keys() >= set(PHASES):
            break
    return found


def state(players: int, phase: str) -> State:
    return states(players, 3)[phase]


@pytest.mark.parametrize(("players", "phase"), [(5, "combats"), (5, "combat"), (2, "moves")])
def test_every_name_is_large_enough_and_nothing_is_cut(
    on_stage: Stage, opened: Callable[..., Page], players: int, phase: str
) -> None:
    page = opened(SIZES[0], "de" if phase == "combat" else "fr")
    on_stage.show(page, state(players, phase))
    page.evaluate("document.fonts.ready")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        least = 12.0 if min(width, height) < PHONE else 24 * min(width, height) / 1080
        page.wait_for_function(f"least => ({LETTERS})().every(([px]) => px >= least - 0.05)", arg=least)
        assert page.evaluate(SCROLLS) is False, (width, height)
        if min(width, height) >= PHONE:
            assert page.evaluate(FAULTS) == [], (width, height)


def test_a_phone_shows_the_front_large_and_the_whole_map_by_a_touch(
    on_stage: Stage, opened: Callable[..., Page]
) -> None:
    phone = opened((390, 844), "en", "/board/stage/control")
    on_stage.show(phone, state(5, "moves"))
    letters = f"({LETTERS})().every(([px]) => px >= 11.95)"
    front = phone.locator(".worldmap").get_attribute("viewBox")
    phone.wait_for_function(letters)
    phone.get_by_role("button", name="Whole map").click()
    assert phone.locator(".worldmap").get_attribute("viewBox") != front
    phone.wait_for_function(letters)
    assert violations(phone) == []


def test_the_panel_says_what_is_possible_what_a_combat_costs_and_who_threatens_whom(
    on_stage: Stage, opened: Callable[..., Page]
) -> None:
    wall = opened(SIZES[0])
    throws = state(2, "throws")
    on_stage.show(wall, throws)
    zones = throws["zones"]
    (enemy,) = (player["name"] for player in throws["players"] if player["name"] != throws["turn"]["player"])
    news = wall.locator(".news")
    assert news.locator("h2").inner_text() == "Within reach"
    attackable = wall.evaluate(
        """async ([zones, me, enemy]) => {
          const { places } = (await (await fetch('/geometry.json')).json()).faces.dart_wars;
          const own = Object.keys(zones).filter(zone => zones[zone][me]);
          return Object.keys(zones).some(zone => zones[zone][enemy] &&
            own.some(mine => mine === zone || places[mine].ways.includes(zone)));
        }""",
        [zones, throws["turn"]["player"], enemy],
    )
    assert (news.get_by_text("Attack", exact=True).count() == 1) is attackable
    assert (wall.locator(".threats").count() > 0) is attackable
    on_stage.show(wall, state(5, "combats"))
    assert "the loser’s troop" in news.inner_text()
    on_stage.show(wall, state(5, "combat"))
    assert "the loser’s troop" in news.inner_text()
