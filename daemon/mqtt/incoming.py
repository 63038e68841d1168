"""The messages that have arrived and are not read yet, bounded in number and in bytes."""

import asyncio
from typing import Final

import aiomqtt

INCOMING_BYTES: Final = 4 * 1024 * 1024
"""Bytes of messages that may wait to be read; messages beyond are counted and dropped."""


class Incoming(asyncio.Queue[aiomqtt.Message]):
    """A queue bounded in bytes too: the library's bound counts messages, and one may be as large as a packet."""

    lost = 0
    """Messages that were dropped because the queue was full."""
    _bytes = 0

    def put_nowait(self, item: aiomqtt.Message) -> None:
        if self._bytes > INCOMING_BYTES or self.full():
            self.lost += 1
        else:
            self._bytes += _size(item)
            super().put_nowait(item)

    def _get(self) -> aiomqtt.Message:
        item: aiomqtt.Message = super()._get()
        self._bytes -= _size(item)
        return item


def _size(message: aiomqtt.Message) -> int:
    return len(message.payload) if isinstance(message.payload, bytes) else 0
