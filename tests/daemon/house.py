"""A daemon that is open to the network, and an outside broker with oche's files, for tests of access."""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.daemon.guest import OVER_THE_NETWORK, Guest
from tests.mqtt_clients import Referee, watching
from tests.rig import LIMIT_SECONDS, MOSQUITTO, Daemon, free_port, oche, until

PLAYERS = ["Ann", "Bob"]
BOARD = "oche/test/board/lounge"
START = '{"start": {"game": "dards", "players": ["Ann", "Bob"], "options": {"order": "listed", "mode": "hands"}}}'


class House:
    """A daemon that is open to the network, with a match of Dards between Ann and Bob on its board."""

    def __init__(self, daemon: Daemon, port: int, http_port: int, stack: ExitStack) -> None:
        self.daemon, self.port, self.http = daemon, port, http_port
        self._stack = stack
        self.watcher = stack.enter_context(watching(port))
        self.referee = Referee(self.watcher, "lounge")
        self.referee.online()

    def ask(
        self, method: str, path: str, body: Any = None, *, host: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Sends an HTTP request, from the network unless `host` is given; returns the status and the parsed body."""
        client = http.client.HTTPConnection("127.0.0.1", self.http, timeout=LIMIT_SECONDS)
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

    def guest(self, credentials: dict[str, str] | None = None, **more: Any) -> Guest:
        """Connects a client from the network; retries until the broker has read the new password."""
        user, password = (None, None) if credentials is None else (credentials["user"], credentials["password"])
        found: list[Guest] = []

        def came_in() -> bool:
            found.append(Guest(self.http, user, password, **more))
            return credentials is None or not found[-1].refused

        until(came_in, "a connection with the password")
        self._stack.callback(found[-1].close)
        return found[-1]

    def quiet(self) -> None:
        """Waits until the daemon has processed everything sent before."""
        self.referee.ask({"bounce": True})


def answers(port: int) -> bool:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_SECONDS)
    try:
        client.request("GET", "/geometry.json")
        return client.getresponse().status == 200
    except OSError:
        return False
    finally:
        client.close()


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    """A daemon that is open to the network, once both hands of its match are dealt."""
    port, http_port = free_port(), free_port()
    daemon = Daemon(
        folder,
        *("--http", f"{OVER_THE_NETWORK}:{http_port}"),
        *("--broker", f"embedded://127.0.0.1:{port}"),
        *("--board", "lounge=virtual@sim:"),
    )
    with daemon, ExitStack() as stack:
        until(lambda: answers(http_port), "the pages")
        house = House(daemon, port, http_port, stack)
        assert house.referee.ask(json.loads(START))["ok"]
        house.watcher.wait(lambda m: m.topic == f"{BOARD}/hand/2" and m.payload is not None, "Bob's hand")
        yield house


def unremovable(data: Path, user: str) -> Path:
    """Adds a file with a player's name to a caller's pack that not even root can remove: a link to a folder."""
    path = data / "callers" / "robot" / f"player_{user}.ogg"
    path.parent.mkdir(parents=True)
    (data / "elsewhere").mkdir()
    path.symlink_to(data / "elsewhere")
    return path


def make_user(data: Path, name: str, role: str) -> str:
    return oche("access", "add", name, "--role", role, "--generate", "--data", str(data)).stdout.strip()


class OutsideBroker:
    """A mosquitto with the files that `oche broker-config` wrote."""

    def __init__(self, folder: Path, port: int, change: Callable[[str], str] = lambda text: text) -> None:
        config = folder / "oche.conf"
        text = config.read_text().replace("listener 1883", f"listener {port} 127.0.0.1")
        config.write_text(change(text) + ("user root\n" if os.geteuid() == 0 else ""))
        self.process = subprocess.Popen([MOSQUITTO, "-c", str(config)], stderr=subprocess.DEVNULL)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(LIMIT_SECONDS)


def outside_files(folder: Path, data: Path, port: int) -> str:
    """Runs `oche broker-config` into `folder/files`; returns the broker URL for the daemon."""
    files = folder / "files"
    oche("broker-config", "--out", str(files), "--node", "test", "--data", str(data))
    return (files / "oche.url").read_text().strip().replace("@localhost", f"@127.0.0.1:{port}")


def changed(folder: Path, *lines: str) -> str:
    """Writes a program that runs these lines before `oche`, to lower a limit; returns its path."""
    program = folder / "oche-changed"
    begin = ["import sys", *lines, "from daemon.main import main", "sys.exit(main())"]
    program.write_text(f"#!{sys.executable}\n" + "\n".join(begin) + "\n")
    program.chmod(0o755)
    return str(program)
