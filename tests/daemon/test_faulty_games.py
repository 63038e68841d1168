"""A game from elsewhere that fails: one dart is refused, no other is lost, and what is committed can be shown.

The game is the real X01 with one function of it broken at a bed that a test throws.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.record.journal import Journal
from daemon.record.reader import History
from daemon.session.bot_advice import _advice
from daemon.session.commands import Start
from daemon.session.recorded_match import utc_now
from daemon.session.scorer import GAME_FAILED, Scorer
from daemon.system.catalogue import faces, model
from engine.actions import GameAction, Next, Throw
from engine.faces import Face
from engine.game import Advice, Aim, Event, Game, Legal, Step, Turn
from engine.games import GAMES
from engine.match import Header
from engine.options import Option
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from tests.daemon.house import changed
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

START: Final = {"start": {"game": "faulty", "players": ["Ann", "Bob"], "options": {"start": 301}}}
SET: Final = frozenset({1})


def _endless() -> list[Any]:
    inside: list[Any] = []
    inside.append(inside)
    return inside


FAULTS: Final[Mapping[str, Callable[[], Any]]] = {
    "it raises": lambda: 1 / 0,
    "a set": lambda: SET,
    "not a number": lambda: float("nan"),
    "half a character": lambda: "\ud83c",
    "it never ends": _endless,
    "an object": object,
}


class Faulty:
    """X01 under another name, with `where` broken by `fault` as soon as a single 5 was thrown in a turn."""

    name = "faulty"
    title = "Faulty"

    def __init__(self, where: str, fault: str) -> None:
        self._game: Game[Any] = GAMES["x01"]
        self._where, self._fault = where, FAULTS[fault]

    @property
    def seats(self) -> range:
        return self._game.seats

    @property
    def options(self) -> tuple[Option, ...]:
        return self._game.options

    @property
    def state_type(self) -> type[Any]:
        return self._game.state_type

    @property
    def needs_segments(self) -> bool:
        return self._game.needs_segments

    def face(self, options: Mapping[str, Any]) -> str | None:
        return self._game.face(options)

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> Any | Refusal:
        if self._where == "new":
            self._fault()
        return self._game.new(players, options, face)

    def apply(self, state: Any, action: GameAction) -> Step[Any] | Refusal:
        step = self._game.apply(state, action)
        if isinstance(step, Refusal) or not self._broken(step.state):
            return step
        if self._where == "apply":
            self._fault()
        if self._where == "events":
            return Step(step.state, (*step.events, Event("score", {"player": "Ann", "points": self._fault()})))
        return step

    def turn(self, state: Any) -> Turn:
        if self._where == "turn" and self._broken(state):
            self._fault()
        turn = self._game.turn(state)
        if self._where == "darts" and self._broken(state):
            return turn._replace(darts=(*turn.darts, self._fault()))
        return turn

    def winners(self, state: Any) -> tuple[str, ...] | None:
        if self._where == "winners" and self._broken(state):
            return (self._fault(),)
        return self._game.winners(state)

    def view(self, state: Any, viewer: str | None) -> dict[str, Any]:
        view = self._game.view(state, viewer)
        if self._where == "view" and viewer is None and self._broken(state):
            view["odd"] = self._fault()
        if self._where == "hand" and viewer is not None and self._broken(state):
            view["players"] = [player | {"cards": self._fault()} for player in view["players"]]
        return view

    def legal(self, state: Any) -> Legal:
        return self._game.legal(state)

    def advice(self, state: Any, skill_mm: float) -> Advice:
        if self._where == "advice":
            wrong: Advice = self._fault()
            return wrong
        return self._game.advice(state, skill_mm)

    @staticmethod
    def _broken(state: Any) -> bool:
        return any("5" in dart for dart in state.darts)


def install(where: str, fault: str) -> tuple[str, ...]:
    """The lines of a program that has this game."""
    return (
        "from engine.games import GAMES",
        "from tests.daemon.test_faulty_games import Faulty",
        "from daemon.system import catalogue",
        f"outside = catalogue._Games({{'faulty': Faulty({where!r}, {fault!r})}})",
        "catalogue.games = lambda: outside",
    )


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with contextlib.closing(Journal(tmp_path)) as journal:
        yield journal


BROKEN: Final = [
    *((where, fault) for where in ("view", "hand", "events") for fault in FAULTS),
    *((where, "it raises") for where in ("apply", "turn", "winners", "darts")),
    ("winners", "half a character"),
    ("darts", "a set"),
]


@pytest.mark.parametrize(("where", "fault"), BROKEN)
def test_what_cannot_be_shown_is_refused_before_it_is_written(journal: Journal, where: str, fault: str) -> None:
    scorer = Scorer("lounge", model("maddarts"), journal, {"faulty": Faulty(where, fault)}, faces())
    begun = scorer.begin(Start(Header("faulty", ("Ann", "Bob"), {}), {}), 1)
    assert not isinstance(begun, Refusal)
    fine = scorer.act(begun.after, Throw(SEGMENTS["T20"]), "board", 2, utc_now())
    assert not isinstance(fine, Refusal)
    assert scorer.act(fine.after, Throw(SEGMENTS["S5"]), "board", 3, utc_now()) is GAME_FAILED
    after = scorer.act(fine.after, Throw(SEGMENTS["T19"]), "board", 3, utc_now())
    assert not isinstance(after, Refusal)
    json.loads(after.published.text)


def test_a_game_that_cannot_be_begun_is_refused(journal: Journal) -> None:
    scorer = Scorer("lounge", model("maddarts"), journal, {"faulty": Faulty("new", "it raises")}, faces())
    assert scorer.begin(Start(Header("faulty", ("Ann", "Bob"), {}), {}), 1) is GAME_FAILED


@pytest.mark.parametrize("where", ["view", "hand", "events"])
def test_every_dart_of_a_piece_is_a_dart_of_its_own(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard, where: str
) -> None:
    """Three lines in one packet, the game fails at the second: three hits, of which two count."""
    program = changed(tmp_path, *install(where, "it raises"))
    board = f"lounge=maddarts@{pty.path}"
    with Daemon(tmp_path, "--board", board, "--broker", broker.url, program=program) as daemon:
        referee = Referee(watcher, "lounge")
        referee.online()
        assert referee.ask(START)["ok"]
        pty.say(b"20;3\r\n5;1\r\n19;3\r\n")
        state = referee.state(lambda s: s["turn"]["darts"] == ["T20", "T19"], "the darts before it and after it")
        watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] == 3, "three hits")
        ignored = watcher.wait(
            lambda m: m.topic.endswith("/event") and m.payload["event"] == "ignored", "what was not counted"
        ).payload
        assert (ignored["hit"], ignored["reason"]) == ("lounge-2", "game_failed")
        status = f"{referee.root}/status"
        watcher.wait(lambda m: m.topic == status and m.payload["counters"].get("failed") == 1, "the count")
        daemon.kill()
        since = len(watcher.seen)
        daemon.start()
        referee.online(since)
        assert referee.state(lambda _: True, "the state after a kill", since) == state
    assert list(History(daemon.data).hits("lounge", 0)) == [1, 2, 3]


@pytest.mark.parametrize("fault", ["it raises", "a set", "an object"])
def test_a_bot_without_advice_throws_at_the_middle(journal: Journal, fault: str) -> None:
    scorer = Scorer("lounge", model("virtual"), journal, {"faulty": Faulty("advice", fault)}, faces())
    begun = scorer.begin(Start(Header("faulty", ("Ann", "Bob"), {}), {"Ann": 20}), 1)
    assert not isinstance(begun, Refusal)
    assert _advice(begun.after.match, 20.0).aim == Aim(0.0, 0.0, "DB", 0.0, 0.0)


def test_a_state_that_cannot_be_stored_stops_nothing(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stored state makes a restart quicker; the actions tell everything."""
    scorer = Scorer("lounge", model("maddarts"), journal, GAMES, faces())
    options = {"start": 1001, "legs": 20}
    step = scorer.begin(Start(Header("x01", ("Ann", "Bob"), options), {}), 1)

    def broken(_state: object) -> object:
        raise TypeError("no such value")

    monkeypatch.setattr("engine.codec.to_json", broken)
    for n in range(200):
        assert not isinstance(step, Refusal)
        awaits = step.after.match.turn.awaits
        step = scorer.act(step.after, Next() if awaits == "next" else Throw(SEGMENTS["S1"]), "board", n + 2, utc_now())
    assert not isinstance(step, Refusal)
    assert step.snapshot is None and step.after.actions == 200
