"""A link that is closed has released its port: the next step of the first run opens it at once."""

import asyncio

from daemon.links.link import Link
from daemon.links.opener import open_link
from daemon.system.urls import board_url
from tests.rig import PtyBoard


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
