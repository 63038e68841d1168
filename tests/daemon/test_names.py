"""A board keeps its name: by its link, which names its serial number or its place, or by its identity."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from boards.identity import Port
from daemon.links import opener
from daemon.links.link import Disconnected
from daemon.links.opener import open_link
from daemon.system.config import load_settings
from daemon.system.urls import board_url
from tests.mqtt_clients import Referee, Watcher
from tests.rig import Daemon, Mosquitto, PtyBoard

GAME = {"start": {"game": "x01", "players": ["Ada", "Ben"], "options": {"start": 501}}}
NAMES = ("lounge", "bar", "cellar")
LINKS = {
    "lounge": "by-id/usb-1a86_USB_Serial_A1-if00-port0",
    "bar": "by-id/usb-1a86_USB_Serial_B2-if00-port0",
    "cellar": "by-path/pci-0000:00:14.0-usb-0:1.4:1.0-port0",
}


class Plug:
    """A board whose link udev makes when it comes, and takes away when it goes."""

    def __init__(self, folder: Path, link: str) -> None:
        self.path = folder / link
        self.path.parent.mkdir(exist_ok=True)
        self.pty: PtyBoard | None = None

    def plug(self) -> None:
        self.pty = PtyBoard(self.path.parent, self.path.name)

    def unplug(self) -> None:
        if self.pty is not None:
            self.pty.unplug()
            self.pty = None

    def say(self, data: bytes) -> None:
        assert self.pty is not None
        self.pty.say(data)


@pytest.fixture
def plugs(tmp_path: Path) -> Iterator[dict[str, Plug]]:
    made = {name: Plug(tmp_path, link) for name, link in LINKS.items()}
    for plug in made.values():
        plug.plug()
    yield made
    for plug in made.values():
        plug.unplug()


def test_boards_keep_their_names_in_any_order(
    tmp_path: Path, broker: Mosquitto, watcher: Watcher, plugs: dict[str, Plug]
) -> None:
    config = tmp_path / "oche.toml"
    lines = [f'{name} = "maddarts@serial://{plugs[name].path}?baud=9600"' for name in NAMES]
    config.write_text("[boards]\n" + "\n".join(lines) + "\n")
    with Daemon(tmp_path, "--config", str(config), "--broker", broker.url):
        referees = {name: Referee(watcher, name) for name in NAMES}
        for referee in referees.values():
            referee.online()
            referee.ask(GAME)
        numbers = {"lounge": 20, "bar": 19, "cellar": 18}
        for count, order in enumerate([NAMES, ("cellar", "bar", "lounge"), ("bar", "lounge", "cellar")], 1):
            if count > 1:
                since = len(watcher.seen)
                # All go before any comes: the next ones get the device names of others.
                before = {name: plug.path.readlink() for name, plug in plugs.items()}
                for plug in plugs.values():
                    plug.unplug()
                for referee in referees.values():
                    topic = f"{referee.root}/status"
                    watcher.wait(
                        lambda m, t=topic: m.topic == t and m.payload["state"] == "offline",  # type: ignore[misc]
                        topic,
                        since,
                    )
                since = len(watcher.seen)
                for name in order:
                    plugs[name].plug()
                if count == 2:
                    after = {name: plug.path.readlink() for name, plug in plugs.items()}
                    assert after != before, "the devices changed their names"
                for name in order:
                    referees[name].online(since)
            for name in order:
                plugs[name].say(b"%d;%d\r\n" % (numbers[name], count))
            for name in NAMES:
                state = referees[name].state(lambda s, n=count: len(s["turn"]["darts"]) == n, f"{name} {count}")  # type: ignore[misc]
                assert state["turn"]["darts"] == [f"{ring}{numbers[name]}" for ring in "SDT"[:count]]


def test_a_name_that_is_given_to_an_identity(tmp_path: Path) -> None:
    config = tmp_path / "oche.toml"
    config.write_text('[boards]\nlounge = "maddarts@serial://1A86:7523/G-1?baud=9600"\n')
    (spec,) = load_settings(str(config), [], None, None, None, "test").boards
    assert (spec.name, spec.url.scheme, spec.url.place) == ("lounge", "serial", "1A86:7523/G-1")


def test_an_identity_follows_the_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of ports is given; the ports are real."""
    first, second = PtyBoard(tmp_path, "ttyUSB0"), PtyBoard(tmp_path, "ttyUSB1")

    async def says(wanted: str, listed: tuple[Port, ...]) -> bytes:
        monkeypatch.setattr(opener, "serial_ports", lambda: listed)
        link = await open_link(board_url(f"serial://1a86:7523/{wanted}"), 9600)
        first.say(b"first")
        second.say(b"second")
        data = (await link.read()).data
        link.close()
        return data

    ports = [str(first.path), str(second.path)]
    one = tuple(Port(path, 0x1A86, 0x7523, serial=serial) for path, serial in zip(ports, ("A", "B"), strict=True))
    other = tuple(Port(path, 0x1A86, 0x7523, serial=serial) for path, serial in zip(ports, ("B", "A"), strict=True))
    try:
        assert asyncio.run(says("A", one)) == b"first"
        assert b"second" in asyncio.run(says("A", other))
        with pytest.raises(Disconnected) as missing:
            asyncio.run(says("C", one))
        assert missing.value.reason == "missing"
        twins = tuple(Port(path, 0x1A86, 0x7523, serial="A") for path in ports)
        with pytest.raises(Disconnected) as tie:
            asyncio.run(says("A", twins))
        assert tie.value.reason == "tie" and "by-path" in str(tie.value)
    finally:
        first.unplug()
        second.unplug()
