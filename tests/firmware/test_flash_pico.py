"""`oche flash` for a Pico: its drive is found, mounted or not, and takes the image, which runs in the emulator.

What is made up is the list of ports and what the kernel says of disks: a folder with a boot loader's INFO_UF2.TXT is
the drive, and the board that takes its image comes back as a port.
"""

import os
import struct
import subprocess
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from daemon.cli import flash_pico
from daemon.cli.flash import IMAGES
from daemon.main import main
from tests.firmware.avr_parts import FIRMWARE
from tests.firmware.bootloader import LeonardoLoader
from tests.firmware.host import Host
from tests.firmware.pico import Emulator, PicoBoard, is_installed, pico_image
from tests.rig import LIMIT_SECONDS

IMAGE = IMAGES / "rp2040.uf2"
ABOUT = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
needs_emulator = pytest.mark.skipif(
    not is_installed(), reason="the compiler or the emulator of the Pico is missing: scripts/setup test installs them"
)


class Boot:
    """A Pico in its boot loader: a drive, which goes when an image is complete, and a port that comes then."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drive, self.disks, self.mounts = folder / "RPI RP2", folder / "by-label", folder / "mounts"
        self.device = folder / "sda1"
        self.device.touch()
        self.drive.mkdir()
        (self.drive / "INFO_UF2.TXT").write_text(ABOUT)
        self.disks.mkdir()
        self.mounts.write_text("")
        self.ports: list[SimpleNamespace] = []
        self.port = SimpleNamespace(device="/dev/ttyACM7", vid=0x2E8A, pid=0x000A, description="oche-matrix")
        self.works = True
        monkeypatch.setattr(flash_pico, "BY_LABEL", self.disks)
        monkeypatch.setattr(flash_pico, "MOUNTS", self.mounts)
        monkeypatch.setattr("daemon.cli.flash.list_ports.comports", self.comports)

    def appear(self, mounted: bool = True) -> None:
        if mounted:
            self.mount()
        (self.disks / "RPI-RP2").symlink_to(self.device)

    def mount(self) -> None:
        folder = str(self.drive).replace(" ", "\\040")
        self.mounts.write_text(f"36 35 8:1 / {folder} rw,nosuid - vfat {self.device} rw,uid=1000\n")

    def comports(self) -> list[SimpleNamespace]:
        return [*self.ports, *([self.port] if self.works and self.complete() else [])]

    def complete(self) -> bool:
        """Whether all the blocks that each block promises have come."""
        data = self.copied()
        blocks = [data[at : at + 512] for at in range(0, len(data), 512)]
        return bool(blocks) and {struct.unpack("<I", block[20:24])[0] for block in blocks} == set(
            range(struct.unpack("<I", blocks[0][24:28])[0])
        )

    def copied(self) -> bytes:
        file = self.drive / IMAGE.name
        return file.read_bytes() if file.exists() else b""


@pytest.fixture
def boot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Boot:
    return Boot(tmp_path, monkeypatch)


@pytest.fixture
def running() -> Iterator[LeonardoLoader]:
    """A port to be opened at 1200 baud, on which nothing else happens."""
    loader = LeonardoLoader(b"\x1e\x95\x87", silent=True)
    yield loader
    loader.close()


@pytest.mark.parametrize("by_name", [True, False], ids=["by its name", "by its folder"])
def test_the_image_is_copied_to_the_drive(by_name: bool, boot: Boot, capsys: pytest.CaptureFixture[str]) -> None:
    boot.appear()
    done = main(["flash", "RPI-RP2" if by_name else str(boot.drive)])
    said = capsys.readouterr()
    assert done == 0, said.err
    assert boot.copied() == IMAGE.read_bytes()
    assert "oche learn /dev/ttyACM7 --out garage.toml" in said.out


@needs_emulator
def test_what_ships_starts_and_greets() -> None:
    emulator = Emulator()
    try:
        board = PicoBoard(emulator, IMAGE)
        board.run_ms(20)
        host = Host(board)
        board.run_ms(5)
        board.dart(board.now + 16_000, (2, 6), 80_000)
        board.run_ms(30)
    finally:
        emulator.end()
    assert host.darts == [(2, 6)]


@needs_emulator
def test_the_image_that_ships_is_what_the_sources_make(images: Path) -> None:
    compiler = ["arm-none-eabi-gcc", "-dumpversion"]
    version = subprocess.run(compiler, capture_output=True, text=True, check=True).stdout.strip()
    if version != "12.2.1":
        pytest.skip(f"the image was made by arm-none-eabi-gcc 12.2.1, and this is {version}")
    made = pico_image(images, "BAUD=1000000")
    assert made.read_bytes() == (FIRMWARE / "images" / "rp2040.uf2").read_bytes(), "make -C firmware images"


def test_without_a_drive_it_says_how_to_get_one(boot: Boot, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flash", "RPI-RP2"]) == 1
    assert "Hold the button BOOTSEL" in capsys.readouterr().err


def test_the_list_has_the_drive_and_the_port(boot: Boot, capsys: pytest.CaptureFixture[str]) -> None:
    boot.appear()
    boot.ports = [boot.port]
    assert main(["flash"]) == 0
    said = capsys.readouterr().out
    assert "/dev/ttyACM7  oche-matrix  (Raspberry Pi Pico)" in said
    assert "RPI-RP2  (the drive of a Raspberry Pi Pico that waits for an image)" in said
    assert boot.copied() == b""


def test_a_dry_run_copies_nothing(boot: Boot, capsys: pytest.CaptureFixture[str]) -> None:
    boot.appear()
    assert main(["flash", "RPI-RP2", "--dry-run"]) == 0
    assert "would be copied to its drive; nothing was" in capsys.readouterr().out
    assert boot.copied() == b""


def test_a_dry_run_with_a_port_opens_it_and_asks_for_nothing(
    running: LeonardoLoader, boot: Boot, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    speed = termios.tcgetattr(running._theirs)[5]
    assert main(["flash", "--dry-run", "--part", "rp2040", running.port]) == 0
    assert "would be asked for the drive RPI-RP2" in capsys.readouterr().out
    assert termios.tcgetattr(running._theirs)[5] == speed and not running.written
    for target, why in ((tmp_path / "missing", "does not exist"), (boot.device, "is not a serial port")):
        assert main(["flash", "--dry-run", "--part", "rp2040", str(target)]) == 1
        assert why in capsys.readouterr().err


@pytest.mark.parametrize("about", ["UF2 Bootloader v1.0\nBoard-ID: RP2350\n", None], ids=["a Pico 2", "any folder"])
def test_another_drive_is_left_alone(about: str | None, boot: Boot, capsys: pytest.CaptureFixture[str]) -> None:
    boot.appear()
    info = boot.drive / "INFO_UF2.TXT"
    info.unlink() if about is None else info.write_text(about)
    assert main(["flash", str(boot.drive)]) == 1
    assert "is not the drive of a Raspberry Pi Pico" in capsys.readouterr().err
    assert boot.copied() == b""


def test_a_board_that_does_not_come_back_is_said(
    boot: Boot, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flash_pico, "PORT_SECONDS", 0)
    boot.appear()
    boot.works = False
    assert main(["flash", "RPI-RP2"]) == 1
    said = capsys.readouterr()
    assert "did not come back as a serial port" in said.err and "Done" not in said.out


def may_not_mount(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This user may not, nobody else does, and there is no udisks."""
    monkeypatch.setattr(flash_pico, "MOUNT_SECONDS", 0)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("PATH", str(empty))


def test_a_drive_that_may_not_be_mounted_says_what_to_do(
    boot: Boot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    may_not_mount(tmp_path, monkeypatch)
    boot.appear(mounted=False)
    assert main(["flash", "RPI-RP2"]) == 1
    said = capsys.readouterr().err
    assert "sudo oche flash RPI-RP2" in said and f"sudo mount {boot.device} /mnt && sudo cp {IMAGE} /mnt" in said


def test_udisks_mounts_it(
    boot: Boot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a Raspberry Pi without a desktop: the program is there, and nothing mounts of itself."""
    monkeypatch.setattr(flash_pico, "MOUNT_SECONDS", 0)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    boot.mount()
    boot.mounts.rename(tmp_path / "then")
    boot.mounts.write_text("")
    udisks = tmp_path / "udisksctl"
    udisks.write_text(f'#!/bin/sh\n[ "$*" = "mount --no-user-interaction -b {boot.device}" ] && cp then mounts\n')
    udisks.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    boot.appear(mounted=False)
    done = main(["flash", "RPI-RP2"])
    assert done == 0, capsys.readouterr().err
    assert boot.copied() == IMAGE.read_bytes()


@contextmanager
def asked_for(running: LeonardoLoader, boot: Boot, product: int = 0x000A, mounted: bool = True) -> Iterator[str]:
    """The port of a Pico, which goes when it is opened at 1200 baud; the drive comes instead."""
    boot.ports = [SimpleNamespace(device=running.port, vid=0x2E8A, pid=product, description="Pico")]
    ended = threading.Event()

    def waits_for_1200_baud() -> None:
        while termios.tcgetattr(running._theirs)[5] != termios.B1200:
            if ended.wait(0.01):
                return
        boot.ports = []
        boot.appear(mounted)

    thread = threading.Thread(target=waits_for_1200_baud)
    thread.start()
    try:
        yield running.port
    finally:
        ended.set()
        thread.join(LIMIT_SECONDS)


@pytest.mark.parametrize("product", [0x000A, 0x0005], ids=["our own firmware", "MicroPython"])
def test_a_pico_that_runs_is_asked_for_its_boot_loader(
    product: int, running: LeonardoLoader, boot: Boot, capsys: pytest.CaptureFixture[str]
) -> None:
    with asked_for(running, boot, product) as port:
        done = main(["flash", port])
    said = capsys.readouterr()
    assert done == 0, said.err
    assert boot.copied() == IMAGE.read_bytes() and not running.written
    assert "oche learn /dev/ttyACM7 --out garage.toml" in said.out


def test_what_to_do_with_its_drive_does_not_name_the_port_that_has_gone(
    running: LeonardoLoader,
    boot: Boot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    may_not_mount(tmp_path, monkeypatch)
    with asked_for(running, boot, mounted=False) as port:
        assert main(["flash", port]) == 1
    said = capsys.readouterr().err
    assert "sudo oche flash RPI-RP2" in said and port not in said


@pytest.mark.parametrize("dry", [[], ["--dry-run"]], ids=["flashed", "dry run"])
def test_a_pico_that_runs_is_left_alone_while_another_one_waits(
    dry: list[str], running: LeonardoLoader, boot: Boot, capsys: pytest.CaptureFixture[str]
) -> None:
    boot.appear()
    boot.ports = [SimpleNamespace(device=running.port, vid=0x2E8A, pid=0x000A, description="Pico")]
    speed = termios.tcgetattr(running._theirs)[5]
    assert main(["flash", *dry, running.port]) == 1
    assert "Another Pico already waits as the drive RPI-RP2." in capsys.readouterr().err
    assert termios.tcgetattr(running._theirs)[5] == speed and boot.copied() == b""
