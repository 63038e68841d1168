"""Two houses for tests: daemons with a board each, and the broker that both reach, with oche's own access list."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from daemon.record.reader import History
from tests.mqtt_clients import Referee, Watcher
from tests.rig import LIMIT_SECONDS, MOSQUITTO, OCHE, Daemon, PtyBoard, free_port, takes_connections, until

RINGS: Final = {"S": "1", "D": "2", "T": "3"}
INVITE: Final[dict[str, Any]] = {
    "invite": {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 301}, "guests": ["Bob"]}
}


class SharedBroker:
    """A mosquitto with the files of `oche broker-config --houses`, or of `--nodes` with an organizer.

    `encrypted` with a certificate and its key.
    """

    def __init__(
        self,
        folder: Path,
        *houses: str,
        organizer: str | None = None,
        encrypted: tuple[Path, Path] | None = None,
    ) -> None:
        self.port = free_port()
        self.certificate = None if encrypted is None else encrypted[0]
        self._process: subprocess.Popen[bytes] | None = None
        # The certificate is for a name, and the other tests need no resolver.
        host, listener = ("127.0.0.1", "listener 1883") if encrypted is None else ("localhost", "listener 8883")
        tls = [] if encrypted is None else ["--certificate", str(encrypted[0]), "--key", str(encrypted[1])]
        command = [OCHE, "broker-config", "--out", str(folder), "--host", host, *tls]
        command += ["--houses", *houses] if organizer is None else ["--nodes", *houses, "--organizer", organizer]
        subprocess.run(command, check=True, capture_output=True)
        self._config = folder / "oche.conf"
        text = self._config.read_text().replace(f"{listener}\n", f"listener {self.port} 127.0.0.1\n")
        self._config.write_text(text + "user root\n")
        self._urls = {house: (folder / f"{house}.url").read_text().strip() for house in houses}

    def url(self, house: str, port: int | None = None) -> str:
        """The address for a house; another `port` for a proxy on the way."""
        return f"{self._urls[house]}:{port or self.port}"

    def start(self) -> None:
        """Starts the broker, unless it runs."""
        if self._process is not None:
            return
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._config)], stderr=subprocess.DEVNULL)
        until(lambda: takes_connections(self.port), "the shared broker's port")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(LIMIT_SECONDS)
            self._process = None


class House:
    """A daemon with its board and its own broker."""

    def __init__(self, folder: Path, node: str, shared: str, trusts: Path | None = None) -> None:
        """`shared` is the address of the shared broker, and `trusts` its certificate if no authority has signed it."""
        folder.mkdir()
        self.node = node
        self.pty = PtyBoard(folder)
        self.port = free_port()
        config = folder / "oche.toml"
        config.write_text(f'[houses]\nbroker = "{shared}"\n')
        self.daemon = Daemon(
            folder,
            *("--config", str(config), "--board", f"lounge=maddarts@{self.pty.path}"),
            *("--broker", f"embedded://127.0.0.1:{self.port}"),
            node=node,
            environment={} if trusts is None else {"SSL_CERT_FILE": str(trusts)},
        )
        self._watcher: Watcher | None = None
        self._referee: Referee | None = None

    def start(self) -> None:
        """Starts the daemon, and waits until its board is online."""
        since = 0 if self._watcher is None else len(self.watcher.seen)
        self.daemon.start()
        until(lambda: takes_connections(self.port), "the house's own broker")
        if self._watcher is None:
            self._watcher = Watcher(self.port)
            self._referee = Referee(self._watcher, "lounge", self.node)
        # A broker of the former run may have shown its board as online until it ended.
        topic = f"oche/{self.node}/status"
        self.watcher.wait(lambda m: m.topic == topic and m.payload["state"] == "online", topic, since)
        self.referee.online(self._seen(topic, "online"))

    def _seen(self, topic: str, state: str) -> int:
        """The number of the last message on a topic with this state."""
        seen = list(enumerate(self.watcher.seen))
        return next(n for n, m in reversed(seen) if m.topic == topic and m.payload and m.payload["state"] == state)

    def close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
        self.daemon.stop()
        self.pty.unplug()

    @property
    def watcher(self) -> Watcher:
        assert self._watcher is not None
        return self._watcher

    @property
    def referee(self) -> Referee:
        assert self._referee is not None
        return self._referee

    def say(self, *beds: str) -> None:
        """Throws darts, or says `next` by a command."""
        for bed in beds:
            self.pty.say(f"{bed[1:]};{RINGS[bed[0]]}\r\n".encode())

    def ask(self, command: dict[str, Any]) -> dict[str, Any]:
        return self.referee.ask(command)

    def shows(self, player: str, *darts: str, since: int = 0, **more: Any) -> dict[str, Any]:
        """Waits until the board shows these darts in a player's turn, and fields of the state."""

        def is_it(state: dict[str, Any]) -> bool:
            there = state["turn"]["player"] == player and state["turn"]["darts"] == list(darts)
            return there and all(state.get(key) == value for key, value in more.items())

        return self.referee.state(is_it, f"{player} {darts} {more} in {self.node}", since)

    def house(self, state: str, since: int = 0) -> dict[str, Any]:
        """Waits until the board shows the other house in a state."""
        return self.referee.state(lambda s: [h["state"] for h in s.get("houses", ())] == [state], state, since)

    def record(self, match: str) -> list[str]:
        """The lines of a match in this house's journal, with its header."""
        history = History(self.daemon.data)
        row = history.match(match)
        return [] if row is None else [row.header, *history.actions(match)]


def invited(host: House, guest: House, command: dict[str, Any] = INVITE) -> str:
    """Has a house invite the other, and that accept; returns the id of the match."""
    since = len(guest.watcher.seen)
    reply = host.ask(command)
    assert reply["ok"], reply
    code = reply["invitation"]["code"]
    accepted = guest.ask({"accept": {"code": code}})
    assert accepted["ok"], accepted
    match: str = guest.referee.state(lambda s: not s["finished"], "the match", since)["match"]
    return match


@contextmanager
def two_houses(folder: Path) -> Iterator[tuple[House, House, SharedBroker]]:
    """Yields the house of the host, that of the guest, and the broker between them."""
    with ExitStack() as stack:
        shared = SharedBroker(folder / "hub", "anna", "bob")
        shared.start()
        stack.callback(shared.kill)
        houses = [House(folder / node, node, shared.url(node)) for node in ("anna", "bob")]
        for house in houses:
            stack.callback(house.close)
        for house in houses:
            house.start()
        yield houses[0], houses[1], shared
