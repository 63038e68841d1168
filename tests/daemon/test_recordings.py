"""What boards say is recorded by the daemon too, and replays through the daemon: at its pace, or as fast as it goes."""

import json
from pathlib import Path

import pytest

from daemon.links.link import Chunk
from daemon.links.recorder import Recorder
from daemon.urls import board_url
from tests.at_the_bus import Referee, Watcher, watching
from tests.rig import Daemon, Mosquitto, PtyBoard

DARTS = [b"20;3\r\n", b"19;", b"3\r\n", b"5;1\r\n"]


def test_recorded_by_the_daemon_and_replayed_through_it(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    folder = tmp_path / "recordings"
    first = ["--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url, "--record", str(folder)]
    with Daemon(tmp_path, *first):
        referee = Referee(watcher, "lounge")
        referee.online()
        for n, data in enumerate(DARTS):
            pty.say(data)
            if data.endswith(b"\n"):
                watcher.wait(lambda m, n=n: m.topic.endswith("/hit") and m.payload["seq"] == max(1, n), "the hit")  # type: ignore[misc]
        status = watcher.last("status")
        assert "Two darts within 200 ms cannot be told apart on this board." in status["limits"]
    lines = [json.loads(line) for line in (folder / "lounge.jsonl").read_text().splitlines()]
    assert lines[0]["recording"] == 1 and lines[0]["model"] == "maddarts" and lines[0]["source"] == "hardware"
    assert b"".join(bytes.fromhex(line["hex"]) for line in lines[1:]) == b"".join(DARTS)
    for pace in ("0", "20"):
        again = f"again=maddarts@replay:{folder}/lounge.jsonl?pace={pace}"
        home = tmp_path / f"pace{pace}"
        home.mkdir()
        with (
            watching(broker.port) as fresh,
            Daemon(home, "--board", again, "--broker", broker.url, node=f"pace{pace}"),
        ):
            root = f"oche/pace{pace}/board/again"
            fresh.wait(lambda m, r=root: m.topic == f"{r}/hit" and m.payload["seq"] == 3, "the third hit")  # type: ignore[misc]
            ended = fresh.wait(
                lambda m, r=root: m.topic == f"{r}/status" and bool(m.payload) and m.payload.get("reason") == "ended",  # type: ignore[misc]
                "the end",
            )
            hits = [m.payload["segment"] for m in fresh.seen if m.topic == f"{root}/hit"]
            assert hits == ["T20", "T19", "S5"]
            assert ended.payload["state"] == "offline"


def test_a_recording_that_cannot_be_written_is_said(tmp_path: Path, broker: Mosquitto) -> None:
    (tmp_path / "file").write_text("")
    daemon = Daemon(tmp_path, "--board", "a=virtual@sim:", "--broker", broker.url, "--record", f"{tmp_path}/file/x")
    daemon.start()
    assert daemon._process is not None and daemon._process.wait(30) == 2
    assert "cannot be written" in daemon.log()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_full_disk_ends_the_recording_and_nothing_else() -> None:
    recorder = Recorder(Path("/dev/full"), "maddarts", board_url("/dev/ttyUSB0"))
    for n in range(3):
        recorder.write(Chunk(b"20;3\r\n", n, n))
    assert recorder._stream is None
