"""USB boards without a serial port are offered: by `oche boards`, in the terminal of `oche setup` and on its page."""

import argparse
import asyncio
from pathlib import Path

import pytest

from daemon.cli import boards
from daemon.links.hid_discovery import devices_without_port
from daemon.main import main
from daemon.setup import first_run
from daemon.setup.config_file import Ending
from daemon.setup.first_run import FirstRun
from daemon.setup.page import to_json
from daemon.setup.terminal import Terminal
from daemon.system.config_parser import ConfigFile
from daemon.system.urls import BoardUrl, board_url
from tests.vm.learnt import board_files

KEYS = "usb-Pub_Typing_dartboard_KEYS03-event-kbd"
OUT, BULK = "out", "Bulk"


class Usb:
    """What the kernel says of the devices that are plugged in, as a folder."""

    def __init__(self, folder: Path) -> None:
        self.devices, self.by_id = folder / "devices", folder / "by-id"
        self.by_id.mkdir()

    def plug(self, socket: str, ids: str, serial: str, *words: str) -> Path:
        device = self.devices / socket
        device.mkdir(parents=True)
        vid, pid = ids.split(":")
        about = {"idVendor": vid, "idProduct": pid, "manufacturer": words[0], "product": words[1]}
        for name, text in about.items() | ({("serial", serial)} if serial else set()):
            (device / name).write_text(f"{text}\n")
        return device

    def face(
        self, device: Path, number: int, kind: str, driver: str = "", *, way: str = "in", sends: str = "Interrupt"
    ) -> Path:
        """An interface of class, subclass and protocol, with one endpoint."""
        face = device / f"{device.name}:1.{number}"
        (face / "ep_81").mkdir(parents=True)
        for name, text in zip(("Class", "SubClass", "Protocol"), kind.split(), strict=True):
            (face / f"bInterface{name}").write_text(f"{text}\n")
        (face / "ep_81/type").write_text(f"{sends}\n")
        (face / "ep_81/direction").write_text(f"{way}\n")
        if driver:
            (self.devices.parent / "drivers" / driver).mkdir(parents=True, exist_ok=True)
            (face / "driver").symlink_to(self.devices.parent / "drivers" / driver)
        return face

    def types(self, face: Path, event: str, link: str = "") -> None:
        (face / f"0003:1209:0B0C.0001/input/input2/{event}").mkdir(parents=True)
        if link:
            (self.by_id / link).symlink_to(f"../{event}")

    def addresses(self) -> list[str]:
        return [port.device for port in devices_without_port(self.devices, self.by_id)]


@pytest.fixture
def usb(tmp_path: Path) -> Usb:
    """A HID board, a keyboard board, a board of its maker's own kind, and all that else hangs on a Pi."""
    usb = Usb(tmp_path)
    usb.face(usb.plug("1-1.1", "1209:0b0a", "BITS01", "Shed", "Bits"), 0, "03 00 00", "usbhid")
    keys = usb.plug("1-1.2", "1209:0b0c", "KEYS03", "Pub", "Typing dartboard")
    usb.types(usb.face(keys, 0, "03 01 01", "usbhid"), "event2", KEYS)
    usb.face(keys, 1, "03 00 00", "usbhid")
    usb.face(usb.plug("1-1.3", "1209:0b0d", "", "Cellar", "Own"), 0, "ff 00 00")
    # None of these: a hub, a mouse, a network card, a serial chip with interrupts, a stick, a port of class CDC.
    usb.face(usb.plug("usb1", "1d6b:0002", "", "Linux", "Hub"), 0, "09 00 00", "hub")
    usb.face(usb.plug("1-2", "046d:c077", "", "Maker", "Mouse"), 0, "03 01 02", "usbhid")
    usb.face(usb.plug("1-3", "0424:ec00", "", "Maker", "Network"), 0, "ff 00 ff", "smsc95xx")
    chip = usb.plug("1-4", "1a86:7523", "", "QinHeng", "USB Serial")
    (usb.face(chip, 0, "ff 01 02", "") / "ttyUSB0").mkdir()
    usb.face(usb.plug("1-5", "1234:5678", "", "Maker", "Stick"), 0, "ff 06 50", sends=BULK)
    usb.face(usb.plug("1-7", "1234:5679", "", "Maker", "Lamp"), 0, "03 00 00", way=OUT)
    arduino = usb.plug("1-6", "2341:8036", "AB0001", "Club", "Leonardo")
    (usb.face(arduino, 0, "02 02 00", "cdc_acm") / "tty/ttyACM0").mkdir(parents=True)
    usb.face(arduino, 2, "03 00 00", "usbhid")
    return usb


def test_each_that_could_be_a_board_has_its_address(usb: Usb) -> None:
    assert usb.addresses() == [
        "usb://1209:0b0a/BITS01",
        f"keyboard://{usb.by_id / KEYS}",
        "usb://1209:0b0d",
    ]
    bits = devices_without_port(usb.devices, usb.by_id)[0]
    assert (bits.manufacturer, bits.product, bits.serial, bits.ids) == ("Shed", "Bits", "BITS01", "1209:0b0a")


def test_without_usb_there_is_nothing(tmp_path: Path) -> None:
    assert devices_without_port(tmp_path / "none", tmp_path) == ()


def test_a_keyboard_that_is_read_as_a_usb_device_just_now_is_found_as_one(usb: Usb) -> None:
    codes = usb.plug("1-1.4", "1209:0b0b", "CODES2", "Shed", "Encoder")
    usb.face(codes, 0, "03 01 01", "usbfs")
    assert "usb://1209:0b0b/CODES2" in usb.addresses()


def test_an_address_is_parsed_back_into_its_parts(usb: Usb) -> None:
    odd = usb.plug("1-1.4", "1209:0b0b", "a/b?c d%20", "Shed", "Odd")
    usb.face(odd, 0, "03 00 00")
    link = r"usb-My\x20\x3fBoard%20-event-kbd"
    keys = usb.plug("1-1.5", "1209:0b0c", "", "Pub", "Typing")
    usb.types(usb.face(keys, 0, "03 01 01", "usbhid"), "event9", link)
    read = [board_url(address) for address in usb.addresses()[-2:]]
    assert read == [
        BoardUrl("usb", "1209:0b0b/a/b?c d%20", {}, read[0].text),
        BoardUrl("keyboard", str(usb.by_id / link), {}, read[1].text),
    ]


def test_oche_learn_explains_usb_boards(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["learn", "usb://1209:0b0a/BITS01", "--out", str(tmp_path / "bits.toml")]) == 2
    assert "Write its contacts into a board file" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_oche_boards_lists_them(usb: Usb, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(boards, "serial_ports", tuple)
    monkeypatch.setattr(boards, "devices_without_port", lambda: devices_without_port(usb.devices, usb.by_id))
    assert boards.boards(argparse.Namespace(port=None, json=False, why=False, scan=False, seconds=1.0)) == 0
    said = capsys.readouterr().out
    assert "  usb://1209:0b0a/BITS01  1209:0b0a, Bits, serial BITS01, 1-1.1\n" in said
    assert f"  keyboard://{usb.by_id / KEYS}  1209:0b0c, Typing dartboard" in said


@pytest.mark.parametrize(
    ("number", "name", "address"), [("1", "bits", "usb://1209:0b0a/BITS01"), ("2", "keys", "keyboard://{by_id}/{KEYS}")]
)
def test_setup_offers_them_and_writes_the_one_that_is_picked(
    usb: Usb,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: str,
    name: str,
    address: str,
) -> None:
    monkeypatch.setattr(first_run, "look", list)
    monkeypatch.setattr(first_run, "devices_without_port", lambda: devices_without_port(usb.devices, usb.by_id))
    board_files(tmp_path)
    settled: list[ConfigFile] = []

    def finish(config: ConfigFile) -> Ending:
        settled.append(config)
        return Ending(tmp_path / "oche.toml", started=False, url="http://localhost:8080", shared=False)

    async def session() -> None:
        run = FirstRun(tmp_path / "oche.toml", ConfigFile(), 5.0, finish)
        run.changed = Terminal(run).show
        await run.begin()
        # The page has the same.
        assert [device["port"] for device in to_json(run)["devices"]] == usb.addresses()
        assert to_json(run)["devices"][0]["about"] == "Shed Bits BITS01"
        assert await run.answer(number) is None
        if number == "1":
            # What its reports mean is not found out by pressing: said at once, and asked again.
            for model in ("learn", "usb-bits"):
                assert "Write its contacts into a board file" in str(await run.answer(model))
        await run.answer("back")
        # No dart comes from a folder: the owner goes on all the same.
        for answer in (number, str(tmp_path / f"{name}.toml"), name, "yes", "own", "no"):
            assert await run.answer(answer) is None
        await run.end()

    asyncio.run(session())
    place = address.format(by_id=usb.by_id, KEYS=KEYS)
    assert settled[0].boards == {name: f"{tmp_path / f'{name}.toml'}@{place}"}
    said = capsys.readouterr().out
    assert "1  usb://1209:0b0a/BITS01  Shed Bits BITS01" in said
    assert "2  keyboard://" in said
    assert "Where is the board? Its number, a port or an address, scan (for Bluetooth), or none" in said
