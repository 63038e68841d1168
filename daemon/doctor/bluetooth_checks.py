"""The check of Bluetooth: an adapter that is there, not blocked, switched on, and may be used."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from daemon.doctor.findings import Finding, Seen, Trouble, Unseen
from daemon.doctor.machine import Machine
from daemon.links.link import Disconnected

ADAPTERS: Final = "sys/class/bluetooth"
SWITCHES: Final = "sys/class/rfkill"


def bluetooth(machine: Machine) -> Iterator[Finding]:
    """Why no Bluetooth board can be reached, if one is configured."""
    if not any(spec.url.scheme == "ble" for spec in machine.settings.boards):
        yield Unseen("no Bluetooth board is configured.")
        return
    names = sorted(path.name for path in (machine.root / ADAPTERS).glob("hci*") if ":" not in path.name)
    blocked = list(_blocked(machine.root / SWITCHES))
    yield from blocked
    if not names and not blocked:
        yield Trouble(
            "no-adapter",
            "There is no Bluetooth adapter.",
            "Plug one in (a USB adapter for Bluetooth 4.0 or later), or take dtoverlay=disable-bt out of "
            "/boot/firmware/config.txt on a Raspberry Pi.",
        )
    elif not blocked and machine.root == Path("/"):
        yield _service()


def _blocked(switches: Path) -> Iterator[Trouble]:
    """Adapters that rfkill has switched off: by a command, or by a switch of the machine."""
    for switch in sorted(switches.glob("rfkill*")):
        if _read(switch / "type") != "bluetooth":
            continue
        name = _read(switch / "name")
        if _read(switch / "hard") == "1":
            wrong = f"The Bluetooth adapter {name} is switched off by a switch of the machine."
            yield Trouble(
                "rfkill", wrong, "Look for a switch, a key or a setting of the firmware; rfkill list shows it."
            )
        elif _read(switch / "soft") == "1":
            yield Trouble("rfkill", f"The Bluetooth adapter {name} is blocked.", "sudo rfkill unblock bluetooth")


def _service() -> Finding:
    """What BlueZ says of its adapters."""
    try:
        # Imports bleak, which an installation can lack.
        from daemon.links.bluez import adapters

        found = asyncio.run(adapters())
    except Disconnected as why:
        return Trouble(why.reason, str(why), "Then ask again; `journalctl -u bluetooth` says what the service does.")
    if not any(adapter.powered for adapter in found):
        return Trouble("adapter-off", "The Bluetooth adapter is switched off.", "bluetoothctl power on")
    return Seen(f"adapters: {', '.join(adapter.name for adapter in found if adapter.powered)}.")


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
