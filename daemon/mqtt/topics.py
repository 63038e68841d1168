"""Topics that others name: which are commands, and where an answer may go."""

from collections.abc import Callable
from typing import Final

LONGEST: Final = 512
DEEPEST: Final = 20
"""Of a response topic; mosquitto ends the connection of a client that publishes below 200."""


def is_command(root: str, topic: str) -> bool:
    """Whether it is a board's command topic, or a user's below it."""
    # Not "/command" anywhere in it: a board may be called so, and a player whose hand is looked for.
    parts = topic.removeprefix(f"{root}/board/").split("/")
    return topic.startswith(f"{root}/board/") and 2 <= len(parts) <= 3 and parts[1] == "command"


def sender(root: str, command: str) -> str | None:
    """Who sent a command, where his broker lets him write to his own topic alone; None is the referee."""
    user = command.removeprefix(f"{root}/board/").split("/")[2:]
    return user[0] if user else None


def may_answer(root: str, command: str, wanted: str, is_player: Callable[[str], bool]) -> bool:
    """Whether who sent a command on its topic may have the answer on the topic that he wants it on.

    A player is answered below his own name alone, and nobody else there: he would take it for an answer to him.
    """
    if not (wanted.startswith(f"{root}/reply/") and _is_harmless(wanted)):
        return False
    name = wanted.removeprefix(f"{root}/reply/").partition("/")[0]
    user = sender(root, command)
    return not is_player(name) if user is None else name == user


def _is_harmless(topic: str) -> bool:
    # Nobody has looked at a response topic, and a broker puts out who publishes to one that it does not like.
    return not set("+#") & set(topic) and topic.isprintable() and len(topic) <= LONGEST and topic.count("/") <= DEEPEST
