"""`oche listen` as a process."""

import json
import subprocess
import threading
import weakref
from collections.abc import Callable
from typing import Any

from tests.rig import LIMIT_SECONDS, OCHE


class Listening:
    """`oche listen --json` as a process; its output lines are parsed as they arrive."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [OCHE, "listen", *arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[dict[str, Any]] = []
        self.words: list[str] = []
        """Lines of stderr."""
        self._news = threading.Condition()
        self._listening = 0
        # A test that fails does not stop it: it must not keep the run of the tests from ending.
        weakref.finalize(self, self._process.kill)
        self._threads = [threading.Thread(target=read, daemon=True) for read in (self._read_lines, self._read_words)]
        for thread in self._threads:
            thread.start()

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._news:
                self.lines.append(json.loads(line))
                self._news.notify_all()

    def _read_words(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            with self._news:
                self.words.append(line.strip())
                self._listening += line.strip() == "listening"
                self._news.notify_all()

    def ready(self, times: int = 1) -> None:
        """Waits until the port has been opened `times` times."""
        with self._news:
            assert self._news.wait_for(lambda: self._listening >= times, LIMIT_SECONDS)

    def segments(self, count: int) -> list[str]:
        """Waits for `count` hits; returns the segments of all hits so far."""
        with self._news:
            assert self._news.wait_for(lambda: len(self._hits()) >= count, LIMIT_SECONDS), self.lines
            return [hit["segment"] for hit in self._hits()]

    def line(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Waits for a line for which `wanted` is true; returns the first."""
        with self._news:
            assert self._news.wait_for(lambda: any(map(wanted, self.lines)), LIMIT_SECONDS), self.lines
            return next(filter(wanted, self.lines))

    def _hits(self) -> list[dict[str, Any]]:
        return [line for line in self.lines if "segment" in line]

    def stop(self) -> int:
        self._process.terminate()
        return self.ended()

    def ended(self) -> int:
        """Waits for the end of the process; returns the exit code."""
        code = self._process.wait(LIMIT_SECONDS)
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        return code
