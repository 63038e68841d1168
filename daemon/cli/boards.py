"""`oche boards`: the models that are known, what is plugged in, and which model that could be."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import Iterable
from typing import Any, Final

from boards.board import Board
from boards.identity import Marks, Port, Verdict, recognise
from daemon.links.hid_discovery import devices_without_port
from daemon.links.link import Disconnected
from daemon.links.opener import open_link
from daemon.links.serial_ports import serial_ports
from daemon.system.catalogue import dialects, models
from daemon.system.urls import BoardUrl, board_url
from engine import jsontext

MOST: Final = 4096
"""Bytes that are listened to at one speed: enough for a hundred darts, and a port can be anything."""


def boards(arguments: argparse.Namespace) -> int:
    """Looks, and opens nothing but the one port that was named: every other may belong to something else."""
    known = models()
    marks = marks_of(known.values())
    if arguments.port is not None:
        return _ask(board_url(arguments.port), marks, arguments)
    verdicts = [recognise(port, marks) for port in (*serial_ports(), *devices_without_port())]
    if arguments.json:
        about = [{"model": m.name, "title": m.title, "dialect": m.dialect, "can": m.can_json()} for m in known.values()]
        spoken = [{"dialect": driver.name, "summary": driver.summary} for driver in dialects().values()]
        print(jsontext.dump({"models": about, "dialects": spoken, "plugged": [_json(verdict) for verdict in verdicts]}))
        return 0
    print("Models:")
    for board in known.values():
        print(f"  {board.name:<16} {board.title}")
    print("Dialects that a board file can name:")
    for driver in dialects().values():
        print(f"  {driver.name:<18} {driver.summary}")
    print(
        "Plugged in:"
        if verdicts
        else "Plugged in: nothing that could be a board. The virtual board is there always: virtual@sim:"
    )
    for verdict in verdicts:
        _print(verdict, why=arguments.why)
    if arguments.why:
        blank = [mark.model for mark in marks if not mark.fingerprints]
        print(f"No mark of their own, to be named by you on any port: {', '.join(blank)}.")
    return 0


def marks_of(known: Iterable[Board]) -> tuple[Marks, ...]:
    """What the models can be recognised by."""
    return tuple(board.marks(dialects()[board.dialect].baud) for board in known)


def _ask(url: BoardUrl, marks: tuple[Marks, ...], arguments: argparse.Namespace) -> int:
    port = next((port for port in serial_ports() if port.device == url.place), Port(url.place))
    speakers = [mark for mark in marks if mark.baud and (mark.speech.names or mark.speech.lines)]
    bauds = sorted({mark.baud for mark in speakers})
    if "baud" in url.settings:
        bauds = [int(url.number("baud", 0))]
    print(f"Listening at {', '.join(map(str, bauds))} baud; press some beds.", file=sys.stderr, flush=True)
    found: list[Verdict] = []
    try:
        for baud in bauds:
            group = [mark for mark in speakers if mark.baud == baud or "baud" in url.settings]
            heard = asyncio.run(_listen(url, baud, group, arguments.seconds))
            found.append(recognise(port, group, heard))
            if found[-1].model is not None:
                break
    except Disconnected as gone:
        print(gone, file=sys.stderr)
        return 1
    best = _whole(port, found)
    if arguments.json:
        print(jsontext.dump(_json(best)))
    else:
        _print(best, why=True)
    return 0 if best.model is not None else 1


def _whole(port: Port, found: list[Verdict]) -> Verdict:
    """One verdict of those at each speed: the one that decided, or one that could, with all who were weighed."""
    best = next((v for v in found if v.model is not None), None)
    best = best or next((v for v in found if any(c.weight != "no" for c in v.candidates)), found[0])
    return Verdict(port, best.model, best.message, tuple(c for verdict in found for c in verdict.candidates))


async def _listen(url: BoardUrl, baud: int, group: list[Marks], seconds: float) -> bytes:
    """What the board says within a time. Greets it in the words of all that could be there: the user named the port."""
    link = await open_link(url, baud)
    heard = b""
    try:
        for hello in dict.fromkeys(mark.speech.hello for mark in group if mark.speech.hello):
            link.write(hello)
        with contextlib.suppress(TimeoutError, Disconnected):
            async with asyncio.timeout(seconds):
                while len(heard) < MOST:
                    heard += (await link.read()).data
    finally:
        link.close()
    return heard


def _json(verdict: Verdict) -> dict[str, Any]:
    port = verdict.port
    about = {"port": port.device, "usb": port.ids, "name": port.product, "manufacturer": port.manufacturer}
    about |= {"serial": port.serial, "path": port.path, "model": verdict.model or "", "why": verdict.message}
    candidates = [{"model": c.model, "weight": c.weight, "reasons": list(c.reasons)} for c in verdict.candidates]
    return {key: value for key, value in about.items() if value} | {"candidates": candidates}


def _print(verdict: Verdict, *, why: bool) -> None:
    port = verdict.port
    about = ", ".join(filter(None, (port.ids, port.product, port.serial and f"serial {port.serial}", port.path)))
    print(f"  {port.device}  {about}".rstrip())
    if not why:
        return
    for candidate in verdict.candidates:
        print(f"      {candidate.model}: {candidate.weight}: {'; '.join(candidate.reasons)}.")
    print(f"      {verdict.message}")
