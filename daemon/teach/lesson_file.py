"""The files of `oche learn`: the board file, the lesson that it grows from, and its picture."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

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
            raise UsageError(
                f"{self.board} exists: `oche learn --again BED {self.board}` repairs one bed of it. To learn the whole "
                "board again, move the file away, or name another with --out."
            )

    def check_learnt(self) -> None:
        """UsageError if there is no board file here whose lesson is kept."""
        if not self.board.is_file():
            raise UsageError(f"There is no board file {self.board}.")
        if not self.lesson.is_file():
            raise UsageError(
                f"{self.lesson} is missing, the lesson that {self.board.name} was made from: write the bed into the "
                "board file by hand, or move the file away and learn the board again."
            )

    def url(self) -> str:
        """Returns the address at which the board was learned; empty if it is not known."""
        url = self._saved().get("url", "")
        return url if isinstance(url, str) else ""

    def save(
        self, grammar: Grammar | None, answers: Sequence[Answer], url: str = "", *, is_finished: bool = False
    ) -> None:
        """Writes the lesson to the disk: one that is killed can be continued, one that is finished can be repaired."""
        saved = {
            "lesson": 1,
            "url": url,
            "finished": is_finished,
            "grammar": asdict(grammar) if grammar else None,
            "answers": [[answer.asked, answer.code] for answer in answers],
        }
        unfinished = self.lesson.with_suffix(".new")
        with unfinished.open("w", encoding="utf-8") as stream:
            json.dump(saved, stream)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(self.lesson)

    def load(self, *, is_again: bool = False) -> tuple[Grammar | None, list[Answer]]:
        """Returns what `save` wrote; None and no answers without a file, or if its lesson is finished and its board
        file was moved away. With `is_again` a finished one too. UsageError if the file is damaged."""
        saved = self._saved()
        if not saved or (saved.get("finished") and not is_again):
            return None, []
        try:
            grammar = saved["grammar"]
            if grammar is not None:
                release = grammar["release"]
                grammar = Grammar(**(grammar | {"release": None if release is None else (release[0], release[1])}))
            return grammar, [Answer(asked, code) for asked, code in saved["answers"]]
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged(error) from error

    def _saved(self) -> dict[str, Any]:
        if not self.lesson.is_file():
            return {}
        try:
            saved = json.loads(read_named(self.lesson))
        except ValueError as error:
            raise self._damaged(error) from error
        if not isinstance(saved, dict):
            raise self._damaged("it has no fields")
        return saved

    def _damaged(self, why: object) -> UsageError:
        return UsageError(f"{self.lesson} is not a lesson: {why}. Move it away to start again.")
