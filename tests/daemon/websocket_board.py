"""A board with a WebSocket, as a microcontroller's library opens it: a socket, and frames made by hand."""

import contextlib
import os
import socket
import struct
import threading
from typing import Final

from tests.rig import LIMIT_SECONDS, until

KEY: Final = "AAAAAAAAAAAAAAAAAAAAAA=="
TEXT, PING, PONG = 0x1, 0x9, 0xA


class WebSocketBoard:
    """Connects again and again until it is accepted; then a thread answers the pings."""

    def __init__(self, port: int, path: str) -> None:
        self._port, self._path = port, path
        self._line = socket.socket()
        self._sending = threading.Lock()
        until(self._connects, "a WebSocket for the board")
        self._answering = threading.Thread(target=self._answer_pings)
        self._answering.start()

    def say(self, text: str) -> None:
        """Sends a message of text, of at most 125 bytes."""
        self._send(TEXT, text.encode())

    def close(self) -> None:
        """Ends the connection without the closing handshake, as a board that loses its power does at best."""
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._answering.join()
        self._line.close()

    def _connects(self) -> bool:
        self._line.close()
        try:
            self._line = socket.create_connection(("127.0.0.1", self._port), timeout=LIMIT_SECONDS)
            self._line.sendall(
                f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nConnection: Upgrade\r\n"
                f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n"
                "Origin: file://\r\nUser-Agent: arduino-WebSocket-Client\r\n\r\n".encode()
            )
            head = b""
            # One byte at a time: a frame may follow the headers.
            while not head.endswith(b"\r\n\r\n") and (byte := self._line.recv(1)):
                head += byte
            self._line.settimeout(None)
            return head.startswith(b"HTTP/1.1 101")
        except OSError:
            return False

    def _answer_pings(self) -> None:
        with contextlib.suppress(OSError):
            while len(head := self._read(2)) == 2:
                kind, data = head[0] & 0x0F, self._read(head[1])
                if kind == PING:
                    self._send(PONG, data)

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size and (piece := self._line.recv(size - len(data))):
            data += piece
        return data

    def _send(self, kind: int, data: bytes) -> None:
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))
        with self._sending:
            self._line.sendall(struct.pack("!BB", 0x80 | kind, 0x80 | len(data)) + mask + masked)
