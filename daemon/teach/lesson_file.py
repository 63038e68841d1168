"""The files of `oche learn`: the board file, the lesson that it grows from, and its picture."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from daemon.system.named_file import read_named
from daemon.system.urls import UsageError
from learning.hearing import Grammar
from learning.lesson import Answer


@dataclass(frozen=True, slots=True)
class Files:
    """Where things are."""

    board: Path

    @property
    def lesson(self) -> Path:
        return self.board.with_suffix(".lesson.json")

    @property
    def picture(self) -> Path:
        return self.board.with_suffix(".svg")

    def fresh(self) -> None:
        """UsageError where the board's file can be none, or is there already."""
        if self.board.suffix != ".toml":
            raise UsageError("The board's file must end with .toml, like --out garage.toml.")
        if self.board.exists():
            raise UsageError(f"{self.board} is there already; move it away, or name another with --out.")

    def save(self, grammar: Grammar | None, answers: Sequence[Answer]) -> None:
        """On disk before the next question: a lesson that is killed goes on where it was."""
        told = {
            "lesson": 1,
            "grammar": asdict(grammar) if grammar else None,
            "answers": [[answer.asked, answer.code] for answer in answers],
        }
        fresh = self.lesson.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as stream:
            json.dump(told, stream)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(self.lesson)

    def resumed(self) -> tuple[Grammar | None, list[Answer]]:
        """The lesson that was begun, or nothing."""
        if not self.lesson.is_file():
            return None, []
        try:
            told = json.loads(read_named(self.lesson))
            grammar = told["grammar"]
            if grammar is not None:
                release = grammar["release"]
                grammar = Grammar(**(grammar | {"release": None if release is None else (release[0], release[1])}))
            return grammar, [Answer(asked, code) for asked, code in told["answers"]]
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{self.lesson} is no lesson: {error}. Move it away to begin anew.") from error
