"""What a tournament publishes: its whole state, and what has just happened."""

from datetime import UTC, datetime
from typing import Annotated, Final, Literal, NotRequired

from pydantic import Field

from daemon.system.payload import Payload
from league.events import Call, Event, Report
from league.final_order import final_order
from league.fixtures import LoserOf, PlaceOf, Side, WinnerOf
from league.pairings import Pairing, PairingState
from league.schedule import forecast
from league.setup import Format
from league.state import Tournament
from league.tables import Row

SCHEMA = 1
BoardName = Annotated[str, Field(pattern="^([a-z0-9-]{1,32}/)?[a-z0-9-]{1,32}$")]
"""A board; one of another node has the node before it."""
MOST_DAMAGED: Final = 100
"""How many damaged lines are named, the first ones."""


MOST_WITH_MAXIMUMS: Final = 128
"""Up to so many matches the state has their 180s; with more it would become too long."""


class EntrantBody(Payload):
    """Somebody who takes part; `number` is what fixtures and tables name."""

    number: int
    name: str
    players: NotRequired[Annotated[list[str], Field(description="of a pair or a team")]]
    seed: NotRequired[int]
    withdrawn: NotRequired[Literal[True]]


class SideFrom(Payload):
    """Where a side comes from that is not known yet."""

    winner: NotRequired[Annotated[str, Field(description="id of a fixture")]]
    loser: NotRequired[str]
    group: NotRequired[str]
    place: NotRequired[int]


class FixtureBody(Payload):
    """A match of the tournament."""

    id: str
    stage: Annotated[str, Field(description="knockout, third, winners, losers, final, group or swiss")]
    round: int
    from_end: NotRequired[Annotated[int, Field(description="1 for a final, 2 for a semi-final")]]
    group: NotRequired[str]
    best_of: int
    game: str
    state: PairingState
    home: NotRequired[Annotated[int, Field(description="number of an entrant; 0 for a bye")]]
    away: NotRequired[int]
    home_from: NotRequired[SideFrom]
    away_from: NotRequired[SideFrom]
    winner: NotRequired[int]
    score: NotRequired[Annotated[list[int], Field(description="legs of the home and the away side")]]
    maximums: NotRequired[
        Annotated[list[int], Field(description="180s of the home and the away side, if any; up to 128 matches")]
    ]
    match: NotRequired[Annotated[str, Field(description="id of the match on the board")]]
    reopened: NotRequired[
        Annotated[Literal[True], Field(description="its match went on afterwards: the result stands until corrected")]
    ]
    board_score: NotRequired[Annotated[list[int], Field(description="how a reopened match has ended on its board")]]
    board: NotRequired[Annotated[BoardName, Field(description="where it was called to")]]
    since: NotRequired[Annotated[str, Field(description="when it was called, UTC")]]
    late: NotRequired[
        Annotated[Literal[True], Field(description="five minutes have passed since then, and nobody has thrown")]
    ]


class TableRow(Payload):
    """A line of a table; those who are level have the same place."""

    place: int
    entrant: int
    played: int
    won: int
    drawn: int
    lost: int
    legs: int
    against: int
    points: int


class TournamentState(Payload):
    """The whole tournament."""

    id: str
    revision: int
    schema: int
    name: str
    format: Format
    state: Literal["open", "running", "over"]
    entrants: list[EntrantBody]
    fixtures: list[FixtureBody]
    tables: dict[str, list[TableRow]]
    winner: NotRequired[int]
    order: NotRequired[
        Annotated[
            list[list[int]],
            Field(description="the entrants in their final order; those in one list share their places"),
        ]
    ]
    ends: NotRequired[Annotated[str, Field(description="forecast of the end, UTC")]]
    damaged: NotRequired[Annotated[list[int], Field(description="lines of the file that can no longer be read")]]


class TournamentEvent(Payload):
    """What has just happened, for voice and light."""

    id: str
    event: Literal["called", "result"]
    fixture: str
    players: list[str]
    board: NotRequired[BoardName]
    winner: NotRequired[str]
    score: NotRequired[list[int]]


def state_of(
    tournament: Tournament,
    name: str,
    revision: int,
    boards: int,
    now: float,
    damaged: tuple[int, ...] = (),
    late: frozenset[str] = frozenset(),
) -> TournamentState:
    """The state to publish; `boards` is how many take part, for the forecast; `late` are fixtures that wait."""
    over = tournament.over
    found: TournamentState = {
        "id": name,
        "revision": revision,
        "schema": SCHEMA,
        "name": tournament.setup.name,
        "format": tournament.setup.format,
        "state": "over" if over else "running" if tournament.drawn else "open",
        "entrants": [_entrant(tournament, number) for number in range(len(tournament.entrants))],
        "fixtures": [_fixture(tournament, pairing, late) for pairing in tournament.standing.pairings.values()],
        "tables": {group: [_row(row) for row in rows] for group, rows in tournament.standing.tables.items()},
    }
    if over and (winner := tournament.winner):
        found["winner"] = winner
    if order := final_order(tournament):
        found["order"] = [list(level) for level in order]
    if not over and (ends := forecast(tournament, boards, now)) is not None:
        found["ends"] = _time(ends)
    if damaged:
        found["damaged"] = list(damaged[:MOST_DAMAGED])
    return found


def event_of(tournament: Tournament, event: Event, event_id: str) -> TournamentEvent | None:
    """What to say after an event: only calls and results are said. `tournament` is the one after it."""
    if not isinstance(event, Call | Report) or (isinstance(event, Call) and event.board is None):
        return None
    pairing = tournament.standing.pairings[event.fixture]
    players = [tournament.by_number(side).name for side in (pairing.home, pairing.away) if side]
    said: TournamentEvent = {"id": event_id, "event": "called", "fixture": event.fixture, "players": players}
    if isinstance(event, Report):
        said |= {"event": "result", "score": list(event.score)}
        if pairing.winner:
            said["winner"] = tournament.by_number(pairing.winner).name
    elif event.board is not None:
        said["board"] = event.board
    return said


def planned_matches(tournament: Tournament) -> int:
    """How many matches the tournament will have, byes too; Swiss rounds to come are like the first."""
    setup = tournament.setup
    if setup.format != "swiss":
        return len(tournament.fixtures)
    return setup.rounds * sum(fixture.round == 1 for fixture in tournament.fixtures)


def _entrant(tournament: Tournament, index: int) -> EntrantBody:
    entrant = tournament.entrants[index]
    found: EntrantBody = {"number": entrant.number, "name": entrant.name}
    if entrant.players != (entrant.name,):
        found["players"] = list(entrant.players)
    if entrant.seed is not None:
        found["seed"] = entrant.seed
    if entrant.number in tournament.withdrawn:
        found["withdrawn"] = True
    return found


def _fixture(tournament: Tournament, pairing: Pairing, late: frozenset[str]) -> FixtureBody:
    fixture, play = pairing.fixture, tournament.play_of(pairing.fixture)
    found: FixtureBody = {
        "id": fixture.id,
        "stage": fixture.stage,
        "round": fixture.round,
        "best_of": play.best_of,
        "game": play.game,
        "state": pairing.state,
    }
    if fixture.from_end:
        found["from_end"] = fixture.from_end
    if fixture.group is not None:
        found["group"] = fixture.group
    if pairing.home is not None:
        found["home"] = pairing.home
    else:
        found["home_from"] = _from(fixture.home)
    if pairing.away is not None:
        found["away"] = pairing.away
    else:
        found["away_from"] = _from(fixture.away)
    if pairing.winner:
        found["winner"] = pairing.winner
    if pairing.result is not None:
        found["score"] = list(pairing.result.score)
        if pairing.result.match is not None:
            found["match"] = pairing.result.match
        if any(pairing.result.maximums) and planned_matches(tournament) <= MOST_WITH_MAXIMUMS:
            found["maximums"] = list(pairing.result.maximums)
    if fixture.id in tournament.reopened:
        found["reopened"] = True
        if (score := tournament.reopened[fixture.id]) is not None:
            found["board_score"] = list(score)
    if fixture.id in tournament.calls:
        found["board"] = tournament.calls[fixture.id]
        found["since"] = _time(tournament.began[fixture.id])
        if fixture.id in late:
            found["late"] = True
    return found


def _from(side: Side) -> SideFrom:
    match side:
        case WinnerOf(fixture):
            return {"winner": fixture}
        case LoserOf(fixture):
            return {"loser": fixture}
        case PlaceOf(group, place):
            return {"group": group, "place": place}
    return {}


def _row(row: Row) -> TableRow:
    return {
        "place": row.place,
        "entrant": row.entrant,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "legs": row.legs,
        "against": row.against,
        "points": row.points,
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
