"""Only those who were let in can command, a display can only look, a hand is seen by its owner alone."""

import http.client
import json
import os
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.guest import OVER_THE_NETWORK, Guest
from tests.rig import OCHE, SELF_SIGNED, Daemon, Referee, free_port, until, watching

# paho leaves the socket of a handshake that failed to the collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

PLAYERS = ["Ann", "Bob"]
BOARD = "oche/test/board/lounge"
START = '{"start": {"game": "dards", "players": ["Ann", "Bob"], "options": {"order": "listed", "mode": "hands"}}}'


class House:
    """A daemon that is open to the network, with Dards between Ann and Bob on its board."""

    def __init__(self, daemon: Daemon, port: int, http_port: int, stack: ExitStack) -> None:
        self.daemon, self.port, self.http = daemon, port, http_port
        self._stack = stack
        self.watcher = stack.enter_context(watching(port))
        self.referee = Referee(self.watcher, "lounge")
        self.referee.online()

    def ask(
        self, method: str, path: str, body: Any = None, *, host: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """An HTTP request from the network, unless `host` says otherwise."""
        client = http.client.HTTPConnection("127.0.0.1", self.http, timeout=20)
        named = {"Host": f"{host or OVER_THE_NETWORK}:{self.http}"} | {
            k.replace("_", "-"): v for k, v in headers.items()
        }
        client.request(method, path, None if body is None else json.dumps(body), named)
        answer = client.getresponse()
        text = answer.read()
        client.close()
        try:
            return answer.status, json.loads(text)
        except ValueError:
            return answer.status, text

    def codes(self) -> dict[str, str]:
        _, codes = self.ask("GET", "/pairing.json", host="localhost")
        assert isinstance(codes, dict)
        return codes

    def pair(self, role: str, name: str) -> dict[str, str]:
        status, found = self.ask("POST", "/pair", {"code": self.codes()[role], "name": name})
        assert status == 200, found
        assert isinstance(found, dict)
        return found

    def guest(self, let_in: dict[str, str] | None = None, **more: Any) -> Guest:
        """A client from the network, tried again until the broker has read who may come in."""
        user, password = (None, None) if let_in is None else (let_in["user"], let_in["password"])
        found: list[Guest] = []

        def came_in() -> bool:
            found.append(Guest(self.http, user, password, **more))
            return let_in is None or not found[-1].refused

        until(came_in, "being let in")
        self._stack.callback(found[-1].close)
        return found[-1]

    def quiet(self) -> None:
        """Waits until whatever was sent before has been through the daemon."""
        self.referee.ask({"bounce": True})


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    port, http_port = free_port(), free_port()
    daemon = Daemon(
        tmp_path,
        *("--http", f"{OVER_THE_NETWORK}:{http_port}"),
        *("--broker", f"embedded://127.0.0.1:{port}"),
        *("--board", "lounge=virtual@sim:"),
    )
    with daemon, ExitStack() as stack:
        until(lambda: _answers(http_port), "the pages")
        house = House(daemon, port, http_port, stack)
        assert house.referee.ask(json.loads(START))["ok"]
        house.watcher.wait(lambda m: m.topic == f"{BOARD}/hand/2" and m.payload is not None, "Bob's hand")
        yield house


def _answers(port: int) -> bool:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        client.request("GET", "/geometry.json")
        return client.getresponse().status == 200
    except OSError:
        return False
    finally:
        client.close()


def test_strangers_get_the_pages_and_nothing_else(house: House) -> None:
    assert house.ask("GET", "/geometry.json")[0] == 200
    assert house.ask("GET", "/pair")[0] == 200
    assert house.ask("GET", "/pairing.json")[0] == 403
    assert house.guest().refused
    assert Guest(house.http, "ann", "wrong").refused
    assert Guest(house.http, "", "").refused


def test_a_code_lets_in_once(house: House) -> None:
    code = house.codes()["player"]
    assert house.ask("POST", "/pair", {"code": code, "name": "Ann"})[0] == 200
    assert house.ask("POST", "/pair", {"code": code, "name": "Eve"})[0] == 403
    assert house.ask("POST", "/pair", {"code": house.codes()["player"], "name": "ann"})[0] == 403, "her name is hers"


def test_the_player_code_is_shown_and_no_other(house: House) -> None:
    display = house.guest(house.pair("display", ""))
    shown = display.wait("test/pairing")
    assert shown["code"] == house.codes()["player"]
    assert shown["url"].endswith(f"/pair?code={shown['code']}")
    assert not {house.codes()["referee"], house.codes()["display"]} & set(map(str, shown.values()))


def test_a_display_looks_and_does_nothing(house: House) -> None:
    display = house.guest(house.pair("display", ""), will=f"{BOARD}/match")
    before = display.wait("lounge/match")
    for topic in (f"{BOARD}/match", f"{BOARD}/status", f"{BOARD}/hand/1", "oche/test/status", f"{BOARD}/event"):
        display.publish(topic, {"forged": True}, retain=True)
    for topic in (f"{BOARD}/command", f"{BOARD}/command/ann", f"{BOARD}/command/Ann", f"{BOARD}//command"):
        display.publish(topic, {"id": f"x{len(topic)}", "stop": True})
    display.vanish()
    house.quiet()
    assert not [m for m in house.watcher.seen if isinstance(m.payload, dict) and m.payload.get("forged")]
    assert house.watcher.last("lounge/match")["match"] == before["match"]
    assert not any("/hand/" in topic or "/command" in topic for topic in display.topics())


def test_a_player_sees_his_own_hand(house: House) -> None:
    let_in = house.pair("player", "Ann")
    everything = ("#", "+/+/+/+/+/+", "oche/test/board/lounge/hand/+", "$share/all/oche/#", "$SYS/#")
    ann = house.guest(let_in, topics=everything)
    assert ann.wait("hand/ann")["name"] == "Ann"
    house.quiet()
    assert {topic for topic in ann.topics() if "/hand/" in topic} == {f"{BOARD}/hand/ann"}
    assert not any(topic.startswith("$SYS") for topic in ann.topics())
    cards = json.dumps(house.watcher.last("hand/2"))
    assert all(json.dumps(payload) != cards for _, payload in ann.seen)


def test_a_player_acts_in_his_own_turn_as_himself(house: House) -> None:
    ann, bob = (house.guest(house.pair("player", name)) for name in PLAYERS)
    card = ann.wait("hand/ann")["hand"][0]
    bob.publish(f"{BOARD}/command/bob", {"id": "b1", "choose": {"card": card}})
    assert (
        house.watcher.wait(lambda m: m.topic.endswith("/reply") and m.payload["id"] == "b1", "b1").payload["ok"]
        is False
    )
    bob.publish(f"{BOARD}/command/ann", {"id": "b2", "choose": {"card": card}})
    bob.publish(f"{BOARD}/command", {"id": "b3", "stop": True})
    ann.publish(f"{BOARD}/command/ann", {"id": "a1", "stop": True})
    reply = house.watcher.wait(lambda m: m.topic.endswith("/reply") and m.payload["id"] == "a1", "a1").payload
    assert reply["reason"] == "not_allowed"
    house.quiet()
    assert not [m for m in house.watcher.all("/reply") if m["id"] in ("b2", "b3")]


def test_nobody_uses_up_the_ids_of_another(house: House) -> None:
    ann = house.guest(house.pair("player", "Ann"))
    card = ann.wait("hand/ann")["hand"][0]
    ann.publish(f"{BOARD}/command/ann", {"id": "1", "choose": {"card": card}})
    done = house.watcher.wait(lambda m: m.topic.endswith("/reply") and m.payload["id"] == "1", "1").payload
    assert done["ok"], done
    assert house.referee.send({"id": "1", "stop": True})["ok"]
    house.watcher.wait(lambda m: m.topic == f"{BOARD}/match" and m.payload is None, "the match stopped")


def test_an_answer_goes_nowhere_but_to_replies(house: House) -> None:
    referee = house.guest(house.pair("referee", "Rita"))
    for topic in (f"{BOARD}/match", "oche/test/reply/../board/lounge/match", f"{BOARD}/hand/1", "oche/test/reply/+"):
        referee.publish(f"{BOARD}/command", {"id": topic, "choose": {"card": "none"}}, answer_to=topic)
    referee.publish(f"{BOARD}/command", {"id": "last", "choose": {"card": "none"}}, answer_to="oche/test/reply/rita")
    assert referee.wait("reply/rita")["id"] == "last"
    wrong = [m for m in house.watcher.seen if isinstance(m.payload, dict) and m.payload.get("ok") is False]
    assert {m.topic for m in wrong} <= {
        f"{BOARD}/reply",
        "oche/test/reply/rita",
        "oche/test/reply/../board/lounge/match",
    }


def test_whoever_is_put_out_is_out_at_once(house: House) -> None:
    ann = house.guest(house.pair("player", "Ann"))
    ann.wait("hand/ann")
    subprocess.run([OCHE, "access", "remove", "ann", "--data", str(house.daemon.data)], check=True)
    assert ann.gone()
    house.watcher.wait(lambda m: m.topic == f"{BOARD}/hand/ann" and m.payload is None, "the hand taken away")


def test_a_password_made_at_the_terminal(house: House) -> None:
    made = subprocess.run(
        [OCHE, "access", "add", "rita", "--role", "referee", "--generate", "--data", str(house.daemon.data)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    rita = house.guest({"user": "rita", "password": made})
    rita.wait("lounge/match")
    rita.publish(f"{BOARD}/command", {"id": "r", "stop": True})
    house.watcher.wait(lambda m: m.topic == f"{BOARD}/match" and m.payload is None, "the match stopped")


def test_codes_cannot_be_guessed(house: House) -> None:
    right = house.codes()["player"]
    wrong = "000000" if right != "000000" else "111111"
    for _ in range(10):
        assert house.ask("POST", "/pair", {"code": wrong, "name": "Eve"})[0] == 403
    status, refusal = house.ask("POST", "/pair", {"code": right, "name": "Eve"})
    assert status == 403
    assert "ten minutes" in refusal["message"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"X_Forwarded_For": "192.0.2.7"},
        {"host": "elsewhere.example"},
    ],
    ids=["another site", "a proxy", "a borrowed name"],
)
def test_this_machine_is_not_borrowed(house: House, headers: dict[str, str]) -> None:
    status, _ = house.ask("GET", "/pairing.json", **({"host": "localhost"} | headers))
    assert status == 403


def test_websockets_of_other_sites_are_turned_away(house: House) -> None:
    key = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    status, _ = house.ask(
        "GET", "/mqtt", host="localhost", Sec_WebSocket_Version="13", Origin="http://elsewhere.example", **key
    )
    assert status == 403


@pytest.mark.parametrize(
    "path", ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/..%2fusers.json"]
)
def test_nothing_but_the_pages_is_served(house: House, path: str) -> None:
    status, text = house.ask("GET", path)
    assert status in (200, 400, 404)
    assert b"root:" not in text
    assert b"secret" not in text


def test_the_history_is_for_those_who_were_let_in(house: House) -> None:
    display, referee = house.pair("display", ""), house.pair("referee", "Rita")

    def as_user(user: dict[str, str], method: str, path: str) -> int:
        token = b64encode(f"{user['user']}:{user['password']}".encode()).decode()
        return house.ask(method, path, Authorization=f"Basic {token}")[0]

    assert house.ask("GET", "/history.json")[0] == 401
    assert house.ask("DELETE", "/players/Ann")[0] == 401
    assert as_user(display, "GET", "/history.json") == 200
    assert as_user(display, "DELETE", "/players/Ann") == 401
    assert as_user(display | {"password": "wrong"}, "GET", "/history.json") == 401
    assert as_user(referee, "DELETE", "/players/Nobody") == 404


def test_a_flood_of_headers_is_refused(house: House) -> None:
    status, _ = house.ask("GET", "/pairing.json", host="localhost", X_Long="x" * 100_000)
    assert status == 400


def test_the_port_for_programs_asks_for_a_name_too(tmp_path: Path) -> None:
    port, data = free_port(), tmp_path / "data"
    made = _user(data, "tv", "display")
    daemon = Daemon(tmp_path, "--broker", f"embedded://{OVER_THE_NETWORK}:{port}", "--board", "lounge=virtual@sim:")
    with daemon:
        found: list[Guest] = []

        def came_in() -> bool:
            found.append(Guest(port, "tv", made, websocket=False))
            return not found[-1].refused

        until(came_in, "being let in")
        assert found[-1].wait("lounge/status")["model"] == "virtual"
        assert Guest(port, websocket=False).refused
        found[-1].close()


def _user(data: Path, name: str, role: str) -> str:
    return subprocess.run(
        [OCHE, "access", "add", name, "--role", role, "--generate", "--data", str(data)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    found = (tmp_path / "certificate.pem", tmp_path / "key.pem")
    subprocess.run(
        [*SELF_SIGNED, "-out", str(found[0]), "-keyout", str(found[1])],
        check=True,
        capture_output=True,
    )
    return found


def test_pages_and_port_are_encrypted(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    port, http_port, data = free_port(), free_port(), tmp_path / "data"
    made = _user(data, "tv", "display")
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

            until(came_in, "being let in")
            found[-1].wait("lounge/status")
            found[-1].close()
            assert Guest(at, "tv", made, websocket=websocket).refused, "without encryption nobody comes in"
        codes = subprocess.run(
            [OCHE, "access", "code", "--http", f"127.0.0.1:{http_port}"],
            check=False,
            capture_output=True,
            text=True,
        )
        assert codes.returncode == 0, codes.stderr
        assert codes.stdout.startswith("display  ")


class Outside:
    """A mosquitto outside, with the files that `oche broker-config` wrote."""

    def __init__(self, folder: Path, port: int, change: Callable[[str], str] = lambda text: text) -> None:
        config = folder / "oche.conf"
        text = config.read_text().replace("listener 1883", f"listener {port} 127.0.0.1")
        config.write_text(change(text) + ("user root\n" if os.geteuid() == 0 else ""))
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.process = subprocess.Popen([program, "-c", str(config)], stderr=subprocess.DEVNULL)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)


def test_the_same_roles_on_a_broker_outside(tmp_path: Path) -> None:
    data, files, port, http_port = tmp_path / "data", tmp_path / "files", free_port(), free_port()
    ann, tv = _user(data, "ann", "player"), _user(data, "tv", "display")
    subprocess.run(
        [OCHE, "broker-config", "--out", str(files), "--node", "test", "--data", str(data)],
        check=True,
        capture_output=True,
    )
    url = (files / "oche.url").read_text().strip().replace("@localhost", f"@127.0.0.1:{port}")
    outside = Outside(files, port)
    try:
        daemon = Daemon(
            tmp_path,
            *("--broker", url, "--board", "lounge=virtual@sim:", "--http", f"{OVER_THE_NETWORK}:{http_port}"),
        )
        with daemon:
            until(lambda: _answers(http_port), "the pages")
            display = Guest(http_port, "tv", tv)
            display.wait("lounge/status")
            player = Guest(port, "ann", ann, websocket=False)
            assert Guest(http_port).refused
            assert Guest(port, "ann", "wrong", websocket=False).refused
            url_here = f"ws://oche-daemon:{url.split(':')[2].split('@')[0]}@localhost:{http_port}/mqtt"
            subprocess.run(
                [OCHE, "throw", "--broker", url_here, "--node", "test", "--board", "lounge", START],
                check=True,
                capture_output=True,
            )
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
    subprocess.run(
        [OCHE, "broker-config", "--out", str(files), "--node", "test", "--data", str(data)],
        check=True,
        capture_output=True,
    )
    outside = Outside(
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
            until(lambda: _answers(http_port), "the pages")
            assert Guest(http_port).refused
            here = Guest(http_port, host="localhost")
            here.wait("lounge/status")
            here.close()
    finally:
        outside.end()


def test_the_terminal_draws_a_square_for_the_phone(house: House) -> None:
    ours, theirs = os.openpty()
    try:
        command = [OCHE, "access", "code", "--http", f"127.0.0.1:{house.http}"]
        subprocess.run(command, stdout=theirs, stderr=subprocess.DEVNULL, check=True, timeout=60)
        text = os.read(ours, 100_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert f"player  {house.codes()['player']}" in text
    assert "█" in text
