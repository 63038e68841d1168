"""The darts of a board that no daemon has yet: what it says is heard until the one who asked has heard enough."""

import asyncio
from collections.abc import Callable
from typing import Final

from daemon.links import supervisor
from daemon.links.link import Chunk, Link, chunk
from daemon.links.opener import open_link
from daemon.links.supervisor import Arrival, Lost, Opened
from daemon.system.catalogue import dialects, model
from daemon.system.urls import BoardSpec
from drivers.events import BoardEvent, DartLanded
from drivers.pipeline import Pipeline
from engine.match import dart_text

TICK_SECONDS: Final = 0.1


async def hear_darts(spec: BoardSpec, landed: Callable[[str], None], lost: Callable[[str], None]) -> None:
    """Tells each dart, like `T20`, and why the board is away while it is; ends when it is cancelled.

    UsageError where the model or the address is none.
    """
    board = model(spec.model)
    driver = dialects()[board.dialect]
    reading = Pipeline(board, driver)
    link: Link | None = None

    async def open_it() -> Link:
        return await open_link(spec.url, board.baud or driver.baud, board.report)

    def tell(heard: tuple[BoardEvent, ...]) -> None:
        for what in heard:
            if isinstance(what, DartLanded):
                landed(dart_text(what.dart))

    async def arrived(arrival: Arrival) -> None:
        nonlocal link
        match arrival:
            case Opened():
                link = arrival.link
                tell(reading.opened(arrival.at.at_ns))
            case Lost():
                link = None
                lost(str(arrival.why))
                tell(reading.lost(arrival.at.at_ns))
            case Chunk():
                tell(reading.feed(arrival.data, arrival.at_ns))
                if link is not None and (answer := reading.answers()):
                    link.write(answer)

    keeper = asyncio.create_task(supervisor.supervise(open_it, driver, arrived))
    try:
        while not keeper.done():
            await asyncio.wait([keeper], timeout=TICK_SECONDS)
            tell(reading.tick(chunk(b"").at_ns))
        keeper.result()
    finally:
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)
