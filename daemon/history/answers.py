"""The history's answers over HTTP; the schemas in `docs/schemas/` are made from these types."""

from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import Field

from daemon.system.payload import Payload, schema
from engine.refusals import Reason


class MatchInfo(Payload):
    """A match in a list. `result` is absent while the match is running.

    `damaged` says that the record is not as it was written from `first_bad_action` on, 0 if all actions are whole.
    `checked` is false if a version without checksums wrote it. `rewritten` is when a player in it was forgotten.
    """

    id: str
    board: str
    game: str
    players: list[str]
    options: dict[str, Any]
    bots: NotRequired[dict[str, float]]
    started: str
    ended: NotRequired[str]
    result: NotRequired[Literal["finished", "stopped"]]
    winners: NotRequired[list[str]]
    actions: Annotated[int, Field(ge=0)]
    damaged: NotRequired[Literal[True]]
    first_bad_action: NotRequired[Annotated[int, Field(ge=0)]]
    checked: NotRequired[Literal[False]]
    rewritten: NotRequired[str]


class MatchRecord(Payload):
    """One match with the actions of its file. There is a state before the first action and one after each."""

    id: str
    game: str
    players: list[str]
    started: str
    actions: list[dict[str, Any]]
    states: Annotated[int, Field(ge=0)]


class X01Rates(Payload):
    """A player at X01. Averages are of three darts; the checkout rate is in percent."""

    average: float
    first_nine: float
    darts: int
    legs: int
    tons: dict[str, int]
    best_visit: int
    checkout_rate: NotRequired[float]
    best_checkout: NotRequired[int]
    best_leg: NotRequired[int]


class CricketRates(Payload):
    """A player at Cricket. `mpr` is marks per round."""

    mpr: float
    rounds: int
    best_mpr: NotRequired[float]


class PlayerFigures(Payload):
    """A player over all matches. `beds` counts the darts in each bed, `awards` those of each kind.

    Each game that counts something has a key by its name: `x01` and `cricket` here, those of other packages as well.
    """

    name: str
    matches: int
    won: int
    games: dict[str, int]
    beds: dict[str, int]
    awards: NotRequired[dict[str, int]]
    x01: NotRequired[X01Rates]
    cricket: NotRequired[CricketRates]


class HistoryReply(Payload):
    """The answer to an import or to forgetting a player, and every refusal."""

    ok: bool
    id: NotRequired[str]
    new: NotRequired[bool]
    matches: NotRequired[int]
    reason: NotRequired[Reason]
    message: NotRequired[str]
    line: NotRequired[int]


ANSWERS: Final = (MatchInfo, MatchRecord, PlayerFigures, HistoryReply)


def history_schema_files() -> dict[str, dict[str, Any]]:
    """The JSON Schema of each answer, by file name."""
    return {f"{answer.__name__}.json": schema(answer) for answer in ANSWERS}
