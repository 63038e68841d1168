"""How a finished match ended for each seat: the rows that ladders and the pages of players add up. Pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Result(NamedTuple):
    """One seat of one match, in the order of the columns of `result`."""

    match: int
    seat: int
    game: str
    started: str
    finished: bool
    won: bool
    drawn: bool
    average: float | None
    darts: int | None


def results_of(match: int, started: str, figures: Mapping[str, Any]) -> list[Result]:
    """The results of a match from the figures beside its file. A match that everyone has won is drawn."""
    winners, seats = set(figures["winners"]), figures["seats"]
    drawn = bool(figures["finished"]) and (not winners or len(winners) == len(seats) > 1)
    return [
        Result(
            match,
            seat["seat"],
            figures["game"],
            started,
            bool(figures["finished"]),
            seat["seat"] in winners and not drawn,
            drawn,
            _number(seat.get("average")),
            seat["darts"] if type(seat.get("darts")) is int else None,
        )
        for seat in seats
    ]


def _number(value: object) -> float | None:
    """A game of a package can put anything into its view."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
