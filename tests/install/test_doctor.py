"""Each fault of a port or a board that `oche doctor` looks for is caused, found, and comes with what to do."""

import contextlib
import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.system.version import ROOT, version
from tests.install.doctor import Doctor, command_of, kinds, only
from tests.mqtt_clients import Referee, watching
from tests.rig import Daemon, PtyBoard, again_and_again, free_port, oche, until


def test_a_machine_without_faults(doctor: Doctor, pty: PtyBoard, tmp_path: Path) -> None:
    code, troubles = doctor.ask(board=f"lounge=maddarts@{pty.path}", root=tmp_path / "nothing-wrong")
    assert (code, troubles) == (0, [])


def test_a_port_without_rights(doctor: Doctor, pty: PtyBoard) -> None:
    # `nobody` is in no group on any machine.
    pty.path.chmod(0o600)
    code, troubles = doctor.ask("--user", "nobody", board=f"lounge=maddarts@{pty.path}")
    trouble = only(troubles, "rights")
    assert code == 1
    assert "usermod -aG" in trouble["do"]
    pty.path.chmod(0o666)
    assert "rights" not in kinds(doctor.ask("--user", "nobody", board=f"lounge=maddarts@{pty.path}")[1])


def test_a_port_that_is_not_there(doctor: Doctor) -> None:
    assert "/dev/not-there" in only(doctor.ask(board="lounge=maddarts@/dev/not-there")[1], "missing")["wrong"]


def test_an_unknown_user() -> None:
    asked = oche("doctor", "--user", "no-such-user", check=False)
    assert (asked.returncode, asked.stderr) == (2, "oche: There is no user 'no-such-user' on this machine.\n")


HOLD = """
import fcntl, sys, termios
port = open(sys.argv[1], "rb+", 0)
fcntl.ioctl(port, termios.TIOCEXCL)
print(flush=True)
input()
"""


@contextlib.contextmanager
def other_program(*command: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def test_a_port_that_another_program_has(doctor: Doctor, pty: PtyBoard) -> None:
    with other_program(sys.executable, "-c", HOLD, str(pty.path)) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        wrong = [t["wrong"] for t in doctor.ask(board=f"lounge=maddarts@{pty.path}")[1] if t["check"] == "busy"]
        # The test has the other end open, under the same name.
        assert any(f"(process {holder.pid})" in text for text in wrong), wrong


def test_modem_manager(doctor: Doctor, pty: PtyBoard, tmp_path: Path) -> None:
    impostor = tmp_path / "ModemManager"
    impostor.write_bytes(Path("/bin/sleep").read_bytes())
    impostor.chmod(0o755)
    with other_program(str(impostor), "600") as running:
        until(lambda: Path(f"/proc/{running.pid}/comm").read_text().strip() == "ModemManager", "its name")
        assert (
            "apt remove modemmanager" in only(doctor.ask(board=f"lounge=maddarts@{pty.path}")[1], "modem-manager")["do"]
        )


def test_modem_manager_that_was_told_to_keep_away(doctor: Doctor, pty: PtyBoard, tmp_path: Path) -> None:
    root = tmp_path / "machine"
    at = pty.path.stat().st_rdev
    (root / "proc/7").mkdir(parents=True)
    (root / "proc/7/comm").write_text("ModemManager\n")
    note = root / f"run/udev/data/c{os.major(at)}:{os.minor(at)}"
    note.parent.mkdir(parents=True)
    note.write_text("I:1\nE:ID_BUS=usb\n")
    assert "modem-manager" in kinds(doctor.ask(board=f"lounge=maddarts@{pty.path}", root=root)[1])
    note.write_text("I:1\nE:ID_BUS=usb\nE:ID_MM_DEVICE_IGNORE=1\n")
    assert "modem-manager" not in kinds(doctor.ask(board=f"lounge=maddarts@{pty.path}", root=root)[1])


@contextlib.contextmanager
def saying(pty: PtyBoard, pieces: list[bytes], pause: float = 0.05) -> Iterator[None]:
    """A board that repeats these pieces while its port is open."""
    turn = itertools.cycle(pieces)

    def say() -> None:
        with contextlib.suppress(OSError):
            pty.say(next(turn))

    with again_and_again(say, pause):
        yield


def test_a_port_that_resets(doctor: Doctor, pty: PtyBoard, tmp_path: Path) -> None:
    def flap() -> None:
        pty.unplug()
        pty.plug()

    with again_and_again(flap, 0.4):
        command = ("--seconds", "4")
        troubles = doctor.ask(*command, board=f"lounge=maddarts@{pty.path}", root=tmp_path / "calm")[1]
    assert "short cable" in only(troubles, "resets")["do"]


def test_a_wrong_speed(doctor: Doctor, pty: PtyBoard, tmp_path: Path) -> None:
    # What 115200 baud looks like at 9600: bytes of no alphabet, most with their high bits set.
    noise = random.Random(7)
    pieces = [bytes(noise.choice((0x00, 0x80, 0xE0, 0xF8, 0xFE, 0x78)) for _ in range(6)) + b"\n" for _ in range(20)]
    with saying(pty, pieces):
        troubles = doctor.ask(board=f"lounge=maddarts@{pty.path}", root=tmp_path / "calm")[1]
    assert "?baud=115200" in only(troubles, "baud")["do"]


def test_another_distribution_with_a_package_daemon(
    doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "package" not in kinds(doctor.ask(forks=False)[1])
    about = tmp_path / "site/python_daemon-3.1.2.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: python-daemon\nVersion: 3.1.2\n")
    # Without its code, which would be loaded instead of ours. Python 3.13 ignores files of a RECORD that do not exist.
    (about / "top_level.txt").write_text("daemon\n")
    monkeypatch.setenv("PYTHONPATH", str(about.parent))
    assert "python-daemon has a package `daemon`" in only(doctor.ask(forks=False)[1], "package")["wrong"]


def test_a_stuck_bed(doctor: Doctor, pty: PtyBoard, tmp_path: Path) -> None:
    # A contact that closes and does not open for three seconds is not a dart.
    with saying(pty, [b"+0,1\n"]):
        troubles = doctor.ask("--seconds", "6", board=f"lounge=virtual@{pty.path}", root=tmp_path / "calm")[1]
    assert "T20" in only(troubles, "stuck")["wrong"]


def test_a_running_daemon_is_asked_about_its_boards(doctor: Doctor, tmp_path: Path, pty: PtyBoard) -> None:
    board = f"lounge=virtual@{pty.path}"
    with (
        Daemon(tmp_path, "--board", board) as daemon,
        saying(pty, [b"+0,1\n"]),
    ):
        until(lambda: "mqtt://" in daemon.log(), "the broker's address")
        with watching(int(daemon.log().rpartition("mqtt://127.0.0.1:")[2].split()[0])) as watcher:
            Referee(watcher, "lounge").online()
            watcher.wait(lambda m: m.topic.endswith("/status") and m.payload.get("stuck") == ["T20"], "it is stuck")
        troubles = doctor.ask("--data", str(daemon.data), board=board, root=tmp_path / "calm")[1]
    assert "T20" in only(troubles, "stuck")["wrong"]


def test_the_text_and_the_exit_code(tmp_path: Path) -> None:
    command = [*command_of(tmp_path, tmp_path), "--root", str(tmp_path)]
    well = oche(*command, check=False)
    assert well.returncode == 0
    lines = well.stdout.splitlines()
    assert all(line.startswith(("ok  ", "--  ", "      ")) for line in lines)
    assert f"      This is oche {version()}, in {ROOT}." in lines
    # A check that could not look is never `ok`.
    for title in (
        "the power is enough",
        "the broker answers",
        "no other oche at the broker has this node name",
        "the daemon runs, its pages and its broker answer",
        "each bed is hit as often as the players' hands say",
        "the hall takes what is played",
    ):
        at = lines.index(f"--  {title}")
        assert lines[at + 1].startswith("      not looked at: ")
    ill = oche(*command, "--broker", f"mqtt://127.0.0.1:{free_port()}", check=False)
    assert ill.returncode == 1
    assert "no  the broker answers" in ill.stdout
    assert "--  no other oche at the broker has this node name" in ill.stdout
    assert "\x1b" not in ill.stdout
    wrong = oche(*command, "--broker", "telnet:", check=False)
    assert (wrong.returncode, wrong.stdout) == (2, "")


def test_a_running_daemon_is_shown_with_its_version_pages_and_broker(tmp_path: Path) -> None:
    with Daemon(tmp_path, "--board", "lounge=virtual@sim:") as daemon:
        until(lambda: "Stop with Ctrl-C" in daemon.log(), "its welcome")
        command = [*command_of(tmp_path, daemon.data), "--seconds", "1.5"]
        here = [*command, "--root", str(tmp_path), "--http", str(daemon.http)]
        until(lambda: "runs oche" in oche(*here, check=False).stdout, "a node")
        said = oche(*here, check=False).stdout.splitlines()
        assert said[0] == "ok  the daemon runs, its pages and its broker answer"
        assert f"      The pages answer at localhost:{daemon.http}." in said
        assert f"      The daemon test runs oche {version()}, and its broker answers." in said
        assert "ok  the broker answers" in said
        elsewhere = [*command, "--root", str(tmp_path), "--http", str(free_port()), "--json"]
        found = json.loads(oche(*elsewhere, check=False).stdout)
        assert "Connection refused" in only(found, "pages")["wrong"]
