"""What displays get of a match of Cricket: the players, and the result."""

from typing import Any

from engine.games.cricket_state import DARTS, Seat, State
from engine.games.teams import partners
from engine.segments import BULL


def winners_of(state: State) -> tuple[str, ...]:
    """The players of the seats that have won."""
    rules = state.rules
    return tuple(name for at in state.best for name in partners(rules.players, rules.teams, at))


def player_view(state: State, at: int) -> dict[str, Any]:
    """The player at index `at`: the score, the marks on each number, and the marks of each turn."""
    rules, seat = state.rules, state.seats[at % len(state.seats)]
    names = ("bull" if number == BULL else str(number) for number in rules.numbers)
    marks = dict(zip(names, seat.marks, strict=True))
    return {"name": rules.players[at], "score": seat.score, "marks": marks} | _figures(state, at % len(state.seats))


def result(state: State) -> dict[str, Any]:
    """Who has won, which the winning dart decides before `next` closes the turn."""
    rules = state.rules
    bed = {"bed": state.darts[-1]} if state.darts else {}
    return bed | {
        "of": "match",
        "winners": list(winners_of(state)),
        "players": [
            {"name": " & ".join(partners(rules.players, rules.teams, at)), "score": seat.score} | _figures(state, at)
            for at, seat in enumerate(state.seats)
        ],
    }


def marks_per_round(seat: Seat) -> float:
    """Counted marks per round, with two decimals, half rounded up (a float may be just below or above a half)."""
    return (200 * seat.counted + seat.rounds) // (2 * seat.rounds) / 100 if seat.rounds else 0.0


def _figures(state: State, at: int) -> dict[str, Any]:
    """Marks per round, the marks of each turn, those of the best one, and the darts, of the seat at index `at`."""
    seat, turns = state.seats[at], _turns(state, at)
    return {"mpr": marks_per_round(seat), "visits": turns, "best_visit": max(turns, default=0), "darts": seat.darts}


def _turns(state: State, at: int) -> list[int]:
    """The marks of each turn; those of the last one as soon as it has ended."""
    is_open = at == state.player and not state.finished
    ended = is_open and (state.best or len(state.darts) == DARTS)
    return [*state.seats[at].turns, *([state.marked] if ended else ())]
