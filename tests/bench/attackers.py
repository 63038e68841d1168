"""Strangers from ten addresses who try to delay darts: frames, bodies and guesses, as fast as they are taken.

A process of its own, so that it does not share an interpreter with the measurement. When every connection has had an
answer, and every tenth of a second from then on, it prints how many reads had an answer.
"""

import asyncio
import base64
import gzip
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

ADDRESSES: Final = [f"127.0.0.{n}" for n in range(1, 11)]
FRAMES: Final = 3
"""Connections of each address that send frames, of each kind one."""
GUESSERS: Final = 2
UNPACKED: Final = 200 * 1024 * 1000
"""What a body of 200 KiB becomes."""
MASK: Final = bytes(4)
"""A mask of zeros changes nothing."""


def frame(opcode: int, data: bytes = b"") -> bytes:
    """A client's frame of at most 65,535 bytes."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return bytes([opcode]) + size + MASK + data


def upgrade(host: str) -> bytes:
    """The request for the WebSocket."""
    return (
        f"GET /mqtt HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\n\r\n"
    ).encode()


def connect(user: str, password: str, version: int = 4) -> bytes:
    """A short CONNECT of MQTT 3.1.1, or of 5."""
    fields = b"".join(struct.pack(">H", len(text)) + text.encode() for text in ("", user, password))
    body = b"\x00\x04MQTT" + bytes([version]) + b"\xc2\x00\x3c" + (b"\x00" if version == 5 else b"") + fields
    return b"\x10" + bytes([len(body)]) + body


def kinds(host: str, user: str) -> list[Callable[[], bytes]]:
    """What each connection of an address says, again and again: the first piece once, the second without end."""
    frames = [frame(0x82) * 4000, frame(0x89) * 4000, frame(0x8A) * 4000]
    packed = gzip.compress(bytes(UNPACKED), 9)[: 200 * 1024]
    post = f"GET / HTTP/1.1\r\nHost: {host}\r\nContent-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n".encode()
    geometry = f"GET /geometry.json HTTP/1.1\r\nHost: {host}\r\n\r\n".encode() * 50
    guess = upgrade(host) + frame(0x82, connect(user, "a wrong password"))
    said = [upgrade(host) + flood * 20 for flood in frames[:FRAMES]]
    said += [post + packed, geometry] + [guess] * GUESSERS
    return [lambda what=what: what for what in said]  # type: ignore[misc]


async def attack(port: int, address: str, say: Callable[[], bytes], took: Callable[[], None]) -> None:
    """One connection after the other."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            told = asyncio.create_task(_tell(writer, say))
            try:
                while await reader.read(65536):
                    took()
            finally:
                told.cancel()
                writer.transport.abort()
        await asyncio.sleep(0)


async def _tell(writer: asyncio.StreamWriter, say: Callable[[], bytes]) -> None:
    with suppress(OSError):
        writer.write(say())
        await writer.drain()


async def _main(port: int, host: str, user: str) -> None:
    said = kinds(host, user)
    left = {(address, n) for address in ADDRESSES for n in range(len(said))}
    answers = 0

    def took(who: tuple[str, int]) -> None:
        nonlocal answers
        answers += 1
        left.discard(who)

    async def report() -> None:
        while True:
            await asyncio.sleep(0.1)
            if not left:
                print(answers, flush=True)

    await asyncio.gather(
        report(),
        *(
            attack(port, address, say, partial(took, (address, n)))
            for address in ADDRESSES
            for n, say in enumerate(said)
        ),
    )


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
