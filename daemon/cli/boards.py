"""`oche boards`: the known models, what is plugged in, and which model that could be."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Iterable
from typing import Any, Final

from boards.board import Board
from boards.identity import Marks, Port, Recognition, recognise
from daemon.links.bluetooth_discovery import Found, scan_now
from daemon.links.hid_discovery import devices_without_port
from daemon.links.link import Disconnected
from daemon.links.opener import open_link
from daemon.links.serial_ports import serial_ports
from daemon.system.catalogue import dialects, models
from daemon.system.urls import BoardUrl, board_url
from engine import jsontext

SAMPLE_BYTES: Final = 4096
"""How much is read at one speed: enough for a hundred darts. The device at the port may send without end."""


def boards(arguments: argparse.Namespace) -> int:
    """Prints models and ports. Opens only the port that was named: any other may belong to another device."""
    known = models()
    marks = marks_of(known.values())
    if arguments.port is not None:
        return _identify(board_url(arguments.port), marks, arguments)
    recognised = [recognise(port, marks) for port in (*serial_ports(), *devices_without_port())]
    try:
        reached = scan_now(arguments.seconds, known.values()) if arguments.scan else None
    except Disconnected as why:
        print(why, file=sys.stderr)
        return 1
    if arguments.json:
        about = [{"model": m.name, "title": m.title, "dialect": m.dialect, "can": m.can_json()} for m in known.values()]
        spoken = [{"dialect": driver.name, "summary": driver.summary} for driver in dialects().values()]
        whole: dict[str, Any] = {"models": about, "dialects": spoken, "plugged": [_json(each) for each in recognised]}
        if reached is not None:
            whole["bluetooth"] = [_bluetooth_json(found) for found in reached]
        print(jsontext.dump(whole))
        return 0
    print("Models:")
    for board in known.values():
        print(f"  {board.name:<16} {board.title}")
    print("Dialects that a board file can name:")
    for driver in dialects().values():
        print(f"  {driver.name:<18} {driver.summary}")
    print(
        "Plugged in:"
        if recognised
        else "Plugged in: nothing that could be a board. The virtual board always is: virtual@sim:"
    )
    for recognition in recognised:
        _print(recognition, why=arguments.why)
    if reached is not None:
        _print_reached(reached, why=arguments.why)
    if arguments.why:
        blank = [mark.model for mark in marks if not mark.fingerprints and known[mark.model].gatt is None]
        print(f"Cannot be recognised by USB, so name them on any port: {', '.join(blank)}.")
    return 0


def marks_of(known: Iterable[Board]) -> tuple[Marks, ...]:
    """Returns the marks by which models are recognised."""
    return tuple(board.marks(dialects()[board.dialect].baud) for board in known)


def _identify(url: BoardUrl, marks: tuple[Marks, ...], arguments: argparse.Namespace) -> int:
    port = next((port for port in serial_ports() if port.device == url.place), Port(url.place))
    candidates = [mark for mark in marks if mark.baud and (mark.speech.names or mark.speech.lines)]
    bauds = sorted({mark.baud for mark in candidates})
    if "baud" in url.settings:
        bauds = [int(url.number("baud", 0))]
    print(f"Listening at {', '.join(map(str, bauds))} baud; press some beds.", file=sys.stderr, flush=True)
    found: list[Recognition] = []
    try:
        for baud in bauds:
            group = [mark for mark in candidates if mark.baud == baud or "baud" in url.settings]
            received = asyncio.run(_sample(url, baud, group, arguments.seconds))
            found.append(recognise(port, group, received))
            if found[-1].model is not None:
                break
    except Disconnected as gone:
        print(gone, file=sys.stderr)
        return 1
    best = _merge(port, found)
    if arguments.json:
        print(jsontext.dump(_json(best)))
    else:
        _print(best, why=True)
    return 0 if best.model is not None else 1


def _merge(port: Port, found: list[Recognition]) -> Recognition:
    """Merges those of each speed: the one that found a model, or one that might have, with all candidates."""
    best = next((v for v in found if v.model is not None), None)
    best = best or next((v for v in found if any(c.weight != "no" for c in v.candidates)), found[0])
    return Recognition(port, best.model, best.message, tuple(c for each in found for c in each.candidates))


async def _sample(url: BoardUrl, baud: int, group: list[Marks], seconds: float) -> bytes:
    """Returns what the board sends within a time. Sends the greetings of all candidates: the user named the port."""
    link = await open_link(url, baud)
    received = b""
    try:
        for hello in dict.fromkeys(mark.speech.hello for mark in group if mark.speech.hello):
            link.write(hello)
        with contextlib.suppress(TimeoutError, Disconnected):
            async with asyncio.timeout(seconds):
                while len(received) < SAMPLE_BYTES:
                    received += (await link.read()).data
    finally:
        link.close()
    return received


def _json(recognition: Recognition) -> dict[str, Any]:
    port = recognition.port
    about = {"port": port.device, "usb": port.ids, "name": port.product, "manufacturer": port.manufacturer}
    about |= {"serial": port.serial, "path": port.path, "model": recognition.model or "", "why": recognition.message}
    candidates = [{"model": c.model, "weight": c.weight, "reasons": list(c.reasons)} for c in recognition.candidates]
    return {key: value for key, value in about.items() if value} | {"candidates": candidates}


def _bluetooth_json(found: Found) -> dict[str, Any]:
    seen = found.seen
    about = {"url": found.url, "name": seen.name, "rssi": seen.rssi, "services": list(seen.services)}
    return {key: value for key, value in about.items() if value} | {
        "models": list(found.models),
        "named": found.by_name,
    }


def _print_reached(reached: list[Found], *, why: bool) -> None:
    """Prints the boards in reach; with `why` the other devices too."""
    shown = [found for found in reached if why or found.models]
    print(
        "Bluetooth boards in reach:"
        if shown
        else "Bluetooth: no board in reach. A board that is connected is not seen."
    )
    for found in shown:
        signal = "" if found.seen.rssi is None else f"  {found.seen.rssi} dBm"
        if not found.models:
            could = "no known board"
        elif found.by_name:
            could = f'lounge = "{found.models[0]}@{found.url}"'
        else:
            could = f"could be {' or '.join(found.models)}, but its service alone proves nothing"
        print(f"  {found.url}  {found.seen.name or '(no name)'}{signal}\n      {could}")


def _print(recognition: Recognition, *, why: bool) -> None:
    port = recognition.port
    about = ", ".join(filter(None, (port.ids, port.product, port.serial and f"serial {port.serial}", port.path)))
    print(f"  {port.device}  {about}".rstrip())
    if not why:
        return
    for candidate in recognition.candidates:
        print(f"      {candidate.model}: {candidate.weight}: {'; '.join(candidate.reasons)}.")
    print(f"      {recognition.message}")
