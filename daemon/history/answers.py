"""The history's answers over HTTP; the schemas in `docs/schemas/` are made from these types."""

from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import Field

from daemon.history.board_health_answer import BoardHealth
from daemon.history.hand_answer import HandPage
from daemon.system.payload import Payload, schema
from engine.refusals import Reason


class LegResult(Payload):
    """What a player threw in a leg, or in a match: X01's average of three darts, Cricket's marks per round, and so on.
    The checkout rate is in percent; `best_leg` is in darts. A game of another package can add what it counts."""

    name: str
    average: NotRequired[float]
    first_nine: NotRequired[float]
    checkout_rate: NotRequired[float]
    best_visit: NotRequired[int]
    best_checkout: NotRequired[int]
    best_leg: NotRequired[int]
    darts: NotRequired[int]
    mpr: NotRequired[float]


class PlayerResult(LegResult):
    """How a match ended for a player, over all of its legs. Partners have the same `team` and `score`."""

    won: bool
    team: NotRequired[int]
    score: NotRequired[int]
    sets: NotRequired[int]
    legs: NotRequired[int]


class LegInfo(Payload):
    """A leg of a match. `begins` is the number of the state with which it begins. `winners` is empty while it is
    played, and for a leg that is `shared`."""

    game: str
    begins: Annotated[int, Field(ge=0)]
    winners: list[str]
    shared: NotRequired[Literal[True]]
    players: list[LegResult]


class MatchInfo(Payload):
    """A match in a list. `result` is absent while the match is running; `results` as well, and until it is counted.

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
    results: NotRequired[list[PlayerResult]]
    actions: Annotated[int, Field(ge=0)]
    damaged: NotRequired[Literal[True]]
    first_bad_action: NotRequired[Annotated[int, Field(ge=0)]]
    checked: NotRequired[Literal[False]]
    rewritten: NotRequired[str]


class MatchRecord(Payload):
    """One match with the actions of its file. There is a state before the first action and one after each.

    `legs` is absent while a game with secrets is running: what counts there can tell them.
    """

    id: str
    game: str
    players: list[str]
    started: str
    actions: list[dict[str, Any]]
    states: Annotated[int, Field(ge=0)]
    legs: NotRequired[list[LegInfo]]


class Choice(Payload):
    """Something to filter by, and in how many matches it is."""

    name: str
    matches: Annotated[int, Field(ge=0)]


class HistoryChoices(Payload):
    """What the history can be filtered by, and how many matches pass the filters of the request."""

    matches: Annotated[int, Field(ge=0)]
    boards: list[Choice]
    games: list[Choice]
    players: list[Choice]
    formats: list[Choice]


class X01Rates(Payload):
    """A player at X01. Averages are of three darts, `ppd` is points per dart; the checkout rate is in percent.

    `doubles` has the darts thrown at each double that would have finished, and those that hit, by number or `bull`.
    """

    average: float
    ppd: float
    first_nine: float
    darts: int
    legs: int
    tons: dict[str, int]
    best_visit: int
    checkout_rate: NotRequired[float]
    best_checkout: NotRequired[int]
    best_leg: NotRequired[int]
    doubles: NotRequired[dict[str, dict[Literal["hit", "thrown"], int]]]


class CricketRates(Payload):
    """A player at Cricket. `mpr` is marks per round."""

    mpr: float
    rounds: int
    best_mpr: NotRequired[float]


class RatingInfo(Payload):
    """A player's rating over all games: 1500 with an error of 500 for a new player. Players are ranked by `least`."""

    points: int
    error: int
    least: int
    matches: Annotated[int, Field(ge=1)]


class Classes(Payload):
    """A player's class in X01 and Cricket, 1 to 18, over their last 30 legs; absent below 10 legs. `overall` is the
    mean of both, and `flight` its name."""

    x01: NotRequired[float]
    cricket: NotRequired[float]
    overall: NotRequired[float]
    flight: NotRequired[str]


class PlayerFigures(Payload):
    """A player over all matches.

    `won` are those in which they have beaten somebody, or the house; `alone`, absent for none, those that had nobody to
    beat. `beds` counts the darts in each bed, `awards` those of each kind. `rating` is absent for a player of whom no
    match counts for it, and while ratings are worked out.

    Each game that counts something has a key by its name: `x01` and `cricket` here, those of other packages as well.
    """

    name: str
    matches: int
    won: int
    alone: NotRequired[int]
    games: dict[str, int]
    beds: dict[str, int]
    awards: NotRequired[dict[str, int]]
    rating: NotRequired[RatingInfo]
    classes: NotRequired[Classes]
    x01: NotRequired[X01Rates]
    cricket: NotRequired[CricketRates]


class MonthRates(Payload):
    """A player in one month, like `2026-11`."""

    month: str
    matches: int
    won: int
    average: NotRequired[float]
    mpr: NotRequired[float]


class OpponentRates(Payload):
    """A player against another: matches, and the averages of both in these."""

    name: str
    matches: int
    won: int
    lost: int
    average: NotRequired[float]
    mpr: NotRequired[float]
    their_average: NotRequired[float]
    their_mpr: NotRequired[float]


class BestOne(Payload):
    """One of a player's best: its value, and the match and the game in which it was thrown."""

    value: int | float
    started: str
    match: str
    game: str


class FormPoint(LegResult):
    """A player in one match."""

    match: str
    started: str
    game: str
    won: bool


class Earned(Payload):
    """An achievement of a player, and the match in which they reached it. `title` has the word of each language."""

    key: str
    title: dict[str, str]
    match: str
    started: str


class PlayerPage(PlayerFigures):
    """A player in full. `form` has the last matches, the newest last; `months` begin with the oldest.

    `bests` are by kind, the best first: `leg` in darts from 501, `checkout` in points, and what other games list.
    `achievements` is absent while matches are being counted.
    """

    form: list[FormPoint]
    months: list[MonthRates]
    opponents: list[OpponentRates]
    bests: dict[str, list[BestOne]]
    achievements: NotRequired[list[Earned]]


class LeaderLine(Payload):
    """A player on a leaderboard, with their matches in the period. Of the rating, `matches` are all that counted,
    players are in the order of `least`, and `gain` is what the period has changed; absent for all time."""

    name: str
    value: int | float
    matches: int
    error: NotRequired[int]
    least: NotRequired[int]
    gain: NotRequired[int]


class LeaderBoard(Payload):
    """The first ten in one figure, the best first: `rating`, `won`, or a figure of a game, such as `average`, or
    `tons.180` for `180` in its `tons`."""

    game: NotRequired[str]
    figure: str
    players: list[LeaderLine]


class Leaders(Payload):
    """The leaderboards of a period, without those that are empty. `players` is how many have played in it."""

    period: str
    since: NotRequired[str]
    until: NotRequired[str]
    players: Annotated[int, Field(ge=0)]
    boards: list[LeaderBoard]


class HistoryReply(Payload):
    """The answer to an import or to forgetting a player, and every refusal."""

    ok: bool
    id: NotRequired[str]
    new: NotRequired[bool]
    matches: NotRequired[int]
    reason: NotRequired[Reason]
    message: NotRequired[str]
    line: NotRequired[int]


ANSWERS: Final = (
    *(MatchInfo, MatchRecord, HistoryChoices, PlayerFigures, PlayerPage, Leaders, HandPage, BoardHealth),
    HistoryReply,
)


def history_schema_files() -> dict[str, dict[str, Any]]:
    """The JSON Schema of each answer, by file name."""
    return {f"{answer.__name__}.json": schema(answer) for answer in ANSWERS}
