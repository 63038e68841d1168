"""Hostile clients on the network: odd requests, held connections, and response topics that disconnect the daemon.

All at one daemon. Only clients that guess wrongly slow the next ones down, and none here guesses often.
"""

import http.client
import json
import os
import socket
import subprocess
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from tests.daemon.guest import OVER_THE_NETWORK
from tests.daemon.house import BOARD, House
from tests.daemon.test_connection_limits import UPGRADE
from tests.rig import LIMIT_SECONDS, OCHE, until


@pytest.fixture
def house(lasting_house: House) -> House:
    return lasting_house


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
    ("name", "answer_to", "correlation"),
    [
        ("Deep", "/x" * 300, b""),
        ("Huge", "/" + "x" * 60_000, b"y" * 60_000),
        ("Correlation", "/$x\u00e9", b"y" * 65_000),
    ],
)
def test_no_response_topic_disconnects_the_daemon(house: House, name: str, answer_to: str, correlation: bytes) -> None:
    player = house.guest(house.pair("player", name))
    since = len(house.watcher.seen)
    padding = "z" * 100
    player.publish(
        f"{BOARD}/command/{name.lower()}",
        {"id": padding, "stop": True},
        answer_to=f"oche/test/reply/{name.lower()}{answer_to}",
        correlation=correlation,
    )
    house.quiet()
    house.quiet()
    offline = [m for m in house.watcher.seen[since:] if m.topic == "oche/test/status"]
    assert offline == [], "the broker has disconnected it"


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
