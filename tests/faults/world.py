"""A daemon under faults, all parts real, and a model of what it must show: a match, its revision, its hits.

The model knows nothing of processes, ports or disks. Every method does one thing to both and returns when they agree.
"""

import resource
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engine.actions import Action, Next, Throw, Undo
from engine.games import GAMES
from engine.match import Header, Match
from engine.matchfile import open_match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import SEGMENTS
from tests.daemon.thrown import LETTERS, each_once
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

HEADER: Final = Header("x01", ("Ann", "Bob"), {"start": 301})
OURS: Final = ("match", "revision", "schema", "options", "earlier")
CLOCKS: Final = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
"""libfaketime, if it is installed; without it the clock is not changed."""
CLOCK_SECONDS: Final = 1
"""How long libfaketime caches its file."""


@dataclass(slots=True)
class Model:
    """The expected state."""

    match: Match | None = None
    revision: int = 0
    hits: list[str] = field(default_factory=list)
    replies: dict[str, dict[str, Any]] = field(default_factory=dict)

    def act(self, action: Action) -> str | None:
        """Applies an action; returns the reason if it is refused."""
        if self.match is None:
            return "no_match"
        outcome = apply(self.match, action)
        if isinstance(outcome, Refusal):
            return outcome.reason
        self.match, self.revision = outcome, self.revision + 1
        return None


class World:
    """A daemon with a board on a pty, an outside broker, and a subscriber to everything."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="oche-world-"))
        self.model = Model()
        self.pty = PtyBoard(self.folder)
        self.broker = Mosquitto(self.folder)
        self.broker.start()
        self.watcher = Watcher(self.broker.port)
        self._clock = self.folder / "clock"
        self._clock.write_text("+0")
        environment = {}
        if CLOCKS:
            environment = {"LD_PRELOAD": str(CLOCKS[0]), "FAKETIME_TIMESTAMP_FILE": str(self._clock)}
            # Reading the file at every call of the clock or stat makes a start take four times as long.
            environment |= {"FAKETIME_CACHE_DURATION": str(CLOCK_SECONDS), "NO_FAKE_STAT": "1"}
            environment |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
        board = ("--board", f"lounge=maddarts@{self.pty.path}")
        self.daemon = Daemon(self.folder, *board, "--broker", self.broker.url, environment=environment)
        self.daemon.start()
        self.referee = Referee(self.watcher, "lounge")
        self._last = 0
        self._asked = 0
        self._without_broker: set[int] = set()
        """Numbers of the hits that were thrown while there was no broker: they may be dropped."""
        try:
            self.referee.online()
        except AssertionError:
            self._end()
            raise

    def close(self) -> None:
        """Stops everything and compares all published hits with the model."""
        try:
            assert self.daemon.stop() == 0
            assert "Traceback" not in self.daemon.log(), self.daemon.log()
            seen = each_once(self.watcher.all("/hit"), self._without_broker)
            said = {hit["seq"]: hit["segment"] for hit in seen}
            thrown = dict(enumerate(self.model.hits, 1))
            assert said == {seq: bed for seq, bed in thrown.items() if seq in said or seq not in self._without_broker}
        finally:
            self._end()

    def _end(self) -> None:
        self.daemon.kill()
        self.watcher.close()
        self.broker.stop()
        self.pty.unplug()
        shutil.rmtree(self.folder)

    # ---- ordinary actions ----

    def start(self) -> None:
        opened = open_match(HEADER, GAMES, {})
        assert isinstance(opened, Match)
        self.model.match, self.model.revision = opened, self.model.revision + 1
        about = {"game": HEADER.game, "players": list(HEADER.players), "options": dict(HEADER.options)}
        assert self._ask({"start": about})["ok"]
        self.agree()

    def throw(self, number: int, factor: int) -> None:
        """Sends a dart; never the bed of the last one, which could count as its echo."""
        self._say(number, factor)
        self._dart_is_seen()

    def command(self, body: dict[str, Any], action: Action) -> None:
        reason = self.model.act(action)
        reply = self._ask(body)
        assert (reply["ok"], reply.get("reason")) == (reason is None, reason)
        self.agree()

    def next(self) -> None:
        self.command({"next": True}, Next())

    def undo(self) -> None:
        self.command({"undo": True}, Undo())

    def again(self, which: int) -> None:
        """Sends a command that was done again; the reply must be the same."""
        if self.model.replies:
            command_id = list(self.model.replies)[which % len(self.model.replies)]
            assert self.referee.send({"id": command_id, "undo": True}) == self.model.replies[command_id]
            self.agree()

    def stale(self) -> None:
        if self.model.match is not None:
            reply = self._ask({"undo": True, "revision": self.model.revision - 1})
            assert reply["reason"] == "stale_revision"
            self.agree()

    def rubbish(self, payload: bytes) -> None:
        """Sends bytes as a command, and from the board between two lines."""
        self.watcher.publish(f"{self.referee.root}/command", b"\xff" + payload)
        self.pty.say(b"\xff" + payload.replace(b"\n", b"").replace(b"\r", b"") + b"\r\n")
        self.agree()

    # ---- faults ----

    def unplug(self, part: bytes) -> None:
        """Removes the board in the middle of a line and brings it back as another device."""
        self.pty.say(part)
        since = len(self.watcher.seen)
        self.pty.unplug()
        topic = f"{self.referee.root}/status"
        self.watcher.wait(lambda m: m.topic == topic and m.payload["state"] == "offline", "offline", since)
        self.pty.plug()
        self.referee.online(since)
        self.agree()

    def broker_away(self, number: int, factor: int) -> None:
        """Stops the broker, throws a dart, and starts the broker empty."""
        self.broker.stop()
        self._say(number, factor)
        self._without_broker.add(len(self.model.hits))
        since = len(self.watcher.seen)
        self.broker.start()
        self.referee.online(since)
        self.agree(since)

    def disk_full(self, number: int, factor: int) -> None:
        """Fills the disk: a dart waits for room, a command is refused."""
        self._may_write(1)
        reply = self._ask({"next": True}) if self.model.match is not None else {"reason": "disk"}
        assert reply["reason"] in ("disk", "not_awaited", "finished")
        since = len(self.watcher.seen)
        self._say(number, factor)
        topic = f"{self.referee.root}/status"
        self.watcher.wait(lambda m: m.topic == topic and m.payload.get("reason") == "disk", "a full disk", since)
        self._may_write(resource.RLIM_INFINITY)
        self.referee.online(since)
        self._dart_is_seen()

    def clock(self, days: int) -> None:
        self._clock.write_text(f"{days:+d}d")
        # Until then libfaketime may return the old offset.
        time.sleep(CLOCK_SECONDS + 0.1)

    def stop(self) -> None:
        assert self.daemon.stop() == 0
        self._begin_again()

    def kill(self) -> None:
        self.daemon.kill()
        self._begin_again()

    # ---- comparison ----

    def agree(self, since: int = 0) -> None:
        """Asserts that the published match is the model's."""
        match, revision = self.model.match, self.model.revision
        if match is None:
            assert self.watcher.last("/match") is None
            return
        picture = self.referee.state(lambda s: s["revision"] >= revision, f"revision {revision}", since)
        newest = self.watcher.last("/match") or picture
        assert newest["revision"] == revision
        assert {key: value for key, value in newest.items() if key not in OURS} == match.view()

    def _begin_again(self) -> None:
        since = len(self.watcher.seen)
        self.daemon.start()
        self.referee.online(since)
        if self.model.match is not None:
            self.referee.state(lambda _: True, "the match again", since)
        self.agree()

    def _say(self, number: int, factor: int) -> str:
        if number == self._last:
            number = number % 20 + 1
        self._last = number
        bed = f"{LETTERS[factor]}{number}"
        self.pty.say(f"{number};{factor}\r\n".encode())
        self.model.hits.append(bed)
        self.model.act(Throw(SEGMENTS[bed]))
        return bed

    def _dart_is_seen(self) -> None:
        seq = len(self.model.hits)
        hit = self.watcher.wait(lambda m: m.topic.endswith("/hit") and m.payload["seq"] == seq, f"hit {seq}").payload
        assert hit["segment"] == self.model.hits[-1]
        self.agree()

    def _ask(self, body: dict[str, Any]) -> dict[str, Any]:
        self._asked += 1
        command_id = f"ask-{self._asked}"
        reply = self.referee.send({"id": command_id} | body)
        if reply["ok"]:
            assert reply["revision"] == self.model.revision
            self.model.replies[command_id] = reply
        return reply

    def _may_write(self, size: int) -> None:
        """Limits the size of the daemon's files, which has the effect of a full disk and needs no root."""
        resource.prlimit(self.daemon.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
