"""What happens to a Bluetooth board in the virtual machine: a GranBoard, the daemon as the package installs it.

Times are printed and never asserted: the machine is emulated.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from statistics import median
from typing import Final

from boards.board import Gatt
from drivers import DRIVERS
from engine.segments import Segment
from tests import rig
from tests.ble_board import BleBoard
from tests.drivers.bluetooth_boards import granboard
from tests.drivers.boards import beds_apart, model
from tests.mqtt_clients import ReceivedMessage, Watcher
from tests.rig import until
from tests.vm.bluetooth import Bluetooth
from tests.vm.machine import Machine
from tests.vm.serial_devices import AcmBoard

NAME = "bluetooth"
"""The board of these scenes."""
SERIAL: Final = "serial"
"""The board beside it."""
RESTART_SECONDS: Final = 600.0
"""Far beyond the 10 to 60 s of a busy machine."""
MEANWHILE_SECONDS: Final = 5.0
"""Between two darts of another board while this one is away."""
WINDOW = 8
"""How many notifications may be on their way: a board sends one for each dart, and none is made to wait for another."""
APART = 8
"""How many darts before a dart are on beds that do not touch its own."""
NEIGHBOUR_SECONDS: Final = 2 * DRIVERS["granboard"].timing.neighbour_ms / 1000
CELLS = {str(bed): cell for cell, bed in model("granboard").contacts.items() if isinstance(bed, Segment)}
BEDS = beds_apart("SI", "T", "D", "SO")
"""`APART` of them in a row do not touch."""


def apart(seen: list[float], dart: int) -> bool:
    """Whether the dart lands later than any on a bed beside its own counts as the same touch.

    None of the eight darts before touches its bed. The ninth before may, and a burst can bring both together.
    """
    ninth = dart - APART - 1
    return ninth < 0 or time.monotonic() - seen[ninth] > NEIGHBOUR_SECONDS


def gatt() -> Gatt:
    found = model("granboard").gatt
    assert found is not None
    return found


def report(bed: str) -> bytes:
    """What the board notifies."""
    return granboard(CELLS[bed])[1:]


@dataclass(frozen=True, slots=True)
class Moment:
    """How much has happened until now: to the board, and on the bus."""

    events: int
    messages: int


class Hits:
    """The hits of a board from one message on. Each message is read once, so that it costs the same for the last."""

    def __init__(self, watcher: Watcher, topic: str, since: int) -> None:
        self._watcher, self._topic, self._read = watcher, topic, since
        self._found: dict[int, str] = {}

    def beds(self) -> list[str]:
        """The beds of the hits so far, each hit once: one under way may come again with its number."""
        messages = self._watcher.seen[self._read :]
        self._read += len(messages)
        for message in messages:
            if message.topic == self._topic:
                self._found.setdefault(message.payload["seq"], message.payload["segment"])
        return [self._found[seq] for seq in sorted(self._found)]


class Scene:
    """The board, and a subscriber of what the daemon publishes about it."""

    def __init__(self, machine: Machine, bluetooth: Bluetooth, board: BleBoard, watcher: Watcher, node: str) -> None:
        self.machine, self.bluetooth, self.board, self.watcher = machine, bluetooth, board, watcher
        self._root = f"oche/{node}/board/{NAME}"
        self._beds = cycle(BEDS)

    def online(self, since: "Moment") -> float:
        """How long it takes until the board is subscribed again, and online.

        A status alone proves nothing: a broker that was restarted sends the one from before, until the daemon is there.
        """
        began = time.monotonic()
        self.bluetooth.wait(self.board.until(lambda: "subscribed" in self.board.log[since.events :]))
        until(lambda: (self.watcher.last(f"{NAME}/status") or {}).get("state") == "online", f"{NAME} online")
        return time.monotonic() - began

    def offline(self, since: "Moment") -> float:
        """How long it takes until the board is offline."""
        began = time.monotonic()
        topic = f"{self._root}/status"

        def says_so(message: ReceivedMessage) -> bool:
            return message.topic == topic and bool(message.payload) and message.payload["state"] == "offline"

        self.watcher.wait(says_so, "offline", since.messages)
        return time.monotonic() - began

    @property
    def now(self) -> "Moment":
        """Where the events that come next begin."""
        return Moment(len(self.board.log), len(self.watcher.seen))

    def hits(self) -> "Hits":
        """The hits that are published from now on."""
        return Hits(self.watcher, f"{self._root}/hit", len(self.watcher.seen))

    def throw(self, count: int) -> list[float]:
        """Throws at one bed after the other; every dart is one hit, in order. Returns the seconds that each took."""
        hits = self.hits()
        beds = [next(self._beds) for _ in range(count)]
        said: list[float] = []
        seen: list[float] = []
        end = time.monotonic() + rig.LIMIT_SECONDS
        while len(seen) < count:
            while len(said) < count and len(said) - len(seen) < WINDOW and apart(seen, len(said)):
                self.bluetooth.wait(self.board.say(report(beds[len(said)])))
                said.append(time.monotonic())
            found = len(hits.beds())
            if found > len(seen):
                seen += [time.monotonic()] * (found - len(seen))
                end = time.monotonic() + rig.LIMIT_SECONDS
            assert time.monotonic() < end, (
                f"{len(seen)} of {count} darts arrived, {len(said)} were said; the last: {hits.beds()[-WINDOW:]}; "
                f"the board: {self.board.log[-6:]}; its status: {self.watcher.last(f'{NAME}/status')}"
            )
            time.sleep(0.005)
        assert hits.beds() == beds
        return [arrived - left for left, arrived in zip(said, seen, strict=True)]

    def dart(self) -> float:
        """Throws one dart, and returns the seconds until it was published."""
        return self.throw(1)[0]


@contextmanager
def scene(machine: Machine, watch: Callable[[], Watcher], node: str, *others: str) -> Iterator[Scene]:
    """A machine with an adapter and a GranBoard in reach; `others` are lines for more boards."""
    before = machine.run("cat /etc/oche/oche.toml 2>/dev/null || true")
    with Bluetooth(machine) as bluetooth:
        board = bluetooth.board(gatt(), "GRANBOARD")
        lines = "\n".join(["[boards]", f'{NAME} = "granboard@ble://"', *others])
        machine.run(f"cat >/etc/oche/oche.toml <<'END'\n{lines}\nEND\nsystemctl restart oche", RESTART_SECONDS)
        try:
            yield Scene(machine, bluetooth, board, watch(), node)
        finally:
            machine.run(f"cat >/etc/oche/oche.toml <<'END'\n{before}\nEND\nsystemctl restart oche", RESTART_SECONDS)


def tell(what: str, seconds: float) -> None:
    print(f"  {what}: {seconds:.1f} s")


def comes_and_goes(play: Scene, darts: int, drops: int) -> None:
    """The board is found; connections are cut between darts, and no dart is lost, doubled or out of order."""
    tell("the board advertises, to online", play.online(Moment(0, 0)))
    for _ in range(drops):
        took = sorted(play.throw(darts // drops))
        tell(f"median of {len(took)} darts, as fast as they go", took[len(took) // 2])
        since = play.now
        play.bluetooth.wait(play.board.drop())
        tell("connection cut, to offline", play.offline(since))
        tell("then to online again", play.online(since))
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


def daemon_is_stopped(play: Scene) -> None:
    """No board stays connected to BlueZ, and nothing is said of tasks that were cut off."""
    play.machine.run("systemctl stop oche")
    play.bluetooth.wait(play.board.until(lambda: not play.board.connected.is_set()))
    said = play.machine.run("journalctl -u oche -o cat --no-pager | tail -20")
    assert "destroyed" not in said and "Traceback" not in said, said
    since = play.now
    play.machine.run("systemctl start oche", RESTART_SECONDS)
    tell("daemon started, to online", play.online(since))
    play.dart()


def is_away(play: Scene, seconds: float, meanwhile: Callable[[], object] = lambda: None) -> None:
    """The board is switched off for a time; what is done meanwhile, every five seconds, goes on."""
    since = play.now
    play.bluetooth.wait(play.board.hide())
    tell("board switched off, to offline", play.offline(since))
    end = time.monotonic() + seconds
    acts = 0
    while time.monotonic() < end:
        meanwhile()
        acts += 1
        time.sleep(MEANWHILE_SECONDS)  # It is away for a while: that is the test.
    tell(f"meanwhile something else was done {acts} times, in seconds", seconds)
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
    play.machine.run("systemctl start oche", RESTART_SECONDS)
    play.online(since)


def beside(play: Scene, club: AcmBoard, darts: int) -> None:
    """A dart on each board in turn, one at a time: how long it takes from the board to the bus, over both ways."""
    play.online(Moment(0, 0))
    until(lambda: (play.watcher.last(f"{SERIAL}/status") or {}).get("state") == "online", f"{SERIAL} online")
    radio: list[float] = []
    cable: list[float] = []
    for n in range(darts):
        radio.append(play.dart())
        since, began = len(play.watcher.seen), time.monotonic()
        # Another bed each time: the same one again so soon is a doubt.
        club.say(b'{"segment":"%c%d"}\n' % (b"TDS"[n // 20 % 3], n % 20 + 1))
        play.watcher.wait(lambda m: m.topic.endswith(f"/{SERIAL}/hit"), "a dart of the serial board", since)
        cable.append(time.monotonic() - began)
    half = darts // 2
    for name, took in (("Bluetooth", radio), ("serial", cable)):
        first, last = median(took[:half]) * 1000, median(took[half:]) * 1000
        print(f"  {name}: median of the first {half} darts {first:.0f} ms, of the last {last:.0f} ms")
