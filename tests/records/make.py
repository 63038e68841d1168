"""Writes a journal of the present schema to a folder: `python -m tests.records.make FOLDER`. See README.md."""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard


def main(folder: Path) -> None:
    """A stopped match with hands, a finished one, and a long one that is running; hits and commands."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        pty = PtyBoard(work)
        with Mosquitto(work) as broker:
            watcher = Watcher(broker.port)
            boards = ("--board", f"lounge=maddarts@{pty.path}", "--board", "den=virtual@sim:")
            with Daemon(work, *boards, "--broker", broker.url) as daemon:
                lounge, den = Referee(watcher, "lounge"), Referee(watcher, "den")
                lounge.online()
                den.online()
                lounge.ask({"start": {"game": "dards", "players": ["Ann", "Bob", "Cid"]}})
                lounge.ask({"stop": True})
                options = {"start": 101, "out": "open"}
                den.ask({"start": {"game": "x01", "players": ["Ann"], "options": options}})
                for bed in ("T20", "S20", "S1", "next", "D10", "next"):
                    den.ask({"next": True} if bed == "next" else {"throw": bed})
                lounge.ask({"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001}}})
                for _ in range(20):
                    for line in (b"20;1\r\n", b"5;1\r\n", b"1;1\r\n"):
                        since = len(watcher.seen)
                        pty.say(line)
                        watcher.wait(lambda m: m.topic.endswith("lounge/match"), "a dart", since)
                    lounge.ask({"next": True})
                last = {"id": "the last", "throw": "S3"}
                reply = lounge.send(last)
                pictures = {"lounge": watcher.last("lounge/match"), "den": watcher.last("den/match")}
                hits = {"lounge": watcher.last("lounge/hit")["seq"]}
            watcher.close()
        folder.mkdir(parents=True)
        shutil.copy(daemon.data / "oche.db", folder / "oche.db")
        expected = {"match": pictures, "command": last, "reply": reply, "hits": hits}
        (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
