"""What displays get of a match of X01: the players, and the result of a leg."""

from typing import Any

from engine.games.teams import partners
from engine.games.x01_state import State, side


def player_view(state: State, at: int) -> dict[str, Any]:
    """The player at index `at`: the score, what was thrown in the match, and the visits of the leg."""
    seat = state.seats[at % len(state.seats)]
    return seat.total.to_json() | {
        "name": state.rules.players[at],
        "score": seat.left,
        "in": seat.is_in,
        "legs": seat.legs,
        "sets": seat.sets,
        "leg_darts": seat.leg.darts,
        "visits": _visits(state, at % len(state.seats)),
    }


def result(state: State) -> dict[str, Any]:
    """The end of a leg, a set or the match, which the winning dart decides before `next` closes the visit.

    The figures are those of the match, if it is over, and those of the leg otherwise.
    """
    rules, winner = state.rules, state.seats[state.player]
    match_won = winner.sets == rules.sets
    kind = "match" if match_won else "set" if winner.legs == rules.legs else "leg"
    return {
        "of": kind,
        "winners": list(side(state)),
        "bed": state.darts[-1],
        "points": state.worth[-1],
        "checkout": state.before.left,
        "leg_darts": winner.leg.darts,
        "players": [
            (seat.total if match_won else seat.leg).to_json()
            | {
                "name": " & ".join(partners(rules.players, rules.teams, at)),
                "legs": seat.legs,
                "sets": seat.sets,
                "start": rules.starts[at],
                "visits": _visits(state, at),
            }
            for at, seat in enumerate(state.seats)
        ],
    }


def _visits(state: State, at: int) -> list[int]:
    """The points of each visit of this leg; those of the last one as soon as its last dart has landed."""
    ended = at == state.player and state.end
    return [*state.seats[at].visits, *([state.before.left - state.seats[at].left] if ended else ())]
