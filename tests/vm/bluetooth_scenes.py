"""What happens to a Bluetooth board in the virtual machine: a GranBoard, the daemon as the package installs it.

Times are printed and never asserted: the machine is emulated.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle

from boards.board import Gatt
from engine.segments import SEGMENTS, Segment
from tests import rig
from tests.ble_board import BleBoard
from tests.drivers.bluetooth_boards import granboard
from tests.drivers.boards import model
from tests.mqtt_clients import Referee, Watcher
from tests.vm.bluetooth import Bluetooth
from tests.vm.machine import Machine

NAME = "bluetooth"
"""The board of these scenes."""
WINDOW = 100
"""How many notifications may be on their way: a board sends one for each dart, and none is made to wait for another."""
CELLS = {str(bed): cell for cell, bed in model("granboard").contacts.items() if isinstance(bed, Segment)}
BEDS = [text for text in CELLS if text in SEGMENTS]


def gatt() -> Gatt:
    found = model("granboard").gatt
    assert found is not None
    return found


def report(bed: str) -> bytes:
    """What the board notifies."""
    return granboard(CELLS[bed])[1:]


class Scene:
    """The board, and a subscriber of what the daemon publishes about it."""

    def __init__(self, machine: Machine, bluetooth: Bluetooth, board: BleBoard, watcher: Watcher, node: str) -> None:
        self.machine, self.bluetooth, self.board, self.watcher = machine, bluetooth, board, watcher
        self._root = f"oche/{node}/board/{NAME}"
        self._referee = Referee(watcher, NAME, node)
        self._beds = cycle(BEDS)

    def online(self, since: int = 0) -> float:
        """How long it takes until the board is online."""
        began = time.monotonic()
        self._referee.online(since)
        return time.monotonic() - began

    def offline(self, since: int) -> float:
        """How long it takes until the board is offline."""
        began = time.monotonic()
        topic = f"{self._root}/status"
        self.watcher.wait(
            lambda m: m.topic == topic and bool(m.payload) and m.payload["state"] == "offline", "offline", since
        )
        return time.monotonic() - began

    @property
    def now(self) -> int:
        """Where the messages that come next begin."""
        return len(self.watcher.seen)

    def hits(self, since: int) -> list[str]:
        """The beds of the hits so far, each hit once: one under way may come again with its number."""
        found: dict[int, str] = {}
        for message in self.watcher.seen[since:]:
            if message.topic == f"{self._root}/hit":
                found.setdefault(message.payload["seq"], message.payload["segment"])
        return [found[seq] for seq in sorted(found)]

    def throw(self, count: int) -> list[float]:
        """Throws at one bed after the other; every dart is one hit, in order. Returns the seconds that each took."""
        since = self.now
        beds = [next(self._beds) for _ in range(count)]
        said: list[float] = []
        seen: list[float] = []
        end = time.monotonic() + rig.LIMIT_SECONDS
        while len(seen) < count:
            while len(said) < count and len(said) - len(seen) < WINDOW:
                self.bluetooth.wait(self.board.say(report(beds[len(said)])))
                said.append(time.monotonic())
            found = len(self.hits(since))
            if found > len(seen):
                seen += [time.monotonic()] * (found - len(seen))
                end = time.monotonic() + rig.LIMIT_SECONDS
            assert time.monotonic() < end, f"{len(seen)} of {count} darts arrived"
            time.sleep(0.005)
        assert self.hits(since) == beds
        return [arrived - left for left, arrived in zip(said, seen, strict=True)]

    def dart(self) -> float:
        """Throws one dart, and returns the seconds until it was published."""
        return self.throw(1)[0]


@contextmanager
def scene(machine: Machine, watch: Callable[[], Watcher], node: str) -> Iterator[Scene]:
    """A machine with an adapter, and a GranBoard in reach that is its only board."""
    before = machine.run("cat /etc/oche/oche.toml 2>/dev/null || true")
    with Bluetooth(machine) as bluetooth:
        board = bluetooth.board(gatt(), "GRANBOARD")
        machine.run(
            f"printf '[boards]\\n{NAME} = \"granboard@ble://\"\\n' >/etc/oche/oche.toml; systemctl restart oche"
        )
        try:
            yield Scene(machine, bluetooth, board, watch(), node)
        finally:
            machine.run("systemctl stop oche")
            machine.run(f"cat >/etc/oche/oche.toml <<'END'\n{before}END\nsystemctl start oche")


def tell(what: str, seconds: float) -> None:
    print(f"  {what}: {seconds:.1f} s")


def comes_and_goes(play: Scene, darts: int, drops: int) -> None:
    """The board is found; connections are cut between darts, and no dart is lost, doubled or out of order."""
    tell("the board advertises, to online", play.online())
    for _ in range(drops):
        took = sorted(play.throw(darts // drops))
        tell(f"median of {len(took)} darts, as fast as they go", took[len(took) // 2])
        since = play.now
        play.bluetooth.wait(play.board.drop())
        tell("connection cut, to offline", play.offline(since))
        tell("then to online again", play.online(since))
    play.dart()


def adapter_is_pulled(play: Scene) -> None:
    since = play.now
    play.bluetooth.pull()
    tell("adapter pulled, to offline", play.offline(since))
    said = play.machine.run("oche doctor --seconds 1 || true")
    assert "There is no Bluetooth adapter." in said, said
    since = play.now
    play.bluetooth.plug_in()
    tell("adapter put back, to online", play.online(since))
    play.dart()


def service_is_restarted(play: Scene) -> None:
    since = play.now
    play.machine.run("systemctl restart bluetooth")
    tell("bluetoothd restarted, to offline", play.offline(since))
    tell("then to online", play.online(since))
    play.dart()


def daemon_is_killed(play: Scene) -> None:
    """BlueZ keeps the connection of a program that was killed, and a connected board does not advertise."""
    since = play.now
    play.machine.run("systemctl kill --kill-who=main -s KILL oche")
    tell("daemon killed, to online", play.online(since))
    play.dart()


def is_away(play: Scene, seconds: float) -> None:
    since = play.now
    play.bluetooth.wait(play.board.hide())
    tell("board switched off, to offline", play.offline(since))
    time.sleep(seconds)  # It is away for a while: that is the test.
    since = play.now
    play.bluetooth.wait(play.board.advertise())
    tell(f"switched on after {seconds:.0f} s, to online", play.online(since))
    play.dart()


def is_listed(play: Scene) -> None:
    """Whoever may use the machine sees what is in reach; no right is needed."""
    play.machine.run("systemctl stop oche")
    play.bluetooth.wait(play.board.until(lambda: not play.board.connected.is_set()))
    said = play.machine.run("su -s /bin/sh nobody -c 'oche boards --scan --seconds 15'")
    assert 'lounge = "granboard@ble://F0:F1:F2:F3:F4:F5"' in said, said
    said = play.machine.run("oche doctor --seconds 1 || true")
    assert "ok  the Bluetooth adapter can be used" in said, said
    since = play.now
    play.machine.run("systemctl start oche")
    play.online(since)
