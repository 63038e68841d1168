"""A board on a pty with a person who presses what is asked, and `oche learn` as a process."""

import re
import subprocess
import threading
import time
import weakref
from pathlib import Path

from tests.learning.unknown import Person, Unknown
from tests.rig import LIMIT_SECONDS, OCHE, PtyBoard

NAMES = {
    "outer single": "SO", "inner single": "SI", "single": "S", "double": "D", "triple": "T",
}  # fmt: skip
ASKED = re.compile(
    r"\s*\d+\. .*?(?:[Pp]ress the )(.*?)(?: once more| and hold.*|, or type.*)?\.?(?: \(at most \d+ left\))?$"
)


def bed_of(words: str) -> str | None:
    """Returns the bed that a line of the terminal asks for; None if it asks for none."""
    found = ASKED.match(words)
    if found is None:
        return None
    what = found[1]
    if what.startswith("button for "):
        return f"button:{what.removeprefix('button for ')}"
    if what in ("bull", "outer bull"):
        return "DB" if what == "bull" else "SB"
    ring, _, number = what.rpartition(" ")
    return f"{NAMES[ring]}{number}"


class Learning:
    """`oche learn` as a process, with the lines that it prints."""

    def __init__(self, url: str, out: Path, *more: str) -> None:
        self.process = subprocess.Popen(
            [OCHE, "learn", url, "--out", str(out), *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
        )
        self.lines: list[str] = []
        self.last = ""
        self._read = 0
        self._news = threading.Condition()
        # A test that fails does not stop it: it must not keep the run of the tests from ending.
        weakref.finalize(self, self.process.kill)
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self.lines.append("(end)")
            self._news.notify_all()

    def next_ask(self) -> str | None:
        """Waits for the next question; None when the command has ended."""
        end = time.monotonic() + LIMIT_SECONDS
        with self._news:
            while True:
                while self._read < len(self.lines):
                    line = self.lines[self._read]
                    self._read += 1
                    if line == "(end)":
                        return None
                    if (asked := bed_of(line)) is not None:
                        return asked
                assert self._news.wait(end - time.monotonic()), self.lines[-5:]

    def line(self, beginning: str) -> str:
        """Waits for a line with this beginning."""
        with self._news:
            came = self._news.wait_for(lambda: any(line.startswith(beginning) for line in self.lines), LIMIT_SECONDS)
            assert came, self.lines
            return next(line for line in self.lines if line.startswith(beginning))

    def type(self, word: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()

    def ended(self) -> int:
        code = self.process.wait(LIMIT_SECONDS)
        self._thread.join()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        return code

    def kill(self) -> None:
        self.process.kill()
        self.ended()


def answer(learning: Learning, pty: PtyBoard, person: Person, board: Unknown, asks: int = 1000) -> int:
    """Answers at most `asks` questions. Returns how many there were."""
    done = 0
    while done < asks and (asked := learning.next_ask()) is not None:
        code = person.press(asked)
        if code is None:
            learning.type("s")
        else:
            # Without a pause the press would be a ghost of the one before, or one too soon.
            time.sleep(1.55 if code == learning.last else 0.13)
            learning.last = code
            pty.say(code.encode("latin-1") + (b"" if board.byte else b"\r\n"))
        done += 1
    return done
