"""Teams in X01 and Cricket: one score for all partners, who throw in turn.

The players are listed in the order in which they throw, so with two teams the
first and the third are partners. A team with fewer players throws as often as
the others: its players have their turns sooner again.
"""

from typing import Any, Final

from engine.options import Number, Option
from engine.refusals import Refusal

TEAMS: Final = Option(
    "teams",
    Number(2, 8),
    None,
    "how many teams; with two, every second player is a partner; default: all for themselves",
)


def too_few(players: tuple[str, ...], teams: int) -> Refusal | None:
    """The refusal of a match in which a team would have nobody."""
    if len(players) >= teams:
        return None
    return Refusal("bad_players", f"{teams} teams need {teams} players at least; these are {len(players)}.")


def partners(players: tuple[str, ...], teams: int, team: int) -> tuple[str, ...]:
    """Who plays in a team, counted from 0; with no teams (0) everyone has his own."""
    return players[team :: teams or len(players)]


def thrower(players: tuple[str, ...], teams: int, team: int, turns: int) -> str:
    """Whose turn it is in a team that has had so many."""
    mates = partners(players, teams, team)
    return mates[turns % len(mates)]


def of_team(teams: int, at: int) -> dict[str, Any]:
    """What the state adds to the player at a place of the list: his team, counted from 1."""
    return {"team": at % teams + 1} if teams else {}
