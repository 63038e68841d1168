"""Boards behind a CH340 and a CP2102 in the virtual machine: the kernel's own drivers, bytes both ways."""

from typing import Final

from tests.mqtt_clients import Referee
from tests.rig import until
from tests.vm.evening import NODE, Evening, offline
from tests.vm.serial_devices import SerialDevice

CH340: Final = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"
CP2102: Final = "/dev/serial/by-id/usb-Silicon_Labs_CP2102_USB_to_UART_Bridge_Controller_0001-if00-port0"


def clones_play(evening: Evening) -> None:
    """Both are plugged in, play, take what is written to them, and go."""
    boards: dict[str, tuple[SerialDevice, str, str]] = {
        "clone": (evening.ch340, CH340, "T20"),
        "bridge": (evening.cp2102, CP2102, "D16"),
    }
    for chip, _, _ in boards.values():
        chip.plug()
    evening.configure({name: f"json-segment@{port}" for name, (_, port, _) in boards.items()})
    watcher = evening.watch()
    for name, (chip, port, bed) in boards.items():
        Referee(watcher, name, NODE).online()
        plays(evening, name, chip, bed)
        # As the daemon writes to boards that answer.
        evening.machine.run(f"printf hello >{port}")
        until(lambda chip=chip: b"hello" in chip.heard, f"what was written to {name}")  # type: ignore[misc]
    at = "/sys/class/tty/$(basename $(readlink -f $port))/device/driver"
    drivers = evening.machine.run(f"for port in {CH340} {CP2102}; do basename $(readlink -f {at}); done")
    assert drivers.split() == ["ch341-uart", "cp210x"]
    assert evening.cp2102.rate == 9600
    for name, (chip, _, bed) in boards.items():
        gone = len(watcher.seen)
        chip.unplug()
        offline(watcher, name, gone)
        chip.plug()
        Referee(watcher, name, NODE).online(gone)
        plays(evening, name, chip, bed)
        chip.unplug()
        offline(watcher, name, len(watcher.seen))
    # They do not come back, and the doctor would miss them.
    evening.configure({})


def plays(evening: Evening, name: str, chip: SerialDevice, bed: str) -> None:
    """A dart arrives."""
    watcher = evening.watcher
    assert watcher is not None
    since = len(watcher.seen)
    chip.say(f'{{"segment":"{bed}"}}\n'.encode())
    hit = watcher.wait(lambda m: m.topic == f"oche/{NODE}/board/{name}/hit", name, since).payload
    assert hit["segment"] == bed
