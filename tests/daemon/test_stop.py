"""A stop that hangs ends by itself, and says where."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.rig import LIMIT_SECONDS, free_port

HANGS: Final = """
import asyncio, os, signal, sys, threading, time
from daemon import main
from daemon.app import run, stop

async def a_stop_that_waits(bus):
    await asyncio.Event().wait()

def a_loop_that_hangs(bus):
    time.sleep(1000)

def a_thread_that_is_not_joined(bus):
    threading.Thread(target=time.sleep, args=(1000,)).start()
    return asyncio.sleep(0)

def asked(state):
    if state == "READY=1":
        os.kill(os.getpid(), signal.SIGTERM)

stop.STOP_SECONDS = 4.0
run.Bus.goodbye = globals()[sys.argv.pop(1)]
run.notify = asked
raise SystemExit(main.main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("hang", "shown"),
    [
        ("a_stop_that_waits", "in a_stop_that_waits"),
        ("a_loop_that_hangs", "in a_loop_that_hangs"),
        ("a_thread_that_is_not_joined", "in _shutdown"),
    ],
)
def test_a_stop_that_hangs_ends_and_says_where(tmp_path: Path, hang: str, shown: str) -> None:
    arguments = ("--data", str(tmp_path), "--http", f"127.0.0.1:{free_port()}", "--broker", "demo:")
    script = tmp_path / "hangs.py"
    script.write_text(HANGS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, hang, "run", *arguments, "--board", "den=virtual@sim:"],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_SECONDS,
    )
    assert done.returncode == 1
    assert shown in done.stderr
