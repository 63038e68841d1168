"""Hostile clients on the network: odd requests, held connections, and response topics that disconnect the daemon."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from daemon.system.urls import UsageError, broker_url
from daemon.web.connect_packet import Connect, read_connect
from tests.bench.attackers import connect, frame
from tests.daemon.guest import OVER_THE_NETWORK, Guest
from tests.daemon.house import BOARD, House, changed, make_user
from tests.daemon.test_connection_limits import UPGRADE, opened
from tests.mqtt_clients import Referee, watching
from tests.rig import LIMIT_SECONDS, MOSQUITTO, OCHE, Daemon, free_port, takes_connections, until


def _raw(port: int, *pieces: bytes) -> bytes:
    """Sends bytes piece by piece and returns the response."""
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answer = b""
        for piece in pieces[:-1]:
            line.sendall(piece)
            line.settimeout(0.3)
            with suppress(TimeoutError):
                answer += line.recv(65536)
        line.settimeout(LIMIT_SECONDS)
        line.sendall(pieces[-1])
        while data := line.recv(65536):
            answer += data
        return answer


def test_odd_requests_are_answered_without_a_traceback(house: House) -> None:
    assert house.ask("GET", "/geometry.json", Origin="http://[")[0] == 403
    assert house.ask("GET", "/%00")[0] in (200, 400, 404)
    assert house.ask("GET", "/" + "a" * 3000)[0] in (200, 400, 404)
    assert house.ask("GET", "/a" * 1000)[0] in (200, 400, 404)
    assert house.ask("GET", "/%ed%a0%80")[0] in (200, 400, 404)
    assert house.ask("GET", "/history.json", Authorization="Basic ////")[0] == 401
    assert house.ask("GET", "/history.json", Authorization="Basic YW5u")[0] == 401
    assert house.ask("POST", "/pair", {"code": "\ud800", "name": "x"})[0] == 403
    assert house.ask("POST", "/pair", {"code": "\U0001d7d8" * 6, "name": "x"})[0] == 403
    assert "Traceback" not in house.daemon.log()


@pytest.mark.parametrize(("site", "what"), [("cross-site", "image"), ("same-site", "script"), ("cross-site", "iframe")])
def test_requests_from_elements_of_other_sites_are_refused(house: House, site: str, what: str) -> None:
    """Such a request has no origin. The page could not read the response, but the daemon would replay every match."""
    fetch = {"Sec_Fetch_Site": site, "Sec_Fetch_Dest": what}
    for path in ("/players.json", "/pairing.json", "/geometry.json", "/"):
        assert house.ask("GET", path, host="localhost", **fetch)[0] == 403
    assert house.ask("GET", "/", host="localhost", Sec_Fetch_Site=site, Sec_Fetch_Dest="document")[0] == 200, "a link"
    assert house.ask("GET", "/players.json", host="localhost", Sec_Fetch_Site="same-origin")[0] == 200


def test_a_request_without_a_host_is_not_local(house: House) -> None:
    assert b" 403 " in _raw(house.http, b"GET /pairing.json HTTP/1.0\r\n\r\n")


def test_a_proxy_without_headers_is_recognized_by_http_1_0(house: House) -> None:
    asked = f"GET /pairing.json HTTP/1.0\r\nHost: localhost:{house.http}\r\nConnection: close\r\n\r\n"
    assert b"display" not in _raw(house.http, asked.encode())


def test_a_code_may_arrive_in_pieces(house: House) -> None:
    body = json.dumps({"code": house.codes()["display"], "name": ""}).encode()
    head = (
        f"POST /pair HTTP/1.1\r\nHost: 127.1:{house.http}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    assert b" 200 " in _raw(house.http, head.encode() + body[:9], body[9:])


def test_a_code_adds_only_one_of_many_phones(house: House) -> None:
    code = house.codes()["player"]
    with ThreadPoolExecutor(8) as phones:
        asked = [phones.submit(house.ask, "POST", "/pair", {"code": code, "name": f"Eve {n}"}) for n in range(8)]
    assert sorted(answer.result()[0] for answer in asked) == [200] + [403] * 7


def test_a_password_may_contain_any_character(house: House) -> None:
    add = [OCHE, "access", "add", "rita", "--role", "referee", "--data", str(house.daemon.data)]
    subprocess.run(add, input="pässwört €\n", text=True, check=True, env=os.environ | {"PYTHONUTF8": "1"})
    token = b64encode("rita:pässwört €".encode()).decode()
    until(lambda: house.ask("GET", "/history.json", Authorization=f"Basic {token}")[0] == 200, "the login")


def test_the_history_of_a_running_match_shows_no_hand(house: House) -> None:
    display, match = house.pair("display", ""), house.watcher.last("lounge/match")["match"]
    hands = [house.watcher.last(f"hand/{seat}")["hand"] for seat in (1, 2)]
    token = b64encode(f"{display['user']}:{display['password']}".encode()).decode()
    for path in ("/history.json", f"/history/{match}.json", f"/history/{match}/0.json", f"/history/{match}/1.json"):
        status, found = house.ask("GET", path, Authorization=f"Basic {token}")
        assert status == 200
        assert not [card for hand in hands for card in hand if f'"{card}"' in json.dumps(found)]
    assert house.ask("GET", f"/history/{match}.jsonl", Authorization=f"Basic {token}")[0] == 403


def test_pages_are_not_framed_by_other_sites(house: House) -> None:
    client = http.client.HTTPConnection("127.0.0.1", house.http, timeout=LIMIT_SECONDS)
    client.request("GET", "/", headers={"Host": f"{OVER_THE_NETWORK}:{house.http}"})
    assert "frame-ancestors 'self'" in (client.getresponse().getheader("Content-Security-Policy") or "")
    client.close()


def test_held_connections_leave_file_descriptors_for_boards(house: House) -> None:
    held = []
    try:
        for _ in range(1100):
            line = socket.create_connection(("127.0.0.1", house.http), timeout=LIMIT_SECONDS)
            held.append(line)
            line.sendall(b"GET /")
        assert house.referee.ask({"bounce": True})
        files = len(list(Path(f"/proc/{house.daemon.pid}/fd").iterdir()))
        assert files < 700, files
    finally:
        for line in held:
            line.close()
    until(lambda: _status(house) == 200, "the pages again")
    assert "Too many open files" not in house.daemon.log()


def _status(house: House) -> int:
    try:
        return house.ask("GET", "/geometry.json")[0]
    except (OSError, http.client.HTTPException):
        return 0


@pytest.mark.parametrize(
    ("answer_to", "correlation"),
    [("/x" * 300, b""), ("/" + "x" * 60_000, b"y" * 60_000), ("/$x\u00e9", b"y" * 65_000)],
    ids=["deep", "huge", "correlation"],
)
def test_no_response_topic_disconnects_the_daemon(house: House, answer_to: str, correlation: bytes) -> None:
    ann = house.guest(house.pair("player", "Ann"))
    since = len(house.watcher.seen)
    padding = "z" * 100
    ann.publish(f"{BOARD}/command/ann", {"id": padding, "stop": True}, answer_to=f"oche/test/reply/ann{answer_to}",
                correlation=correlation)  # fmt: skip
    house.quiet()
    house.quiet()
    offline = [m for m in house.watcher.seen[since:] if m.topic == "oche/test/status"]
    assert offline == [], "the broker has disconnected it"


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
    ran = subprocess.run(
        [OCHE, "run", "--data", str(tmp_path / "data"), "--http", f"localhost:{free_port()}", *arguments],
        capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False,
    )  # fmt: skip
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


COMPRESSED = "Content-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n"


@pytest.mark.parametrize("asked", ["GET /", "POST /pair", "GET /geometry.json", "POST /history"])
@pytest.mark.parametrize("host", ["localhost", OVER_THE_NETWORK])
def test_a_compressed_body_is_refused_before_it_arrives(house: House, asked: str, host: str) -> None:
    answer = _raw(house.http, f"{asked} HTTP/1.1\r\nHost: {host}\r\n{COMPRESSED}".encode())
    assert b" 415 " in answer.split(b"\r\n")[0]


def test_websocket_compression_is_not_offered_or_accepted(house: House) -> None:
    offer = b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
    head = (UPGRADE % b"localhost")[:-2] + offer
    said = _raw(house.http, head + b"\xc2\x80" + bytes(4))
    assert b" 101 " in said
    assert b"permessage-deflate" not in said


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


@pytest.mark.parametrize("user", ["tina", "rita", "nobody"])
def test_wrong_passwords_get_the_same_answer_without_the_broker(house: House, user: str) -> None:
    """For a typed password, a generated one, and an unknown name."""
    add = [OCHE, "access", "add", "tina", "--role", "player", "--data", str(house.daemon.data)]
    subprocess.run(add, input="a password of hers\n", text=True, check=True, capture_output=True)
    password = make_user(house.daemon.data, "rita", "referee")
    rita = {"user": "rita", "password": password}
    house.guest(rita).wait("lounge/status")
    broker = int((house.daemon.data / "broker" / "mosquitto.pid").read_text())
    os.kill(broker, signal.SIGSTOP)
    try:
        with ExitStack() as stack:
            line = stack.enter_context(socket.create_connection(("127.0.0.1", house.http), timeout=LIMIT_SECONDS))
            line.sendall(UPGRADE % OVER_THE_NETWORK.encode())
            _up_to(line, b"\r\n\r\n")
            said = _connack(line, frame(0x82, connect(user, "wrong")))
            assert said.startswith(b"\x82\x04\x20\x02\x00\x05")
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
