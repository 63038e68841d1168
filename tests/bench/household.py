"""Starting, resting, and many boards at once: the daemon as a whole."""

import json
import os
import time
from pathlib import Path
from typing import Any, Final

from daemon.links.simulator import BETWEEN_NS
from drivers.simulated import VirtualBoard
from engine.darts import Position
from tests.bench.figures import Figure, quantile
from tests.bench.latency import BEDS
from tests.mqtt_clients import ReceivedMessage, Referee, Watcher, watching
from tests.rig import Daemon, Mosquitto, PtyBoard

REST_SECONDS: Final = 5.0
SETTLED_SECONDS: Final = 5.0
"""A daemon that has just started is not at rest: 65 ms of processor time in its first five seconds, 10 in the next."""
LOAD_SECONDS: Final = 5.0
RECORDED_DARTS: Final = 600
"""More than a board throws while it is measured, and while the others start."""
GAME: Final = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001, "legs": 99, "sets": 99}}
GOALS: Final = {100: 2000.0}
"""Darts a second with this many boards."""


def start(folder: Path, times: int) -> list[Figure]:
    """From the command to the first dart that was accepted, with the embedded broker's start left out."""
    took: list[float] = []
    pty = PtyBoard(folder)
    with Mosquitto(folder) as broker, watching(broker.port) as watcher:
        for n in range(times):
            since = len(watcher.seen)
            began = time.perf_counter()
            with Daemon(
                folder, "--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url, node="bench", forks=False
            ):
                Referee(watcher, "lounge", "bench").online(since)
                pty.say(BEDS[n % 2])
                watcher.wait(lambda m: m.topic.endswith("/hit"), "the first hit", since)
                took.append(time.perf_counter() - began)
    pty.unplug()
    return [Figure("start to the first dart accepted, median", quantile(took, 0.5) * 1000, "ms", 2000.0)]


def usage_at_rest(daemon: Daemon, seconds: float) -> tuple[float, float]:
    """The share of a core, and the MB, that a daemon and its children use while nobody plays."""
    processes = family(daemon.pid)
    before = ticks(processes)
    time.sleep(seconds)  # What is measured is the rest itself.
    used = (ticks(processes) - before) / os.sysconf("SC_CLK_TCK") / seconds
    return used, sum(pss_kib(pid) for pid in processes) / 1024


def rest(folder: Path) -> list[Figure]:
    """Memory and processor time of the daemon, its broker and its pages when nobody plays."""
    pty = PtyBoard(folder)
    with Daemon(folder, "--board", f"lounge=maddarts@{pty.path}", node="bench", forks=False) as daemon:
        port = _embedded_port(daemon)
        with watching(port) as watcher:
            Referee(watcher, "lounge", "bench").online()
        time.sleep(SETTLED_SECONDS)
        used, memory = usage_at_rest(daemon, REST_SECONDS)
    pty.unplug()
    return [
        Figure("memory at rest, with the broker (PSS)", memory, "MB", 80.0),
        Figure("processor at rest", used * 100, "%", 1.0),
    ]


def load(folder: Path, boards: int) -> list[Figure]:
    """Darts a second through the whole daemon: every board a virtual one, with two bots who never pause."""
    urls = [f"sim:?pace=0&seed={n}" for n in range(boards)]
    pace = _darts_a_second(folder, urls, GAME | {"bots": {"Ann": 20, "Bob": 20}})
    name = f"darts a second, {boards} virtual board{'s' if boards > 1 else ''}"
    return [Figure(name, pace, "darts/s", GOALS.get(boards), at_least=True)]


def replayed(folder: Path, boards: int) -> list[Figure]:
    """The same without what makes the darts: every board is a recording that is played without pauses."""
    board, pieces, at_ns = VirtualBoard(seed=1, skill_mm=20.0), [], 0
    for n in range(RECORDED_DARTS):
        thrown = board.throw(Position(0.0, 0.6))
        for pause_ns, data in (*thrown, *(board.take_out() if n % 3 == 2 else ())):
            at_ns += pause_ns
            pieces.append({"at_ms": at_ns / 1e6, "hex": data.hex()})
        at_ns += BETWEEN_NS
    recording = folder / "darts.jsonl"
    recording.write_text("".join(json.dumps(line) + "\n" for line in ({"recording": 1}, *pieces)))
    pace = _darts_a_second(folder, [f"replay:{recording}?pace=0"] * boards, GAME)
    return [Figure(f"darts a second, {boards} recordings without pauses", pace, "darts/s")]


def _darts_a_second(folder: Path, urls: list[str], game: dict[str, Any]) -> float:
    boards = len(urls)
    arguments = [f"--board=b{n}=virtual@{url}" for n, url in enumerate(urls)]
    with (
        Mosquitto(folder) as broker,
        watching(broker.port, "oche/bench/board/+/status") as watcher,
        Daemon(folder, *arguments, "--broker", broker.url, node="bench", forks=False),
    ):
        for n in range(boards):
            Referee(watcher, f"b{n}", "bench").online()
        for n in range(boards):
            watcher.publish(f"oche/bench/board/b{n}/command", {"start": game})
        with watching(broker.port, "oche/bench/board/+/hit") as hits:
            hits.wait(lambda _: True, "a hit")
            return _darts_in(hits, LOAD_SECONDS) / LOAD_SECONDS


def _darts_in(watcher: Watcher, seconds: float) -> int:
    before = _highest(watcher.seen)
    time.sleep(seconds)  # Counting for a while is what this figure is.
    after = _highest(watcher.seen)
    return sum(after[topic] - before.get(topic, 0) for topic in after)


def _highest(seen: list[ReceivedMessage]) -> dict[str, int]:
    # Hits that a busy bus dropped are still in the numbers of those after them.
    return {message.topic: message.payload["seq"] for message in seen}


def _embedded_port(daemon: Daemon) -> int:
    from tests.rig import until

    until(lambda: "mqtt://" in daemon.log(), "the broker's address")
    return int(daemon.log().rpartition("mqtt://127.0.0.1:")[2].split()[0])


def family(pid: int) -> list[int]:
    """A process and all below it."""
    children = [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [pid, *(p for child in children for p in family(child))]


def ticks(pids: list[int]) -> int:
    """Processor time of these processes, in ticks of the clock."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total


def pss_kib(pid: int) -> int:
    """Memory of a process in KiB, what it shares divided among those who share it."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
