"""Models of the history's answers over HTTP; the schemas in `docs/schemas/` are generated from them."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from daemon.session.payload_schemas import Payload, schema
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
    bots: dict[str, float] | None = None
    started: str
    ended: str | None = None
    result: Literal["finished", "stopped"] | None = None
    winners: list[str] | None = None
    actions: Annotated[int, Field(ge=0)]
    damaged: Literal[True] | None = None
    first_bad_action: Annotated[int, Field(ge=0)] | None = None
    checked: Literal[False] | None = None
    rewritten: str | None = None


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
    checkout_rate: float | None = None
    best_checkout: int | None = None
    best_leg: int | None = None


class CricketRates(Payload):
    """A player at Cricket. `mpr` is marks per round."""

    mpr: float
    rounds: int
    best_mpr: float | None = None


class PlayerFigures(Payload):
    """A player over all matches. `beds` counts the darts in each bed.

    Each game that counts something has a key by its name: `x01` and `cricket` here, those of other packages as well.
    """

    name: str
    matches: int
    won: int
    games: dict[str, int]
    beds: dict[str, int]
    x01: X01Rates | None = None
    cricket: CricketRates | None = None


class HistoryReply(Payload):
    """The answer to an import or to forgetting a player, and every refusal."""

    ok: bool
    id: str | None = None
    new: bool | None = None
    matches: int | None = None
    reason: Reason | None = None
    message: str | None = None
    line: int | None = None


MODELS: Final = (MatchInfo, MatchRecord, PlayerFigures, HistoryReply)


def history_schema_files() -> dict[str, dict[str, Any]]:
    """The JSON Schema of each model, by file name."""
    return {f"{model.__name__}.json": schema(model) for model in MODELS}
