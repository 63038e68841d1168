"""The brokers that the daemon brings along, and the way through the web server to whichever is in use."""

import http.client
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.mqtt.broker import find_mosquitto
from daemon.mqtt.broker_process import PROBE_SECONDS
from tests.mqtt_clients import Referee, Watcher, watching
from tests.rig import LIMIT_SECONDS, Daemon, PtyBoard, free_port, until

START = {"start": {"game": "x01", "players": ["Ann", "Bob"]}}


class DaemonWithBroker:
    """A daemon that runs its own broker."""

    def __init__(self, folder: Path, pty: PtyBoard, scheme: str) -> None:
        self.port = free_port()
        self.daemon = Daemon(
            folder, "--board", f"lounge=maddarts@{pty.path}", "--broker", f"{scheme}://127.0.0.1:{self.port}"
        )
        self.pid_file = self.daemon.data / "broker" / "mosquitto.pid"

    def broker_pid(self) -> int:
        return int(self.pid_file.read_text())

    def children(self) -> list[int]:
        """Returns the broker's process id: the daemon has no other child."""
        pid = self.daemon.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture(params=["embedded", "demo"])
def either(request: pytest.FixtureRequest, tmp_path: Path, pty: PtyBoard) -> Iterator[DaemonWithBroker]:
    house = DaemonWithBroker(tmp_path, pty, request.param)
    with house.daemon:
        yield house


@pytest.fixture
def embedded(tmp_path: Path, pty: PtyBoard) -> Iterator[DaemonWithBroker]:
    house = DaemonWithBroker(tmp_path, pty, "embedded")
    with house.daemon:
        yield house


def test_a_match_is_played(either: DaemonWithBroker, pty: PtyBoard) -> None:
    with watching(either.port) as watcher:
        referee = Referee(watcher, "lounge")
        referee.online()
        assert referee.ask(START)["ok"]
        pty.say(b"20;3\r\n")
        referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the dart")


def test_the_same_through_the_pages(either: DaemonWithBroker, pty: PtyBoard) -> None:
    """One port for a display: MQTT as the payload of a WebSocket, on the port of the pages."""
    watcher = Watcher(either.daemon.http, websocket=True)
    referee = Referee(watcher, "lounge")
    referee.online()
    assert referee.ask(START)["ok"]
    pty.say(b"20;3\r\n")
    referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the dart")
    watcher.close()


def test_nobody_forges_a_state(embedded: DaemonWithBroker) -> None:
    with watching(embedded.port) as watcher, watching(embedded.port) as forger:
        referee = Referee(watcher, "lounge")
        referee.online()
        for leaf in ("match", "status", "hit", "event", "reply", "hand/1"):
            forger.publish(f"{referee.root}/{leaf}", {"forged": True}, retain=True)
        forger.publish("oche/test/status", {"state": "offline"}, retain=True)
        assert referee.ask(START)["ok"]
        assert not any(isinstance(m.payload, dict) and "forged" in m.payload for m in watcher.seen)
        assert watcher.last("oche/test/status")["state"] == "online"


def test_a_killed_daemon_takes_its_broker_along(embedded: DaemonWithBroker) -> None:
    with watching(embedded.port) as watcher:
        Referee(watcher, "lounge").online()
        broker = embedded.broker_pid()
        embedded.daemon.kill()
        until(lambda: not _alive(broker), "the broker's end")
        since = len(watcher.seen)
        embedded.daemon.start()
        Referee(watcher, "lounge").online(since)


def test_a_broker_that_was_left_behind_is_ended(embedded: DaemonWithBroker) -> None:
    with watching(embedded.port) as watcher:
        Referee(watcher, "lounge").online()
        broker = embedded.broker_pid()
        command = [part for part in Path(f"/proc/{broker}/cmdline").read_text().split("\0") if part]
        embedded.daemon.stop()
        orphan = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        embedded.pid_file.write_text(str(orphan.pid))
        since = len(watcher.seen)
        embedded.daemon.start()
        assert orphan.wait(LIMIT_SECONDS) is not None
        Referee(watcher, "lounge").online(since)


def test_a_broker_that_ends_is_started_again(embedded: DaemonWithBroker) -> None:
    with watching(embedded.port) as watcher:
        referee = Referee(watcher, "lounge")
        referee.online()
        referee.ask(START)
        since = len(watcher.seen)
        os.kill(embedded.broker_pid(), signal.SIGKILL)
        referee.online(since)
        assert referee.state(lambda _: True, "the match again", since)["game"] == "x01"


def test_a_broker_that_is_frozen_is_replaced(either: DaemonWithBroker) -> None:
    """Stopped by a signal, or hanging: it takes connections, and answers nobody."""
    with watching(either.port) as watcher:
        referee = Referee(watcher, "lounge")
        referee.online()
        referee.ask(START)
        since = len(watcher.seen)
        (frozen,) = either.children()
        os.kill(frozen, signal.SIGSTOP)
        referee.online(since)
        assert referee.state(lambda _: True, "the match again", since)["game"] == "x01"
        assert not _alive(frozen)


def test_a_broker_that_answers_slowly_is_kept(embedded: DaemonWithBroker) -> None:
    """Stopped again and again for less than it takes to be noticed twice."""
    with watching(embedded.port) as watcher:
        Referee(watcher, "lounge").online()
        (broker,) = embedded.children()
        for _ in range(2):
            os.kill(broker, signal.SIGSTOP)
            time.sleep(PROBE_SECONDS)  # the time of the fault itself
            os.kill(broker, signal.SIGCONT)
            assert Referee(watcher, "lounge").ask(START)["ok"]
        assert embedded.children() == [broker]


def test_a_broker_that_ends_while_the_disk_is_full_is_started_again(embedded: DaemonWithBroker) -> None:
    daemon = embedded.daemon.pid
    with watching(embedded.port) as watcher:
        referee = Referee(watcher, "lounge")
        referee.online()
        resource.prlimit(daemon, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        for _ in range(2):
            since = len(watcher.seen)
            # Its number cannot be written down: it is the daemon's only child.
            [broker] = Path(f"/proc/{daemon}/task/{daemon}/children").read_text().split()
            os.kill(int(broker), signal.SIGKILL)
            referee.online(since)


def test_a_broker_that_cannot_be_started_is_tried_again(tmp_path: Path, pty: PtyBoard) -> None:
    """While a package is reinstalled its program is missing for a moment."""
    found = find_mosquitto()
    assert found is not None
    program = tmp_path / "mosquitto"
    program.symlink_to(found)
    port = free_port()
    daemon = Daemon(
        tmp_path,
        *("--board", f"lounge=maddarts@{pty.path}", "--broker", f"embedded://127.0.0.1:{port}"),
        environment={"PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )
    with daemon, watching(port) as watcher:
        referee = Referee(watcher, "lounge")
        referee.online()
        since = len(watcher.seen)
        program.unlink()
        os.kill(int((daemon.data / "broker" / "mosquitto.pid").read_text()), signal.SIGKILL)
        until(lambda: "cannot be started" in daemon.log(), "a try in vain")
        program.symlink_to(found)
        referee.online(since)


def test_a_program_that_only_happens_to_have_the_old_number_lives_on(tmp_path: Path, pty: PtyBoard) -> None:
    house = DaemonWithBroker(tmp_path, pty, "embedded")
    house.pid_file.parent.mkdir(parents=True)
    stranger = subprocess.Popen(["sleep", str(LIMIT_SECONDS * 10)])
    house.pid_file.write_text(str(stranger.pid))
    with house.daemon, watching(house.port) as watcher:
        Referee(watcher, "lounge").online()
        assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/geometry.json", {}, 200),
        ("/games.json", {}, 200),
        ("/board/lounge/control", {}, 200),
        ("/../pyproject.toml", {}, 404),
        ("/%2e%2e/%2e%2e/pyproject.toml", {}, 404),
        ("/mqtt", {"Origin": "http://elsewhere.example"}, 403),
        ("/geometry.json", {"Host": "rebound.example"}, 403),
    ],
)
def test_the_web_server_answers_its_own_pages_alone(
    embedded: DaemonWithBroker, path: str, headers: dict[str, str], status: int
) -> None:
    with watching(embedded.port) as watcher:
        Referee(watcher, "lounge").online()
    until(lambda: "display is at" in embedded.daemon.log(), "the pages")
    connection = http.client.HTTPConnection("127.0.0.1", embedded.daemon.http)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    assert answer.status == status
    assert b"hatchling" not in body


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
