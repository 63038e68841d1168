"""Replies to commands: a repeated id gets the same reply. An executed command is not executed again, even after a
SIGKILL; one that was refused is not executed later, until the daemon ends.
"""

import json
from dataclasses import dataclass

from daemon.record.journal import REMEMBERED_COMMANDS, REMEMBERED_OF_HOUSES, is_of_house
from daemon.session import reply_payloads
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
    """The replies to the last commands of one board; those of other houses are counted apart, and kept for longer."""

    def __init__(self, known: dict[str, str]) -> None:
        self._texts = {key: text for key, text in known.items() if not is_of_house(key)}
        self._of_houses = {key: text for key, text in known.items() if is_of_house(key)}
        self._refused: dict[str, reply_payloads.Reply] = {}

    def find(self, asker: Asker) -> reply_payloads.Reply | None:
        """The reply to a command that was executed or refused before; `None` for a new one."""
        if asker.id is None:
            return None
        text = self._texts.get(asker.key) or self._of_houses.get(asker.key)
        return self._refused.get(asker.key) if text is None else json.loads(text)

    def refuse(self, asker: Asker, reply: reply_payloads.Reply) -> None:
        """Remembers that a command was refused. Not where the disk was full: there the same command is tried again."""
        if reply.get("reason") != "disk":
            self._refused[asker.key] = reply
            if len(self._refused) > REMEMBERED_COMMANDS:
                del self._refused[next(iter(self._refused))]

    @staticmethod
    def line(asker: Asker | None, revision: int) -> tuple[str, str] | None:
        """What the journal stores with the change that a command made: its key and its reply, as JSON."""
        if asker is None or asker.id is None:
            return None
        return asker.key, jsontext.dump(reply_payloads.accepted(asker.id, revision))

    def keep(self, line: tuple[str, str] | None) -> None:
        """Remembers a reply that is committed."""
        if line is not None:
            house = is_of_house(line[0])
            texts, most = (self._of_houses, REMEMBERED_OF_HOUSES) if house else (self._texts, REMEMBERED_COMMANDS)
            texts[line[0]] = line[1]
            while len(texts) > most:
                del texts[next(iter(texts))]
