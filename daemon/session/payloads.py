"""What is published about a board and its match: the types, and the functions that make them. See `docs/bus.md`."""

from typing import Annotated, Any, Final, Literal, NotRequired, cast

from pydantic import Field

from daemon.session.ghost_legs import Follows
from daemon.session.house_payloads import House, Sent
from daemon.system.payload import Payload
from engine import hits
from engine.actions import EARLIER, action_to_json
from engine.darts import Points, Position
from engine.earlier_turns import earlier_turn
from engine.game import Advice, Awaits, EventKind
from engine.game import Event as GameEvent
from engine.geometry import segment_at
from engine.match import Match, dart_shown
from engine.refusals import Reason, Refusal
from engine.result import decided
from engine.segments import Segment

SCHEMA: Final = 1
"""Version of the payloads. Fields may be added within a version."""

Revision = Annotated[int, Field(ge=1)]


class ScreensBody(Payload):
    """Whether the screens of a board play sound and speak; absent where nobody has switched it."""

    sound: NotRequired[bool]
    caller: NotRequired[bool]


class BoardState(Payload):
    """Whether a board's darts count, and why not."""

    state: Literal["online", "offline", "faulty"]
    reason: NotRequired[str]
    message: NotRequired[str]
    battery: NotRequired[Annotated[int, Field(ge=0, le=100)]]
    screens: NotRequired[ScreensBody]


class BoardStatus(BoardState):
    """Whether a board's darts count, what it can tell, and in sentences what it cannot (`limits`)."""

    model: str
    can: dict[str, Any]
    stuck: list[str]
    limits: list[str]
    counters: dict[str, int]


class Landed(Payload):
    """Where a dart landed, as exactly as the board reports it."""

    segment: NotRequired[str]
    at: NotRequired[list[float]]
    points: NotRequired[int]
    candidates: NotRequired[list[str]]


class Hit(Landed):
    """One dart. Either `segment` or `points` with `candidates` is there."""

    id: str
    seq: Annotated[int, Field(ge=1)]
    time: str
    source: dict[str, Any]
    match: NotRequired[Annotated[str, Field(description="the match of another house that it is sent to")]]
    dart: NotRequired[Annotated[int, Field(description="its number in that visit")]]
    turn: NotRequired[Annotated[int, Field(description="the number of that visit in the match")]]


class Turn(Payload):
    """Whose turn it is, and what it waits for. Games add fields of their own."""

    player: str
    actor: str
    darts: list[str]
    awaits: Awaits
    ends: NotRequired[Annotated[Literal["next", "done"], Field(description="the command that ends the turn now")]]
    candidates: NotRequired[list[str]]
    began: NotRequired[str]


class Player(Payload):
    """One player; `awards` counts those of each kind in this match, `board` is where they throw if the match is on
    several boards. Games add fields of their own."""

    name: str
    score: int
    board: NotRequired[str]
    awards: NotRequired[dict[str, int]]


class EarlierTurn(Payload):
    """A turn whose darts can still be corrected, `back` turns ago."""

    back: Annotated[int, Field(ge=1, le=EARLIER)]
    player: str
    darts: list[str]


class Result(Payload):
    """Who has won a leg, a set or the match, as soon as the winning dart has landed. Games add figures of their own."""

    of: Literal["leg", "set", "match"]
    winners: list[str]


class MatchState(Payload):
    """The whole public state of a match; `chance` is that of each player to win, absent while it is unknown. Games add
    fields of their own."""

    schema: int
    match: str
    revision: Revision
    game: str
    options: dict[str, Any]
    finished: bool
    winners: list[str]
    turn: Turn
    players: list[Player]
    bots: NotRequired[dict[str, float]]
    ghosts: NotRequired[
        Annotated[
            dict[str, Follows],
            Field(description="bots that throw again what a player has thrown: what their next dart comes from"),
        ]
    ]
    doubtful: NotRequired[list[str]]
    chance: NotRequired[dict[str, Annotated[float, Field(ge=0, le=1)]]]
    result: NotRequired[Result]
    earlier: NotRequired[list[EarlierTurn]]
    houses: NotRequired[list[House]]
    sent: NotRequired[Annotated[list[str], Field(description="darts that the host's house has not confirmed")]]


class AimBody(Payload):
    """Where to aim: what is there, the point in board radii, and the chance to hit it."""

    target: str
    at: list[float]
    odds: float


class HintBody(Payload):
    """What the advice of a game would do for one whose darts spread by `skill` mm: an aim, or an action to send."""

    skill: float
    aim: NotRequired[AimBody]
    action: NotRequired[dict[str, Any]]


class Hand(Payload):
    """What only the player in one seat may see."""

    schema: int
    match: str
    revision: Revision
    name: str
    hint: NotRequired[HintBody]


class Event(Payload):
    """Something that just happened. Each kind carries fields of its own."""

    id: str
    event: EventKind
    match: NotRequired[str]
    revision: NotRequired[int]


class IgnoredEvent(Event):
    """A hit that no throw awaited."""

    hit: str
    reason: Reason
    message: str


def match_state(
    match_id: str, match: Match, bots: dict[str, float], revision: int, earlier: tuple[EarlierTurn, ...]
) -> MatchState:
    """The whole public state of a match; `earlier` are the turns whose darts can be corrected."""
    about = {"schema": SCHEMA, "match": match_id, "revision": revision, "options": match.header.options}
    view = match.view()
    if "result" not in view and (winners := decided(match)) is not None:
        view["result"] = {"of": "match", "winners": list(winners)}
    if bots:
        about["bots"] = bots
    if earlier and not match.finished:
        about["earlier"] = list(earlier)
    # A game adds fields that no type names.
    return cast(MatchState, about | view)


def earlier_turns(match: Match) -> tuple[EarlierTurn, ...]:
    """The turns before this one whose darts can be corrected, the last one first."""
    turns = ((back, earlier_turn(match, back)) for back in range(1, EARLIER + 1))
    return tuple(
        {"back": back, "player": turn[0], "darts": [dart_shown(dart) for dart in turn[1].values()]}
        for back, turn in turns
        if turn and turn[1]
    )


def hint(advice: Advice, skill_mm: float) -> HintBody:
    """Advice as a hint: where to aim and the chance to hit it, or an action that can be sent."""
    body: HintBody = {"skill": skill_mm}
    if advice.action is not None:
        body["action"] = action_to_json(advice.action)
    elif (aim := advice.aim) is not None:
        body["aim"] = {"target": aim.target, "at": [round(aim.x, 3), round(aim.y, 3)], "odds": round(aim.odds, 3)}
    return body


def hands(match_id: str, match: Match, state: MatchState) -> dict[int, Hand]:
    """What only one player may see, by seat: the part of their own entry that is not in the public `state`."""
    found: dict[int, Hand] = {}
    if match.all_public:
        return found
    for seat, name in enumerate(match.header.players, 1):
        own = next(player for player in match.view(name)["players"] if player["name"] == name)
        shown = next(player for player in state["players"] if player["name"] == name)
        secret = {key: value for key, value in own.items() if key not in shown}
        if secret:
            hand: Hand = {"schema": SCHEMA, "match": match_id, "revision": state["revision"], "name": name}
            found[seat] = cast(Hand, hand | secret)
    return found


def events(match_id: str, revision: int, events: tuple[GameEvent, ...]) -> list[Event]:
    """The events of a transition; their ids are the same however often they are sent."""
    about = {"match": match_id, "revision": revision}
    return [
        cast(Event, {"id": f"{match_id}-{revision}-{n}", "event": event.kind, **about, **event.data})
        for n, event in enumerate(events)
    ]


def hit(found: hits.Hit, sent: Sent | None = None) -> Hit:
    """A dart that landed; `sent` says which match of another house it is sent to."""
    about = {"id": found.id, "seq": found.seq, **_landed(found.dart), "time": found.time, "source": found.source}
    return cast(Hit, about if sent is None else {**about, **sent})


def _landed(dart: Segment | Position | Points) -> Landed:
    match dart:
        case Segment():
            return {"segment": dart.text}
        case Position():
            return {"segment": segment_at(dart).text, "at": [dart.x, dart.y]}
        case Points():
            return {"points": dart.points, "candidates": [bed.text for bed in dart.candidates]}


def ignored(hit_id: str, revision: int, refusal: Refusal) -> IgnoredEvent:
    """The event for a hit that no throw awaited."""
    return {
        "id": f"{hit_id}-ignored",
        "revision": revision,
        "event": "ignored",
        "hit": hit_id,
        "reason": refusal.reason,
        "message": refusal.message,
    }


def stopped(match_id: str) -> Event:
    """The event for a match that was taken off its board."""
    return {"id": f"{match_id}-stopped", "event": "stopped", "match": match_id}
