"""`oche flash` for the Raspberry Pi Pico: its boot loader shows a drive, RPI-RP2, which takes an image as a file.

The drive comes when the Pico is plugged in with its button BOOTSEL held, or after its port was opened at 1200 baud. It
goes when the image is complete, and the port of our firmware comes instead. Source: RP2040 Datasheet, 2.8.4.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from daemon.cli.flash_port import lock_port, touch
from daemon.system.colours import painted
from daemon.system.exit_codes import Failed

LABEL: Final = "RPI-RP2"
TITLE: Final = "Raspberry Pi Pico"
BY_LABEL: Final = Path("/dev/disk/by-label")
MOUNTS: Final = Path("/proc/self/mountinfo")
VENDOR: Final = 0x2E8A
RUNNING: Final = frozenset({(VENDOR, 0x0005), (VENDOR, 0x000A)})
"""USB ids of a Pico that runs MicroPython, or anything with Raspberry Pi's numbers for a serial port, as ours has.
Source: github.com/raspberrypi/usb-pid."""
DRIVE_SECONDS: Final = 10.0
"""Time for the drive to come after its boot loader was asked for."""
MOUNT_SECONDS: Final = 4.0
"""Time for a desktop to mount the drive by itself."""
PORT_SECONDS: Final = 15.0
"""Time for the port of the firmware to come after its image was copied."""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Drive:
    """The drive of a boot loader: its block device, and the folder at which it is mounted."""

    device: Path | None
    folder: Path | None


def is_pico(port: ListPortInfo) -> bool:
    """Whether a serial port is likely to be that of a Pico."""
    return (port.vid, port.pid) in RUNNING


def is_meant(target: str, part: str | None) -> bool:
    """Whether a target of `oche flash` is a Pico: the name or the folder of its drive, or its port."""
    if part is not None or target == LABEL or Path(target).is_dir():
        return True
    return any(is_pico(port) for port in list_ports.comports() if port.device == os.path.realpath(target))


def flash(target: str, image: Path, *, dry: bool = False) -> None:
    """Copies an image to the drive of a Pico, whose boot loader is asked for where `target` is a port."""
    if not image.is_file():
        raise Failed(f"There is no image {image}. Make it: make -C firmware images")
    is_port = target != LABEL and not Path(target).is_dir()
    if is_port and find_drive() is not None:
        raise Failed(
            f"Another Pico already waits as the drive {LABEL}. Unplug it, or flash that one: oche flash {LABEL}"
        )
    if dry and is_port:
        os.close(lock_port(target))
        print(f"{target} would be asked for the drive {LABEL}, and {image} copied to it. Nothing was done.", flush=True)
        return
    if dry:
        _check(_drive(target))
        print(f"{target} is a {TITLE}. {image} would be copied to its drive; nothing was.", flush=True)
        return
    if is_port:
        touch(target)
        drive = _wait(find_drive, DRIVE_SECONDS)
        if drive is None:
            raise Failed(f"{target} did not come back as the drive {LABEL}. {_by_hand()}")
    else:
        drive = _drive(target)
    with _mounted(drive, image) as folder:
        _check(Drive(drive.device, folder))
        before = {port.device for port in list_ports.comports()}
        print(f"{folder} is a {TITLE}. Copying {image.name} …", flush=True)
        trouble = _copy(image, folder)

        def new_port() -> str | None:
            ports = (p for p in list_ports.comports() if p.vid == VENDOR and p.device not in before)
            return next((str(port.device) for port in ports), None)

        port = _wait(new_port, PORT_SECONDS)
    if port is None:
        why = f" ({trouble})" if trouble else ""
        raise Failed(
            f"{image.name} was copied{why}, but the Pico did not come back as a serial port. Unplug it, plug it in "
            "again without holding its button, and see whether `oche flash` lists its port; if not, try another cable."
        )
    print(f"{painted('Done.', 'green')} When its matrix is wired: oche learn {port} --out garage.toml")


def find_drive() -> Drive | None:
    """Returns the drive of a Pico that waits for an image, mounted or not."""
    link = BY_LABEL / LABEL
    if not link.exists():
        return None
    device = link.resolve()
    return Drive(device, _folder_of(device))


def _folder_of(device: Path) -> Path | None:
    """Returns where a device is mounted, by proc(5)."""
    for line in MOUNTS.read_text(errors="replace").splitlines():
        fields, _, more = line.partition(" - ")
        if len(more.split()) >= 2 and more.split()[1] == str(device):
            mount = fields.split()[4]
            for code in (" ", "\t", "\n", "\\"):
                mount = mount.replace(f"\\{ord(code):03o}", code)
            return Path(mount)
    return None


def _drive(target: str) -> Drive:
    if target != LABEL:
        return Drive(None, Path(target))
    drive = find_drive()
    if drive is None:
        raise Failed(f"There is no drive {LABEL}. {_by_hand()}")
    return drive


def _by_hand() -> str:
    return f"Hold the button BOOTSEL of the Pico while you plug it in, and repeat: oche flash {LABEL}"


def _check(drive: Drive) -> None:
    """Refuses a folder that is not the drive of a Pico, whose boot loader has a file with its name there."""
    if drive.folder is None:
        return
    about = drive.folder / "INFO_UF2.TXT"
    try:
        known = f"Board-ID: {LABEL}" in about.read_text(encoding="utf-8", errors="replace")
    except OSError:
        known = False
    if not known:
        raise Failed(
            f"{drive.folder} is not the drive of a {TITLE}: {about.name} does not say {LABEL}. Nothing was written."
        )


@contextmanager
def _mounted(drive: Drive, image: Path) -> Iterator[Path]:
    """The folder of a drive. One that is not mounted is, if the user may: by the desktop, by udisks, or as root."""
    if drive.folder is not None:
        yield drive.folder
        return
    device = drive.device
    assert device is not None
    udisks, is_root = shutil.which("udisksctl"), os.geteuid() == 0
    if not is_root and (folder := _wait(lambda: _folder_of(device), MOUNT_SECONDS)) is not None:
        yield folder
        return
    if udisks is not None and not is_root:
        _succeeds([udisks, "mount", "--no-user-interaction", "-b", str(device)])
        if (folder := _folder_of(device)) is not None:
            yield folder
            return
    if not is_root:
        raise Failed(
            f"The drive {LABEL} ({device}) is not mounted, and you may not mount it. Either: sudo oche flash {LABEL}. "
            f"Or: sudo mount {device} /mnt && sudo cp {image} /mnt && sudo umount /mnt"
        )
    with tempfile.TemporaryDirectory(prefix="oche-") as folder_name:
        if not _succeeds(["mount", "-t", "vfat", str(device), folder_name]):
            raise Failed(f"The drive {LABEL} ({device}) cannot be mounted. Unplug the Pico, and try another cable.")
        try:
            yield Path(folder_name)
        finally:
            # The drive is gone by now; what is mounted there has nothing behind it.
            _succeeds(["umount", "--lazy", folder_name])


def _succeeds(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _copy(image: Path, folder: Path) -> str:
    """Copies a file. Returns what went wrong at its end, or "": the drive may vanish with the last block."""
    try:
        file = (folder / image.name).open("wb", buffering=0)
    except OSError as error:
        raise Failed(f"You may not write to {folder}: {error.strerror}. Try: sudo oche flash {folder}") from None
    trouble = ""
    try:
        file.write(image.read_bytes())
        os.fsync(file.fileno())
    except OSError as error:
        trouble = error.strerror or str(error)
    with contextlib.suppress(OSError):
        file.close()
    return trouble


def _wait(look: Callable[[], Found | None], seconds: float) -> Found | None:
    end = time.monotonic() + seconds
    while (found := look()) is None and time.monotonic() < end:
        time.sleep(0.1)
    return found
