"""Replies to executed commands: a repeated id gets the same reply and is not executed again, even after a SIGKILL."""

import json
from dataclasses import dataclass

from daemon.record.journal import REMEMBERED_COMMANDS
from daemon.session import payloads
from daemon.session.commands import Id
from engine import jsontext


@dataclass(frozen=True, slots=True)
class Asker:
    """Who sent a command, and its id. Without a user it was a referee; without an id there is no reply."""

    id: Id | None
    user: str | None = None

    @property
    def key(self) -> str:
        """The id as JSON, so that `1` and `"1"` differ; with the user's name, so that users cannot take others' ids."""
        text = jsontext.dump(self.id)
        return text if self.user is None else f"{self.user} {text}"


class Replies:
    """The replies to the last `REMEMBERED_COMMANDS` commands of one board."""

    def __init__(self, known: dict[str, str]) -> None:
        self._texts = known

    def find(self, asker: Asker) -> payloads.Reply | None:
        """The reply to a command that was executed before; `None` for a new one."""
        text = None if asker.id is None else self._texts.get(asker.key)
        return None if text is None else json.loads(text)

    @staticmethod
    def line(asker: Asker | None, revision: int) -> tuple[str, str] | None:
        """What the journal stores with the change that a command made: its key and its reply, as JSON."""
        if asker is None or asker.id is None:
            return None
        return asker.key, jsontext.dump(payloads.accepted(asker.id, revision))

    def keep(self, line: tuple[str, str] | None) -> None:
        """Remembers a reply that is committed."""
        if line is not None:
            self._texts[line[0]] = line[1]
            while len(self._texts) > REMEMBERED_COMMANDS:
                del self._texts[next(iter(self._texts))]
