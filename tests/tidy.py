"""paho's client, which closes what it opens."""

import socket
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import MQTTErrorCode


class TidyClient(mqtt.Client):
    """paho leaves the socket of a handshake that failed, TLS or WebSocket, and the pair by which its thread is woken to
    the collector, which complains in some later test of something that this one did. Here they are closed at once."""

    _latest: socket.socket | None = None

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
