"""An evening with a machine: the package is installed, boards come and go, and no command is typed for the first dart.

One machine for all of it, in this order; the times are printed and never asserted, for the machine is emulated.
"""

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import tests.rig
from tests.firmware.board import image
from tests.firmware.evening import board_file, cell_of
from tests.firmware.live import LiveBoard
from tests.install.conftest import build_deb
from tests.rig import Referee, Watcher
from tests.vm.adapter import Adapter
from tests.vm.machine import Machine, make_disk
from tests.vm.redir import AcmBoard, Strings

NODE = "raspberrypi"
X01 = {"start": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}}}
FTDI = "/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_EB0001-if00-port0"


def missing() -> str | None:
    """Why no machine can be had here."""
    if os.geteuid() != 0:
        return "the machine's disk is made as root"
    if os.uname().machine != "x86_64":
        return "the machine is an emulated x86"
    tools = ("qemu-system-x86_64", "mmdebstrap", "cpio", "busybox", "avr-gcc")
    lacking = [tool for tool in tools if shutil.which(tool) is None]
    return f"not installed: {', '.join(lacking)}; scripts/vm-test installs them" if lacking else None


pytestmark = pytest.mark.skipif(missing() is not None, reason=f"no virtual machine: {missing()}")


more = pytest.mark.skipif(os.environ.get("OCHE_VM") != "all", reason="the rest of the evening: scripts/vm-test")


def tell(what: str, seconds: float) -> None:
    print(f"  {what}: {seconds:.1f} s")


class Evening:
    """The machine, a subscriber on this side of its network card, and the boards."""

    def __init__(self, folder: Path) -> None:
        deb = build_deb(folder / "deb")
        newer = build_deb(folder / "newer", "--version", "9.0.0")
        garage = board_file(folder)
        self.folder = folder
        self.machine = Machine(folder, make_disk(folder / "disk", deb, newer.rename(folder / "newer.deb"), garage))
        self.watcher: Watcher | None = None
        self.club = AcmBoard(
            self.machine.socket_of("acm1"), Strings(0x2341, 0x8036, "Club", "oche json-segment", "AB0001")
        )
        self.pub = AcmBoard(
            self.machine.socket_of("acm2"), Strings(0x2E8A, 0x000A, "Pub", "oche number-ring", "CD0002")
        )

    def watch(self) -> Watcher:
        """A fresh subscriber, which knows what is retained alone."""
        if self.watcher is not None:
            self.watcher.close()
        self.watcher = Watcher(self.machine.mqtt)
        return self.watcher

    def close(self) -> None:
        if self.watcher is not None:
            self.watcher.close()
        self.club.unplug()
        self.pub.unplug()
        self.machine.power_off()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    patch = pytest.MonkeyPatch()
    patch.setattr(tests.rig, "LIMIT_SECONDS", 180.0)
    night = Evening(tmp_path_factory.mktemp("vm"))
    yield night
    night.close()
    patch.undo()


def test_it_boots_and_bots_play(evening: Evening) -> None:
    tell("power on to an answer", evening.machine.power_on())
    began = time.monotonic()
    watcher = evening.watch()
    watcher.wait(lambda m: m.topic == f"oche/{NODE}/board/virtual/hit", "a dart of the bots")
    tell("then to the first dart of the bots", time.monotonic() - began)


def test_a_generic_chip_is_refused_with_what_to_type(evening: Evening) -> None:
    with Adapter(evening.machine.socket_of("ftdi")):
        watcher = evening.watch()
        said = watcher.wait(
            lambda m: m.topic == f"oche/{NODE}/status" and "unknown" in m.payload, "the refusal"
        ).payload
        assert said["boards"] == ["virtual"]
        assert [unknown["port"] for unknown in said["unknown"]] == [FTDI]
        assert f'lounge = "MODEL@{FTDI}"' in said["unknown"][0]["message"]
    watcher.wait(
        lambda m: m.topic == f"oche/{NODE}/status" and "unknown" not in m.payload, "it is gone", len(watcher.seen)
    )


def test_the_first_dart_without_a_command(evening: Evening) -> None:
    watcher = evening.watch()
    began = time.monotonic()
    evening.club.plug()
    Referee(watcher, "json-segment-ab0001", NODE).online()
    tell("plugged in to online", time.monotonic() - began)
    evening.club.say(b'{"segment":"T20"}\n')
    hit = watcher.wait(lambda m: m.topic.endswith("json-segment-ab0001/hit"), "the first dart").payload
    assert hit["segment"] == "T20"
    node = watcher.wait(lambda m: m.topic == f"oche/{NODE}/status", "the node")
    assert "virtual" not in watcher.last(f"oche/{NODE}/status")["boards"], node


@more
def test_a_board_that_is_plugged_in_starts_the_service(evening: Evening) -> None:
    evening.club.unplug()
    evening.machine.run("systemctl stop oche")
    watcher_began = time.monotonic()
    evening.club.plug()
    watcher = evening.watch()
    Referee(watcher, "json-segment-ab0001", NODE).online()
    tell("plugged in, service started, online", time.monotonic() - watcher_began)


@more
def test_two_at_once_in_another_order(evening: Evening) -> None:
    evening.club.unplug()
    watcher = evening.watch()
    for first, second in ((evening.pub, evening.club), (evening.club, evening.pub)):
        since = len(watcher.seen)
        first.plug()
        time.sleep(0.3)  # One hand, then the other.
        second.plug()
        Referee(watcher, "json-segment-ab0001", NODE).online(since)
        Referee(watcher, "number-ring-cd0002", NODE).online(since)
        evening.club.say(b'{"segment":"D5"}\n')
        evening.pub.say(b"7:T\n")
        for board, bed in (("json-segment-ab0001", "D5"), ("number-ring-cd0002", "T7")):
            hit = watcher.wait(lambda m, b=board: m.topic.endswith(f"{b}/hit"), board, since).payload  # type: ignore[misc]
            assert hit["segment"] == bed
        gone = len(watcher.seen)
        evening.club.unplug()
        evening.pub.unplug()
        for name in ("json-segment-ab0001", "number-ring-cd0002"):
            watcher.wait(
                lambda m, n=name: m.topic.endswith(f"{n}/status") and m.payload["state"] == "offline",  # type: ignore[misc]
                f"{name} offline",
                gone,
            )


@more
def test_a_board_named_by_its_serial_number_with_our_firmware_behind_it(
    evening: Evening, images: Path, tmp_path: Path
) -> None:
    machine = evening.machine
    machine.run("mkdir -p /etc/oche/boards && cp /root/garage.toml /etc/oche/boards/")
    machine.run(f"printf '[boards]\\nlounge = \"/etc/oche/boards/garage.toml@{FTDI}\"\\n' >> /etc/oche/oche.toml")
    machine.run("systemctl restart oche")
    live = LiveBoard(image("atmega328p", images), tmp_path)
    try:
        with Adapter(machine.socket_of("ftdi"), str(live.path)):
            watcher = evening.watch()
            referee = Referee(watcher, "lounge", NODE)
            referee.online()
            assert referee.ask(X01)["ok"]
            live.dart(cell_of("T20"))
            referee.state(lambda s: s["turn"]["darts"] == ["T20"], "the first dart")
            live.dart(cell_of("T19"))
            before = referee.state(lambda s: s["turn"]["darts"] == ["T20", "T19"], "the second dart")

            tell("reboot in the middle of the turn, to an answer", machine.reboot())
            referee = Referee(evening.watch(), "lounge", NODE)
            referee.online()
            assert referee.state(lambda _: True, "the state after the reboot") == before

            machine.cut_power()
            tell("power cut, to an answer", machine.power_on())
    finally:
        live.close()


@more
def test_after_the_power_cut_and_an_upgrade(evening: Evening, images: Path, tmp_path: Path) -> None:
    machine = evening.machine
    live = LiveBoard(image("atmega328p", images), tmp_path)
    try:
        with Adapter(machine.socket_of("ftdi"), str(live.path)):
            watcher = evening.watch()
            referee = Referee(watcher, "lounge", NODE)
            referee.online()
            state = referee.state(lambda _: True, "the state after the power cut")
            assert state["turn"]["darts"] == ["T20", "T19"]
            since = len(watcher.seen)
            began = time.monotonic()
            machine.run("dpkg --install /root/newer.deb", 600)
            tell("upgrade", time.monotonic() - began)
            referee.online(since)
            assert referee.state(lambda _: True, "the state after the upgrade", since) == state
            live.dart(cell_of("D5"))
            last = referee.state(lambda s: len(s["turn"]["darts"]) == 3, "the third dart", since)
            assert last["turn"]["darts"] == ["T20", "T19", "D5"]
            assert last["players"][0]["score"] == 301 - 60 - 57 - 10
            print(
                machine.run(
                    "dpkg-query -W oche; head -3 /proc/meminfo; systemctl show oche -p MemoryCurrent -p NRestarts"
                )
            )
            seqs = {hit["seq"]: hit["segment"] for hit in watcher.all("lounge/hit")}
            assert seqs == {3: "D5"}
    finally:
        live.close()
