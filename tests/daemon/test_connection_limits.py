"""Clients that hold connections without using them: silent connections, half requests, unfinished handshakes.

Time limits are lowered where a test waits for them. No test asserts a duration: each waits for the end of a connection.
"""

import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from daemon.network.connection_limits import (
    LOCAL,
    MAX_CONNECTIONS,
    MAX_FROM_NETWORK,
    MAX_FROM_ONE_ADDRESS,
    address_group,
)
from tests.daemon.guest import OVER_THE_NETWORK, Guest
from tests.daemon.house import changed
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, free_port, self_signed, until

ANNS, EVES = "127.0.0.7", "127.0.0.8"
"""Loopback addresses other than 127.0.0.1, which the daemon counts as network addresses."""
SOON = 0.3
IMPATIENT = (
    "from daemon.network import connection_limits, http_server; from daemon.web import mqtt_proxy, server",
    f"http_server.HEADERS_SECONDS = server.ANSWER_SECONDS = http_server.LINGER_SECONDS = {SOON}",
    f"mqtt_proxy.CONNECT_SECONDS = mqtt_proxy.CLOSE_SECONDS = connection_limits.HANDSHAKE_SECONDS = {SOON}",
)
PATIENT = ("from daemon.network import http_server", "http_server.HEADERS_SECONDS = 3600.0")
"""Connections that were served stay open: on a busy machine the first would time out before the last is made."""
UPGRADE = (
    b"GET /mqtt HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@contextmanager
def opened(folder: Path, *more: str, program: str = OCHE) -> Iterator[int]:
    """A daemon that is open to the network. Yields the port of its pages."""
    http_port = free_port()
    daemon = Daemon(
        folder,
        *("--http", f"{OVER_THE_NETWORK}:{http_port}", "--broker", f"embedded://127.0.0.1:{free_port()}"),
        *("--board", "lounge=virtual@sim:", *more),
        program=program,
    )
    with daemon:
        until(lambda: "display is at" in daemon.log(), "the pages")
        yield http_port
    assert "Traceback" not in daemon.log()


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """One daemon with low time limits for all tests that need few connections. Returns the port of its pages."""
    folder = tmp_path_factory.mktemp("impatient")
    with opened(folder, program=changed(folder, *IMPATIENT)) as port:
        yield port


def _connect(port: int, address: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS, source_address=(address, 0))


def _is_served(line: socket.socket) -> bool:
    """Whether the daemon answers on this connection: one beyond a limit is closed without an answer."""
    with suppress(ConnectionError):
        line.sendall(b"GET /geometry.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return line.recv(12) == b"HTTP/1.1 200"
    return False


def _read_to_end(line: socket.socket) -> bytes:
    """Returns the input up to the end of the connection. Fails if it does not end."""
    said = b""
    with suppress(ConnectionError):
        while data := line.recv(65536):
            said += data
    return said


def test_one_address_cannot_take_all_connections(tmp_path: Path) -> None:
    with opened(tmp_path, program=changed(tmp_path, *PATIENT)) as port, ExitStack() as held:
        lines = [held.enter_context(_connect(port, EVES)) for _ in range(MAX_FROM_ONE_ADDRESS + 5)]
        assert [_is_served(line) for line in lines] == [True] * MAX_FROM_ONE_ADDRESS + [False] * 5
        assert _is_served(held.enter_context(_connect(port, ANNS)))
        assert _is_served(held.enter_context(_connect(port, "127.0.0.1")))
        lines[0].close()
        until(lambda: _is_served(held.enter_context(_connect(port, EVES))), "a free slot")


def test_the_network_cannot_take_the_connections_of_this_machine(tmp_path: Path) -> None:
    with opened(tmp_path, program=changed(tmp_path, *PATIENT)) as port, ExitStack() as held:
        many = [f"127.0.1.{n}" for n in range(1, MAX_FROM_NETWORK // MAX_FROM_ONE_ADDRESS + 2)]
        # One after another: beyond the backlog the client's kernel would retry only a second later.
        lines = (held.enter_context(_connect(port, address)) for address in many for _ in range(MAX_FROM_ONE_ADDRESS))
        assert sum(_is_served(line) for line in lines) == MAX_FROM_NETWORK
        assert not _is_served(held.enter_context(_connect(port, ANNS)))
        here = [held.enter_context(_connect(port, "127.0.0.1")) for _ in range(MAX_CONNECTIONS - MAX_FROM_NETWORK + 1)]
        assert [_is_served(line) for line in here] == [True] * (MAX_CONNECTIONS - MAX_FROM_NETWORK) + [False]


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", LOCAL[1]),
        ("127.0.0.1", LOCAL[0]),
        ("", ""),
    ],
)
def test_ipv6_addresses_are_counted_by_network(address: str, counts_as: str) -> None:
    assert address_group(address) == counts_as


HALVES = [
    b"",
    b"GET",
    b"GET /geometry.json HTTP/1.1\r\nHost: local",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /g",
]


@pytest.mark.parametrize("half", HALVES, ids=["nothing", "a word", "a header", "a second one"])
def test_an_unfinished_request_is_closed(impatient: int, half: bytes) -> None:
    with _connect(impatient, EVES) as line:
        line.sendall(half)
        _read_to_end(line)


def test_headers_sent_byte_by_byte_are_closed(impatient: int) -> None:
    with _connect(impatient, EVES) as line:
        line.settimeout(0.01)

        def ended() -> bool:
            try:
                line.sendall(b"x")
                return line.recv(100) == b""
            except TimeoutError:
                return False
            except ConnectionError:
                return True

        line.sendall(b"GET / HTTP/1.1\r\nX-Long: ")
        until(ended, "the end")


def test_a_missing_body_is_answered_with_408(impatient: int) -> None:
    with _connect(impatient, EVES) as line:
        line.sendall(b'POST /pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\n{"code": ')
        assert b" 408 " in _read_to_end(line)


CONNECTS = [b"", b"\x82\x80\x00\x00\x00\x00", b"\x82\x82\x00\x00\x00\x00\x10\x20"]


@pytest.mark.parametrize("said", CONNECTS, ids=["nothing", "an empty message", "half a CONNECT"])
@pytest.mark.parametrize("host", [b"localhost", b"127.1"], ids=["here", "elsewhere"])
def test_a_websocket_without_a_connect_packet_is_closed(impatient: int, host: bytes, said: bytes) -> None:
    with _connect(impatient, "127.0.0.1") as line:
        line.sendall(UPGRADE % host + said)
        assert b" 101 " in _read_to_end(line)


def test_a_connected_display_stays(impatient: int) -> None:
    with _connect(impatient, EVES) as idle:
        display = Guest(impatient, host="localhost")
        display.wait("lounge/status")
        _read_to_end(idle)
        display.publish("oche/test/board/lounge/command", {"id": "still there", "stop": 1})
        display.wait("lounge/reply")
        display.close()


def test_clients_that_do_not_read_are_disconnected(tmp_path: Path) -> None:
    impatient = changed(
        tmp_path, "from daemon.network import connection_limits", f"connection_limits.UNREAD_SECONDS = {SOON}"
    )

    def ask_for_much(line: socket.socket) -> None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.settimeout(LIMIT_SECONDS)
        line.bind((EVES, 0))
        line.connect(("127.0.0.1", port))
        # More than all buffers in between hold.
        line.sendall(b"GET /archivo-latin-standard-normal.woff2 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)

    def is_served_again() -> bool:
        with _connect(port, EVES) as line:
            return _is_served(line)

    with opened(tmp_path, program=impatient) as port, ExitStack() as held:
        for _ in range(MAX_FROM_ONE_ADDRESS):
            ask_for_much(held.enter_context(socket.socket()))
        until(is_served_again, "a free slot")


def test_unfinished_tls_handshakes_are_disconnected(tmp_path: Path) -> None:
    files = self_signed(tmp_path)
    config = tmp_path / "oche.toml"
    config.write_text(f'[tls]\ncertificate = "{files[0]}"\nkey = "{files[1]}"\n')
    trust = ssl.create_default_context(cafile=files[0])
    trust.check_hostname = False

    def answered(port: int, address: str) -> bool:
        with _connect(port, address) as line, suppress(OSError), trust.wrap_socket(line) as safe:
            return _is_served(safe)
        return False

    with opened(tmp_path, "--config", str(config)) as port, ExitStack() as held:
        for _ in range(MAX_FROM_ONE_ADDRESS):
            held.enter_context(_connect(port, EVES))
        assert not answered(port, EVES)
        assert answered(port, ANNS)
    again = tmp_path / "again"
    again.mkdir()
    with opened(again, "--config", str(config), program=changed(tmp_path, *IMPATIENT)) as port, ExitStack() as held:
        lines = [held.enter_context(_connect(port, EVES)) for _ in range(MAX_FROM_ONE_ADDRESS)]
        for line in lines:
            _read_to_end(line)
        until(lambda: answered(port, EVES), "a free slot")
