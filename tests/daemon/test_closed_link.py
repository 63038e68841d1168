"""A link that is closed has released its port: the next step of the first run opens it at once."""

import asyncio
import errno
import os

from daemon.links.link import Chunk, Link, chunk
from daemon.links.opener import open_link
from daemon.links.supervisor import Arrival, supervise
from daemon.system.urls import board_url
from drivers import DRIVERS
from tests.rig import LIMIT_SECONDS, PtyBoard


def test_a_port_can_be_opened_again_as_soon_as_its_link_is_closed(pty: PtyBoard) -> None:
    url = board_url(str(pty.path))

    async def again_and_again() -> bytes:
        link: Link = await open_link(url, 9600)
        for _ in range(20):
            link.close()
            # A second time does nothing.
            link.close()
            link = await open_link(url, 9600)
        pty.say(b"20;3\r\n")
        try:
            return (await link.read()).data[:1]
        finally:
            link.close()

    assert asyncio.run(again_and_again()) == b"2"


class Unplugged:
    """A link that fails when it is closed, as the port of a board that is unplugged at that moment may."""

    async def read(self) -> Chunk:
        await asyncio.Event().wait()
        return chunk(b"")

    def write(self, data: bytes) -> bool:
        return True

    def close(self) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_a_link_that_fails_when_it_is_closed_does_not_keep_the_daemon() -> None:
    """The error would take the place of the cancellation: the board would be opened again, for ever."""

    async def stop() -> None:
        opened = asyncio.Event()

        async def arrived(_what: Arrival) -> None:
            opened.set()

        async def open_it() -> Link:
            return Unplugged()

        running = asyncio.create_task(supervise(open_it, DRIVERS["sector-multiplier"], arrived))
        await opened.wait()
        running.cancel()
        await asyncio.wait({running}, timeout=LIMIT_SECONDS)
        assert running.cancelled()

    asyncio.run(stop())
