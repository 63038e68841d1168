"""Hostile clients and careless settings: frames by hand, wrong passwords, open brokers, and addresses of others."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from daemon.system.urls import UsageError, broker_url
from daemon.web.connect_packet import Connect, read_connect
from tests.bench.attackers import connect, frame
from tests.daemon.guest import OVER_THE_NETWORK, Guest
from tests.daemon.house import House, changed, make_user
from tests.daemon.test_connection_limits import UPGRADE, opened
from tests.mqtt_clients import Referee, watching
from tests.rig import LIMIT_SECONDS, MOSQUITTO, Daemon, free_port, oche, takes_connections, until


@contextmanager
def _outside(folder: Path, config: str) -> Iterator[None]:
    path = folder / "outside.conf"
    path.write_text(config + ("user root\n" if os.geteuid() == 0 else ""))
    process = subprocess.Popen([MOSQUITTO, "-c", str(path)], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(LIMIT_SECONDS)


@pytest.mark.parametrize("way", ["a socket", "a name is checked"])
def test_the_network_is_not_connected_to_an_open_broker(tmp_path: Path, way: str) -> None:
    port, http_port = free_port(), free_port()
    if way == "a socket":
        url, config = (
            f"unix://{tmp_path}/mosquitto.sock",
            f"listener 0 {tmp_path}/mosquitto.sock\nallow_anonymous true\n",
        )
    else:
        (tmp_path / "passwords").write_text("")
        url = f"mqtt://127.0.0.1:{port}"
        config = f"listener {port} 127.0.0.1\nallow_anonymous true\npassword_file {tmp_path}/passwords\n"
    daemon = Daemon(
        tmp_path, *("--broker", url, "--board", "lounge=virtual@sim:", "--http", f"{OVER_THE_NETWORK}:{http_port}")
    )
    with _outside(tmp_path, config), daemon:
        until(lambda: "display is at" in daemon.log(), "the pages")
        here = Guest(http_port, host="localhost")
        here.wait("lounge/status")
        here.close()
        assert Guest(http_port).refused


@pytest.mark.parametrize(
    "arguments",
    [
        ("--http", "192.0.2.1:8080"),
        ("--http", "nowhere.invalid:8080"),
        ("--broker", "embedded://192.0.2.1"),
        ("--broker", "embedded://nowhere.invalid"),
    ],
)
def test_an_address_of_another_machine_is_reported(tmp_path: Path, arguments: tuple[str, str]) -> None:
    at = ("--data", tmp_path / "data", "--http", f"localhost:{free_port()}")
    ran = oche("run", *at, *arguments, check=False)
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert arguments[1].split("//")[-1].split(":")[0] in ran.stderr


def test_no_file_is_writable_by_others(tmp_path: Path) -> None:
    daemon = Daemon(tmp_path, "--board", "lounge=virtual@sim:", "--broker", f"embedded://127.0.0.1:{free_port()}")
    before = os.umask(0)
    try:
        daemon.start()
    finally:
        os.umask(before)
    try:
        until(lambda: "display is at" in daemon.log(), "the pages")
        wrong = [path for path in (daemon.data, *daemon.data.rglob("*")) if not path.is_socket()
                 and path.stat().st_mode & 0o022]  # fmt: skip
        assert wrong == []
    finally:
        daemon.stop()


def test_a_broker_password_is_not_in_error_messages() -> None:
    for text in ("mqtt://ann:geheim@host:99999", "smtp://ann:geheim@host"):
        with pytest.raises(UsageError) as said:
            broker_url(text)
        assert "geheim" not in str(said.value)


def test_ipv6_addresses_are_printed_in_brackets(tmp_path: Path) -> None:
    daemon = Daemon(
        tmp_path,
        *("--http", f"[::]:{free_port()}", "--broker", "embedded://[::1]", "--board", "lounge=virtual@sim:"),
    )
    with daemon:
        until(lambda: "Stop with" in daemon.log(), "the welcome")
        assert "mqtt://[::1]:" in daemon.log()
        shown = daemon.log().split(" is at ")[1].split(" ")[0]
        assert not re.match(r"http://\d+\.", shown), "nothing listens on IPv4"


CONNECT_AND_GO_ON = frame(0x82, bytes.fromhex("100c00044d515454040200780000"))
PINGREQ, PINGRESP = frame(0x82, b"\xc0\x00"), b"\xd0\x00"
SLOW = (
    "from daemon.web import mqtt_proxy",
    "mqtt_proxy.PACE, mqtt_proxy.FRAME, mqtt_proxy.CONTROL = 1, 100_000, 100_000",
    # A busy machine may take longer than a heartbeat, which a client by hand does not answer.
    "mqtt_proxy.HEARTBEAT_SECONDS = None",
)
"""Two frames at once, then one in many hours."""


def _display(port: int, stack: ExitStack) -> socket.socket:
    """Opens a WebSocket by hand, up to the end of the upgrade response."""
    line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS))
    line.sendall(UPGRADE % b"localhost")
    _up_to(line, b"\r\n\r\n")
    return line


def _up_to(line: socket.socket, end: bytes) -> bytes:
    said = b""
    while not said.endswith(end):
        piece = line.recv(1)
        assert piece, said
        said += piece
    return said


@pytest.mark.parametrize("opcode", [0x82, 0x89, 0x8A], ids=["empty", "ping", "pong"])
def test_empty_frames_are_counted(tmp_path: Path, opcode: int) -> None:
    with opened(tmp_path, program=changed(tmp_path, *SLOW)) as port, ExitStack() as stack:
        greedy = _display(port, stack)
        greedy.sendall(CONNECT_AND_GO_ON + frame(opcode) * 2 + PINGREQ)
        _up_to(greedy, b"\x20\x02\x00\x00")
        for _ in range(5):
            other = _display(port, stack)
            other.sendall(CONNECT_AND_GO_ON + PINGREQ)
            _up_to(other, PINGRESP)
        greedy.setblocking(False)
        said = b""
        with suppress(BlockingIOError):
            while piece := greedy.recv(100):
                said += piece
        assert PINGRESP not in said
        assert said in (b"", b"\x8a\x00", b"\x8a\x00" * 2)


def test_pings_are_answered_with_their_content(house: House) -> None:
    with ExitStack() as stack:
        line = _display(house.http, stack)
        line.sendall(CONNECT_AND_GO_ON + frame(0x89, b"there?"))
        _up_to(line, b"\x8a\x06there?")


def _connack(line: socket.socket, data: bytes) -> bytes:
    line.sendall(data)
    return line.recv(100)


def test_wrong_passwords_get_the_same_answer_without_the_broker(house: House) -> None:
    """For a typed password, a generated one, and an unknown name."""
    add = ("access", "add", "tina", "--role", "player", "--data", house.daemon.data)
    oche(*add, given="a password of hers\n")
    password = make_user(house.daemon.data, "rita", "referee")
    rita = {"user": "rita", "password": password}
    house.guest(rita).wait("lounge/status")
    broker = int((house.daemon.data / "broker" / "mosquitto.pid").read_text())
    os.kill(broker, signal.SIGSTOP)
    try:
        for user in ("tina", "rita", "nobody"):
            with socket.create_connection(("127.0.0.1", house.http), timeout=LIMIT_SECONDS) as line:
                line.sendall(UPGRADE % OVER_THE_NETWORK.encode())
                _up_to(line, b"\r\n\r\n")
                said = _connack(line, frame(0x82, connect(user, "wrong")))
                assert said.startswith(b"\x82\x04\x20\x02\x00\x05"), user
    finally:
        os.kill(broker, signal.SIGCONT)


@pytest.mark.parametrize("version", [4, 5])
def test_the_answer_to_a_wrong_password_equals_the_brokers(tmp_path: Path, version: int) -> None:
    port = free_port()
    (tmp_path / "passwords").write_text("")
    with _outside(tmp_path, f"listener {port} 127.0.0.1\nallow_anonymous false\npassword_file {tmp_path}/passwords\n"):
        until(lambda: takes_connections(port), "the broker")
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS) as line:
            packet = connect("nobody", "wrong", version)
            assert isinstance(read := read_connect(packet), Connect)
            assert _connack(line, packet) == read.refused


def test_a_client_id_is_truncated_in_the_log(house: House) -> None:
    """For a password without a name mosquitto logs the client id."""
    name = b"x" * 5000
    body = b"\x00\x04MQTT\x04\x42\x00\x3c" + len(name).to_bytes(2) + name + b"\x00\x01y"
    with socket.create_connection(("127.0.0.1", house.port), timeout=LIMIT_SECONDS) as line:
        line.sendall(b"\x10" + bytes([0x80 | len(body) & 0x7F, len(body) >> 7]) + body)
        line.recv(100)
    until(lambda: "xxx" in house.daemon.log(), "the broker's log line")
    assert "x" * 64 in house.daemon.log()
    assert "x" * 65 not in house.daemon.log()


NO_BUDGET = (
    "from daemon.network import fair_turns",
    "fair_turns.SAVED_SECONDS, fair_turns.SHARE, fair_turns.MAX_PAUSE = 0.0, 1e-9, 1e9",
)
"""After the first turn the next one is years later."""


def test_without_budget_clients_wait_and_boards_do_not(tmp_path: Path) -> None:
    port, http_port = free_port(), free_port()
    address = ("--http", f"{OVER_THE_NETWORK}:{http_port}", "--broker", f"embedded://127.0.0.1:{port}")
    with (
        Daemon(tmp_path, *address, "--board", "lounge=virtual@sim:", program=changed(tmp_path, *NO_BUDGET)) as daemon,
        watching(port) as watcher,
    ):
        until(lambda: "display is at" in daemon.log(), "the pages")
        referee = Referee(watcher, "lounge")
        referee.online()
        with ExitStack() as stack:
            lines = [stack.enter_context(socket.create_connection(("127.0.0.1", http_port))) for _ in range(3)]
            for line in lines:
                line.sendall(b"GET /geometry.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            for _ in range(5):
                assert referee.ask({"bounce": True})
            for line in lines:
                line.setblocking(False)
                with pytest.raises(BlockingIOError):
                    line.recv(1)
