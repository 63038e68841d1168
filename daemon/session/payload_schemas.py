"""The payloads on the bus as pydantic models, from which the AsyncAPI page and the JSON Schemas in `docs/` are made.

The daemon makes its payloads in `payloads.py`, without these models: validating its own output would cost a dart about
a millisecond on a small Pi. A test validates every payload that the daemon sends instead.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from daemon.mqtt.node_name import ClaimState
from daemon.session.payloads import SCHEMA
from engine.game import Awaits, EventKind
from engine.refusals import Reason

Name = Annotated[str, Field(pattern="^[a-z0-9-]{1,32}$")]
Id = Annotated[str | int, Field(description="text of 1 to 128 characters, or a whole number")]
BoardState = Literal["online", "offline", "faulty"]


class Payload(BaseModel):
    """Absent fields are left out; fields that are not described here may come and are to be ignored."""

    model_config = ConfigDict(extra="allow", strict=True)


class UnknownPort(Payload):
    """A plugged-in device that does not say what it is; the message says what to type if it is a board."""

    port: str
    message: str


class DamagedRecord(Payload):
    """Something in the journal that is damaged or gone; a match is damaged from its first bad action on."""

    message: str
    match: str | None = None
    first_bad_action: Annotated[int, Field(ge=0)] | None = None


class NodeStatus(Payload):
    """Whether the daemon is there: commands count while it is online."""

    state: Literal["online", "offline"]
    version: str
    schema_: int = Field(alias="schema")
    boards: list[Name]
    games: list[str]
    instance: str | None = Field(
        default=None,
        description="new with each start of the daemon; absent at the broker that the daemon starts itself",
    )
    conflict: Literal[True] | None = Field(
        default=None, description="another daemon with this node name waits, and publishes nothing"
    )
    unknown: list[UnknownPort] | None = None
    damaged: list[DamagedRecord] | None = Field(
        default=None, description="what the journal can no longer read as it was written, 20 at most"
    )
    counters: dict[str, int] | None = Field(
        default=None,
        description="messages that met no broker or a slow one (`dropped`), came too fast (`lost`), or that the "
        "embedded broker dropped for clients that did not keep up (`missed`); displays that were put out (`stuck`)",
    )


class NameClaim(Payload):
    """What daemons with one node name say to each other; see "Two daemons with one name" in docs/bus.md."""

    instance: str
    state: ClaimState


class PairingCode(Payload):
    """Lets a player in, where the pages are open to the network: the code, and the page that takes it."""

    code: str
    url: str


class Newcomer(Payload):
    """A user who was added with a code: the name they gave, the address they came from, and when."""

    user: Name
    role: Literal["display", "player", "referee"]
    name: str | None = None
    from_: str = Field(alias="from")
    time: str


class Unconfirmed(Payload):
    """The users who were added with a code and whom no referee has confirmed yet."""

    users: list[Newcomer]


class BoardStatus(Payload):
    """Whether a board's darts count, what it can tell, and in sentences what it cannot (`limits`)."""

    state: BoardState
    model: str
    can: dict[str, Any]
    stuck: list[str]
    limits: list[str]
    counters: dict[str, int]
    reason: str | None = None
    message: str | None = None


class Hit(Payload):
    """One dart. Either `segment` or `points` with `candidates` is there."""

    id: str
    seq: Annotated[int, Field(ge=1)]
    segment: str | None = None
    at: list[float] | None = None
    points: int | None = None
    candidates: list[str] | None = None
    time: str
    source: dict[str, Any]


class Turn(Payload):
    """Whose turn it is, and what it waits for. Games add fields of their own."""

    player: str
    actor: str
    darts: list[str]
    awaits: Awaits
    candidates: list[str] | None = None


class Player(Payload):
    """One player. Games add fields of their own."""

    name: str
    score: int


class MatchState(Payload):
    """The whole public state of a match. Games add fields of their own."""

    schema_: int = Field(alias="schema")
    match: str
    revision: Annotated[int, Field(ge=1)]
    game: str
    options: dict[str, Any]
    finished: bool
    winners: list[str]
    turn: Turn
    players: list[Player]
    bots: dict[str, float] | None = None
    doubtful: list[str] | None = None


class AimBody(Payload):
    """Where to aim: what is there, the point in board radii, and the chance to hit it."""

    target: str
    at: list[float]
    odds: float


class HintBody(Payload):
    """What the advice of a game would do for one whose darts spread by `skill` mm: an aim, or an action to send."""

    skill: float
    aim: AimBody | None = None
    action: dict[str, Any] | None = None


class Hand(Payload):
    """What only the player in one seat may see."""

    schema_: int = Field(alias="schema")
    match: str
    revision: Annotated[int, Field(ge=1)]
    name: str
    hint: HintBody | None = None


class Event(Payload):
    """Something that just happened. Each kind carries fields of its own."""

    id: str
    event: EventKind
    match: str | None = None
    revision: int | None = None


class Reply(Payload):
    """The answer to a command that had an id."""

    id: Id
    ok: bool
    revision: int | None = None
    reason: Reason | None = None
    message: str | None = None
    hint: HintBody | None = None


class StartBody(BaseModel):
    """A match to begin."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str
    players: list[str]
    options: dict[str, Any] = Field(default_factory=dict)
    rules: int | None = Field(default=None, description="version of the game's rules; the newest where it is absent")
    bots: dict[str, Annotated[float, Field(ge=1, le=120)]] = Field(default_factory=dict)


class CommandBody(Payload):
    """One of the keys says what is asked: `start`, `stop`, `hint`, or an action of a match file."""

    id: Id | None = None
    revision: int | None = None
    start: StartBody | None = None
    stop: Literal[True] | None = None
    hint: Literal[True] | None = None


class Channel(BaseModel):
    """One topic: its address below `oche/{node}/`, which way it goes, and what it carries."""

    model_config = ConfigDict(frozen=True)

    name: str
    address: str
    payload: type[Payload]
    retained: bool
    sent_by_us: bool


_BOARD: Final = "board/{board}"

CHANNELS: Final = (
    Channel(name="nodeStatus", address="status", payload=NodeStatus, retained=True, sent_by_us=True),
    Channel(name="nameClaim", address="claim", payload=NameClaim, retained=False, sent_by_us=True),
    Channel(name="pairing", address="pairing", payload=PairingCode, retained=True, sent_by_us=True),
    Channel(name="unconfirmed", address="unconfirmed", payload=Unconfirmed, retained=True, sent_by_us=True),
    Channel(name="boardStatus", address=f"{_BOARD}/status", payload=BoardStatus, retained=True, sent_by_us=True),
    Channel(name="hit", address=f"{_BOARD}/hit", payload=Hit, retained=False, sent_by_us=True),
    Channel(name="match", address=f"{_BOARD}/match", payload=MatchState, retained=True, sent_by_us=True),
    Channel(name="event", address=f"{_BOARD}/event", payload=Event, retained=False, sent_by_us=True),
    Channel(name="hand", address=f"{_BOARD}/hand/{{seat}}", payload=Hand, retained=True, sent_by_us=True),
    Channel(name="userHand", address=f"{_BOARD}/hand/{{user}}", payload=Hand, retained=True, sent_by_us=True),
    Channel(name="reply", address=f"{_BOARD}/reply", payload=Reply, retained=False, sent_by_us=True),
    Channel(name="command", address=f"{_BOARD}/command", payload=CommandBody, retained=False, sent_by_us=False),
    Channel(
        name="userCommand", address=f"{_BOARD}/command/{{user}}", payload=CommandBody, retained=False, sent_by_us=False
    ),
)


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI 3.0 description of the bus; its version is that of the payloads."""
    models = dict.fromkeys(channel.payload for channel in CHANNELS)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "oche on MQTT", "version": f"{SCHEMA}.0.0", "description": "See docs/bus.md for the words."},
        "defaultContentType": "application/json",
        "channels": {channel.name: _channel(channel) for channel in CHANNELS},
        "operations": {
            f"{'send' if channel.sent_by_us else 'receive'}{channel.name[0].upper()}{channel.name[1:]}": {
                "action": "send" if channel.sent_by_us else "receive",
                "channel": {"$ref": f"#/channels/{channel.name}"},
                "bindings": {"mqtt": {"qos": 1, "retain": channel.retained}},
            }
            for channel in CHANNELS
        },
        "components": {"schemas": {model.__name__: schema(model) for model in models}},
    }


def schema_files() -> dict[str, dict[str, Any]]:
    """The JSON Schema of every payload, by file name."""
    return {f"{channel.payload.__name__}.json": schema(channel.payload) for channel in CHANNELS}


def schema(model: type[Payload]) -> dict[str, Any]:
    """The JSON Schema of one payload."""
    return model.model_json_schema(by_alias=True)


def _channel(channel: Channel) -> dict[str, Any]:
    address = f"oche/{{node}}/{channel.address}"
    names = [part[1:-1] for part in address.split("/") if part.startswith("{")]
    return {
        "address": address,
        "messages": {
            channel.payload.__name__: {"payload": {"$ref": f"#/components/schemas/{channel.payload.__name__}"}}
        },
        "parameters": {name: {} for name in names},
    }
