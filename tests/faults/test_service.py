"""The service: systemd reads its unit without a complaint, it is shut in well, and the tables feed its watchdog."""

import asyncio
import os
import re
import resource
import select
import socket
import struct
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from daemon.app.watchdog import feed_watchdog
from daemon.mqtt.broker import find_mosquitto
from daemon.session.inbox import Inbox, WatchdogProbe
from tests.mqtt_clients import Referee, Watcher
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, Mosquitto, PtyBoard, free_port, takes_connections, until
from tests.systemd import analyze, needs_systemd

UNITS: Final = Path(__file__).parent.parent.parent / "systemd"
UNIT: Final = UNITS / "oche.service"
EXPOSURE: Final = {"oche": 2.0, "oche-name": 2.0, "oche-kiosk": 4.0}
"""The most that `systemd-analyze security` may say, of 10. A browser needs devices, and memory for scripts."""

CREDENTIALS: Final = struct.Struct("3i")
"""Process, user, group: unix(7)."""


@needs_systemd
def test_the_unit_is_well_written(tmp_path: Path) -> None:
    """With a program in the place of ours, which is not installed where tests run."""
    unit = tmp_path / "oche.service"
    unit.write_text(UNIT.read_text().replace("/usr/bin/oche", "/bin/true"))
    checked = analyze("verify", "--man=no", str(unit))
    about_it = [line for line in checked.stderr.splitlines() if "oche.service" in line]
    assert (checked.returncode, about_it) == (0, [])


@needs_systemd
@pytest.mark.parametrize("name", EXPOSURE)
def test_the_units_are_shut_in(name: str) -> None:
    checked = analyze("security", "--offline=true", "--no-pager", str(UNITS / f"{name}.service"))
    found = re.search(rf"Overall exposure level for {name}\.service: ([0-9.]+)", checked.stdout)
    assert found is not None, checked.stdout + checked.stderr
    assert float(found[1]) <= EXPOSURE[name]


def settings(unit: Path) -> list[str]:
    """Returns the lines of a unit without comments."""
    return [line for line in unit.read_text().splitlines() if not line.startswith("#")]


def test_the_kiosk_may_play_sound_and_use_its_devices() -> None:
    lines = settings(UNITS / "oche-kiosk.service")
    assert "SupplementaryGroups=audio" in lines
    assert any(line.startswith("ExecStart=") and "--autoplay-policy=no-user-gesture-required" in line for line in lines)
    # Hides the compositor's socket.
    assert not [line for line in lines if line.startswith("ProtectHome=")]


@pytest.mark.parametrize("name", ["oche", "oche-kiosk"])
def test_a_unit_that_opens_devices_has_no_list_of_devices(name: str) -> None:
    """With a list, systemd refuses what is not in it: boards, the sound card, the screen, the touch panel.

    `ProtectClock=` implies `DeviceAllow=char-rtc r` (systemd.exec(5)). systemd 252 as first released makes a list of it
    and refuses all other devices; later versions only add it to a list that the unit has.
    """
    closing = ("PrivateDevices=", "ProtectClock=", "DevicePolicy=", "DeviceAllow=")
    assert not [line for line in settings(UNITS / f"{name}.service") if line.startswith(closing)]


@needs_systemd
def test_the_service_cannot_set_the_clock() -> None:
    """Without `ProtectClock=`, the filter of system calls and the missing capability do it."""
    assert {"CapabilityBoundingSet=", "SystemCallFilter=~@privileged @resources"} <= set(settings(UNIT))
    assert "@clock" in analyze("syscall-filter", "@privileged").stdout.split()


def test_it_is_tried_for_ever() -> None:
    text = UNIT.read_text()
    assert "Restart=always" in text
    assert "StartLimitIntervalSec=0" in text


class Systemd:
    """What systemd hears of the daemon."""

    def __init__(self, folder: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._socket.settimeout(LIMIT_SECONDS)
        self.environment = {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "400000"}

    def hears(self, word: str) -> None:
        while self._socket.recv(100).decode() != word:
            pass

    def senders_until(self, word: str) -> set[int]:
        """The processes that have spoken, until somebody says this."""
        spoke: set[int] = set()
        while True:
            said, about, _flags, _from = self._socket.recvmsg(100, socket.CMSG_SPACE(CREDENTIALS.size))
            spoke.add(CREDENTIALS.unpack(about[0][2])[0])
            if said.decode() == word:
                return spoke

    def before(self, word: str) -> list[str]:
        """What was said before this."""
        said: list[str] = []
        while (heard := self._socket.recv(100).decode()) != word:
            said.append(heard)
        return said

    def has_heard_nothing(self) -> bool:
        """Whether nothing has arrived that was not read."""
        return not select.select([self._socket], [], [], 0)[0]

    def close(self) -> None:
        self._socket.close()


def test_the_watchdog_is_fed_while_the_disk_is_full(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, pty: PtyBoard
) -> None:
    """A full disk is no fault of the daemon: to be killed for it would throw the waiting dart away."""
    systemd = Systemd(tmp_path)
    board = ("--board", f"lounge=maddarts@{pty.path}")
    with Daemon(tmp_path, *board, "--broker", broker.url, environment=systemd.environment) as daemon:
        systemd.hears("READY=1")
        systemd.hears("WATCHDOG=1")
        referee = Referee(watcher, "lounge")
        referee.online()
        resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        pty.say(b"20;3\r\n")
        topic = f"{referee.root}/status"
        watcher.wait(lambda m: m.topic == topic and m.payload.get("reason") == "disk", "a full disk")
        for _ in range(5):
            systemd.hears("WATCHDOG=1")
        resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        watcher.wait(lambda m: m.topic.endswith("/hit"), "the dart")
        assert daemon.stop() == 0
    systemd.hears("STOPPING=1")
    systemd.close()


@pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is not installed")
def test_the_daemon_alone_speaks_to_systemd(tmp_path: Path) -> None:
    """mosquitto says that it is ready wherever it finds somebody to tell: not in the daemon's name."""
    systemd = Systemd(tmp_path)
    with Daemon(tmp_path, "--broker", f"embedded://127.0.0.1:{free_port()}", environment=systemd.environment) as daemon:
        spoke = systemd.senders_until("READY=1")
        assert spoke == {daemon.pid}
        assert daemon.stop() == 0
    assert systemd.senders_until("STOPPING=1") == spoke
    systemd.close()


def test_the_watchdog_begins_when_the_daemon_is_ready(tmp_path: Path) -> None:
    """The first ping starts systemd's limit, and a start on a slow or busy machine takes longer than that."""
    systemd = Systemd(tmp_path)
    arguments = ("--board", "lounge=virtual@sim:", "--broker", "demo:")
    with Daemon(tmp_path, *arguments, environment=systemd.environment) as daemon:
        assert systemd.before("READY=1") == []
        systemd.hears("WATCHDOG=1")
        assert daemon.stop() == 0
    systemd.close()


LOOKS: Final = """
import gc, os, signal, sys, threading
from daemon import main
from daemon.app import run

def ready(state):
    if state == "READY=1":
        # A moment later, as somebody who looks at a daemon that is at rest.
        threading.Timer(1, lambda: (print(gc.isenabled()), os.kill(os.getpid(), signal.SIGTERM))).start()

run.notify = ready
raise SystemExit(main.main(sys.argv[1:]))
"""


def test_memory_is_given_back_once_it_is_ready(tmp_path: Path) -> None:
    """The start does not look for garbage; the daemon does."""
    arguments = ("--data", str(tmp_path), "--http", f"127.0.0.1:{free_port()}", "--broker", "demo:")
    done = subprocess.run([sys.executable, "-c", LOOKS, "run", *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "True"), done.stdout + done.stderr


def test_a_table_that_hangs_is_not_fed(tmp_path: Path) -> None:
    """The sign of life comes from the tables: where one does nothing, none is given."""
    systemd = Systemd(tmp_path)

    async def watch() -> None:
        inbox = Inbox()
        feeding = asyncio.create_task(feed_watchdog(lambda: {"lounge": inbox}, LIMIT_SECONDS))
        probe = await inbox.get()
        assert isinstance(probe, WatchdogProbe)
        # The table has the probe, and does nothing with it; what is fed needs no more than some rounds of the loop.
        for _ in range(100):
            await asyncio.sleep(0)
        assert systemd.has_heard_nothing()
        probe.felt.release()
        await asyncio.to_thread(systemd.hears, "WATCHDOG=1")
        feeding.cancel()

    os.environ["NOTIFY_SOCKET"] = systemd.environment["NOTIFY_SOCKET"]
    try:
        asyncio.run(watch())
    finally:
        del os.environ["NOTIFY_SOCKET"]
        systemd.close()


@pytest.mark.parametrize("where", ["a full disk", "nobody who reads"])
def test_it_runs_where_it_cannot_say_so(tmp_path: Path, broker: Mosquitto, watcher: Watcher, where: str) -> None:
    """A service does not depend on its log, nor on the reader of a pipe that it prints to."""
    if where == "a full disk":
        out = os.open("/dev/full", os.O_WRONLY)
    else:
        nobody, out = os.pipe()
        os.close(nobody)
    port = free_port()
    command = [OCHE, "run", "--data", str(tmp_path), "--http", f"127.0.0.1:{port}", "--node", "test"]
    process = subprocess.Popen(
        [*command, "--broker", broker.url, "--board", "lounge=virtual@sim:"], stdout=out, stderr=out
    )
    os.close(out)
    try:
        referee = Referee(watcher, "lounge")
        referee.online()
        # It says that they are there as soon as they are.
        until(lambda: takes_connections(port), "the pages' port")
        assert referee.ask({"start": {"game": "x01", "players": ["Ann", "Bob"]}})["ok"]
    finally:
        process.terminate()
        assert process.wait(LIMIT_SECONDS) == 0
