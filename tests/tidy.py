"""A paho client that closes every socket it opens."""

import socket
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import MQTTErrorCode

from tests.rig import LIMIT_SECONDS


class TidyClient(mqtt.Client):
    """Closes the socket of a failed TLS or WebSocket handshake, and the socket pair that wakes the network thread.

    paho leaves both to the garbage collector, whose ResourceWarning then fails a later test.
    """

    _latest: socket.socket | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # paho waits five seconds for an answer to the WebSocket's handshake, which is not long on a busy machine.
        self.connect_timeout = LIMIT_SECONDS

    def _create_socket(self) -> Any:
        try:
            return super()._create_socket()
        except Exception:
            if self._latest is not None:
                self._latest.close()
            raise

    def _create_socket_connection(self) -> socket.socket:
        self._latest = super()._create_socket_connection()
        return self._latest

    def _ssl_wrap_socket(self, tcp_sock: socket.socket) -> Any:
        self._latest = wrapped = super()._ssl_wrap_socket(tcp_sock)
        return wrapped

    def loop_stop(self) -> MQTTErrorCode:
        code = super().loop_stop()
        self._reset_sockets(sockpair_only=True)
        return code
