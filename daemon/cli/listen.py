"""`oche listen`: prints the hits of a board, without a match or a broker."""

import argparse
import asyncio
import contextlib
import json
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from daemon.links import supervisor
from daemon.links.board_ports import BoardPorts
from daemon.links.link import Chunk, Link, chunk, utc_text
from daemon.links.link_loop import run_with_links
from daemon.links.opener import open_board
from daemon.links.recorder import recorder
from daemon.links.simulator import Simulator
from daemon.links.supervisor import Arrival, Lost, Opened
from daemon.session import payloads
from daemon.system.catalogue import dialects, model
from daemon.system.exit_codes import Exit
from daemon.system.urls import UsageError, model_at_url
from drivers import events as board
from drivers.pipeline import Pipeline
from engine.geometry import centre_of
from engine.hits import Hit
from engine.match import dart_text
from engine.segments import SEGMENTS

AIM: Final = centre_of(SEGMENTS["T20"])
"""Where the virtual board throws, as nobody plays."""


class Listener:
    """Prints, and may record, what one board sends. Numbers its hits from 1."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._model_name, self.url = model_at_url(arguments.board)
        self.board = model(self._model_name)
        self.driver = dialects()[self.board.dialect]
        self._pipeline = Pipeline(self.board, self.driver)
        self._arguments = arguments
        if self.url.scheme == "replay" and not Path(self.url.place).exists():
            raise UsageError(f"There is no recording {self.url.place}.")
        path = arguments.record
        self._record = None if path is None else recorder(Path(path), self._model_name, self.url)
        self._seq = 0
        self._ports = BoardPorts()
        self._link: Link | None = None
        self._code = Exit.DONE

    async def run(self) -> int:
        """Runs until the recording ends or it is cancelled. Returns the exit code."""
        arrivals: asyncio.Queue[Arrival] = asyncio.Queue()
        supervising = asyncio.create_task(supervisor.supervise(self._open, self.driver, arrivals.put))
        try:
            while not supervising.done() or not arrivals.empty():
                due = self._pipeline.due_ns
                wait = 0.2 if due is None else min(0.2, max(0.0, (due - time.monotonic_ns()) / 1e9))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        arrival = await arrivals.get()
                    self._handle(arrival)
                    continue
                if self.url.scheme != "replay":
                    now = chunk(b"")
                    self._print_events(self._pipeline.tick(now.at_ns), now)
        finally:
            supervising.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await supervising
            if self._record is not None:
                self._record.close()
        return self._code

    async def _open(self) -> Link:
        if self.url.scheme == "sim":
            simulator = Simulator(self.url)
            self._thrower = asyncio.create_task(_keep_throwing(simulator))
            return simulator
        return await open_board(self.url, self.board, self.driver, self._ports)

    def _handle(self, arrival: Arrival) -> None:
        match arrival:
            case Opened():
                self._link = arrival.link
                self._print_events(self._pipeline.opened(arrival.at.at_ns), arrival.at)
                print("listening", file=sys.stderr, flush=True)
            case Lost():
                self._link = None
                self._print_events(self._pipeline.lost(arrival.at.at_ns), arrival.at)
                print(arrival.why, file=sys.stderr, flush=True)
                if arrival.why.final and arrival.why.reason != "ended":
                    self._code = Exit.FAILED
            case Chunk():
                if self._arguments.raw:
                    self._print_line({"event": "raw", "hex": arrival.data.hex()}, f"        {arrival.data!r}")
                if self._record is not None:
                    self._record.write(arrival)
                self._print_events(self._pipeline.feed(arrival.data, arrival.at_ns), arrival)
                if self._link is not None and (answer := self._pipeline.answers()):
                    self._link.write(answer)
                arrival.done()

    def _print_events(self, events: tuple[board.BoardEvent, ...], at: Chunk) -> None:
        for event in events:
            line = _line(event)
            if isinstance(event, board.DartLanded):
                self._seq += 1
                hit = payloads.hit(
                    Hit(self._model_name, self._seq, event.dart, utc_text(at.time), {"model": self.board.name})
                )
                self._print_line(hit, f"{hit.get('segment', hit.get('points'))}")
            elif line is not None:
                self._print_line(line, ", ".join(f"{value}" for value in line.values()))

    def _print_line(self, line: Mapping[str, object], words: str) -> None:
        print(json.dumps(line, ensure_ascii=False) if self._arguments.json else words, flush=True)


def listen(arguments: argparse.Namespace) -> int:
    """Listens until Ctrl-C or the end of a recording."""
    return run_with_links(_until_stopped(Listener(arguments)))


async def _until_stopped(listener: Listener) -> int:
    task = asyncio.create_task(listener.run())
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        return 0


async def _keep_throwing(simulator: Simulator) -> None:
    while True:
        await simulator.throw(AIM)
        await asyncio.sleep(simulator.pace)


def _line(event: board.BoardEvent) -> dict[str, Any] | None:
    """Returns the line of an event that is not a hit; None if it has none."""
    match event:
        case board.Button(name):
            return {"event": "button", "name": name}
        case board.TakeOut():
            return {"event": "takeout"}
        case board.Stuck(text):
            return {"event": "stuck", "bed": text}
        case board.Freed(text):
            return {"event": "freed", "bed": text}
        case board.DoubtfulDart(dart):
            return {"event": "doubtful", "bed": dart_text(dart)}
        case board.Fault(reason, message):
            return {"event": "fault", "reason": reason, "message": message}
        case board.Rejected(reason, _, contact):
            cell = {} if contact is None else {"contact": ",".join(map(str, contact))}
            return {"event": "reject", "reason": reason} | cell
        case board.Awake():
            return {"event": "awake"}
        case board.DartLanded() | board.Marked():
            return None
