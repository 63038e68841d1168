"""`oche setup`: the first run, in the terminal and in the browser. The steps are those of `daemon.setup.first_run`."""

import argparse
import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import segno

from daemon.links.discovery import words_of
from daemon.links.link_loop import run_with_links
from daemon.setup.config_file import Ending, write_config
from daemon.setup.first_run import FirstRun, Step
from daemon.system.config import SYSTEM_FILE
from daemon.system.config_parser import ConfigFile, read_config
from daemon.system.secret_addresses import secrets_path
from daemon.system.standard_streams import typed_lines
from daemon.system.urls import local_port


class GaveUp(Exception):
    """Standard input ended before the last question."""


def setup(arguments: argparse.Namespace) -> int:
    """Asks, writes the configuration, and restarts the service if there is one."""
    port = None if arguments.http is None else local_port(arguments.http)
    path = Path(arguments.config or SYSTEM_FILE)
    if arguments.config is None and not os.access(path if path.exists() else path.parent, os.W_OK):
        print(f"This writes {path}: type sudo oche setup, or name a file of yours with --config.", file=sys.stderr)
        return 1
    secrets = secrets_path(path)
    if secrets.exists() and not os.access(secrets, os.R_OK):
        print(f"This reads {secrets}, which you may not: type sudo oche setup.", file=sys.stderr)
        return 1
    before = read_config(path) if path.exists() else ConfigFile()
    try:
        run_with_links(_ask_all(path, before, arguments, port))
    except GaveUp:
        print("\nNothing was written.", file=sys.stderr)
        return 1
    return 0


async def _ask_all(path: Path, before: ConfigFile, arguments: argparse.Namespace, port: int | None) -> None:
    def finish(config: ConfigFile) -> Ending:
        return write_config(path, config, run.learnt, is_system=arguments.config is None)

    run = FirstRun(path, before, arguments.seconds, finish)
    terminal = Terminal(run)
    run.changed = terminal.show
    async with _browser(run, port):
        typing = asyncio.create_task(terminal.type(alone=port is None))
        ended = asyncio.create_task(run.ended.wait())
        try:
            await run.begin()
            await asyncio.wait([typing, ended], return_when=asyncio.FIRST_COMPLETED)
            if typing.done():
                typing.result()
        finally:
            for task in (typing, ended):
                task.cancel()
            await asyncio.gather(typing, ended, return_exceptions=True)
            await run.end()


@contextlib.asynccontextmanager
async def _browser(run: FirstRun, port: int | None) -> AsyncIterator[None]:
    if port is None:
        yield
        return
    # Imported late: only the page needs aiohttp.
    from daemon.setup.page import served

    async with served(run, port):
        yield


class Terminal:
    """The first run in the terminal: prints what is new, and takes what is typed as answers."""

    def __init__(self, run: FirstRun) -> None:
        self._run = run
        self._step: Step | None = None
        self._printed: tuple[object, ...] = ()
        self._asked = False
        """Whether the cursor is after a question."""

    def show(self) -> None:
        """Prints what is new, and asks."""
        run = self._run
        news = (run.step, run.devices, run.trouble, bool(run.darts))
        if news == self._printed and run.step != "board":
            return
        if self._asked:
            print()
            self._asked = False
        if run.step != self._step:
            print(_HEADINGS.get(run.step, ""), flush=True, end="")
        self._printed, self._step = news, run.step
        match run.step:
            case "board":
                self._print_devices()
            case "model":
                self._print_models()
            case "dart" | "learn":
                self._print_board_input()
            case "done":
                _print_ending(run.ending)
        self._ask()

    def _ask(self) -> None:
        if question := self._question():
            default = self._run.default
            print(f"{question}{f' [{default}]' if default else ''}: ", end="", flush=True)
            self._asked = True

    def _question(self) -> str:
        run = self._run
        match run.step:
            case "board" if run.devices:
                return "Where is the board? Its number, a port or an address, scan (for Bluetooth), or none"
            case "board":
                return "Where is the board? Plug it in now, or type a port or an address, scan (for Bluetooth), or none"
            case "model":
                return "Which model is it? A name in the list, or a board file"
            case "name":
                return "What is its name? It is part of addresses: a to z, 0 to 9 and the dash"
            case "dart" if run.darts:
                return "Is that the bed? yes, no for another model, again to listen again"
            case "dart" if run.trouble:
                return "Continue without a test? yes, no for another model, again to listen again"
            case "learn" if run.trouble:
                return "Enter resumes the lesson; back leaves it"
            case "broker":
                return "Which broker? Its address, like mqtt://homeassistant.local, or own for oche's own"
            case "network":
                return "Who may see the pages? yes for everyone on the network, no for this machine only"
        return ""

    def _print_devices(self) -> None:
        for number, judged in enumerate(self._run.devices, 1):
            print(f"  {number}  {judged.device.device}  {words_of(judged.device)}")
            if judged.model is not None:
                print(f"     {judged.message}")

    def _print_models(self) -> None:
        for board in self._run.offered:
            print(f"  {board.name:<16} {board.title}{' (must be learned)' if board.learn else ''}")
        print(f"  {'learn':<16} none of these: oche asks you to press its beds, and learns it")

    def _print_board_input(self) -> None:
        if self._run.darts:
            print(f"  {self._run.darts[-1]}. It works.")
        elif self._run.trouble:
            print(f"  {self._run.trouble}")
        elif self._run.step == "dart":
            print(f"Throw a dart at {self._run.name}, or press a bed.", flush=True)
        elif self._run.teacher is None:
            print(f"This is what `oche learn {self._run.port}` does:\n", flush=True)

    async def type(self, *, alone: bool) -> None:
        """Takes what is typed. GaveUp when that ends, if there is no page (`alone`)."""
        async for line in typed_lines():
            self._asked = False
            problem = await self._run.answer(line)
            if self._run.ended.is_set():
                return
            if problem is not None:
                print(f"  {problem}")
                self._ask()
        if alone:
            raise GaveUp
        await asyncio.Event().wait()


_HEADINGS: dict[Step, str] = {
    "board": "1. The board\n",
    "broker": "\n2. The broker, for other programs such as Home Assistant\n",
    "network": "\n3. The pages, for phones and televisions\n",
}


def _print_ending(ending: Ending | None) -> None:
    """Prints what was written, and where the pages are."""
    if ending is None:
        return
    print(f"Written: {ending.file}")
    print("The service was restarted with it." if ending.started else f"Start it with: oche run --config {ending.file}")
    if not ending.shared:
        print(f"The display is at {ending.url} on this machine.")
        return
    print(f"The display is at {ending.url} for every device on your network; point a phone at this:\n")
    segno.make(ending.url, error="l").terminal(compact=True)
