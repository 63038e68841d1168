"""States of matches, shown on a page without a match: the test publishes them as the retained messages of a board.

One daemon, one browser and one page serve any number of states. The states come from the games themselves.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, ViewportSize

from daemon.session import payloads
from tests.lounge import lounge
from tests.mqtt_clients import Watcher
from tests.rehearsal import Scene, rehearse

BOARD: Final = "stage"
"""A board that the daemon does not have: nobody else publishes under its name."""

NAMES: Final = (
    "Ada", "Maximilian Oberhuber", "Cleo", "Jean-Baptiste", "Zoë", "Bartholomäus", "Li", "Oluwaseun",
    "Kim", "Magdalena", "Raj", "Anne-Sophie", "Tom", "Wilhelmina", "Bo", "Christopher",
)  # fmt: skip

LATER: Final = 12
"""From this turn on a match has much to show."""

State = dict[str, Any]


@dataclass(frozen=True)
class Moment:
    """A match at one of its moments: `first`, `dart` (two thrown), `later`, `checkout`, `bust`, `leg`, `end`."""

    game: str
    players: int
    moment: str
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def state(self) -> State:
        """The payload of the topic `match`, without the revision that the stage gives it."""
        return _state(self)


@cache
def _state(wanted: Moment) -> State:
    scenes = rehearse(wanted.game, NAMES[: wanted.players], dict(wanted.options), 1, skill_mm=9.0)
    scene = _scene(scenes, wanted.moment)
    state: State = dict(
        payloads.match_state("20260101-120000-stage", scene.match, {}, 1, payloads.earlier_turns(scene.match))
    )
    if wanted.moment == "dart":
        state["chance"] = _chances(NAMES[: wanted.players])
    return state


def _chances(names: Sequence[str]) -> dict[str, float]:
    """The chances to win of a match whose last player leads: from hardly any to the best."""
    whole = sum(range(1, len(names) + 1))
    return {name: round(at / whole, 3) for at, name in enumerate(names, 1)}


def _scene(scenes: Iterator[Scene], moment: str) -> Scene:
    """The first scene of this kind; the last one that was played, where the match has none.

    Of a match that is over before `later` it is the last one in the middle of a turn.
    """
    last = None
    late: Scene | None = None
    for last in scenes:
        view, turn = last.view, last.view["turn"]
        result = payloads.match_state("", last.match, {}, 1, ()).get("result")
        played = sum(len(player.get("visits", ())) for player in view["players"])
        found = {
            "first": True,
            "dart": len(turn["darts"]) == 2 and played > len(view["players"]),
            "later": len(turn["darts"]) == 2 and last.match.game.turn(last.match.state).number >= LATER,
            "checkout": bool(turn.get("checkout")) and not result,
            "bust": bool(turn.get("bust")),
            "leg": result is not None and result["of"] == "leg",
            "end": result is not None and result["of"] == "match",
            "over": view["finished"],
        }
        if found[moment]:
            return last
        if len(turn["darts"]) == 2 and not view["finished"] and not result:
            late = last
    assert last is not None
    return late if moment == "later" and late is not None else last


class Stage:
    """A page that shows whatever state it is given."""

    def __init__(self, browser: Browser, watcher: Watcher, origin: str) -> None:
        self._browser, self._watcher, self.origin = browser, watcher, origin
        self._revisions = itertools.count(1)
        self.root = f"oche/test/board/{BOARD}"
        self.put("status", {"state": "online", "model": "virtual", "can": {}, "stuck": [], "limits": []})

    def put(self, leaf: str, payload: Any) -> None:
        """Publishes one retained message of the board."""
        self.publish(f"{self.root}/{leaf}", payload)

    def publish(self, topic: str, payload: Any) -> None:
        """Publishes a retained message on any topic; `None` clears it."""
        self._watcher.publish(topic, b"" if payload is None else payload, retain=True)

    def tell(self, topic: str, payload: Any) -> None:
        """Publishes a message on any topic that is not retained."""
        self._watcher.publish(topic, payload)

    def page(self, size: tuple[int, int], language: str = "en", path: str = f"/board/{BOARD}") -> Page:
        """A page without animations, at this size."""
        viewport: ViewportSize = {"width": size[0], "height": size[1]}
        context = self._browser.new_context(
            viewport=viewport, locale=language, reduced_motion="reduce", color_scheme="dark"
        )
        page = context.new_page()
        page.goto(self.origin + path)
        return page

    def show(self, page: Page, state: Mapping[str, Any]) -> None:
        """Shows a state, and waits until the page has drawn it."""
        revision = next(self._revisions)
        self.put("match", {**state, "revision": revision, "match": f"stage-{revision}"})
        page.locator(f"main[data-revision='{revision}']:not(.stale)").wait_for()


@contextmanager
def stage(browser: Browser, place: Path) -> Iterator[Stage]:
    """A daemon and a broker of its own for the length of a block."""
    with lounge(place) as (referee, origin):
        yield Stage(browser, referee.watcher, origin)


def moments(games: Sequence[str], players: Sequence[int], kinds: Sequence[str]) -> Iterator[Moment]:
    """Every combination."""
    for game, number, kind in itertools.product(games, players, kinds):
        legs = (("legs", 2),) if game == "x01" and kind == "leg" else ()
        yield Moment(game, number, kind, legs)
