"""Replies to commands that were carried out: the same id is answered again, not done again, over a SIGKILL too."""

from typing import Any

from daemon import announce
from daemon.commands import Id
from daemon.journal import REMEMBERED_COMMANDS
from engine import jsontext


class Replies:
    """The last thousand of one board, by the id as JSON: `1` and `"1"` are two commands."""

    def __init__(self, known: dict[str, str]) -> None:
        self._texts = known

    def find(self, command_id: Id | None) -> Any | None:
        """The reply to a command that was seen before."""
        text = None if command_id is None else self._texts.get(jsontext.dump(command_id))
        return None if text is None else jsontext.parse(text.encode())

    def keep(self, line: tuple[str, str] | None) -> None:
        """Remembers a reply that is on the disk."""
        if line is not None:
            self._texts[line[0]] = line[1]
            while len(self._texts) > REMEMBERED_COMMANDS:
                del self._texts[next(iter(self._texts))]


def line(command_id: Id | None, revision: int) -> tuple[str, str] | None:
    """What the journal stores with the step that a command made: its id and its reply."""
    if command_id is None:
        return None
    return jsontext.dump(command_id), jsontext.dump(announce.done(command_id, revision))
