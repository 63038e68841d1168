"""Promise 5: a late subscriber is right after the retained messages, and a stuck display delays nobody."""

import socket
from pathlib import Path

from tests.mqtt_clients import Referee, Watcher, watching
from tests.rig import Daemon, Mosquitto, PtyBoard, free_port, until

X01 = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001, "legs": 20}}}


def test_who_joins_late_sees_what_the_others_see(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    with Daemon(tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url):
        referee = Referee(watcher, "lounge")
        referee.online()
        referee.ask(X01)
        pty.say(b"20;3\r\n")
        shown = referee.state(lambda s: bool(s["turn"]["darts"]), "the dart")
        with watching(broker.port) as late:
            other = Referee(late, "lounge")
            other.online()
            assert other.state(lambda _: True, "the match") == shown
            # Live messages may follow: events of the dart, and counters a moment later.
            first = {message.topic: message for message in reversed(late.seen)}
            assert first[f"{other.root}/match"].retain
            assert first[f"{other.root}/status"].retain


def test_a_stuck_display_delays_nobody(tmp_path: Path, pty: PtyBoard) -> None:
    """One that subscribes to everything and never reads, at the broker and through the pages."""
    port = free_port()
    with (
        Daemon(
            tmp_path, "--board", f"lounge=maddarts@{pty.path}", "--broker", f"embedded://127.0.0.1:{port}"
        ) as daemon,
        watching(port) as watcher,
    ):
        referee = Referee(watcher, "lounge")
        referee.online()
        stuck = socket.socket()
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        stuck.connect(("127.0.0.1", port))
        # CONNECT (3.1.1) and SUBSCRIBE oche/# at QoS 0, by hand: no library is this rude.
        stuck.sendall(
            bytes.fromhex("100f00044d5154540402007800037a7a7a") + bytes.fromhex("820b0001") + b"\x00\x06oche/#\x00"
        )
        referee.ask(X01)
        until(lambda: "display is at" in daemon.log(), "the pages")
        for number in range(1, 60):
            pty.say(f"{number % 20 + 1};1\r\n".encode())
            watcher.wait(lambda m, number=number: m.topic.endswith("/hit") and m.payload["seq"] == number, "the hit")  # type: ignore[misc]
            watcher.publish(f"{referee.root}/command", {"id": number, "next": True})
        stuck.close()
