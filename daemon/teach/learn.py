"""`oche learn URL`: teaches a board in the terminal and in the browser, until its file is written or the user stops."""

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

from daemon.links.link import Disconnected
from daemon.links.link_loop import run_with_links
from daemon.system.catalogue import model
from daemon.system.standard_streams import typed_lines
from daemon.system.urls import UsageError, board_url, local_port
from daemon.teach.lesson_file import Files
from daemon.teach.teacher import Teacher
from daemon.teach.turning import learn_turn, turns
from engine.segments import MISS, SEGMENTS


def learn(arguments: argparse.Namespace) -> int:
    """Teaches a board, from the beginning or from where a lesson was interrupted."""
    return run_with_links(_until_stopped(arguments))


def _teacher(arguments: argparse.Namespace) -> Teacher:
    name, at, url = arguments.url.partition("@")
    if arguments.again is not None:
        bed = SEGMENTS.get(arguments.again.upper())
        if bed is None or bed is MISS:
            raise UsageError(f"{arguments.again!r} is not a bed: write it like T13, S5 or DB.")
        if not name.endswith(".toml"):
            raise UsageError("Name the board file, like: oche learn --again T13 garage.toml")
        url = url or Files(Path(name)).url()
        if not url:
            Files(Path(name)).check_learnt()
            raise UsageError(f"It is not known where this board is: oche learn --again {bed.text} {name}@URL")
        return Teacher(board_url(url), Path(name), again=bed)
    like = model(name) if at and not {":", "/"} & set(name) else None
    return Teacher(board_url(arguments.url if like is None else url), Path(arguments.out), like)


def _turn(arguments: argparse.Namespace) -> Coroutine[Any, Any, int] | None:
    """Returns the lesson of a board that is learned by one press; None for any other."""
    name, _, url = arguments.url.partition("@")
    if arguments.again is not None or not url or {":", "/"} & set(name) or not turns(like := model(name)):
        return None
    return learn_turn(board_url(url), like, Path(arguments.out))


async def _until_stopped(arguments: argparse.Namespace) -> int:
    if (turn := _turn(arguments)) is not None:
        return await turn
    teacher = _teacher(arguments)
    port = None if arguments.http is None else local_port(arguments.http)
    task = asyncio.create_task(_with_frontends(teacher, port))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        print(f"Stopped; the same command continues from {teacher.files.lesson}.", file=sys.stderr)
        return 1
    except Disconnected as error:
        print(f"oche: {error} The same command continues the lesson.", file=sys.stderr)
        return 1


async def _with_frontends(teacher: Teacher, http: int | None) -> int:
    typing = asyncio.create_task(_type(teacher))
    try:
        async with _served(teacher, http):
            code = await teacher.run()
            if http is not None:
                # Time for the page to show the end.
                await asyncio.sleep(1.0)
            return code
    finally:
        typing.cancel()
        await asyncio.gather(typing, return_exceptions=True)


async def _type(teacher: Teacher) -> None:
    async for line in typed_lines():
        teacher.handle_input(line)


@contextlib.asynccontextmanager
async def _served(teacher: Teacher, http: int | None) -> AsyncIterator[None]:
    if http is None:
        yield
        return
    # Imported late: only the page needs aiohttp.
    from daemon.teach.lesson_page import served

    async with served(teacher, http):
        yield
