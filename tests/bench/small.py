"""As much machine as a Raspberry Pi Zero 2 W has room for: one core and 512 MB for daemon, broker and pages together.

In control groups where they can be made (as root), else by taskset and a
limit of the address space. The core is this machine's: times are given as
multiples of what the same core takes to start a bare Python.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.bench.figures import Figure
from tests.bench.household import usage_at_rest
from tests.mqtt_clients import Referee, watching
from tests.rig import OCHE, Daemon, PtyBoard, free_port, takes_connections, until

MEMORY: Final = 512 * 1024 * 1024
GROUPS: Final = Path("/sys/fs/cgroup")
REST_SECONDS: Final = 10.0
BARE: Final = "import asyncio, ssl, sqlite3"


@contextmanager
def room(folder: Path) -> Iterator[Path]:
    """A program that runs another one in the small room: `PROGRAM COMMAND…`."""
    enter = folder / "enter"
    groups = _groups()
    joins = "\n".join(f"echo $$ >{group}/cgroup.procs" for group in groups)
    limits = "" if groups else f"ulimit -v {MEMORY // 1024}"
    enter.write_text(f'#!/bin/sh\n{joins}\n{limits}\nexec taskset -c {_core()} "$@"\n')
    enter.chmod(0o755)
    try:
        yield enter
    finally:
        for group in groups:
            group.rmdir()


def measure(folder: Path, times: int) -> list[Figure]:
    """The start, the rest and the memory, in the small room."""
    bare, first = [], []
    with room(folder) as enter:
        program = folder / "oche"
        program.write_text(f'#!/bin/sh\nexec {enter} {OCHE} "$@"\n')
        program.chmod(0o755)
        for n in range(times):
            bare.append(_bare(enter))
            first.append(_first_dart(folder, program, n))
        used, memory = _rest(folder, program)
    return [
        # The quickest of each: what other work on this machine costs is in neither.
        Figure("one core, 512 MB: bare Python with asyncio, ssl, sqlite3", min(bare) * 1000, "ms"),
        Figure("one core, 512 MB: start to the first dart accepted", min(first) * 1000, "ms"),
        Figure("one core, 512 MB: the second over the first", min(first) / min(bare), "times", 6.0),
        Figure("one core, 512 MB: memory at rest, all processes (PSS)", memory, "MB", 80.0),
        Figure("one core, 512 MB: processor at rest, all processes", used * 100, "%", 1.0),
    ]


def _bare(enter: Path) -> float:
    began = time.perf_counter()
    subprocess.run([enter, sys.executable, "-c", BARE], check=True)
    return time.perf_counter() - began


def _first_dart(folder: Path, program: Path, n: int) -> float:
    pty, port = PtyBoard(folder, f"pty{n}"), free_port()
    place = folder / f"start{n}"
    place.mkdir()
    began = time.perf_counter()
    arguments = ("--board", f"lounge=maddarts@{pty.path}", "--broker", f"embedded://127.0.0.1:{port}")
    with Daemon(place, *arguments, node="bench", program=str(program)):
        until(lambda: takes_connections(port), "the broker")
        with watching(port) as watcher:
            Referee(watcher, "lounge", "bench").online()
            pty.say(b"1;1\r\n")
            watcher.wait(lambda m: m.topic.endswith("/hit"), "the first hit")
            took = time.perf_counter() - began
    pty.unplug()
    return took


def _rest(folder: Path, program: Path) -> tuple[float, float]:
    """Share of the core and MB of the whole family when nobody plays."""
    pty, port = PtyBoard(folder, "rest"), free_port()
    arguments = ("--board", f"lounge=maddarts@{pty.path}", "--broker", f"embedded://127.0.0.1:{port}")
    with Daemon(folder, *arguments, node="bench", program=str(program)) as daemon:
        until(lambda: "mqtt://" in daemon.log(), "the broker")
        with watching(port) as watcher:
            Referee(watcher, "lounge", "bench").online()
        usage = usage_at_rest(daemon, REST_SECONDS)
    pty.unplug()
    return usage


def _core() -> int:
    return max(os.sched_getaffinity(0))


def _groups() -> list[Path]:
    """Memory cgroups of either version that limit the processes in them; none if this user may not make them."""
    name = f"oche-{os.getpid()}"
    with suppress(OSError):
        if (GROUPS / "cgroup.controllers").exists():
            group = GROUPS / name
            group.mkdir()
            (group / "memory.max").write_text(str(MEMORY))
        else:
            group = GROUPS / "memory" / name
            group.mkdir()
            (group / "memory.limit_in_bytes").write_text(str(MEMORY))
        return [group]
    return []
