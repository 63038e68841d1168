"""Topics that other clients name: which are commands, and where a reply may go."""

from collections.abc import Callable
from typing import Final

LONGEST: Final = 512
DEEPEST: Final = 20
"""Levels of a response topic; mosquitto disconnects a client that publishes below 200 levels."""


def is_command(root: str, topic: str) -> bool:
    """Whether a topic is a board's command topic, or a user's below it."""
    # Not "/command" anywhere: a board may have this name, or a player whose hand is swept.
    parts = topic.removeprefix(f"{root}/board/").split("/")
    return topic.startswith(f"{root}/board/") and 2 <= len(parts) <= 3 and parts[1] == "command"


def sender(root: str, command: str) -> str | None:
    """Returns who sent a command, where the broker lets users write to their own topic only; `None` is the referee."""
    user = command.removeprefix(f"{root}/board/").split("/")[2:]
    return user[0] if user else None


def may_answer(root: str, command: str, wanted: str, is_player: Callable[[str], bool]) -> bool:
    """Whether the sender of a command may have the reply on the response topic `wanted`.

    Replies to a player go below the player's name only, and no other replies go there: the player would take them for
    their own.
    """
    if not (wanted.startswith(f"{root}/reply/") and _is_harmless(wanted)):
        return False
    name = wanted.removeprefix(f"{root}/reply/").partition("/")[0]
    user = sender(root, command)
    return not is_player(name) if user is None else name == user


def _is_harmless(topic: str) -> bool:
    # Nobody has checked a response topic, and a broker disconnects a client that publishes to an invalid one.
    return not set("+#") & set(topic) and topic.isprintable() and len(topic) <= LONGEST and topic.count("/") <= DEEPEST
