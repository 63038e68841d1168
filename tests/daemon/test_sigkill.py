"""Promise: a dart that was shown is never lost, and none counts twice, whenever the daemon is killed."""

import random
from pathlib import Path
from typing import Final

import pytest

from tests.daemon.thrown import another, each_once, in_the_order_thrown, text, the_record_holds_what_was_shown
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

KILLS: Final = 120


@pytest.mark.parametrize("seed", [1])
def test_killed_at_any_moment(tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard, seed: int) -> None:
    """Darts are thrown and turns closed without a pause, with a kill in the middle of it, again and again."""
    chance = random.Random(seed)
    daemon = Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url)
    referee = Referee(watcher, "lounge")
    daemon.start()
    referee.online()
    # A visit of 1001 with open finish cannot end before some hundred darts, and a bust ends nothing.
    start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001, "legs": 20, "out": "open"}}
    assert referee.ask({"start": start})["ok"]
    sent: list[str] = []
    for _ in range(KILLS):
        since = len(watcher.seen)
        for _ in range(chance.randint(1, 5)):
            bed = another(chance, sent)
            sent.append(text(bed))
            pty.say(f"{bed[0]};{bed[1]}\r\n".encode())
            if chance.random() < 0.5:
                watcher.publish(f"{referee.root}/command", {"id": f"next-{len(sent)}", "next": True})
        if chance.random() < 0.7:
            watcher.wait(lambda m: m.topic.endswith("/hit"), "a hit", since)
        daemon.kill()
        shown = watcher.last("/match")
        since = len(watcher.seen)
        daemon.start()
        referee.online(since)
        back = referee.state(lambda _: True, "the state after the kill", since)
        assert back["match"] == shown["match"]
        assert back["revision"] >= shown["revision"]
        if back["revision"] == shown["revision"]:
            assert back == shown
    daemon.stop()
    hits = each_once(watcher.all("/hit"))
    in_the_order_thrown([hit["segment"] for hit in hits], sent)
    the_record_holds_what_was_shown(daemon, watcher)
