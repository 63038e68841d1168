"""The address at which a hall listens."""

import socket
from typing import Any

import pytest

from hall.server import listen


def test_a_name_with_addresses_of_both_kinds_means_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `localhost` in the /etc/hosts of a new Debian, where the other address comes first."""

    def found(_host: str, port: int, **_more: Any) -> list[Any]:
        six = (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", port, 0, 0))
        return [six, (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    with listen("localhost", 0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
