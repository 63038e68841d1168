"""Listens to the darts of a board that no daemon has opened yet."""

import asyncio
from collections.abc import Callable
from typing import Final

from daemon.links import supervisor
from daemon.links.board_ports import BoardPorts
from daemon.links.link import Chunk, Link, chunk
from daemon.links.opener import open_board
from daemon.links.supervisor import Arrival, Lost, Opened
from daemon.system.catalogue import dialects, model
from daemon.system.urls import BoardSpec
from drivers.events import BoardEvent, DartLanded
from drivers.pipeline import Pipeline
from engine.match import dart_text

TICK_SECONDS: Final = 0.1


async def listen_for_darts(spec: BoardSpec, landed: Callable[[str], None], lost: Callable[[str], None]) -> None:
    """Calls `landed` with each dart, like `T20`, and `lost` with why the board is away. Runs until it is cancelled.

    UsageError if the model or the address is wrong.
    """
    board = model(spec.model)
    driver = dialects()[board.dialect]
    pipeline = Pipeline(board, driver)
    link: Link | None = None
    ports = BoardPorts()

    async def open_it() -> Link:
        return await open_board(spec.url, board, driver, ports)

    def report(events: tuple[BoardEvent, ...]) -> None:
        for event in events:
            if isinstance(event, DartLanded):
                landed(dart_text(event.dart))

    async def arrived(arrival: Arrival) -> None:
        nonlocal link
        match arrival:
            case Opened():
                link = arrival.link
                report(pipeline.opened(arrival.at.at_ns))
            case Lost():
                link = None
                lost(str(arrival.why))
                report(pipeline.lost(arrival.at.at_ns))
            case Chunk():
                report(pipeline.feed(arrival.data, arrival.at_ns))
                if link is not None and (answer := pipeline.answers()):
                    link.write(answer)
                arrival.done()

    supervising = asyncio.create_task(supervisor.supervise(open_it, driver, arrived))
    try:
        while not supervising.done():
            await asyncio.wait([supervising], timeout=TICK_SECONDS)
            report(pipeline.tick(chunk(b"").at_ns))
        supervising.result()
    finally:
        supervising.cancel()
        await asyncio.gather(supervising, return_exceptions=True)
        await ports.close()
