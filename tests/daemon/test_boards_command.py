"""`oche boards --why`: opens nothing by itself; listens where the user says, on a real pty."""

import argparse
import json
import os
import subprocess
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from boards.identity import Port
from daemon.cli import boards
from daemon.links import serial_ports
from daemon.links.bluetooth_discovery import identify
from daemon.links.bluetooth_radio import Seen
from daemon.links.hid_discovery import devices_without_port
from daemon.links.serial_ports import Unsure, find
from daemon.system.catalogue import models
from tests.rig import LIMIT_SECONDS, OCHE, PtyBoard, again_and_again, oche

CHIP = Port("/dev/ttyUSB0", 0x1A86, 0x7523, "USB Serial", path="1-1.4")
FIRST = Port("/dev/ttyACM0", 0x1209, 0x0B0A, "Darts", serial="G-1")
SECOND = Port("/dev/ttyACM1", 0x1209, 0x0B0A, "Darts", serial="G-2")


def test_every_port_every_candidate_every_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(boards, "serial_ports", lambda: (CHIP, Port("/dev/ttyS0")))
    arguments = argparse.Namespace(port=None, json=False, why=True, scan=False, seconds=1.0)
    assert boards.boards(arguments) == 0
    said = capsys.readouterr().out
    assert "  /dev/ttyUSB0  1a86:7523, USB Serial, 1-1.4\n" in said
    assert "1a86:7523 is a chip that many devices have: it tells nothing about the board." in said
    assert "oche listen MODEL@/dev/ttyS0" in said
    _, _, blank = said.partition("Cannot be recognised by USB, so name them on any port: ")
    assert {"any-byte", "any-line", "json-position", "keyboard"} <= set(blank.rstrip(".\n").split(", "))
    # Bluetooth boards have no port.
    assert "granboard" not in blank
    arguments.json = True
    assert boards.boards(arguments) == 0
    told = json.loads(capsys.readouterr().out)["plugged"]
    assert told[0]["port"] == "/dev/ttyUSB0" and "model" not in told[0] and "usb" not in told[1]


def test_a_port_that_the_user_names_is_listened_to(pty: PtyBoard) -> None:
    process = subprocess.Popen(
        [OCHE, "boards", str(pty.path) + "?baud=115200", "--why", "--json", "--seconds", "6"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with again_and_again(lambda: pty.say(b"\x00OpenDarts\r\n3,7\r\n"), 0.1):
        out, _ = process.communicate(timeout=LIMIT_SECONDS)
    told = json.loads(out)
    assert process.returncode == 0 and told["model"] == "opendarts"
    reasons = {c["model"]: c["reasons"][-1] for c in told["candidates"]}
    assert reasons["opendarts"] == "it said 'OpenDarts', which is its name"
    assert "lines are like #;#" in reasons["maddarts"]


def test_a_port_that_is_not_there(tmp_path: os.PathLike[str]) -> None:
    done = oche("boards", f"{tmp_path}/none", "--why", check=False)
    assert done.returncode == 1 and "is not there; is the board plugged in?" in done.stderr


def test_an_identity_is_found_wherever_it_is_plugged_in() -> None:
    assert find("1209:0B0A/G-2", (CHIP, FIRST, SECOND)) == "/dev/ttyACM1"
    assert find("1a86:7523", (CHIP, FIRST, SECOND)) == "/dev/ttyUSB0"
    assert find("/dev/ttyACM7", ()) == "/dev/ttyACM7"
    with pytest.raises(FileNotFoundError):
        find("1209:0b0a/G-3", (FIRST, SECOND))


def test_two_that_are_alike_are_a_tie() -> None:
    with pytest.raises(Unsure, match=r"/dev/ttyACM0 \(serial G-1\) and /dev/ttyACM1 \(serial G-2\)"):
        find("1209:0b0a", (FIRST, SECOND))


def test_the_system_s_own_list_is_read() -> None:
    assert all(port.device.startswith("/dev/") for port in serial_ports.serial_ports())


def test_no_device_writes_on_the_terminal_what_it_likes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What it calls itself is printed: with an escape it could clear the screen, or type for its owner."""
    evil = "Darts\x1b]0;x\x07\x9b2J\u202e"
    info = ListPortInfo("/dev/ttyACM0")
    info.vid, info.pid, info.product, info.manufacturer, info.serial_number = 0x1209, 0x0B0A, evil, evil, evil
    monkeypatch.setattr("daemon.links.serial_ports.list_ports.comports", lambda: [info])
    [port] = serial_ports.serial_ports()
    device = tmp_path / "1-1"
    device.mkdir()
    for name, text in {"idVendor": "1209", "idProduct": "0b0a", **dict.fromkeys(("product", "serial"), evil)}.items():
        (device / name).write_text(text)
    face = device / "1-1:1.0"
    (face / "ep_81").mkdir(parents=True)
    for path, text in {"bInterfaceClass": "03", "ep_81/type": "Interrupt", "ep_81/direction": "in"}.items():
        (face / path).write_text(text)
    [other] = devices_without_port(tmp_path, tmp_path / "none")
    for found in (port, other):
        assert found.product.startswith("Darts")
        assert all(text.isprintable() for text in (found.product, found.manufacturer, found.serial, found.device))


def test_a_scan_needs_a_bluetooth_service() -> None:
    """In an environment without one, whatever the machine has: no system bus is there."""
    elsewhere = {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"}
    said = oche("boards", "--scan", check=False, environment=elsewhere)
    assert said.returncode == 1
    assert said.stderr.startswith("There is no Bluetooth service here: sudo apt install bluez")


def test_a_device_in_reach_is_known_by_its_name() -> None:
    known = models().values()
    service = next(gatt.service for board in known if (gatt := board.gatt) is not None and board.name == "unicorn")
    named = identify(Seen("F0:F1:F2:F3:F4:F5", "Granboard 3s"), known)
    assert (named.models, named.by_name, named.url) == (("granboard",), True, "ble://F0:F1:F2:F3:F4:F5")
    generic = identify(Seen("F0:F1:F2:F3:F4:F5", "Thermometer", (service,)), known)
    assert (set(generic.models), generic.by_name) == ({"unicorn", "sdb-bt"}, False)
    assert identify(Seen("F0:F1:F2:F3:F4:F5", "Watch"), known).models == ()
