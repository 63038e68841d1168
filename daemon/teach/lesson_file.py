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
    """The files of one lesson, next to each other."""

    board: Path

    @property
    def lesson(self) -> Path:
        return self.board.with_suffix(".lesson.json")

    @property
    def picture(self) -> Path:
        return self.board.with_suffix(".svg")

    def check(self) -> None:
        """UsageError if the board's file has a wrong name or exists."""
        if self.board.suffix != ".toml":
            raise UsageError("The board's file must end with .toml, like --out garage.toml.")
        if self.board.exists():
            raise UsageError(f"{self.board} exists; move it away, or name another with --out.")

    def save(self, grammar: Grammar | None, answers: Sequence[Answer]) -> None:
        """Writes the lesson to the disk, so that one that is killed can be continued."""
        saved = {
            "lesson": 1,
            "grammar": asdict(grammar) if grammar else None,
            "answers": [[answer.asked, answer.code] for answer in answers],
        }
        unfinished = self.lesson.with_suffix(".new")
        with unfinished.open("w", encoding="utf-8") as stream:
            json.dump(saved, stream)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(self.lesson)

    def load(self) -> tuple[Grammar | None, list[Answer]]:
        """Returns what `save` wrote; without a file None and no answers. UsageError if the file is damaged."""
        if not self.lesson.is_file():
            return None, []
        try:
            saved = json.loads(read_named(self.lesson))
            grammar = saved["grammar"]
            if grammar is not None:
                release = grammar["release"]
                grammar = Grammar(**(grammar | {"release": None if release is None else (release[0], release[1])}))
            return grammar, [Answer(asked, code) for asked, code in saved["answers"]]
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{self.lesson} is not a lesson: {error}. Move it away to start again.") from error
