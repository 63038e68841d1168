"""One lesson: asks for beds, hears them at the board's link, and writes the board's file.

The questions come from `learning.lesson`. Here are the link, the clock and what is printed.
"""

import asyncio
import sys
import time
from pathlib import Path
from typing import Any, Final

from boards.board import Board
from daemon.links.board_ports import BoardPorts
from daemon.links.link import Disconnected, Link, chunk
from daemon.links.opener import Receiver, open_link
from daemon.system.catalogue import dialects
from daemon.system.colours import is_screen, painted
from daemon.system.progress import time_left
from daemon.system.urls import BoardUrl, UsageError
from daemon.teach.lesson_file import Files
from daemon.teach.matrix import Matrix, wait_for_greeting
from daemon.teach.written import write_files
from drivers.oche_matrix import DRIVER as OURS
from drivers.pipeline import SILENT
from engine.segments import Segment
from learning.asking import Ask
from learning.hearing import Grammar, Hearing
from learning.lesson import AGAIN, Lesson
from learning.presses import Presses
from learning.words import TOO_SOON, words_for, words_for_surprise, words_for_unclear

BAUD: Final = 9600
QUIET_SECONDS: Final = 1.0
"""How long nobody may touch the board at the beginning: what comes then is noise."""
TICK_SECONDS: Final = 0.1
BY_HAND: Final = (
    "The reports of a USB board cannot be learned by pressing. Write its contacts into a board file, with the dialect "
    "usb-bits or usb-codes (docs/boards.md), and name that file."
)


class Teacher:
    """One lesson with its link. Each press is an answer, which is saved and printed."""

    def __init__(self, url: BoardUrl, out: Path, like: Board | None = None, again: Segment | None = None) -> None:
        """`like`: the board's model, if that is known; `again`: the bed to repair in a board file that exists.

        UsageError if the board cannot be learned.
        """
        self.url = url
        if url.scheme == "usb":
            raise UsageError(BY_HAND)
        if url.scheme == "ble" and like is not None:
            raise UsageError(
                f"{like.name} needs no lesson: name it. Of a Bluetooth board that nobody knows, learn ble://NAME."
            )
        self.files = Files(out)
        if again is None:
            self.files.check()
        else:
            self.files.check_learnt()
        grammar, answers = self.files.load(is_again=again is not None)
        if like is not None and not dialects()[like.dialect].rows:
            raise UsageError(f"{like.name} names its beds itself: there is nothing to learn.")
        self._keyboard = url.scheme == "keyboard"
        dialect = grammar.dialect if grammar else like.dialect if like else None
        self._is_ours = None if dialect is None else dialect == OURS.name
        """Whether the board runs our firmware; None until its greeting shows it."""
        usual = like.baud or dialects()[like.dialect].baud if like else BAUD
        self._baud = OURS.baud if self._is_ours else usual
        self.hearing: Hearing | Matrix = Matrix() if self._is_ours else Hearing(grammar)
        if self._keyboard and grammar is None:
            self.hearing = Hearing(Grammar(byte=True))
        self.lesson = Lesson(grammar.byte if grammar else self._keyboard, answers, hold=self.hearing.grammar is None)
        self.resumed = len(answers)
        if again is not None:
            self.lesson.repeat(again)
        self._is_again = again is not None
        self._presses = Presses()
        self._touching: list[str] = []
        """The findings about lines that touch each other, as far as they were told."""
        self.last = ""
        self.problems: tuple[str, ...] = ()
        self._has_begun, self._started_at, self._known_before = False, 0.0, 0
        self._unclear: tuple[str, ...] = ()
        """The contacts that closed together where one press was expected."""
        self._changed = asyncio.Event()

    async def run(self) -> int:
        """Teaches to the end. Returns 0 if the board's file is written, else 1. Disconnected if the board goes away."""
        print("Do not touch the board.", flush=True)
        link = await self._open()
        listening: asyncio.Task[None] | None = None
        try:
            await self._recognise(link)
            listening = asyncio.create_task(self._listen(link))
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
            if listening is not None:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
            link.close()

    async def _open(self) -> Link:
        baud, ports = OURS.baud if self._awaits_greeting else self._baud, BoardPorts()
        try:
            return await open_link(self.url, baud, ports=ports)
        except Disconnected as gone:
            if gone.reason != "waiting":
                raise
            print(gone, flush=True)
            return await open_link(self.url, baud, ports=ports)

    @property
    def _awaits_greeting(self) -> bool:
        """Whether to wait for a greeting of our firmware."""
        return self._is_ours is None and self.url.scheme in ("serial", "tcp")

    async def _recognise(self, link: Link) -> None:
        """Recognises our firmware by its greeting, at its own speed; otherwise sets the port to the usual speed."""
        if isinstance(self.hearing, Matrix):
            if not await wait_for_greeting(link, self.hearing):
                raise Disconnected("silent", SILENT)
        elif self._awaits_greeting:
            matrix, fixed = Matrix(), "baud" in self.url.settings
            if await wait_for_greeting(link, matrix, self.hearing if fixed else None):
                self._is_ours, self.hearing = True, matrix
                self.lesson = Lesson(answers=self.lesson.answers, hold=False)
                self.resumed = len(self.lesson.answers)
            else:
                if isinstance(link, Receiver) and self.url.scheme == "serial" and not fixed:
                    link.set_baud(self._baud)
                print("The board has not greeted as our firmware does: listening for lines or bytes.", flush=True)
        if isinstance(self.hearing, Matrix):
            print(self.hearing.grammar.words(), flush=True)

    async def _begin(self) -> None:
        if self.resumed:
            print(f"Continuing after {self.resumed} answers.", flush=True)
        await asyncio.sleep(QUIET_SECONDS)
        self.hearing.begin()
        self._has_begun, self._started_at, self._known_before = True, time.monotonic(), self._known_beds()
        print("Type s and Enter if nothing comes, u to take the last answer back.", flush=True)
        self._print_question()

    async def _listen(self, link: Link) -> None:
        read = asyncio.create_task(link.read())
        try:
            while True:
                done, _ = await asyncio.wait([read], timeout=TICK_SECONDS)
                if done:
                    piece = read.result()
                    self._pressed(self.hearing.feed(piece.data, piece.at_ns), piece.at_ns)
                    piece.done()
                    if isinstance(self.hearing, Matrix) and (answer := self.hearing.answers()):
                        link.write(answer)
                    read = asyncio.create_task(link.read())
                else:
                    now_ns = chunk(b"").at_ns
                    self._pressed(self.hearing.tick(now_ns), now_ns)
        finally:
            read.cancel()

    def _pressed(self, codes: tuple[str, ...], at_ns: int) -> None:
        self._say_touching()
        for code in codes:
            if not self._presses.counts(code, at_ns):
                self._say_too_soon()
                continue
            if not self.lesson.answers and isinstance(self.hearing, Hearing) and self.hearing.grammar is not None:
                self.lesson = Lesson(self.hearing.grammar.byte)
                print(self.hearing.grammar.words(), flush=True)
            self.last = code
            asked = self.lesson.ask
            self.lesson.heard(code)
            self._answered(f"  heard {code!r}{self._why(code, asked)}")
        if isinstance(self.hearing, Hearing) and self.hearing.too_soon:
            self.hearing.too_soon = False
            self._say_too_soon()
        unclear = self.hearing.unclear if isinstance(self.hearing, Matrix) else ()
        if unclear != self._unclear and unclear:
            print(f"  {words_for_unclear(unclear)}", flush=True)
            self._print_question()
        self._unclear = unclear

    def _why(self, code: str | None, asked: Ask | None) -> str:
        """Returns why the answer is a surprise, after a colon, or an empty text if it is not."""
        if not self.lesson.surprise or asked is None:
            return ""
        return f": {words_for_surprise(self.lesson.surprise, code, asked.name)}"

    def _say_too_soon(self) -> None:
        print(f"  {TOO_SOON}", flush=True)
        self._print_question()

    def _say_touching(self) -> None:
        """Tells of lines that touch each other as soon as that is known."""
        if isinstance(self.hearing, Matrix):
            known = self.hearing.touching_words()
            for words in known:
                if words not in self._touching:
                    print(f"  {words}", flush=True)
            self._touching = known

    def _answered(self, words: str) -> None:
        if isinstance(self.hearing, Matrix):
            self.hearing.unclear = self._unclear = ()
        self.files.save(self.hearing.grammar, self.lesson.answers, self.url.shown, is_finished=self._is_again)
        print(words, flush=True)
        self._print_question()
        self._changed.set()

    def _print_question(self) -> None:
        if (ask := self.lesson.ask) is not None:
            left = f" (at most {self.lesson.left} left)" if ask.why != "button" else ""
            words = words_for(ask.name, ask.why, ask.hold)
            print(f"{self.lesson.presses + 1:>3}. {words}{left}{self._progress()}", flush=True)

    def _progress(self) -> str:
        """Returns how many beds are known and how long the others take; empty if stdout is not a screen."""
        if not is_screen(sys.stdout):
            return ""
        known, total = self._known_beds(), len(self.lesson.beds())
        left = time_left(known - self._known_before, total - self._known_before, time.monotonic() - self._started_at)
        return painted(f"  ({known} of {total} beds{f', {left}' if left else ''})", "green")

    def _known_beds(self) -> int:
        return sum(self.lesson.state_of(bed) != "unknown" for bed in self.lesson.beds())

    def _finish(self) -> int:
        """Writes what was learned. Returns the exit code."""
        self.problems = write_files(
            self.lesson, self.hearing, self.files, self.url.shown, is_keyboard=self._keyboard, baud=self._written_baud
        )
        return 1 if self.problems else 0

    @property
    def _written_baud(self) -> int | None:
        """The speed for the board's file, at which the board was learned; None for our firmware's usual one."""
        if self.url.scheme != "serial":
            return None
        baud = int(self.url.number("baud", OURS.baud if self._is_ours else self._baud))
        return None if self._is_ours and baud == OURS.baud else baud

    def handle_input(self, text: str) -> None:
        """Takes what was typed, or a button of the page: `s` if nothing comes, `u` to take the last answer back."""
        match text.strip().lower():
            case _ if not self._has_begun:
                pass
            case "s" | "skip":
                asked = self.lesson.ask
                self.lesson.skip()
                self._presses.forget()
                self._answered(f"  nothing{self._why(None, asked)}")
            case "u" | "undo":
                self._presses.forget()
                if self._is_again and self.lesson.answers[-1].asked.startswith(AGAIN):
                    return
                self.lesson.undo()
                self._answered("  taken back")

    def to_json(self) -> dict[str, Any]:
        """Returns the lesson for the page: what to press, how many presses there were, what is known of each bed."""
        ask = self.lesson.ask if self._has_begun else None
        return {
            "quiet": not self._has_begun,
            "ask": None if ask is None else {"name": ask.name, "why": ask.why, "hold": ask.hold},
            "presses": self.lesson.presses,
            "left": self.lesson.left,
            "last": self.last,
            "joined": self.lesson.joined,
            "beds": {bed.text: self.lesson.state_of(bed) for bed in self.lesson.beds()},
            "file": self.files.board.name,
            "problems": self._notes(),
        }

    def _notes(self) -> list[str]:
        """Returns what the page says beside the question: what is wrong, what surprised, which lines touch."""
        if self._unclear:
            return [words_for_unclear(self._unclear)]
        if self.lesson.surprise:
            last = self.lesson.answers[-1]
            return [*self.problems, words_for_surprise(self.lesson.surprise, last.code, last.asked), *self._touching]
        return [*self.problems, *self._touching]
