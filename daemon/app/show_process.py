"""Runs `oche show` beside the daemon, as long as the daemon runs."""

import asyncio
import itertools
import os
import sys
from typing import Final

from daemon.mqtt.broker_process import SYSTEMD, ending_with_us
from daemon.system.config import Settings
from daemon.system.console import say
from daemon.system.show_config import BROKER_VARIABLE
from daemon.system.urls import BrokerUrl, broker_text

PAUSES: Final = (1.0, 5.0, 15.0, 60.0)
"""Seconds before each new start; the last one again and again."""
STOP_SECONDS: Final = 2.0


async def keep_show(settings: Settings, broker: BrokerUrl) -> None:
    """Runs the process until it is cancelled, and starts it again whenever it ends. It reads the same configuration."""
    command = [sys.executable, "-m", "daemon.main", "show", "--node", settings.node]
    command += [] if settings.config is None else ["--config", settings.config]
    own = {name: value for name, value in os.environ.items() if name not in SYSTEMD}
    for pause in itertools.chain(PAUSES, itertools.repeat(PAUSES[-1])):
        process = await asyncio.create_subprocess_exec(
            *ending_with_us(command),
            stdin=asyncio.subprocess.DEVNULL,
            env=own | {BROKER_VARIABLE: broker_text(broker)},
            process_group=0,  # Ctrl-C in a terminal is for the daemon, which ends this process.
        )
        try:
            code = await process.wait()
        finally:
            await _end(process)
        say(f"oche show ended with code {code}; it starts again in {pause:g} s.", sys.stderr)
        await asyncio.sleep(pause)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
