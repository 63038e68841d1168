"""The payload of the topic `status` of a node."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from daemon.system.payload import Name, Payload


class UnknownPort(Payload):
    """A plugged-in device that does not say what it is; the message says what to type if it is a board."""

    port: str
    message: str


class DamagedRecord(Payload):
    """Something in the journal that is damaged or gone; a match is damaged from its first bad action on."""

    message: str
    match: NotRequired[str]
    first_bad_action: NotRequired[Annotated[int, Field(ge=0)]]


class HallStatus(Payload):
    """What is sent to the hall that the node has joined."""

    state: Literal["connected", "away", "refused"]
    waiting: Annotated[int, Field(ge=0, description="how many lines the hall did not have then")]
    message: NotRequired[Annotated[str, Field(description="why, where the hall is away or refuses")]]


class NodeStatus(Payload):
    """Whether the daemon is there: commands count while it is online."""

    state: Literal["online", "offline"]
    version: str
    schema: int
    boards: list[Name]
    games: list[str]
    instance: NotRequired[
        Annotated[
            str,
            Field(
                description="new with each start of the daemon; absent at the broker that the daemon starts itself",
            ),
        ]
    ]
    conflict: NotRequired[
        Annotated[Literal[True], Field(description="another daemon with this node name waits, and publishes nothing")]
    ]
    houses: NotRequired[Annotated[Literal[True], Field(description="matches with other houses are configured")]]
    unknown: NotRequired[list[UnknownPort]]
    damaged: NotRequired[
        Annotated[
            list[DamagedRecord],
            Field(description="what the journal can no longer read as it was written, 20 at most"),
        ]
    ]
    hall: NotRequired[HallStatus]
    counters: NotRequired[
        Annotated[
            dict[str, int],
            Field(
                description="messages that met no broker or a slow one (`dropped`), came too fast (`lost`), or that "
                "the embedded broker dropped for clients that did not keep up (`missed`); displays that were "
                "disconnected because they did not read (`stuck`)",
            ),
        ]
    ]
