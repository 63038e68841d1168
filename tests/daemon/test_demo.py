"""The demo: bots on the virtual board, for somebody to look at. Nothing of it is written down; unwatched it rests."""

import time
from pathlib import Path
from typing import Final

import pytest

from daemon.mqtt.broker import find_mosquitto
from daemon.record.reader import History
from tests.daemon.house import changed
from tests.mqtt_clients import Referee, Watcher, watching
from tests.rig import Daemon, again_and_again, free_port, until

QUICK: Final = (
    "from daemon.app import demo, run",
    "demo.REST_SECONDS = 0.5",
    "run.DEMO = 'virtual=virtual@sim:?pace=0.2'",
)
HITS: Final = "oche/test/board/virtual/hit"
"""Who subscribes to hits alone is no display of the match: an onlooker who keeps nobody awake."""
CALM_SECONDS: Final = 1.5
"""Longer than bots that play take from dart to dart, the darts being pulled between."""

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is not installed")


def _calm(onlooker: Watcher) -> None:
    """Waits until no dart has come for some time."""
    last = [len(onlooker.seen), time.monotonic()]

    def is_calm() -> bool:
        if len(onlooker.seen) != last[0]:
            last[:] = [len(onlooker.seen), time.monotonic()]
        return time.monotonic() - last[1] > CALM_SECONDS

    until(is_calm, "that they rest")


def test_the_demo_plays_while_somebody_watches_and_pauses_otherwise(tmp_path: Path) -> None:
    port = free_port()
    program = changed(tmp_path, *QUICK)
    with (
        Daemon(tmp_path, "--broker", f"embedded://127.0.0.1:{port}", program=program) as daemon,
        watching(port, HITS) as onlooker,
    ):
        _calm(onlooker)
        for path in ("the port for programs", "the pages"):
            thrown = len(onlooker.seen)
            page = path == "the pages"
            display = Watcher(daemon.http if page else port, "oche/+/board/+/match", websocket=page)
            onlooker.wait(lambda _: len(onlooker.seen) >= thrown + 3, f"darts for who watches at {path}", thrown)  # noqa: B023
            assert display.last("virtual/match")["game"] == "cerberus"
            display.close()
            _calm(onlooker)
        darts = [m.payload["seq"] for m in onlooker.seen]
        assert darts == sorted(set(darts))
        daemon.kill()
        history = History(daemon.data)
        assert (history.matches(), history.hits("virtual", 0)) == ([], {})
        before = history.board("virtual")
        assert before.match is None
        since = len(onlooker.seen)
        daemon.start()
        with watching(port, "oche/+/board/+/match"):
            again = onlooker.wait(lambda _: True, "a dart after the restart", since)
        assert again.payload["seq"] > before.seq >= max(darts), "no two darts have one id"
        daemon.kill()
        assert history.matches() == []


def test_what_people_play_there_is_kept(tmp_path: Path) -> None:
    port = free_port()
    with (
        Daemon(tmp_path, "--broker", f"embedded://127.0.0.1:{port}", program=changed(tmp_path, *QUICK)) as daemon,
        watching(port) as watcher,
    ):
        referee = Referee(watcher, "virtual")
        referee.state(lambda s: s["game"] == "cerberus" and s["revision"] > 2, "the demo")
        reply = referee.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})
        assert reply["ok"]
        watcher.wait(lambda m: m.topic.endswith("/event") and m.payload["event"] == "stopped", "that it was stopped")
        assert referee.ask({"throw": "T20"})["ok"]
        # A dart that a bot of the demo had thrown already may land before it.
        shown = referee.state(lambda s: s["game"] == "x01" and s["turn"]["darts"][-1:] == ["T20"], "the dart")
        daemon.kill()
        since = len(watcher.seen)
        daemon.start()
        referee.online(since)
        assert referee.state(lambda s: s["game"] == "x01", "the same match", since) == shown
        assert [row.id for row, _ in History(daemon.data).matches()] == [shown["match"]]
        # The broker has kept the board's status: the daemon may not hear commands yet.
        stop = {"id": "stop", "stop": True}
        with again_and_again(lambda: watcher.publish(f"{referee.root}/command", stop), 0.2):
            referee.state(lambda s: s["game"] == "cerberus", "the demo, since nobody plays", since)


def test_bots_in_a_match_of_people_play_unwatched(tmp_path: Path) -> None:
    port = free_port()
    with (
        Daemon(tmp_path, "--broker", f"embedded://127.0.0.1:{port}", program=changed(tmp_path, *QUICK)) as daemon,
        watching(port, HITS, "oche/+/board/+/reply", "oche/+/board/+/status") as onlooker,
    ):
        referee = Referee(onlooker, "virtual")
        referee.online()
        start = {"game": "x01", "players": ["Rex", "Max"], "bots": {"Rex": 5, "Max": 5}, "options": {"start": 101}}
        assert referee.ask({"start": start})["ok"]
        until(lambda: any(row.result == "finished" for row, _ in History(daemon.data).matches()), "the end of it")
