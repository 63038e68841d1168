"""Keeps one board connected for as long as the daemon runs: the only place where connecting is retried."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from daemon.links.link import Chunk, Disconnected, Early, Link, chunk
from daemon.system.error_text import error_text
from daemon.system.urls import UsageError
from drivers.driver import Driver

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 0.5


async def half_a_second(_gone: Disconnected) -> None:
    """Waits between two attempts to open a board."""
    await asyncio.sleep(RETRY_SECONDS)


@dataclass(frozen=True, slots=True)
class Opened:
    """The port is open and the board has been greeted."""

    link: Link
    at: Chunk


@dataclass(frozen=True, slots=True)
class Lost:
    """The board is gone, or cannot be reached."""

    why: Disconnected
    at: Chunk


Arrival = Chunk | Opened | Lost


async def supervise(
    open_link: Callable[[], Awaitable[Link]],
    driver: Driver,
    arrived: Callable[[Arrival], Awaitable[None]],
    pause: Callable[[Disconnected], Awaitable[None]] = half_a_second,
) -> None:
    """Opens the link, greets the board and passes on what arrives; starts over when the board is gone.

    Returns only when a recording ends. A board that stays away for the same reason is reported as `Lost` once.
    """
    known: tuple[str, str] | None = None
    while True:
        try:
            link = await open_link()
            known = None
            again = _greet(link, driver)
            try:
                await arrived(Opened(link, link.since if isinstance(link, Early) else chunk(b"")))
                while True:
                    await arrived(await link.read())
            finally:
                again.cancel()
                _close(link)
        except Disconnected as why:
            gone = why
        except UsageError:
            raise
        except Exception as error:
            # A port can fail in any way while it is unplugged; the board is retried.
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


def _close(link: Link) -> None:
    """Closes a link. Raises nothing: an error would take the place of a cancellation, and the board be opened again."""
    try:
        link.close()
    except Exception as error:
        log.info("a board was not closed cleanly: %s", error_text(error))


def _greet(link: Link, driver: Driver) -> asyncio.TimerHandle:
    """Sends the hello now, and again when a board that was reset by the opening of its port can receive it."""

    def say() -> None:
        if driver.hello:
            link.write(driver.hello)

    say()
    return asyncio.get_running_loop().call_later(max(driver.timing.boot_ms, 1.0) / 1000, say)
