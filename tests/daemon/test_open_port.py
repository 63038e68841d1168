"""The other ways in: the port for programs, encryption, and a broker outside with the files of `oche broker-config`."""

import os
import signal
import socket
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from daemon.network.connection_limits import MAX_FROM_ONE_ADDRESS
from tests.bench.attackers import connect
from tests.daemon.guest import OVER_THE_NETWORK, Guest
from tests.daemon.house import BOARD, START, OutsideBroker, answers, make_user
from tests.mqtt_clients import Referee, watching
from tests.rig import LIMIT_SECONDS, OCHE, Daemon, free_port, oche, self_signed, takes_connections, until


def test_the_port_for_programs_asks_for_a_name_too(tmp_path: Path) -> None:
    port, data = free_port(), tmp_path / "data"
    made = make_user(data, "tv", "display")
    daemon = Daemon(tmp_path, "--broker", f"embedded://{OVER_THE_NETWORK}:{port}", "--board", "lounge=virtual@sim:")
    with daemon:
        found: list[Guest] = []

        def came_in() -> bool:
            found.append(Guest(port, "tv", made, websocket=False))
            return not found[-1].refused

        until(came_in, "a connection with the password")
        assert found[-1].wait("lounge/status")["model"] == "virtual"
        assert Guest(port, websocket=False).refused
        found[-1].close()


def test_who_guesses_at_the_port_for_programs_asks_no_broker(tmp_path: Path) -> None:
    port, data = free_port(), tmp_path / "data"
    make_user(data, "tv", "display")
    daemon = Daemon(tmp_path, "--broker", f"embedded://{OVER_THE_NETWORK}:{port}", "--board", "lounge=virtual@sim:")
    with daemon:
        until(lambda: takes_connections(port), "the port")
        broker = int((data / "broker" / "mosquitto.pid").read_text())
        os.kill(broker, signal.SIGSTOP)
        try:
            for user in ("tv", "nobody"):
                with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS) as line:
                    line.sendall(connect(user, "wrong"))
                    assert line.recv(100) == bytes.fromhex("20020005")
                    assert line.recv(100) == b""
        finally:
            os.kill(broker, signal.SIGCONT)
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS) as line:
            line.sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert line.recv(100) == b"", "no CONNECT"


def test_pages_and_port_share_the_places_of_an_address(tmp_path: Path) -> None:
    port, http_port = free_port(), free_port()
    open_to_all = ("--http", f"127.1:{http_port}", "--broker", f"embedded://{OVER_THE_NETWORK}:{port}")
    with Daemon(tmp_path, *open_to_all, "--board", "lounge=virtual@sim:"), ExitStack() as held:
        until(lambda: takes_connections(port) and takes_connections(http_port), "both")

        def comes(port: int, address: str = "127.0.0.8") -> socket.socket:
            line = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS, source_address=(address, 0))
            return held.enter_context(line)

        def is_in(line: socket.socket) -> bool:
            """Whether it gets an answer; one for whom there is no room gets none."""
            with suppress(ConnectionError):
                line.sendall(connect("nobody", "wrong"))
                return line.recv(1) == b"\x20"
            return False

        for _ in range(MAX_FROM_ONE_ADDRESS):
            visitor = comes(http_port)
            visitor.sendall(b"GET /geometry.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert visitor.recv(12) == b"HTTP/1.1 200"
        assert not is_in(comes(port))
        assert is_in(comes(port, "127.0.0.9"))


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    return self_signed(tmp_path)


def test_pages_and_port_are_encrypted(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    port, http_port, data = free_port(), free_port(), tmp_path / "data"
    made = make_user(data, "tv", "display")
    config = tmp_path / "oche.toml"
    config.write_text(f'[tls]\ncertificate = "{certificate[0]}"\nkey = "{certificate[1]}"\n')
    daemon = Daemon(
        tmp_path,
        *("--config", str(config), "--board", "lounge=virtual@sim:"),
        *("--http", f"{OVER_THE_NETWORK}:{http_port}", "--broker", f"embedded://{OVER_THE_NETWORK}:{port}"),
    )
    with daemon:
        for at, websocket in ((http_port, True), (port, False)):
            found: list[Guest] = []

            def came_in(at: int = at, found: list[Guest] = found, *, websocket: bool = websocket) -> bool:
                found.append(Guest(at, "tv", made, trust=certificate[0], websocket=websocket))
                return not found[-1].refused

            until(came_in, "a connection with the password")
            found[-1].wait("lounge/status")
            found[-1].close()
            assert Guest(at, "tv", made, websocket=websocket).refused, "without encryption nobody comes in"
        trusting = os.environ | {"SSL_CERT_FILE": str(certificate[0])}
        for url in (f"wss://localhost:{http_port}/mqtt", f"mqtts://tv:{made}@localhost:{port}"):
            command = [OCHE, "watch", "--once", "--broker", url]
            told = subprocess.run(command, env=trusting, check=False, capture_output=True, text=True)
            assert (told.returncode, told.stderr) == (0, "")
            assert "lounge" in told.stdout
        codes = oche("access", "code", "--http", f"127.0.0.1:{http_port}", check=False)
        assert codes.returncode == 0, codes.stderr
        assert codes.stdout.startswith("display  ")


def test_the_same_roles_on_a_broker_outside(tmp_path: Path) -> None:
    data, files, port, http_port = tmp_path / "data", tmp_path / "files", free_port(), free_port()
    ann, tv = make_user(data, "ann", "player"), make_user(data, "tv", "display")
    oche("broker-config", "--out", str(files), "--node", "test", "--data", str(data))
    url = (files / "oche.url").read_text().strip().replace("@localhost", f"@127.0.0.1:{port}")
    outside = OutsideBroker(files, port)
    try:
        daemon = Daemon(
            tmp_path,
            *("--broker", url, "--board", "lounge=virtual@sim:", "--http", f"{OVER_THE_NETWORK}:{http_port}"),
        )
        with daemon:
            until(lambda: answers(http_port), "the pages")
            display = Guest(http_port, "tv", tv)
            display.wait("lounge/status")
            player = Guest(port, "ann", ann, websocket=False)
            assert Guest(http_port).refused
            assert Guest(port, "ann", "wrong", websocket=False).refused
            url_here = f"ws://oche-daemon:{url.split(':')[2].split('@')[0]}@localhost:{http_port}/mqtt"
            oche("throw", "--broker", url_here, "--node", "test", "--board", "lounge", START)
            assert player.wait("hand/ann")["name"] == "Ann"
            display.wait("lounge/match")
            assert not any("/hand/" in topic for topic in display.topics())
            assert {topic for topic in player.topics() if "/hand/" in topic} == {f"{BOARD}/hand/ann"}
            display.close()
            player.close()
    finally:
        outside.end()


def test_a_broker_that_lets_everyone_in_is_not_opened_to_the_network(tmp_path: Path) -> None:
    data, files, port, http_port = tmp_path / "data", tmp_path / "files", free_port(), free_port()
    oche("broker-config", "--out", str(files), "--node", "test", "--data", str(data))
    outside = OutsideBroker(
        files,
        port,
        lambda text: (
            "\n".join(
                line
                for line in text.replace("allow_anonymous false", "allow_anonymous true").splitlines()
                if "oche." not in line
            )
            + "\n"
        ),
    )
    try:
        daemon = Daemon(
            tmp_path,
            *("--broker", f"mqtt://127.0.0.1:{port}", "--http", f"{OVER_THE_NETWORK}:{http_port}"),
            *("--board", "lounge=virtual@sim:"),
        )
        with daemon:
            until(lambda: answers(http_port), "the pages")
            assert Guest(http_port).refused
            here = Guest(http_port, host="localhost")
            here.wait("lounge/status")
            here.close()
    finally:
        outside.end()


def test_the_code_goes_when_the_pages_are_closed_again(tmp_path: Path) -> None:
    """The broker keeps what it retains over a restart; the code of another evening would be shown, and be wrong."""
    port = free_port()
    daemon = ("--broker", f"embedded://127.0.0.1:{port}", "--board", "lounge=virtual@sim:")
    with Daemon(tmp_path, *daemon, "--http", f"127.1:{free_port()}"), watching(port) as watcher:
        watcher.wait(lambda m: m.topic == "oche/test/pairing" and m.payload is not None, "the code")

    def is_gone() -> bool:
        with watching(port) as late:
            # Not the board's: what it was when the other daemon ended is retained, too.
            late.wait(lambda m: m.topic == "oche/test/status" and m.payload["state"] == "online", "the daemon")
            # What is retained has come before the answer.
            Referee(late, "lounge").ask({"bounce": True})
            return late.last("test/pairing") is None

    with Daemon(tmp_path, *daemon):
        until(is_gone, "the code taken away")
