"""The commands that a board takes, as types. `commands.py` reads them. See `docs/bus.md`."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from daemon.session.house_payloads import AcceptBody, InviteBody
from daemon.session.payloads import ScreensBody
from daemon.session.reply_payloads import CommandId
from daemon.system.payload import Payload
from daemon.system.skills import LegWord
from engine.aiming import COARSEST_MM, FINEST_MM
from engine.visit_total import DARTS, HIGHEST


@with_config(ConfigDict(extra="forbid", strict=True))
class HandOfBody(TypedDict):
    """The hand of a player, with which a bot throws: of all their darts, or of one month.

    With a `leg` it throws the very darts of that leg in X01.
    """

    hand: str
    month: NotRequired[Annotated[str, Field(pattern="^([0-9]{4}-[0-9]{2}|last)$")]]
    leg: NotRequired[LegWord]


@with_config(ConfigDict(extra="forbid", strict=True))
class StartBody(TypedDict):
    """A match to begin."""

    game: str
    players: list[str]
    options: NotRequired[dict[str, Any]]
    best_of: NotRequired[
        Annotated[int | dict[str, Any], Field(description="the option of that name, which may be here instead")]
    ]
    rules: NotRequired[Annotated[int, Field(description="version of the game's rules; the newest where it is absent")]]
    bots: NotRequired[
        dict[
            str,
            Annotated[float, Field(ge=FINEST_MM, le=COARSEST_MM)]
            | Literal["professional", "county", "league", "pub", "casual"]
            | HandOfBody,
        ]
    ]
    boards: NotRequired[
        Annotated[list[str], Field(description="where each player throws, in the order of the players")]
    ]


@with_config(ConfigDict(extra="forbid", strict=True))
class VisitBody(TypedDict):
    """The total of a visit; of one that finishes the leg also its last bed and how many darts it had."""

    points: Annotated[int, Field(ge=0, le=HIGHEST)]
    bed: NotRequired[str]
    darts: NotRequired[Annotated[int, Field(ge=1, le=DARTS)]]


class CommandBody(Payload):
    """One of the keys says what is asked, or it is an action of a match file."""

    id: NotRequired[CommandId]
    revision: NotRequired[int]
    start: NotRequired[StartBody]
    fair: NotRequired[StartBody]
    stop: NotRequired[Literal[True]]
    visit: NotRequired[VisitBody]
    screens: NotRequired[ScreensBody]
    hint: NotRequired[Literal[True]]
    invite: NotRequired[InviteBody | Literal[True]]
    accept: NotRequired[AcceptBody]
    adjourn: NotRequired[Literal[True]]
    resume: NotRequired[Literal[True] | str]
