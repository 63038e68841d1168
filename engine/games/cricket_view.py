"""What displays get of a match of Cricket: the players, and the result."""

from typing import Any

from engine.games.cricket_state import DARTS, State
from engine.games.teams import partners
from engine.segments import BULL
from engine.statistics import rate


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


def _figures(state: State, at: int) -> dict[str, Any]:
    """The marks of each turn of the leg; of the match the marks per round, those of the best turn, and the darts."""
    total, turns = state.seats[at].total, _turns(state, at)
    best = max(total.best, *turns, 0)
    return {"mpr": rate(total.marks, total.rounds), "visits": turns, "best_visit": best, "darts": total.darts}


def _turns(state: State, at: int) -> list[int]:
    """The marks of each turn; those of the last one as soon as it has ended."""
    is_open = at == state.player and not state.finished
    ended = is_open and (state.best or len(state.darts) == DARTS)
    return [*state.seats[at].turns, *([state.marked] if ended else ())]
