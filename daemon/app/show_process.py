"""Runs `oche show` beside the daemon, as long as the daemon runs, and asks it for what needs the network."""

import asyncio
import contextlib
import itertools
import json
import os
import sys
from collections.abc import Iterator
from typing import Any, Final

from daemon.system.child_process import SYSTEMD, end_process, ending_with_us, has_ended
from daemon.system.config import Settings
from daemon.system.console import say
from daemon.system.show_config import BROKER_VARIABLE, REQUESTS_VARIABLE
from daemon.system.show_file import read_rules
from daemon.system.urls import BrokerUrl, broker_text
from engine import jsontext

PAUSES: Final = (1.0, 5.0, 15.0, 60.0)
"""Seconds before each new start; the last one again and again."""
STOP_SECONDS: Final = 2.0
ANSWER_SECONDS: Final = 20.0
"""How long an answer may take, with the start of the process on a slow machine."""
LINE_BYTES: Final = 1024 * 1024
"""The longest answer: the names of 750 effects, palettes and presets have a tenth of it."""
NO_ANSWER: Final = {"ok": False, "message": "oche show does not answer. Its messages are in the log of oche."}


class ShowProcess:
    """The process. It is started as soon as there is a rule or a port for callers, or when it is first asked."""

    def __init__(self, settings: Settings, broker: BrokerUrl) -> None:
        self._settings, self._broker = settings, broker
        self._wanted = asyncio.Event()
        self._input: asyncio.StreamWriter | None = None
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._started = asyncio.Event()
        self._numbers = itertools.count(1)
        if settings.show or settings.rings or settings.caller_door is not None or read_rules(settings.data).rules:
            self._wanted.set()

    async def run(self) -> None:
        """Runs the process until it is cancelled, and starts it again whenever it ends."""
        await self._wanted.wait()
        for pause in itertools.chain(PAUSES, itertools.repeat(PAUSES[-1])):
            try:
                ended = f"ended with code {await self._run_once()}"
            except OSError as error:
                ended = f"cannot be started: {error}"
            say(f"oche show {ended}; it starts again in {pause:g} s.", sys.stderr)
            await asyncio.sleep(pause)

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer to a request of `daemon.show.requests`; NO_ANSWER if none comes in time."""
        self._wanted.set()
        number = next(self._numbers)
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._started.wait()
                if self._input is not None:
                    with self._awaited(number) as answer:
                        self._input.write(jsontext.dump({"id": number} | request).encode() + b"\n")
                        await self._input.drain()
                        return await answer
        return NO_ANSWER

    async def reload(self) -> None:
        """Has the process read the rules again; one that does not run yet reads them when it starts."""
        if self._started.is_set():
            await self.ask({"do": "reload"})
        elif read_rules(self._settings.data).rules:
            self._wanted.set()

    @contextlib.contextmanager
    def _awaited(self, number: int) -> Iterator[asyncio.Future[dict[str, Any]]]:
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        try:
            yield answer
        finally:
            del self._answers[number]

    async def _run_once(self) -> int | None:
        # -P: a folder `daemon` in the working directory is not ours.
        command = [sys.executable, "-P", "-m", "daemon.main", "show", "--node", self._settings.node]
        command += ["--data", str(self._settings.data)]
        command += [] if self._settings.config is None else ["--config", self._settings.config]
        own = {name: value for name, value in os.environ.items() if name not in SYSTEMD}
        process = await asyncio.create_subprocess_exec(
            *ending_with_us(command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LINE_BYTES,
            env=own | {BROKER_VARIABLE: broker_text(self._broker), REQUESTS_VARIABLE: "1"},
            process_group=0,  # Ctrl-C in a terminal is for the daemon, which ends this process.
        )
        assert process.stdin is not None
        assert process.stdout is not None
        self._input = process.stdin
        self._started.set()
        try:
            await self._read(process.stdout)
            # Its output has ended, so it is about to end, or it has written what is not an answer.
            await has_ended(process, STOP_SECONDS)
            await end_process(process, STOP_SECONDS)
            return process.returncode
        finally:
            self._started.clear()
            self._input = None
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_result(NO_ANSWER)
            await end_process(process, STOP_SECONDS)

    async def _read(self, output: asyncio.StreamReader) -> None:
        """Hands out the answers until the process closes its output. An answer that is too long ends it."""
        with contextlib.suppress(ValueError, AttributeError):
            while line := await output.readline():
                answer = json.loads(line)
                waiting = self._answers.get(answer.pop("id", 0))
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer)
