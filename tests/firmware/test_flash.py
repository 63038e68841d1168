"""`oche flash` with the real avrdude and boot loaders on ptys: the right part is written and verified."""

import fcntl
import os
import shutil
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from daemon.cli.flash import IMAGES, PARTS
from daemon.main import main
from tests.firmware.avr_parts import FIRMWARE, image
from tests.firmware.bootloader import Bootloader, LeonardoLoader, MegaLoader, UnoLoader
from tests.firmware.simavr import _pieces_of_hex
from tests.rig import LIMIT_SECONDS, OCHE

needs_avrdude = pytest.mark.skipif(shutil.which("avrdude") is None, reason="avrdude is missing: scripts/setup test")
UNO, MEGA, LEONARDO = b"\x1e\x95\x0f", b"\x1e\x98\x01", b"\x1e\x95\x87"
DISPLAY = {"atmega328p": "ATmega328P", "atmega2560": "ATmega2560", "atmega32u4": "ATmega32U4"}
LOADERS = {"atmega328p": (UnoLoader, UNO), "atmega2560": (MegaLoader, MEGA), "atmega32u4": (LeonardoLoader, LEONARDO)}


@contextmanager
def plugged(loader: Bootloader) -> Iterator[Bootloader]:
    try:
        yield loader
    finally:
        loader.close()


def oche(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({} if path is None else {"PATH": path})
    return subprocess.run(
        [OCHE, "flash", *arguments], capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False, env=environment
    )


def holds(loader: Bootloader, path: Path) -> bool:
    pieces = _pieces_of_hex(path)
    return all(loader.flash[at : at + len(data)] == data for at, data in pieces) and len(pieces) > 100


@needs_avrdude
@pytest.mark.parametrize("part", LOADERS)
def test_the_image_is_written_and_read_back(part: str) -> None:
    """Without the name of a part the boot loader is asked which it is."""
    kind, signature = LOADERS[part]
    with plugged(kind(signature)) as loader:
        done = oche(loader.port, *(() if part == "atmega328p" else ("--part", part)))
        assert (done.returncode, done.stderr) == (0, "")
        assert "Done" in done.stdout and DISPLAY[part] in done.stdout
        assert holds(loader, IMAGES / f"{part}.hex")


@needs_avrdude
@pytest.mark.parametrize("signature", [b"\x1e\x94\x06", MEGA], ids=["an unknown part", "another of ours"])
def test_a_wrong_part_is_named_and_not_written(signature: bytes) -> None:
    with plugged(UnoLoader(signature)) as loader:
        done = oche(loader.port, "--part", "atmega328p")
        assert done.returncode == 1
        name = (
            "is an ATmega2560, not an"
            if signature == MEGA
            else "is a part with the signature 1e9406, not an ATmega328P."
        )
        assert name in done.stderr and "Nothing was written" in done.stderr and "Traceback" not in done.stderr
        assert not loader.written and 0x64 not in loader.asked


@needs_avrdude
def test_a_dry_run_says_what_it_would_write_and_writes_nothing() -> None:
    with plugged(UnoLoader(UNO)) as loader:
        done = oche(loader.port, "--dry-run", "--part", "atmega328p")
        assert (done.returncode, done.stderr) == (0, "")
        assert f"is an ATmega328P. {IMAGES / 'atmega328p.hex'} would be written; nothing was." in done.stdout
        assert not loader.written and 0x64 not in loader.asked and "Done" not in done.stdout
        assert loader.asked, "it was asked who it is"


@needs_avrdude
def test_a_flash_that_does_not_hold_is_said() -> None:
    with plugged(UnoLoader(UNO, sick=True)) as loader:
        done = oche(loader.port, "--part", "atmega328p")
        assert done.returncode == 1
        assert "is incomplete" in done.stderr and "Done" not in done.stdout


@needs_avrdude
def test_a_port_that_says_nothing() -> None:
    with plugged(MegaLoader(MEGA, silent=True)) as loader:
        done = oche(loader.port, "--part", "atmega2560")
        assert done.returncode == 1
        assert "Nothing at" in done.stderr
        assert not loader.written


@needs_avrdude
def test_a_port_that_is_in_use_is_left_alone() -> None:
    with plugged(UnoLoader(UNO)) as loader:
        fcntl.flock(loader._theirs, fcntl.LOCK_EX)
        done = oche(loader.port)
        assert done.returncode == 1 and "Another program" in done.stderr
        assert loader.asked == b""


@needs_avrdude
@pytest.mark.parametrize(("port", "why"), [("/dev/no-such-port", "does not exist"), ("/dev/null", "not a serial port")])
def test_what_is_no_port(port: str, why: str) -> None:
    done = oche(port)
    assert done.returncode == 1 and why in done.stderr


def test_without_a_port_it_lists_and_touches_nothing() -> None:
    with plugged(UnoLoader(UNO)) as loader:
        done = oche()
        assert done.returncode == 0 and "oche flash /dev/ttyUSB0" in done.stdout
        assert loader.asked == b""


def test_without_avrdude_it_says_what_to_install(tmp_path: Path) -> None:
    with plugged(UnoLoader(UNO)) as loader:
        done = oche(loader.port, path=str(tmp_path))
        assert done.returncode == 1 and "apt install avrdude" in done.stderr
        assert loader.asked == b""


@needs_avrdude
def test_an_image_that_is_missing_is_named(tmp_path: Path) -> None:
    with plugged(UnoLoader(UNO)) as loader:
        done = oche(loader.port, "--image", str(tmp_path / "none.hex"))
        assert done.returncode == 1 and "none.hex" in done.stderr
        assert loader.asked == b""


@pytest.mark.parametrize("part", [part.name for part in PARTS])
def test_the_images_that_ship_are_what_the_sources_make(part: str, images: Path) -> None:
    version = subprocess.run(["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
    if version != "5.4.0":
        pytest.skip(f"the images were made by avr-gcc 5.4.0, and this is {version}")
    made, shipped = image(part, images), FIRMWARE / "images" / f"{part}.hex"
    assert made.read_text() == shipped.read_text(), "make -C firmware images"


@needs_avrdude
@pytest.mark.parametrize(
    ("vendor", "sketch", "waiting"), [(0x2341, 0x8036, 0x0036), (0x1B4F, 0x9206, 0x9205)], ids=["leonardo", "pro micro"]
)
def test_a_leonardo_is_asked_for_its_boot_loader(
    vendor: int, sketch: int, waiting: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A port at 1200 baud that closes makes another appear. What is made up is the list of ports: no pty is on it."""
    with plugged(LeonardoLoader(LEONARDO)) as loader, plugged(LeonardoLoader(LEONARDO, silent=True)) as running:

        def ports() -> list[SimpleNamespace]:
            rate = termios.tcgetattr(running._theirs)[5]
            product, port = (waiting, loader.port) if rate == termios.B1200 else (sketch, running.port)
            return [SimpleNamespace(device=port, vid=vendor, pid=product, description="")]

        monkeypatch.setattr("daemon.cli.flash.list_ports.comports", ports)
        done = main(["flash", running.port])
        said = capsys.readouterr()
        assert done == 0, said.err
        # What comes next is said with the port that it comes back at, not that of its boot loader.
        assert f"oche learn {running.port} --out garage.toml" in said.out
        assert holds(loader, IMAGES / "atmega32u4.hex") and not running.written
