"""Teams in X01 and Cricket: partners share a score and throw in turn.

Players are listed in the order in which they throw: with two teams the first and
the third are partners. Every team throws equally often, so the players of a
smaller team throw more often.
"""

from typing import Any, Final

from engine.options import Number, Option
from engine.refusals import Refusal
from engine.texts import Text

TEAMS: Final = Option(
    "teams",
    Number(2, 8),
    None,
    "number of teams; with two, every second player is a partner; default: no teams",
    label=Text("Teams", "Teams", "Équipes"),
)


def too_few(players: tuple[str, ...], teams: int) -> Refusal | None:
    """The refusal of a match in which a team has no player; None if all have."""
    if len(players) >= teams:
        return None
    return Refusal("bad_players", f"{teams} teams need at least {teams} players; there are {len(players)}.")


def partners(players: tuple[str, ...], teams: int, team: int) -> tuple[str, ...]:
    """The players of team `team`, from 0. With `teams` 0 each player is a team."""
    each = teams or len(players)
    return players[team % each :: each]


def thrower(players: tuple[str, ...], teams: int, team: int, turns: int) -> str:
    """The player of a team who throws after it has had `turns` turns."""
    members = partners(players, teams, team)
    return members[turns % len(members)]


def of_team(teams: int, at: int) -> dict[str, Any]:
    """What a view adds to the player at index `at`: their team, from 1."""
    return {"team": at % teams + 1} if teams else {}
