"""How a life of a simulated node ends, and the places where it can: the journal, the tournament's file, a pause."""

import json
import os
import signal
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from daemon.record.changes import Change
from daemon.record.committer import LOGGED_ROWS
from daemon.record.journal import Job, Journal
from daemon.tournament import tournament_file


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played from which seed, and when this life ends: after `steps` steps that follow on the result number
    `dies_at`; `None` for the last life.

    `skills` are the spreads of the bots' darts in mm, `late` is the share of matches to which somebody comes late, and
    the referee does each kind of deed `each` times.
    """

    seed: int
    players: int
    boards: int
    setup: dict[str, Any]
    skills: Sequence[int]
    late: float
    each: int
    begins: float
    life: int
    dies_at: int | None
    steps: int

    def dump(self) -> str:
        """The plan for the command line."""
        return json.dumps(asdict(self))


class Life:
    """Ends this process by a SIGKILL, at a step that the plan names. A step is a statement to the database, a third of
    a line in the tournament's file, or a moment in which nothing is to be done."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._left = plan, plan.steps
        self.results = 0

    def step(self) -> None:
        if self._plan.dies_at is not None and self.results >= self._plan.dies_at:
            self._left -= 1
            if self._left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def append(self, path: Path, line: dict[str, Any], at: int) -> int:
        """Writes a line as `tournament_file.append` does: before it, in the middle of it and after it is a step."""
        self.step()
        with path.open("r+b") as file:
            file.truncate(at)
            file.seek(at)
            whole = tournament_file.line_of(line)
            file.write(whole[: len(whole) // 2])
        self.step()
        end = WHOLE_APPEND(path, line, at)
        self.step()
        return end


WHOLE_APPEND: Final = tournament_file.append


class InlineJournal(Journal):
    """Commits in the caller's thread: what happens at the same moment happens in the same order each time."""

    async def write(self, *changes: Change) -> None:
        committer = self._committer
        committer.commit(changes, wait_seconds=0)
        if committer._db.total_changes - committer._copied >= LOGGED_ROWS:
            committer.care_for_log()
        self.on_written()

    def watch(self, life: Life) -> None:
        """Makes each statement a step."""
        self._committer._db.set_trace_callback(lambda _: life.step())

    def _next(self) -> list[Job] | None:
        return self._jobs.get()
