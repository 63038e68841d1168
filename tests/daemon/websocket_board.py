"""A board with a WebSocket, as a microcontroller's library opens it: a socket, and frames made by hand."""

import os
import socket
import struct
from typing import Final

from tests.rig import until

KEY: Final = "AAAAAAAAAAAAAAAAAAAAAA=="


class WebSocketBoard:
    """Connects again and again until it is accepted."""

    def __init__(self, port: int, path: str) -> None:
        self._port, self._path = port, path
        self._line = socket.socket()
        until(self._connects, "a WebSocket for the board")

    def _connects(self) -> bool:
        self._line.close()
        try:
            self._line = socket.create_connection(("127.0.0.1", self._port), timeout=20)
            self._line.sendall(
                f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nConnection: Upgrade\r\n"
                f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {KEY}\r\n"
                "Origin: file://\r\nUser-Agent: arduino-WebSocket-Client\r\n\r\n".encode()
            )
            return self._line.recv(4096).startswith(b"HTTP/1.1 101")
        except OSError:
            return False

    def say(self, text: str) -> None:
        """Sends a message of text, of at most 125 bytes."""
        data, mask = text.encode(), os.urandom(4)
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))
        self._line.sendall(struct.pack("!BB", 0x81, 0x80 | len(data)) + mask + masked)

    def close(self) -> None:
        """Ends the connection without the closing handshake, as a board that loses its power does at best."""
        self._line.close()
