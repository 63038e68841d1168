"""A finished match as its page tells it: the result of each player, and every visit. Pure."""

from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from engine.actions import Foul, Throw
from engine.faces import Faces
from engine.match import dart_shown
from engine.matchfile import Games
from engine.statistics import Visit, visits
from hall.replayed import of_file
from league.nameless import seat_name

MOST_VISITS: Final = 1_000
"""How many visits a page shows."""
_COLUMNS: Final = ("score", "legs", "average", "darts")
"""What is shown of each player, as far as the game has it for everyone."""


@dataclass(frozen=True, slots=True)
class PlayerTold:
    """A player at the end; `cells` are those of `Told.columns`."""

    seat: int
    won: bool
    cells: tuple[str | float, ...]


@dataclass(frozen=True, slots=True)
class VisitTold:
    """One visit: whose, its darts, and the player's score after it. `seat` is 0 if nobody's."""

    seat: int
    darts: tuple[str, ...]
    score: str


@dataclass(frozen=True, slots=True)
class Told:
    """A match for its page; `more` says that it had more visits."""

    columns: tuple[str, ...]
    players: tuple[PlayerTold, ...]
    visits: tuple[VisitTold, ...]
    more: bool


def told(text: str, games: Games, faces: Faces) -> Told | None:
    """The match of a nameless file; None if these games and rules cannot play it."""
    match = of_file(text, games, faces).match
    if match is None:
        return None
    view = match.view()
    players = {player["name"]: player for player in view["players"]}
    seats = {seat_name(seat): seat for seat in range(1, len(match.header.players) + 1)}
    columns = tuple(key for key in _COLUMNS if all(_is_plain(players.get(name, {}).get(key)) for name in seats))
    rows = tuple(
        PlayerTold(seat, name in view["winners"], tuple(_cell(players[name][key]) for key in columns))
        for name, seat in seats.items()
    )
    thrown = [visit for visit in islice(visits(match), MOST_VISITS + 1) if visit.darts]
    return Told(
        columns,
        rows,
        tuple(_visit(visit, seats, match.game) for visit in thrown[:MOST_VISITS]),
        len(thrown) > MOST_VISITS,
    )


def _visit(visit: Visit[Any], seats: dict[str, int], game: Any) -> VisitTold:
    shown = {player["name"]: player for player in game.view(visit.last, None)["players"]}
    darts = tuple(dart_shown(action) for action, _ in visit.played if isinstance(action, Throw | Foul))
    return VisitTold(seats.get(visit.player, 0), darts, _text(shown.get(visit.player, {}).get("score", "")))


def _is_plain(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: object) -> str | float:
    """A mean stays a number: each language writes it in its own way."""
    return value if isinstance(value, float) else _text(value)


def _text(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)
