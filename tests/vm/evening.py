"""The machine of the evening, its boards, and what people do with them."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import tests.rig
from tests.firmware.evening import board_file
from tests.install.conftest import ROOT, build_deb
from tests.mqtt_clients import Watcher
from tests.rig import again_and_again
from tests.vm import learnt
from tests.vm.machine import BOOT_SECONDS, Machine, make_disk
from tests.vm.redir import HidBoard, Strings
from tests.vm.serial_devices import AcmBoard, Ch340, Cp2102

NODE = "raspberrypi"
CLUB = "/dev/serial/by-id/usb-Club_oche_json-segment_AB0001-if00"
"""The port of the board `club` of an evening."""
WHOLE = os.environ.get("OCHE_VM") == "all"

HOME_NETWORK: Final = (
    "address add 192.168.7.1/24 dev eth1",
    "link set eth1 up",
    "route add default via 192.168.7.254",
    "netns add phone",
    "link set eth2 netns phone",
    "-n phone address add 192.168.7.2/24 dev eth2",
    "-n phone link set eth2 up",
    "-n phone route add default via 192.168.7.254",
)
"""Commands of ip: a home with a phone in it, on the machine's other two cards."""


def missing() -> str | None:
    """Why no machine can be had here."""
    if os.geteuid() != 0:
        return "the machine's disk is made as root"
    if os.uname().machine != "x86_64":
        return "the machine is an emulated x86"
    tools = ("qemu-system-x86_64", "mmdebstrap", "cpio", "busybox", "avr-gcc")
    lacking = [tool for tool in tools if shutil.which(tool) is None]
    return f"not installed: {', '.join(lacking)}; scripts/vm-test installs them" if lacking else None


def tell(what: str, seconds: float) -> None:
    print(f"  {what}: {seconds:.1f} s")


class Evening:
    """The machine, a subscriber on this side of its network card, and the boards."""

    def __init__(self, folder: Path, deb: Path) -> None:
        extra = []
        if WHOLE:
            newer = build_deb(folder / "newer", "--version", "9.0.0", "--quick")
            extra = [newer.rename(folder / "newer.deb"), ROOT / "tests/vm/phone.py"]
            extra += [board_file(folder), *learnt.board_files(folder)]
        self.machine = Machine(folder, make_disk(folder / "disk", deb, *extra))
        self.watcher: Watcher | None = None
        socket = self.machine.socket_of
        self.club = AcmBoard(socket("acm1"), Strings(0x2341, 0x8036, "Club", "oche json-segment", "AB0001"))
        self.pub = AcmBoard(socket("acm2"), Strings(0x2E8A, 0x000A, "Pub", "oche number-ring", "CD0002"))
        self.bits = HidBoard(socket("hid1"), Strings(0x1209, 0x0B0A, "Shed", "Bits", "BITS01"))
        self.codes = HidBoard(socket("hid2"), Strings(0x1209, 0x0B0B, "Shed", "Encoder", "CODES2"), types=True)
        self.ch340, self.cp2102 = Ch340(socket("ch340")), Cp2102(socket("cp2102"))
        self.keys = HidBoard(socket("keys"), Strings(0x1209, 0x0B0C, "Pub", "Typing dartboard", "KEYS03"), types=True)

    def watch(self) -> Watcher:
        """A fresh subscriber, which knows what is retained alone."""
        if self.watcher is not None:
            self.watcher.close()
        # After a boot, services take as long as that on a busy host.
        self.machine.run("bash -c 'until : 2>/dev/null >/dev/tcp/127.0.0.1/1884; do sleep 0.5; done'", BOOT_SECONDS)
        self.watcher = Watcher(self.machine.mqtt)
        return self.watcher

    def close(self) -> None:
        if self.watcher is not None:
            self.watcher.close()
        for board in (self.club, self.pub, self.bits, self.codes, self.keys, self.ch340, self.cp2102):
            board.unplug()
        self.machine.power_off()

    def configure(self, boards: dict[str, str]) -> None:
        """The owner writes these boards into the configuration."""
        lines = "\n".join(["[boards]", *(f'{name} = "{board}"' for name, board in boards.items())])
        self.machine.run(f"printf '%s\n' '{lines}' > /etc/oche/oche.toml && systemctl restart oche")

    def converse(self, command: str, *turns: tuple[str, str]) -> str:
        """What a command said that is answered: to what it has said, by what is typed then."""
        there = "/root/talk"
        self.machine.run(f"rm -rf {there}; mkdir {there}; mkfifo {there}/in")
        # Somebody keeps the line open between two answers.
        whole = f"sleep 900 >{there}/in & {command} <{there}/in >{there}/out 2>&1; echo $? >{there}/code; kill $!"
        self.machine.run(f"({whole}) >/dev/null 2>&1 &")
        said = ""
        for words, answer in turns:
            began, end = len(said), time.monotonic() + tests.rig.LIMIT_SECONDS
            while words not in said[began:]:
                assert time.monotonic() < end, f"{words!r} never came: {said}"
                said = self.machine.run(f"cat {there}/out || true")
            self.machine.run(f"echo '{answer}' >{there}/in")
        end = time.monotonic() + tests.rig.LIMIT_SECONDS
        while (code := self.machine.run(f"cat {there}/code 2>/dev/null || true")) == "":
            assert time.monotonic() < end, f"{command} does not end"
        assert code == "0\n", said
        return self.machine.run(f"cat {there}/out")

    def driver(self, serial: str) -> str:
        """The program or the kernel's driver that has the device with this serial number."""
        found = f'if [ "$(cat $d/serial 2>/dev/null)" = {serial} ]; then basename "$(readlink $d:1.0/driver)"; fi'
        return self.machine.run(f"for d in /sys/bus/usb/devices/*; do {found}; done").strip()


def dart(board: HidBoard, report: bytes) -> None:
    """A contact closes for a tenth of a second."""
    board.say(report)
    time.sleep(0.1)
    board.say(b"")


@contextmanager
def darts(board: HidBoard, report: bytes) -> Iterator[None]:
    """Somebody who throws at one bed, twice a second."""
    with again_and_again(lambda: dart(board, report), 0.5):
        yield


def offline(watcher: Watcher, name: str, since: int) -> None:
    topic = f"oche/{NODE}/board/{name}/status"
    watcher.wait(lambda m: m.topic == topic and m.payload["state"] == "offline", f"{name} offline", since)
