"""A long match during which the daemon is killed, or its power cut, many times; no dart may be lost or doubled."""

import random
import sqlite3
import time
from pathlib import Path
from typing import Final

from tests.daemon.thrown import another, each_once, in_the_order_thrown, text, the_record_holds_what_was_shown
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

START: Final = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001, "legs": 99, "out": "open"}}
LATER_SECONDS: Final = 0.02
"""The longest wait before a cut: the time a few darts take from the port to the journal and the broker."""
START_SECONDS: Final = 0.6
"""The longest time after a start before it is cut: about the time until the first dart counts."""


def evening(folder: Path, cuts: int, seed: int, mount: Path | None = None) -> int:
    """Plays through `cuts` SIGKILLs, or power cuts if there is a `mount`; returns the number of published darts.

    AssertionError if one of them is lost, doubled or changed.
    """
    chance = random.Random(seed)
    pty = PtyBoard(folder)
    with Mosquitto(folder) as broker:
        watcher = Watcher(broker.port)
        board = ("--board", f"lounge=maddarts@{pty.path}")
        daemon = Daemon(folder, *board, "--broker", broker.url, data=(mount or folder) / "data")
        try:
            _play(daemon, watcher, pty, chance, cuts, mount)
            daemon.stop()
            hits = each_once(watcher.all("/hit"))
            the_record_holds_what_was_shown(daemon, watcher)
            return len(hits)
        finally:
            daemon.stop()
            watcher.close()
            pty.unplug()


def _play(
    daemon: Daemon, watcher: Watcher, pty: PtyBoard, chance: random.Random, cuts: int, mount: Path | None
) -> None:
    referee = Referee(watcher, "lounge")
    daemon.start()
    referee.online()
    assert referee.ask({"start": START})["ok"]
    sent: list[str] = []
    asked: list[str] = []
    made = 0
    while made < cuts:
        since = len(watcher.seen)
        for _ in range(chance.randint(1, 6)):
            bed = another(chance, sent)
            sent.append(text(bed))
            pty.say(f"{bed[0]};{bed[1]}\r\n".encode())
            if chance.random() < 0.3:
                asked.append(f"next-{len(sent)}")
                watcher.publish(f"{referee.root}/command", {"id": asked[-1], "next": True})
        # Cuts among the darts, or after the first hit, plus the time of a few commits.
        if chance.random() < 0.7:
            watcher.wait(lambda m: m.topic.endswith("/hit"), "a hit", since)
        time.sleep(chance.choice((0.0, chance.uniform(0.0, LATER_SECONDS))))
        _cut(daemon, watcher, chance, mount)
        made += 1
        # Some of the following starts are cut as well.
        while made < cuts and chance.random() < 0.4:
            daemon.start()
            time.sleep(chance.uniform(0.0, START_SECONDS))
            _cut(daemon, watcher, chance, mount)
            made += 1
        shown = watcher.last("/match")
        done = {reply["id"]: reply for reply in watcher.all("/reply") if reply["ok"]}
        since = len(watcher.seen)
        daemon.start()
        referee.online(since)
        back = referee.state(lambda _: True, "the state after the cut", since)
        assert back["match"] == shown["match"]
        assert back["revision"] >= shown["revision"], "a dart that was shown is gone"
        assert back["revision"] > shown["revision"] or back == shown
        if asked and asked[-1] in done:
            assert referee.send({"id": asked[-1], "next": True}) == done[asked[-1]], "a command was done twice"
        _sound(daemon.data)
    in_the_order_thrown([hit["segment"] for hit in each_once(watcher.all("/hit"))], sent)


def _cut(daemon: Daemon, watcher: Watcher, chance: random.Random, mount: Path | None) -> None:
    daemon.kill()
    if mount is not None:
        (mount / ".cut").write_text(str(chance.randrange(2**32)))
    _drain(watcher)


def _drain(watcher: Watcher) -> None:
    """Waits for everything the dead daemon published: the broker sends its will last."""
    since = len(watcher.seen)
    watcher.publish("oche/nobody/mark", since)
    watcher.wait(lambda m: m.topic == "oche/nobody/mark" and m.payload == since, "the mark")
    if (watcher.last("oche/test/status") or {}).get("state") == "online":
        watcher.wait(lambda m: m.topic == "oche/test/status" and m.payload["state"] == "offline", "the will", since)


def _sound(data: Path) -> None:
    db = sqlite3.connect(f"file:{data / 'oche.db'}?mode=ro", uri=True)
    try:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        db.close()
