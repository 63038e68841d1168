"""An hour with a Bluetooth board beside a serial one.

`scripts/soak bluetooth [MINUTES [DARTS [DROPS [AWAY_MINUTES]]]]` plays it.
First the Bluetooth board is away, while the serial one plays on. Then darts come in rounds, and the connection is cut
between rounds. Every notification must be one hit, in order. Delays, times of connecting and memory are printed for
each ten minutes and never asserted: the machine is emulated.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

import pytest

from tests import rig
from tests.install.conftest import build_deb
from tests.rig import until
from tests.vm.bluetooth_scenes import SERIAL, Moment, Scene, is_away, scene
from tests.vm.evening import CLUB, NODE, Evening
from tests.vm.serial_devices import AcmBoard

BURST: Final = 8
"""Darts of a turn: one alone, whose delay is measured, and the others as fast as they go."""
PART_SECONDS: Final = 600.0
"""How long the parts are that are compared."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long it takes, how many notifications there are, and how often the connection is cut."""

    seconds: float
    darts: int
    drops: int
    away_seconds: float


@dataclass(slots=True)
class Part:
    """What was measured within ten minutes: seconds."""

    radio: list[float] = field(default_factory=list)
    cable: list[float] = field(default_factory=list)
    offline: list[float] = field(default_factory=list)
    online: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        said = [f"Bluetooth {quantiles(self.radio)}", f"serial {quantiles(self.cable)}"]
        if self.online:
            said.append(
                f"{len(self.online)} drops: offline {median(self.offline):.2f} s, online {median(self.online):.2f} s"
            )
        return "; ".join(said)


class Cable:
    """The serial board, which throws at another bed each time: the same one again soon would be a doubt."""

    def __init__(self, play: Scene, club: AcmBoard) -> None:
        self._play, self._club, self._count = play, club, count()

    def dart(self) -> float:
        """Throws one dart, and returns the seconds until it was published."""
        n = next(self._count)
        bed = f"{'TDS'[n // 20 % 3]}{n % 20 + 1}"
        watcher = self._play.watcher
        since, began = len(watcher.seen), time.monotonic()
        self._club.say(b'{"segment":"%s"}\n' % bed.encode())
        hit = watcher.wait(lambda m: m.topic.endswith(f"/{SERIAL}/hit"), f"{bed} of the serial board", since)
        assert hit.payload["segment"] == bed, hit
        return time.monotonic() - began


def quantiles(took: list[float]) -> str:
    """The median and the 95th percentile in milliseconds."""
    if not took:
        return "no darts"
    ordered = sorted(took)
    most = ordered[len(ordered) * 95 // 100]
    return f"{median(ordered) * 1000:.0f} ms (95 %: {most * 1000:.0f} ms, {len(ordered)} darts)"


def memory(play: Scene) -> str:
    """The resident memory of the daemon and of bluetoothd."""
    said = []
    for unit in ("oche", "bluetooth"):
        where = f"/proc/$(systemctl show -p MainPID --value {unit})/status"
        said.append(f"{unit} {int(play.machine.run(f'grep VmRSS {where}').split()[1]) / 1024:.1f} MiB")
    return ", ".join(said)


def rounds(plan: Plan) -> Iterator[tuple[int, float]]:
    """How many darts each connection carries, and when it begins, in seconds from the beginning."""
    number = plan.drops + 1
    for n in range(number):
        yield plan.darts * (n + 1) // number - plan.darts * n // number, plan.seconds * n / number


def plays(play: Scene, cable: Cable, plan: Plan) -> list[Part]:
    """Throws all darts of the plan; returns what was measured, for each ten minutes."""
    began = time.monotonic()
    parts: list[Part] = []

    def part() -> Part:
        """Where what is measured now belongs. Prints what is complete."""
        while len(parts) <= (time.monotonic() - began) // PART_SECONDS:
            if parts:
                show(play, parts)
            parts.append(Part())
        return parts[-1]

    def wait_until(seconds: float) -> None:
        time.sleep(max(0.0, began + seconds - time.monotonic()))  # The plan has pauses: people throw slower.

    thrown = 0
    for number, (darts, begin) in enumerate(rounds(plan)):
        if number:
            wait_until(begin)
            since = play.now
            play.bluetooth.wait(play.board.drop())
            part().offline.append(play.offline(since))
            part().online.append(play.online(since))
        for first in range(0, darts, BURST):
            wait_until(thrown * plan.seconds / plan.darts)
            burst = min(BURST, darts - first)
            part().radio.append(play.dart())
            play.throw(burst - 1)
            part().cable.append(cable.dart())
            thrown += burst
    show(play, parts)
    took = [seconds for one in parts for seconds in one.online]
    print(f"  all {thrown} notifications arrived once and in order; {len(took)} times of connecting, in order:")
    print("  " + " ".join(f"{seconds:.1f}" for seconds in took), flush=True)
    return parts


def show(play: Scene, parts: list[Part]) -> None:
    """Prints the last of the parts."""
    ends = len(parts) * PART_SECONDS / 60
    print(f"  to minute {ends:.0f}: {parts[-1]}; {memory(play)}", flush=True)


def hour(night: Evening, plan: Plan) -> list[Part]:
    """Plays the plan on a machine that runs."""
    night.club.plug()
    with scene(night.machine, night.watch, NODE, f'{SERIAL} = "json-segment@{CLUB}"') as play:
        play.online(Moment(0, 0))
        until(lambda: (play.watcher.last(f"{SERIAL}/status") or {}).get("state") == "online", f"{SERIAL} online")
        cable = Cable(play, night.club)
        if plan.away_seconds:
            is_away(play, plan.away_seconds, cable.dart)
        return plays(play, cable, plan)


def main(words: list[str]) -> None:
    minutes, darts, drops, away = (int(word) for word in [*words, *("60", "10000", "10", "10")[len(words) :]])
    plan = Plan(minutes * 60.0, darts, drops, away * 60.0)
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="oche-hour-") as folder:
        patch.setattr(rig, "LIMIT_SECONDS", 180.0)
        night = Evening(Path(folder), build_deb(Path(folder) / "deb", "--quick"))
        try:
            print(f"  power on to an answer: {night.machine.power_on():.0f} s", flush=True)
            hour(night, plan)
        finally:
            night.close()


if __name__ == "__main__":
    main(sys.argv[1:])
