"""The event loop of a program that opens boards: it ends when the boards' connections have ended."""

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_with_links(main: Coroutine[Any, Any, T]) -> T:
    """Runs `main` as asyncio.run does, then waits until every Bluetooth connection is closed.

    A link is closed in the background, and asyncio.run would cancel that: the board would stay connected to BlueZ,
    where neither a phone nor the next program sees it.
    """
    return asyncio.run(_whole(main))


async def _whole(main: Coroutine[Any, Any, T]) -> T:
    try:
        return await main
    finally:
        # Who never opened a Bluetooth board has not imported bleak, and must not wait for it here.
        # While it is being imported the module is there without its functions, and has no radio yet.
        close_radio = getattr(sys.modules.get("daemon.links.bluez"), "close_radio", None)
        if close_radio is not None:
            await close_radio()
