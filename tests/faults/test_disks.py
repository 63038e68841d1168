"""A disk that is full, read-only or failing: at the start and later, a sentence says which, where, and what to do."""

import errno
import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.faults.failing import fail
from tests.faults.mounts import failing
from tests.mqtt_clients import Referee, Watcher
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, Mosquitto, PtyBoard, free_port, until

pytestmark = pytest.mark.skipif(not os.access("/dev/fuse", os.R_OK | os.W_OK), reason="needs /dev/fuse")

FAULTS: Final = {
    errno.ENOSPC: (") is full", "Make room"),
    errno.EROFS: (") is read-only", "Restart the machine"),
    errno.EIO: (") fails (", "replace it"),
}


def _start(data: Path) -> str:
    """What `oche run` says where it cannot begin."""
    command = [OCHE, "run", "--data", str(data), "--http", f"127.0.0.1:{free_port()}"]
    command += ["--broker", f"embedded://127.0.0.1:{free_port()}"]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    assert ran.returncode == 1
    return ran.stderr


def _is_said(text: str, mount: Path, number: int) -> None:
    wrong, do = FAULTS[number]
    assert wrong in text
    assert do in text
    assert f"mounted at {mount}" in text
    assert str(mount / "data") in text
    for other, (theirs, _) in FAULTS.items():
        assert other == number or theirs not in text
    assert "Errno" not in text
    assert text.count("\n") <= 1


@pytest.mark.parametrize("number", FAULTS)
def test_a_start_says_what_is_wrong_with_the_disk(tmp_path: Path, number: int) -> None:
    with failing(tmp_path / "disk") as mount:
        fail(mount, number)
        _is_said(_start(mount / "data"), mount, number)
        # The journal is there, and can be read.
        fail(mount, 0)
        with Daemon(tmp_path, "--broker", "mqtt://127.0.0.1:1", data=mount / "data") as daemon:
            until(lambda: "display is at" in daemon.log(), "the start")
            daemon.kill()
        fail(mount, number)
        _is_said(_start(mount / "data"), mount, number)


def test_a_board_that_is_away_is_shown_so_again_once_there_is_room(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    board = ("--board", f"lounge=maddarts@{pty.path}")
    with failing(tmp_path / "disk") as mount, Daemon(tmp_path, *board, "--broker", broker.url, data=mount / "data"):
        referee = Referee(watcher, "lounge")
        referee.online()
        pty.unplug()
        topic = f"{referee.root}/status"
        away = watcher.wait(lambda m: m.topic == topic and m.payload.get("reason") == "missing", "away").payload
        bots = {"players": ["Ann", "Bob"], "bots": {"Ann": 60, "Bob": 60}, "options": {"start": 1001}}
        assert referee.ask({"start": {"game": "x01"} | bots})["ok"]
        fail(mount, errno.ENOSPC)
        watcher.wait(lambda m: m.topic == topic and m.payload.get("reason") == "disk", "the disk's fault")
        since = len(watcher.seen)
        fail(mount, 0)
        back = watcher.wait(lambda m: m.topic == topic and m.payload.get("reason") != "disk", "room", since).payload
        assert (back["state"], back.get("reason")) == (away["state"], away["reason"])


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_fails_under_a_match_is_named_on_the_bus(
    tmp_path: Path, number: int, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    board = ("--board", f"lounge=maddarts@{pty.path}")
    with failing(tmp_path / "disk") as mount, Daemon(tmp_path, *board, "--broker", broker.url, data=mount / "data"):
        referee = Referee(watcher, "lounge")
        referee.online()
        fail(mount, number)
        pty.say(b"20;3\r\n")
        topic = f"{referee.root}/status"
        said = watcher.wait(lambda m: m.topic == topic and m.payload.get("reason") == "disk", "the disk's fault")
        _is_said(said.payload["message"], mount, number)
        fail(mount, 0)
        watcher.wait(lambda m: m.topic.endswith("/hit"), "the dart")
