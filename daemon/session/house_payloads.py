"""The payloads about matches in two houses. See `docs/bus.md`."""

from typing import Any, Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from daemon.system.payload import Payload


class House(Payload):
    """Another house of the match: its node, and whether it is there, its line is down, or it has left."""

    node: str
    state: Literal["here", "away", "left"]
    host: bool


class Sent(Payload):
    """What a hit has besides, if it is sent to another house."""

    match: str
    dart: int
    turn: int


class Invitation(Payload):
    """A match to be played with another house: the code that accepts it, what is played, and who plays there."""

    code: str
    game: str
    players: list[str]
    options: dict[str, Any]
    guests: list[str]
    expires: str


@with_config(ConfigDict(extra="forbid", strict=True))
class InviteBody(TypedDict):
    """A match with another house, whose players are `guests`; without a body the match on the board, once more."""

    game: str
    players: list[str]
    guests: list[str]
    options: NotRequired[dict[str, Any]]


@with_config(ConfigDict(extra="forbid", strict=True))
class AcceptBody(TypedDict):
    """The code of an invitation. With `look` the reply says what it invites to, and nothing begins."""

    code: str
    look: NotRequired[bool]
