"""`oche learn URL`: asks for beds, in the terminal and in the browser, and writes the board's file.

The steps are those of `learning.lesson`; here are the link, the clock, the
file that is saved after each answer, and the two fronts.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from boards.board import Board
from boards.board_files import board_from_toml
from daemon.links.link import Disconnected, Link, chunk
from daemon.links.opening import open_link
from daemon.pages.local_page import local_pages
from daemon.urls import BoardUrl, UsageError, board_url
from drivers import shapes
from learning.hearing import Grammar, Hearing
from learning.lesson import Answer, Lesson
from learning.result import board_file, findings, picture, svg

BAUD: Final = 9600
QUIET_SECONDS: Final = 1.0
"""How long nobody may touch the board when the lesson begins: what comes then is noise."""
TICK_SECONDS: Final = 0.1
BY_HAND: Final = (
    "The reports of a USB board cannot be learned by pressing. Write its contacts into a board file, with the dialect "
    "usb-bits or usb-codes (docs/boards.md), and name that file."
)


@dataclass(frozen=True, slots=True)
class Files:
    """Where things are: the board file, the lesson that it grows from, and its picture."""

    board: Path

    @property
    def lesson(self) -> Path:
        return self.board.with_suffix(".lesson.json")

    @property
    def picture(self) -> Path:
        return self.board.with_suffix(".svg")


class Teacher:
    """One lesson with its link: what the board says is heard, and each answer is saved and told in the terminal."""

    def __init__(self, url: BoardUrl, out: Path) -> None:
        self.url = url
        if url.scheme == "usb":
            raise UsageError(BY_HAND)
        self.files = Files(out)
        if self.files.board.suffix != ".toml":
            raise UsageError("The board's file must end with .toml, like --out garage.toml.")
        if self.files.board.exists():
            raise UsageError(f"{self.files.board} is there already; move it away, or name another with --out.")
        self._keyboard = self.url.scheme == "keyboard"
        grammar, answers = _resumed(self.files.lesson)
        self.hearing = Hearing(Grammar(byte=True) if self._keyboard and grammar is None else grammar)
        self.lesson = Lesson(grammar.byte if grammar else self._keyboard, answers)
        self.resumed = len(answers)
        self.last = ""
        self.problems: tuple[str, ...] = ()
        self._changed = asyncio.Event()

    async def run(self) -> int:
        """Teaches to the end; 0 when the board's file is written. Disconnected where the board goes away."""
        link = await open_link(self.url, BAUD)
        listening = asyncio.create_task(self._listen(link))
        try:
            await self._begin()
            while not self.lesson.done:
                self._changed.clear()
                changed = asyncio.create_task(self._changed.wait())
                ended, _ = await asyncio.wait([changed, listening], return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
                if listening in ended:
                    listening.result()
            return self._finish()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            link.close()

    async def _begin(self) -> None:
        if self.resumed:
            print(f"Going on after {self.resumed} answers.", flush=True)
        print("Do not touch the board.", flush=True)
        await asyncio.sleep(QUIET_SECONDS)
        self.hearing.begin()
        print("Type s and Enter where nothing comes, u to take the last answer back.", flush=True)
        self._say_ask()

    # ---- what happens ----

    async def _listen(self, link: Link) -> None:
        read = asyncio.create_task(link.read())
        try:
            while True:
                done, _ = await asyncio.wait([read], timeout=TICK_SECONDS)
                if done:
                    piece = read.result()
                    self._pressed(self.hearing.feed(piece.data, piece.at_ns))
                    read = asyncio.create_task(link.read())
                else:
                    self._pressed(self.hearing.tick(chunk(b"").at_ns))
        finally:
            read.cancel()

    def _pressed(self, codes: tuple[str, ...]) -> None:
        for code in codes:
            if not self.lesson.answers and self.hearing.grammar is not None:
                self.lesson = Lesson(self.hearing.grammar.byte)
                print(self.hearing.grammar.words(), flush=True)
            self.last = code
            self.lesson.heard(code)
            self._changed_now(f"  heard {code!r}")

    def skip(self) -> None:
        """Nothing comes from the bed that was asked for."""
        self.lesson.skip()
        self._changed_now("  nothing")

    def undo(self) -> None:
        self.lesson.undo()
        self._changed_now("  taken back")

    def _changed_now(self, words: str) -> None:
        self._save()
        print(words, flush=True)
        self._say_ask()
        self._changed.set()

    def _save(self) -> None:
        """On disk before the next question: a lesson that is killed goes on where it was."""
        told = {
            "lesson": 1,
            "grammar": asdict(self.hearing.grammar) if self.hearing.grammar else None,
            "answers": [[answer.asked, answer.code] for answer in self.lesson.answers],
        }
        fresh = self.files.lesson.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as stream:
            json.dump(told, stream)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(self.files.lesson)

    def _say_ask(self) -> None:
        if (ask := self.lesson.ask) is not None:
            print(f"{self.lesson.presses + 1:>3}. {words_for(ask.name, ask.why, ask.hold)}", flush=True)

    def _finish(self) -> int:
        grammar = self.hearing.grammar or Grammar(byte=self.lesson.byte)
        baud = int(self.url.number("baud", 0)) or None
        text = board_file(self.lesson, grammar, self.files.board.stem, keyboard=self._keyboard, baud=baud)
        noise = sorted(code for code, times in self.hearing.noise.items() if times > 1)
        print(picture(self.lesson))
        for sentence in findings(self.lesson, noise, self.hearing.ghosts):
            print(sentence)
        checked = board_from_toml(text, self.files.board.name, shapes())
        if not isinstance(checked, Board):
            self.problems = tuple(str(problem) for problem in checked)
            print("\n".join(self.problems), file=sys.stderr, flush=True)
            return 1
        self.files.board.write_text(text, encoding="utf-8")
        self.files.picture.write_text(svg(self.lesson), encoding="utf-8")
        print(f"Written: {self.files.board} and {self.files.picture}, after {self.lesson.presses} presses.")
        print(f"Try it: oche listen {self.files.board}@{self.url.text}", flush=True)
        self.files.lesson.unlink(missing_ok=True)
        return 0

    # ---- what the fronts say and show ----

    def told(self, text: str) -> None:
        """What was typed, or said with a button of the page: `s` where nothing comes, `u` to take back."""
        match text.strip().lower():
            case "s" | "skip":
                self.skip()
            case "u" | "undo":
                self.undo()

    def shown(self) -> dict[str, Any]:
        """The lesson for a page: what to press, how many presses there were, and what is known of each bed."""
        ask = self.lesson.ask
        return {
            "ask": None if ask is None else {"name": ask.name, "why": ask.why, "hold": ask.hold},
            "presses": self.lesson.presses,
            "last": self.last,
            "joined": self.lesson.joined,
            "beds": {bed.text: self.lesson.state_of(bed) for bed in self.lesson.beds()},
            "file": self.files.board.name,
            "problems": list(self.problems),
        }


def words_for(name: str, why: str, hold: bool) -> str:
    """What is asked, for people."""
    if name.startswith("button:"):
        return f"Press the button for {name.removeprefix('button:')}, or type s if there is none."
    ring, number = name.rstrip("0123456789"), name.lstrip("SIODTB")
    beds = {"SO": "outer single", "SI": "inner single", "S": "single", "D": "double", "T": "triple"}
    bed = {"SB": "outer bull", "DB": "bull"}.get(name) or f"{beds[ring]} {number}"
    if hold:
        return f"Press the {bed} and hold it for three seconds."
    return f"That was a surprise: press the {bed} once more." if why == "again" else f"Press the {bed}."


def _resumed(path: Path) -> tuple[Grammar | None, list[Answer]]:
    """The lesson that was begun, or nothing."""
    if not path.is_file():
        return None, []
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        grammar = told["grammar"]
        if grammar is not None:
            release = grammar["release"]
            grammar = Grammar(**(grammar | {"release": None if release is None else (release[0], release[1])}))
        return grammar, [Answer(asked, code) for asked, code in told["answers"]]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is no lesson: {error}. Move it away to begin anew.") from error


def learn(arguments: argparse.Namespace) -> int:
    """A lesson, from its beginning or from where it was."""
    return asyncio.run(_until_stopped(arguments))


async def _until_stopped(arguments: argparse.Namespace) -> int:
    teacher = Teacher(board_url(arguments.url), Path(arguments.out))
    task = asyncio.create_task(_with_fronts(teacher, arguments.http))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        print(f"Stopped; the same command goes on from {teacher.files.lesson}.", file=sys.stderr)
        return 1
    except Disconnected as error:
        print(f"oche: {error} The same command goes on where it was.", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"oche: {error}", file=sys.stderr)
        return 1


async def _with_fronts(teacher: Teacher, http: int | None) -> int:
    typing = asyncio.create_task(_type(teacher))
    try:
        async with _served(teacher, http):
            code = await teacher.run()
            if http is not None:
                # The page is given time to show the end.
                await asyncio.sleep(1.0)
            return code
    finally:
        typing.cancel()
        await asyncio.gather(typing, return_exceptions=True)


async def _type(teacher: Teacher) -> None:
    """What is typed in the terminal."""
    reader = asyncio.StreamReader()
    try:
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    except (ValueError, OSError):
        # Standard input is a file or is closed: the browser is left.
        return
    while line := await reader.readline():
        teacher.told(line.decode("utf-8", "replace"))


@contextlib.asynccontextmanager
async def _served(teacher: Teacher, http: int | None) -> AsyncIterator[None]:
    if http is None:
        yield
        return

    async def lesson(_request: web.Request) -> web.Response:
        return web.json_response(teacher.shown())

    async def told(request: web.Request) -> web.Response:
        teacher.told(request.match_info["what"])
        return web.json_response(teacher.shown())

    routes = (web.get("/lesson.json", lesson), web.post("/lesson/{what:skip|undo}", told))
    async with local_pages(http, "learn", routes):
        print(f"The same in the browser: http://127.0.0.1:{http}/learn", flush=True)
        yield
