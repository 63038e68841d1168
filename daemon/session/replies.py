"""Replies to commands that were carried out: the same id is answered again, not done again, over a SIGKILL too."""

from dataclasses import dataclass
from typing import Any

from daemon.record.journal import REMEMBERED_COMMANDS
from daemon.session import payloads
from daemon.session.commands import Id
from engine import jsontext


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asked, and with which id. Without a user it was a referee; without an id nothing is answered."""

    id: Id | None
    user: str | None = None

    @property
    def key(self) -> str:
        """The id as JSON, so `1` and `"1"` are two commands; a user's own, so that nobody uses up another one's ids."""
        text = jsontext.dump(self.id)
        return text if self.user is None else f"{self.user} {text}"


class Replies:
    """The last thousand of one board."""

    def __init__(self, known: dict[str, str]) -> None:
        self._texts = known

    def find(self, asker: Asker) -> Any | None:
        """The reply to a command that was seen before."""
        text = None if asker.id is None else self._texts.get(asker.key)
        return None if text is None else jsontext.parse(text.encode())

    def keep(self, line: tuple[str, str] | None) -> None:
        """Remembers a reply that is on the disk."""
        if line is not None:
            self._texts[line[0]] = line[1]
            while len(self._texts) > REMEMBERED_COMMANDS:
                del self._texts[next(iter(self._texts))]


def line(asker: Asker | None, revision: int) -> tuple[str, str] | None:
    """What the journal stores with the step that a command made: its key and its reply."""
    if asker is None or asker.id is None:
        return None
    return asker.key, jsontext.dump(payloads.accepted(asker.id, revision))
