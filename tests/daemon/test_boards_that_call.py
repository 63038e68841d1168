"""Boards that call a whole daemon: their darts, what else they cannot do, and a kill between a dart and its answer."""

import http.client
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.daemon.listening import Listening
from tests.daemon.websocket_board import WebSocketBoard
from tests.mqtt_clients import Watcher, watching
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, free_port, until

LOUNGE, BAR = "lounge-0123456789", "bar-0123456789abc"
TRIPLE_20 = '{"board_id":7,"num":20,"zone":3}'


class Boards:
    """A daemon with two boards at one port: `lounge` opens a WebSocket, `bar` sends requests."""

    def __init__(self, folder: Path) -> None:
        self.port, broker = free_port(), free_port()
        self.broker = broker
        self.daemon = Daemon(
            folder,
            *("--broker", f"embedded://127.0.0.1:{broker}"),
            *("--board", f"lounge=json-segment@listen://127.0.0.1:{self.port}?token={LOUNGE}"),
            *("--board", f"bar=dartsout@listen://127.0.0.1:{self.port}?token={BAR}"),
        )

    def post(self, path: str, body: str = TRIPLE_20, **headers: str) -> int:
        """Sends a request as firmware does; returns the status, 0 if the daemon is away."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_SECONDS)
        try:
            line.request("POST", path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            return line.getresponse().status
        except OSError:
            return 0
        finally:
            line.close()

    def dart(self, number: int, name: str) -> int:
        """Sends a triple of the bar, as the request with this id, until it is stored."""
        found: list[int] = []

        def stored() -> bool:
            body = TRIPLE_20.replace("20", str(number))
            found.append(self.post(f"/{BAR}/new-dart", body, Idempotency_Key=name))
            return found[-1] in (200, 400, 403)

        until(stored, "an answer to a dart")
        return found[-1]


@contextmanager
def boards(folder: Path) -> Iterator[tuple[Boards, Watcher]]:
    found = Boards(folder)
    with found.daemon, watching(found.broker) as watcher:
        yield found, watcher


def state(watcher: Watcher, board: str, wanted: str, reason: str | None = None, since: int = 0) -> dict[str, Any]:
    topic = f"oche/test/board/{board}/status"
    found: dict[str, Any] = watcher.wait(
        lambda m: m.topic == topic and m.payload and (m.payload["state"], m.payload.get("reason")) == (wanted, reason),
        f"{board} {wanted} {reason}",
        since,
    ).payload
    return found


def hits(watcher: Watcher, board: str) -> list[str]:
    return [hit["segment"] for hit in watcher.all(f"board/{board}/hit")]


def test_two_boards_call_one_port(tmp_path: Path) -> None:
    with boards(tmp_path) as (here, watcher):
        waiting = state(watcher, "lounge", "offline", "waiting")
        assert f"http://127.0.0.1:{here.port}" in waiting["message"]
        lounge = WebSocketBoard(here.port, f"/ws?token={LOUNGE}")
        state(watcher, "lounge", "online")
        lounge.say('{"segment":"T20"}')
        lounge.say('{"segment":"D1"}')
        watcher.wait(lambda m: m.topic.endswith("lounge/hit") and m.payload["segment"] == "D1", "the second dart")
        assert hits(watcher, "lounge") == ["T20", "D1"]
        since = len(watcher.seen)
        lounge.close()
        state(watcher, "lounge", "offline", "gone", since)
        assert here.post(f"/{BAR}/new-dart") == 200
        state(watcher, "bar", "online")
        watcher.wait(lambda m: m.topic.endswith("bar/hit") and m.payload["segment"] == "T20", "the dart of the bar")
        again = WebSocketBoard(here.port, f"/ws?token={LOUNGE}")
        again.say('{"segment":"T7"}')
        watcher.wait(lambda m: m.topic.endswith("lounge/hit") and m.payload["segment"] == "T7", "a dart after that")
        again.close()
        seen = json.dumps([message.payload for message in watcher.seen if not isinstance(message.payload, bytes)])
    for token in (LOUNGE, BAR):
        assert token not in seen and token not in here.daemon.log()


def test_a_request_with_an_id_is_one_dart_over_a_kill_too(tmp_path: Path) -> None:
    with boards(tmp_path) as (here, watcher):
        state(watcher, "bar", "offline", "waiting")
        assert [here.dart(1, "one") for _ in range(2)] == [200, 200]
        here.daemon.kill()
        here.daemon.start()
        assert [here.dart(number, name) for number, name in ((1, "one"), (2, "two"), (2, "two"))] == [200, 200, 200]
        watcher.wait(lambda m: m.topic.endswith("bar/hit") and m.payload["seq"] == 2, "the second dart")
        assert here.dart(3, "three") == 200
        watcher.wait(lambda m: m.topic.endswith("bar/hit") and m.payload["seq"] == 3, "the third dart")
        assert {hit["seq"]: hit["segment"] for hit in watcher.all("bar/hit")} == {1: "T1", 2: "T2", 3: "T3"}


def test_a_board_can_send_its_darts_and_nothing_else(tmp_path: Path) -> None:
    with boards(tmp_path) as (here, watcher):
        state(watcher, "lounge", "offline", "waiting")
        for path in ("/mqtt", "/pair", "/history.json", "/geometry.json", "/oche/test/board/lounge/command"):
            # On a busy machine the answer can come too late to be one.
            assert here.post(f"{path}?token=wrong") in (0, 403, 408)
        forged = [
            '{"start": {"game": "x01", "players": ["Eve"], "options": {}}}',
            '{"stop": true}',
            '{"id": "x", "throw": "T20"}',
            '{"segment": "T20", "board": "bar"}',
            '{"segment": "GAMEBUTTON"}',
        ]
        lounge = WebSocketBoard(here.port, f"/mqtt?token={LOUNGE}")
        for text in forged:
            lounge.say(text)
        lounge.say('{"segment":"D20"}')
        watcher.wait(lambda m: m.topic.endswith("lounge/hit") and m.payload["segment"] == "D20", "the last dart")
        lounge.close()
        assert hits(watcher, "lounge") == ["T20", "D20"]
        assert hits(watcher, "bar") == []
        assert not watcher.all("lounge/match") and not watcher.all("bar/match") and not watcher.all("reply")


def test_a_board_that_floods_delays_no_dart_of_another(tmp_path: Path) -> None:
    """Its frames are read at a steady rate; until then they wait in its own connection."""
    with boards(tmp_path) as (here, watcher):
        lounge = WebSocketBoard(here.port, f"/ws?token={LOUNGE}")
        state(watcher, "lounge", "online")
        for _ in range(2_000):
            lounge.say('{"segment":"T20"}')
        assert [here.dart(number, str(number)) for number in range(1, 6)] == [200] * 5
        watcher.wait(lambda m: m.topic.endswith("bar/hit") and m.payload["seq"] == 5, "the last dart of the bar")
        counted = state(watcher, "lounge", "online")
        assert counted["state"] == "online"
        lounge.close()


def post(port: int, path: str, body: str, wanted: int = 200) -> None:
    """Sends a request until it gets the wanted answer."""

    def answered() -> bool:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_SECONDS)
        try:
            line.request("POST", path, body)
            return line.getresponse().status == wanted
        except OSError:
            return False
        finally:
            line.close()

    until(answered, f"status {wanted}")


def test_oche_listen_shows_a_board_that_calls() -> None:
    port = free_port()
    listening = Listening(f"json-segment@listen://127.0.0.1:{port}?token={LOUNGE}")
    try:
        board = WebSocketBoard(port, f"/ws?token={LOUNGE}")
        listening.ready()
        board.say('{"segment":"T20"}')
        assert listening.segments(1) == ["T20"]
        board.close()
        post(port, f"/{LOUNGE}/", '{"segment":"D5"}')
        assert listening.segments(2) == ["T20", "D5"]
    finally:
        listening.stop()
    assert LOUNGE not in " ".join(listening.words)


def test_oche_learn_waits_for_a_board_that_calls(tmp_path: Path) -> None:
    port, out = free_port(), tmp_path / "garage.toml"
    command = [OCHE, "learn", f"listen://127.0.0.1:{port}?token={LOUNGE}", "--out", str(out)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.PIPE, text=True
    ) as learning:
        assert learning.stdout is not None
        said: list[str] = []
        board: WebSocketBoard | None = None
        for line in learning.stdout:
            said.append(line)
            if "No board has called" in line:
                board = WebSocketBoard(port, f"/ws?token={LOUNGE}")
            if "Type s and Enter" in line:
                break
        learning.terminate()
    assert board is not None, said
    board.close()
    assert LOUNGE not in "".join(said)
