"""`oche flash`: writes our firmware into an Arduino, with avrdude, or copies it to a Raspberry Pi Pico (`flash_pico`).

Without a port it lists the ports and opens none. It reads the part's signature first, and writes only an image for that
part; avrdude verifies what was written.
"""

import argparse
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports

from daemon.cli import flash_pico
from daemon.cli.flash_port import lock_port, touch
from daemon.system.colours import painted
from daemon.system.exit_codes import Failed
from daemon.system.progress import Done, progress

IMAGES: Final = Path(__file__).parents[2] / "firmware" / "images"
SIGNATURE: Final = re.compile(r"signature = (?:0x)?([0-9a-f]{2}) ?([0-9a-f]{2}) ?([0-9a-f]{2})", re.IGNORECASE)
ASK_SECONDS: Final = 6.0
"""Time for a boot loader to answer. It answers at once or not at all, but avrdude would ask for a minute."""
BOOT_SECONDS: Final = 8.0
"""How long a boot loader with its own USB stays after a reset."""
WRITE_SECONDS: Final = 90.0
"""Time for writing an image: eight times what it takes at 57600 baud."""
MARKS: Final = 50
"""Marks in each of avrdude's two bars: writing and verifying."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part that has an image, with its boot loaders: avrdude's name and the baud rate of each."""

    name: str
    title: str
    boards: str
    signature: str
    loaders: tuple[tuple[str, int], ...]
    usb: frozenset[tuple[int, int]]
    hint: str = ""

    @property
    def with_article(self) -> str:
        return f"an {self.title}"


def _ids(vendors: tuple[int, ...], products: tuple[int, ...]) -> frozenset[tuple[int, int]]:
    return frozenset((vendor, product) for vendor in vendors for product in products)


ARDUINO: Final = (0x2341, 0x2A03)
"""Arduino's two vendor ids. Source, also for products and boot loaders: `boards.txt` of Arduino's AVR core."""

PRO_MICRO: Final = frozenset({(0x1B4F, 0x9206)}), frozenset({(0x1B4F, 0x9205)})
"""USB ids of SparkFun's Pro Micro at 5 V and 16 MHz: while a sketch runs, and in its boot loader. Source: `boards.txt`
of SparkFun's boards for the Arduino IDE. Those at 3.3 V have 8 MHz, and no image here."""

PARTS: Final = (
    Part(
        "atmega328p", "ATmega328P", "Uno, Nano", "1e950f",
        (("arduino", 115_200), ("arduino", 57_600)), _ids(ARDUINO, (0x0001, 0x0043, 0x0243)),
    ),
    Part("atmega2560", "ATmega2560", "Mega", "1e9801", (("wiring", 115_200),), _ids(ARDUINO, (0x0010, 0x0042, 0x0242))),
    Part(
        "atmega32u4", "ATmega32U4", "Leonardo, Micro, Pro Micro", "1e9587",
        (("avr109", 57_600),), _ids(ARDUINO, (0x0036, 0x0037, 0x8036, 0x8037)).union(*PRO_MICRO),
        hint="press its reset button, twice if once is not enough, and name the port that then appears",
    ),
)  # fmt: skip


RUNNING: Final = _ids(ARDUINO, (0x8036, 0x8037)) | PRO_MICRO[0]
WAITING: Final = _ids(ARDUINO, (0x0036, 0x0037)) | PRO_MICRO[1]
"""USB ids of a Leonardo, Micro or Pro Micro: while a sketch (or our firmware) runs, and in its boot loader."""


def flash(arguments: argparse.Namespace) -> int:
    """Writes an image and verifies it; without a port lists the ports. Failed if nothing was flashed.

    With --dry-run says what it would write, and writes nothing.
    """
    if arguments.port is None:
        _list()
    elif arguments.part in (None, "rp2040") and flash_pico.is_meant(arguments.port, arguments.part):
        flash_pico.flash(arguments.port, arguments.image or IMAGES / "rp2040.uf2", dry=arguments.dry_run)
    else:
        _flash(arguments.port, arguments.part, arguments.image, dry=arguments.dry_run)
    return 0


def _list() -> None:
    ports = sorted(list_ports.comports())
    print("Name the port of the board to be flashed, like: oche flash /dev/ttyUSB0")
    print("Plugged in:" if ports else "Plugged in: no serial port.")
    for port in ports:
        part = _likely(port.vid, port.pid)
        likely = f"{part.boards}: {part.title}" if part else flash_pico.TITLE if flash_pico.is_pico(port) else ""
        print(f"  {port.device}  {port.description}{f'  ({likely})' if likely else ''}")
    if flash_pico.find_drive() is not None:
        print(f"  {flash_pico.LABEL}  (the drive of a {flash_pico.TITLE} that waits for an image)")


def _likely(vendor: int | None, product: int | None) -> Part | None:
    """Returns the part with a USB id. The ids of generic serial chips tell nothing."""
    return next((part for part in PARTS if (vendor, product) in part.usb), None)


def _flash(port: str, part_name: str | None, image: Path | None, *, dry: bool = False) -> None:
    avrdude = shutil.which("avrdude")
    if avrdude is None:
        raise Failed("avrdude is not installed: sudo apt install avrdude")
    named = port
    plugged = next((p for p in list_ports.comports() if p.device == os.path.realpath(port)), None)
    likely = None if plugged is None else _likely(plugged.vid, plugged.pid)
    wanted = [p for p in PARTS if p.name == part_name] or ([likely] if likely else list(PARTS))
    images = {part.name: image or IMAGES / f"{part.name}.hex" for part in wanted}
    if missing := next((path for path in images.values() if not path.is_file()), None):
        raise Failed(f"There is no image {missing}. Make it: make -C firmware images")
    if plugged is not None and (plugged.vid, plugged.pid) in RUNNING:
        port = _enter_boot_loader(port)
    lock = lock_port(port)
    try:
        part, loader = _detect(avrdude, port, wanted)
        if dry:
            print(f"{port} is {part.with_article}. {images[part.name]} would be written; nothing was.", flush=True)
            return
        print(f"{port} is {part.with_article}. Writing {images[part.name].name} …", flush=True)
        _write(avrdude, port, part, loader, images[part.name])
    finally:
        os.close(lock)
    print(f"{painted('Done.', 'green')} When its matrix is wired: oche learn {named} --out garage.toml")


def _enter_boot_loader(port: str) -> str:
    """Resets a Leonardo into its boot loader by opening its port at 1200 baud. Returns the boot loader's port."""
    touch(port)
    end = time.monotonic() + BOOT_SECONDS
    while time.monotonic() < end:
        found = next((p.device for p in list_ports.comports() if (p.vid, p.pid) in WAITING), None)
        if found is not None:
            return str(found)
        time.sleep(0.1)
    raise Failed(f"{port} did not come back as its boot loader: press its reset button, and repeat this at once.")


def _detect(avrdude: str, port: str, parts: Sequence[Part]) -> tuple[Part, tuple[str, int]]:
    """Reads the signature, and returns the part and its boot loader. Writes nothing."""
    for part in parts:
        for loader in part.loaders:
            print(f"Asking for {part.with_article} ({part.boards}) at {loader[1]} baud …", flush=True)
            # -F: print the signature of another part too, instead of failing. -n: write nothing.
            code, output = _run([avrdude, "-p", part.name, *_at(port, loader), "-F", "-n", "-v"], ASK_SECONDS)
            found = SIGNATURE.search(output)
            if found is None:
                continue
            signature = "".join(found.groups()).lower()
            if signature == part.signature and code == 0:
                return part, loader
            other = next((p for p in PARTS if p.signature == signature), None)
            name = other.with_article if other else f"a part with the signature {signature}"
            raise Failed(f"{port} is {name}, not {part.with_article}. Nothing was written.")
    hints = "".join(f" {part.boards}: {part.hint}." for part in parts if part.hint)
    raise Failed(
        f"Nothing at {port} answers as a boot loader of {' or '.join(part.boards for part in parts)}. "
        f"Is it the right port, and a data cable? Remove whatever keeps the board from being reset.{hints}"
    )


def _write(avrdude: str, port: str, part: Part, loader: tuple[str, int], image: Path) -> None:
    # -D: no erase of the whole part, which boot loaders cannot do: they erase each page before writing it.
    command = [avrdude, "-p", part.name, *_at(port, loader), "-D", "-U", f"flash:w:{image}:i"]
    with progress(f"Writing {image.name}, and verifying it", 2 * MARKS) as done:
        code, output = _run(command, WRITE_SECONDS, done)
    if code == 0:
        return
    last = next((line for line in reversed(output.splitlines()) if "error" in line.lower() or "mismatch" in line), "")
    why = last.strip() or "avrdude failed"
    raise Failed(f"The image in {port} is incomplete: {why}. Try again, with another cable if that fails too.")


def _at(port: str, loader: tuple[str, int]) -> list[str]:
    return ["-c", loader[0], "-P", port, "-b", str(loader[1])]


def _run(command: list[str], seconds: float, done: Done = lambda _: None) -> tuple[int, str]:
    """Runs avrdude. Returns its exit code and output; 1 after `seconds`. `done` gets the marks of its bars so far."""
    output = b""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0
    ) as process:
        assert process.stdout is not None
        end = threading.Timer(seconds, process.kill)
        end.start()
        try:
            while piece := process.stdout.read(4096):
                output += piece
                # There is a bar while it reads the signature too.
                done(output.partition(b"Writing |")[2].count(b"#"))
            code = process.wait()
        finally:
            end.cancel()
            process.kill()
    return (code, output.decode("utf-8", "replace")) if code >= 0 else (1, "")
