"""Keeps one board connected, for ever: the only place where boards are tried again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from daemon.links.link import Chunk, Disconnected, Link, chunk
from daemon.system.error_text import error_text
from daemon.system.urls import UsageError
from drivers.driver import Driver

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 0.5


async def half_a_second(_gone: Disconnected) -> None:
    """The pause between two looks for a board, where nothing tells that it is back."""
    await asyncio.sleep(RETRY_SECONDS)


@dataclass(frozen=True, slots=True)
class Opened:
    """The port is open and the board has been greeted."""

    link: Link
    at: Chunk


@dataclass(frozen=True, slots=True)
class Lost:
    """The board went away, or could not be reached."""

    why: Disconnected
    at: Chunk


Arrival = Chunk | Opened | Lost


async def supervise(
    open_link: Callable[[], Awaitable[Link]],
    driver: Driver,
    arrived: Callable[[Arrival], Awaitable[None]],
    pause: Callable[[Disconnected], Awaitable[None]] = half_a_second,
) -> None:
    """Opens, greets, hands on what arrives, and starts over when the board goes; ends only with a recording.

    A board that stays away for the same reason is reported as lost once.
    """
    known: tuple[str, str] | None = None
    while True:
        try:
            link = await open_link()
            known = None
            again = _greet(link, driver)
            try:
                await arrived(Opened(link, chunk(b"")))
                while True:
                    await arrived(await link.read())
            finally:
                again.cancel()
                link.close()
        except Disconnected as why:
            gone = why
        except UsageError:
            raise
        except Exception as error:
            # Whatever a port may do on its way out, the board is tried again.
            gone = Disconnected("unreachable", f"The board cannot be used: {error_text(error)}.")
            if (gone.reason, str(gone)) != known:
                log.exception("board")
        if (gone.reason, str(gone)) != known:
            known = (gone.reason, str(gone))
            log.info("board: %s", gone)
            await arrived(Lost(gone, chunk(b"")))
        if gone.final:
            return
        await pause(gone)


def _greet(link: Link, driver: Driver) -> asyncio.TimerHandle:
    """Says hello now, and again when a board that the opening of its port has reset can hear it."""

    def say() -> None:
        if driver.hello:
            link.write(driver.hello)

    say()
    return asyncio.get_running_loop().call_later(max(driver.timing.boot_ms, 1.0) / 1000, say)
