"""What boards say is recorded by the daemon too, and replays through the daemon: at its pace, or as fast as it goes."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from daemon.links.link import Chunk, Disconnected
from daemon.links.opener import open_link
from daemon.links.recorder import Recorder
from daemon.system.urls import UsageError, board_url
from tests.mqtt_clients import Referee, Watcher, watching
from tests.rig import LIMIT_SECONDS, Daemon, Mosquitto, PtyBoard

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
    assert daemon._process is not None and daemon._process.wait(LIMIT_SECONDS) == 2
    assert "cannot be written" in daemon.log()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_full_disk_ends_the_recording_and_nothing_else() -> None:
    recorder = Recorder(Path("/dev/full"), "maddarts", board_url("/dev/ttyUSB0"))
    for n in range(3):
        recorder.write(Chunk(b"20;3\r\n", n, n))
    assert recorder._stream is None


PIECE = '{"at_ms": 5, "hex": "32303b310d0a"}'
FIRST = '{"recording": 1, "model": "maddarts", "source": "hardware"}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        FIRST.replace("1", "2"),
        f"{FIRST}\n{PIECE.replace('5', '1e999', 1)}",
        f"{FIRST}\n{PIECE.replace('5', 'NaN', 1)}",
        f"{FIRST}\n{PIECE.replace('5', '-1', 1)}",
        f"{FIRST}\n{PIECE.replace('5', '1e15', 1)}",
        f"{FIRST}\n{'[' * 100_000}",
        f"{FIRST}\n{PIECE.replace('32', 'zz')}",
    ],
)
def test_an_invalid_recording_is_reported_once(tmp_path: Path, text: str) -> None:
    """Not tried again twice a second, with a traceback in the log each time."""
    (tmp_path / "evening.jsonl").write_text(text)
    with pytest.raises(Disconnected) as said:
        asyncio.run(open_link(board_url(f"replay:{tmp_path}/evening.jsonl"), 9600))
    assert (said.value.reason, said.value.final) == ("bad-recording", True)


def test_a_recording_that_is_not_a_file_delays_no_board(tmp_path: Path) -> None:
    """A pipe that nobody writes to would be waited for, and with it every other board."""
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (("pipe", "bad-recording"), (".", "bad-recording"), ("nothing", "missing")):
        with pytest.raises(Disconnected) as said:
            asyncio.run(open_link(board_url(f"replay:{tmp_path}/{name}"), 9600))
        assert said.value.reason == reason


@pytest.mark.parametrize("number", ["1e999", "nan", "-inf", "x"])
def test_a_setting_is_a_number(number: str) -> None:
    with pytest.raises(UsageError, match="must be a number"):
        board_url(f"/dev/ttyUSB0?baud={number}").number("baud", 9600)
