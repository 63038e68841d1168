"""A whole match of every game through the pages alone: two phones and a television, darts from the virtual board.

What is done is rehearsed beforehand (`tests/rehearsal.py`), so the end is
known. In the middle the television and a phone lose the network for a while.
"""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from daemon.system.catalogue import faces
from daemon.web import geometry_api
from drivers.virtual import DRIVER, cell_of
from engine.segments import SEGMENTS
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, TELEVISION, Cable, OpenPage, PageDaemon
from tests.browser.steps import press, roll, start
from tests.browser.test_pages import touch
from tests.rehearsal import Scene, rehearse
from tests.rig import PtyBoard, until

NAMES: Final = ("Ann", "Bob")
MANUAL: Final = "Real dice and cards, entered by hand"
FACES: Final = geometry_api.faces(faces())


@dataclass(frozen=True)
class Plan:
    """A short match: the game's name on the form and in the rules, and its options in both."""

    title: str
    game: str
    options: dict[str, Any]
    form: dict[str, str | bool] = field(default_factory=dict)
    seed: int = 1
    skill_mm: float = 8.0
    full_turns: int = 1000


PLANS: Final = [
    Plan("X01", "x01", {"start": 201}, {"Start": "201"}),
    Plan("Cricket", "cricket", {"rounds": 4}, {"Maximum rounds (0: no limit)": "4"}),
    Plan("Cerberus", "cerberus", {"margin": 15}, {"Points behind at which a player is out": "15"}, seed=4),
    Plan(
        "Dards",
        "dards",
        {"mode": "hands", "order": "listed"},
        {"Mode": "hands", "Who starts": "listed"},
        full_turns=4,
    ),
    Plan("Yatzy-Dart", "yatzy_dart", {}, full_turns=6),
    Plan(
        "Dart Wars",
        "dart_wars",
        {"order": "listed", "supply": 6},
        {"Who starts": "listed", "Maximum troops of one colour": "6"},
        seed=71,
    ),
]


@pytest.fixture
def page_daemon(tmp_path: Path, pty: PtyBoard) -> Iterator[PageDaemon]:
    """The daemon with a virtual board, whose contacts the test closes."""
    with PageDaemon(tmp_path, pty, "embedded:", "virtual") as running:
        yield running


@dataclass
class Evening:
    """The pages that are open, and how far the match is."""

    page_daemon: PageDaemon
    television: Page
    phones: tuple[Page, Page]
    released: dict[str, float] = field(default_factory=dict)

    def everywhere(self, *, but: tuple[Page, ...] = ()) -> list[Page]:
        return [page for page in (self.television, *self.phones) if page not in but]

    def at(self, revision: int, *, but: tuple[Page, ...] = ()) -> None:
        """Waits until every page that is connected shows this state."""
        for page in self.everywhere(but=but):
            expect(page.locator(f"main[data-revision='{revision}']:not(.stale)")).to_be_visible()

    def throw(self, bed: str) -> None:
        """A dart on the virtual board."""
        if bed == "MISS":
            self.page_daemon.board.say(b"m\n")
            return
        # A contact that closes again sooner is the ringing of the same dart, says the dialect.
        rings = (DRIVER.timing.rebound_ms + DRIVER.timing.jitter_ms + 20) / 1000
        while time.monotonic() < self.released.get(bed, 0.0) + rings:
            self.television.wait_for_timeout(5)
        row, col = cell_of(SEGMENTS[bed])
        self.page_daemon.board.say(f"+{row},{col}\n-{row},{col}\n".encode())
        self.released[bed] = time.monotonic()

    def phone_of(self, name: str) -> Page:
        return self.phones[NAMES.index(name)]

    def do(self, scene: Scene) -> None:
        """What comes next, by the board or by the phone of the one who must act."""
        action = scene.following
        assert action is not None
        phone = self.phone_of(scene.view["turn"]["actor"])
        match action:
            case {"throw": bed}:
                self.throw(bed)
            case {"next": True}:
                press(phone, "Next")
            case {"done": True}:
                press(phone, "Done")
            case {"roll": dice}:
                roll(phone, " ".join(map(str, dice)))
            case {"deck": cards}:
                phone.get_by_label("Enter the cards").fill(" ".join(cards))
                phone.get_by_role("button", name="Send").click()
            case {"choose": {"category": category}}:
                phone.locator(".categories button").nth(CATEGORIES.index(category)).click()
            case {"choose": {"card": card}}:
                hand = next(p for p in scene.match.view(scene.view["turn"]["actor"])["players"] if "hand" in p)["hand"]
                phone.locator(".hand button").nth(hand.index(card)).click()
            case {"move": move}:
                self._move(phone, scene, move)
            case {"combat": _} | {"first": _} | {"defend": _} | {"choose": _}:
                offered = [choice for choice in scene.view["turn"]["choices"] if "against" in json.dumps(choice)]
                phone.locator(".order-list button").nth(offered.index(action) if action in offered else 0).click()
            case _:
                raise AssertionError(action)

    def _move(self, phone: Page, scene: Scene, move: dict[str, Any]) -> None:
        """By touching the map: where the troop is, then where it goes; where there are two ways, by name."""
        turn = scene.view["turn"]
        goal = move.get("to") or turn["targets"][move["dart"] - 1][0]
        # A phone shows the front first.
        phone.get_by_role("button", name="Whole map").click()
        touch(phone, _bed(scene, move["from"]))
        touch(phone, _bed(scene, goal))
        same = [m["move"] for m in turn["moves"] if m["move"]["from"] == move["from"]]
        kinds = {m.get("pass", False) for m in same if (m.get("to") or turn["targets"][m["dart"] - 1][0]) == goal}
        if len(kinds) > 1:
            phone.locator(".order-list button").filter(has=phone.get_by_text("in passing")).or_(
                phone.locator(".order-list button").first
            ).last.click()


CATEGORIES: Final = (
    "aces", "twos", "threes", "fours", "fives", "sixes", "pair", "two_pairs", "three_of_a_kind", "villa",
    "single_straight", "double_straight", "triple_straight", "yatzy", "chance",
)  # fmt: skip


def _bed(scene: Scene, zone: str) -> str:
    beds: list[str] = FACES[scene.view["face"]]["places"][zone]["beds"]
    return next((bed for bed in beds if bed.startswith("SO")), beds[0])


HAND: Final = re.compile(rb"/hand/\d+")
SHIFTS: Final = """() => {
  window.moved = [];
  const held = (a, b, c, d) => Math.min(Math.abs(a - c), Math.abs(b - d), Math.abs(a + b - c - d) / 2) < 2;
  const stays = ({ previousRect: was, currentRect: is }) => !was.width || !is.width ||
    (held(was.left, was.right, is.left, is.right) && held(was.top, was.bottom, is.top, is.bottom));
  const name = node => `${node?.className ?? node?.parentElement?.className ?? "gone"}: ${node?.textContent}`;
  new PerformanceObserver(list => { for (const entry of list.getEntries())
    window.moved.push(...entry.sources.filter(source => !stays(source)).map(({ node }) => name(node)));
  }).observe({ type: "layout-shift", buffered: false });
}"""
"""Collects what moved. What grows from an edge or its middle, as a number does with a digit more, has not moved."""


def words(page: Page) -> list[str]:
    """All that a page says of the match, sorted: some words stand in another order while they move."""
    expect(page.locator(".flash")).to_have_count(0)
    return [line for line in page.locator("main").inner_text().splitlines() if line.strip()]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.game)
def test_a_whole_match_through_the_pages_alone(page_daemon: PageDaemon, open_page: OpenPage, plan: Plan) -> None:
    cables = Cable(), Cable(), Cable()
    evening = Evening(
        page_daemon,
        open_page("/board/lounge", TELEVISION, cable=cables[0]),
        (
            open_page("/board/lounge/control", PHONE, cable=cables[2]),
            open_page("/board/lounge/control", PHONE, scheme="light", cable=cables[1]),
        ),
    )
    television, phones = evening.television, evening.phones
    scenes = list(rehearse(plan.game, NAMES, plan.options, plan.seed, plan.skill_mm, plan.full_turns))
    start(phones[0], plan.title, NAMES, {**plan.form, MANUAL: True})
    main = phones[0].locator("main[data-revision]")
    expect(main).to_be_visible()
    begun = int(main.get_attribute("data-revision") or 0)
    evening.at(begun)
    for phone, name in zip(phones, NAMES, strict=True):
        phone.evaluate("name => localStorage.setItem('oche.player', name)", name)
        phone.reload()
    evening.at(begun)
    television.evaluate(SHIFTS)
    away: tuple[Page, ...] = ()
    still: list[str] = []
    third = len(scenes) // 3
    for number, scene in enumerate(scenes[:-1]):
        if number == third:
            still = television.evaluate("moved")
            cables[0].pull()
            away = (television,)
            expect(television.locator(".stage.stale")).to_be_visible()
            expect(television.get_by_role("alert").filter(has_text="reconnecting")).to_be_visible()
        if number == third + 3:
            cables[0].plug()
            away = ()
        if number == 2 * third and scene.view["turn"]["actor"] == NAMES[0]:
            cables[1].pull()
            expect(phones[1].locator(".playing.stale")).to_be_visible()
            cables[1].plug()
            evening.at(begun + number)
        if number == 2 * third + 1:
            late = open_page("/board/lounge")
            expect(late.locator(f"main[data-revision='{begun + number}']")).to_be_visible()
            assert words(late) == words(television)
            assert [violations(page) for page in evening.everywhere()] == [[], [], []]
            late.close()
        evening.do(scene)
        evening.at(begun + number + 1, but=away)
        if number == third + 3:
            # What the banner pushes while it says more and more is meant to move.
            television.evaluate("still => { moved = still; }", still)
    end = scenes[-1].view
    assert end["finished"]
    for page in evening.everywhere():
        for winner in end["winners"]:
            expect(page.locator(".awaits.won")).to_contain_text(winner)
    late = open_page("/board/lounge")
    expect(late.locator(".result")).to_be_visible()
    expect(television.locator(".result")).to_be_visible()
    # The achievements are asked for when the result is shown.
    until(lambda: words(late) == words(television), "the same words on both pages")
    scores = [str(player["score"]) for player in end["players"]]
    assert television.locator(".panel .score:not(.thrower-head .score)").all_inner_texts() == scores
    assert [violations(page) for page in evening.everywhere()] == [[], [], []]
    assert sorted(set(television.evaluate("moved"))) == []
    told = [{topic for message in cable.heard for topic in HAND.findall(message)} for cable in cables]
    hands = [{b"/hand/1"}, {b"/hand/2"}] if plan.game == "dards" else [set(), set()]
    assert told == [set(), hands[1], hands[0]], "a hand is for the phone of its player alone"
    press_rematch(phones[1])
    expect(television.locator(".awaits.won")).to_have_count(0)


def press_rematch(phone: Page) -> None:
    phone.get_by_role("button", name="Rematch").click()
