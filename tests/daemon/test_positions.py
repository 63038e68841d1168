"""Boards that see where the tip is play everything; boards that tell points alone are asked where it matters."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boards.face_files import face_from_toml
from drivers import DRIVERS
from drivers.events import DartLanded, DoubtfulDart
from drivers.json_segment import JsonSegment
from drivers.pipeline import Pipeline
from engine.darts import Position
from engine.geometry import centre_of, segment_at
from engine.segments import PLAYABLE, SEGMENTS
from tests.daemon.tournament_evening import Organizer
from tests.drivers.boards import model
from tests.mqtt_clients import Referee, Watcher
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, PtyBoard

FACES = Path(__file__).parents[2] / "boards" / "faces"
PLAYERS = ["Ann", "Bob", "Cid"]


class NetworkBoard:
    """A board on the network: it waits for the daemon to come."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(LIMIT_SECONDS)
        self.url = f"tcp://127.0.0.1:{self._server.getsockname()[1]}"
        self._line: socket.socket | None = None

    def say(self, at: Position) -> None:
        if self._line is None:
            self._line, _ = self._server.accept()
        self._line.sendall(json.dumps({"at": [at.x, at.y]}).encode() + b"\n")

    def close(self) -> None:
        if self._line is not None:
            self._line.close()
        self._server.close()


@pytest.fixture
def board() -> Iterator[NetworkBoard]:
    made = NetworkBoard()
    yield made
    made.close()


@pytest.fixture
def referee(tmp_path: Path, broker: Mosquitto, watcher: Watcher, board: NetworkBoard) -> Iterator[Referee]:
    with Daemon(tmp_path, "--board", f"lounge=json-position@{board.url}", "--broker", broker.url):
        referee = Referee(watcher, "lounge")
        referee.online()
        yield referee


def start(referee: Referee, game: str, **options: Any) -> None:
    assert referee.ask({"start": {"game": game, "players": PLAYERS, "options": options}})["ok"]


GAMES = ["cerberus", "cricket", "dards", "dart_wars", "x01", "yatzy_dart"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_takes_positions(game: str, referee: Referee, board: NetworkBoard) -> None:
    start(referee, game)
    point = Position(0.05, 0.61)
    board.say(point)
    hit = referee.watcher.wait(lambda m: m.topic.endswith("/hit"), "the hit").payload
    assert hit["at"] == [point.x, point.y] and hit["segment"] == "T20"
    event = referee.watcher.wait(lambda m: m.topic.endswith("/event") and m.payload["event"] == "dart", "the dart")
    assert event.payload["revision"] == 2


def test_x01_is_scored_by_the_exact_geometry(referee: Referee, board: NetworkBoard) -> None:
    start(referee, "x01", start=301)
    darts = [Position(0.0, 0.6), Position(0.0, 0.99), Position(0.0, 1.01)]
    for at in darts:
        board.say(at)
    state = referee.state(lambda s: len(s["turn"]["darts"]) == 3, "three darts")
    assert state["turn"]["darts"] == [segment_at(at).text for at in darts] == ["T20", "D20", "MISS"]
    assert state["players"][0]["score"] == 301 - 100


def test_a_yatzy_dart_between_two_circles_asks_and_one_inside_does_not(referee: Referee, board: NetworkBoard) -> None:
    start(referee, "yatzy_dart")
    face = face_from_toml((FACES / "yatzy.toml").read_text(encoding="utf-8"), "yatzy.toml")
    assert not isinstance(face, tuple)
    # A point and a bed that holds it need not be the same zone: the face reads the point itself.
    inside = Position(0.0, 0.5)
    (zone,) = face.zones_of(inside)
    board.say(inside)
    state = referee.state(lambda s: bool(s["turn"]["darts"]), "the dart")
    events = [e for e in referee.watcher.all("event") if e["event"] == "dart"]
    assert zone in json.dumps([state["turn"], events])


def test_dart_wars_finds_the_country_of_a_point() -> None:
    face = face_from_toml((FACES / "dart_wars_82.toml").read_text(encoding="utf-8"), "dart_wars_82.toml")
    assert not isinstance(face, tuple)
    for bed in PLAYABLE:
        if not bed.is_bull and bed.text[0] != "S":
            assert face.zones_of(centre_of(bed)) == face.zones_of(bed)


def test_positions_in_one_bed_are_darts_of_their_own_and_a_repeat_is_none() -> None:
    pipeline = Pipeline(model("json-position"), DRIVERS["json-segment"])
    first, second = b'{"at":[0.0,0.6]}', b'{"at":[0.01,0.6]}'
    ms = 1_000_000
    heard = [*pipeline.feed(first, 0), *pipeline.feed(second, 30 * ms), *pipeline.feed(second, 531 * ms)]
    assert [type(h) for h in heard] == [DartLanded, DartLanded, DoubtfulDart]
    assert [h.dart for h in heard if isinstance(h, DartLanded)] == [Position(0.0, 0.6), Position(0.01, 0.6)]


@pytest.mark.parametrize(
    "text", [b'{"at":[1]}', b'{"at":[1e999,0]}', b'{"at":[NaN,0]}', b'{"at":"T20"}', b'{"at":null}']
)
def test_an_invalid_position_is_counted(text: bytes) -> None:
    decoder = JsonSegment()
    assert decoder.feed(text, 1) == () and decoder.rejects["range"] == 1


# ---- points alone ----


@pytest.fixture
def points(tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard) -> Iterator[Referee]:
    with Daemon(tmp_path, "--board", f"lounge=score-only@{pty.path}", "--broker", broker.url):
        referee = Referee(watcher, "lounge")
        referee.online()
        yield referee


def test_a_tournament_leaves_out_a_board_that_cannot_play_its_game(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    boards = ("--board", f"lounge=score-only@{pty.path}", "--board", "bar=virtual@sim:?pace=600")
    with Daemon(tmp_path, *boards, "--broker", broker.url) as daemon:
        for board in ("lounge", "bar"):
            Referee(watcher, board).online()
        organizer = Organizer(daemon)
        organizer.do(tournament=1, name="Friday", format="knockout", game="cricket")
        for name in ("Ann", "Bob", "Cem", "Dora"):
            organizer.do(enter={"name": name})
        organizer.do(draw="x")
        state = organizer.until(lambda state: any("board" in f for f in state["fixtures"]), "a call")
        # The first match was not called to the other board, and taken off it.
        assert [(f["id"], f["board"]) for f in state["fixtures"] if "board" in f] == [("R1-1", "bar")]


def test_games_that_must_know_the_bed_are_refused(points: Referee) -> None:
    for game in ("cricket", "dart_wars"):
        reply = points.ask({"start": {"game": game, "players": PLAYERS}})
        assert reply["reason"] == "board_cannot"
        assert reply["message"].endswith("must know the bed, and this board reports points alone.")


def test_x01_asks_which_bed_only_where_it_matters(points: Referee, pty: PtyBoard) -> None:
    assert points.ask({"start": {"game": "x01", "players": ["Ann"], "options": {"start": 101}}})["ok"]
    for n, number in enumerate((60, 20, 3), 1):
        pty.say(b"%d\r\n" % number)
        state = points.state(lambda s, n=n: len(s["turn"]["darts"]) == n, f"dart {n}")  # type: ignore[misc]
    assert state["players"][0]["score"] == 18 and state["turn"]["awaits"] == "next"
    assert points.ask({"next": True})["ok"]
    since = len(points.watcher.seen)
    pty.say(b"18\r\n")
    asked = points.state(lambda s: s["turn"]["awaits"] == "choose", "the question", since)
    assert asked["turn"]["candidates"] == ["T6", "D9", "S18"]
    assert points.ask({"choose": {"segment": "D9"}})["ok"]
    won = points.state(lambda s: bool(s["turn"]["darts"]) and s["turn"]["awaits"] != "choose", "the answer", since)
    assert won["turn"]["darts"] == ["D9"] and won["players"][0]["score"] == 0


def test_every_bed_of_the_question_is_one() -> None:
    assert {SEGMENTS[text].points for text in ("T6", "D9", "S18")} == {18}
