"""The end of a turn and of a round of Cerberus: who gets points, who is out, and who has won."""

from dataclasses import replace
from typing import Final

from engine.game import Event, Step
from engine.games.cerberus_state import Seat, State, name_of, scored_of
from engine.games.seats import with_seat

PENALTY: Final = 3
MOST: Final = 50
"""The highest score of a turn."""
AWARD: Final = "cerberus_50"
"""The award for a turn of MOST points."""


def close(state: State) -> Step[State]:
    """Adds the points of the turn or the penalty; after the last player the round ends."""
    scored, seat = scored_of(state), state.seats[state.player]
    points = scored or -min(PENALTY, seat.total)
    seats = with_seat(state.seats, state.player, replace(seat, total=seat.total + points))
    events = [_score(state, state.player, points, seats)]
    if points == MOST:
        events.append(Event("award", {"player": name_of(state, state.player), "award": AWARD, "points": points}))
    for player in range(state.player + 1, len(state.rules.players)):
        if not seats[player].out:
            return _begin(state, seats, state.round, player, events)
    seats = _end_round(state, seats, events)
    if sum(not seat.out for seat in seats) > 1 and state.round != state.rules.rounds:
        first = next(at for at, seat in enumerate(seats) if not seat.out)
        events.append(Event("round", {"round": state.round + 1}))
        return _begin(state, seats, state.round + 1, first, events)
    # One is left, or the rounds are over; those left are placed by their totals.
    seats = tuple(seat if seat.out else replace(seat, place=_place(seat, seats)) for seat in seats)
    over = replace(state, seats=seats, finished=True)
    events.append(Event("won", {"winners": list(winners_of(state, seats))}))
    return Step(over, tuple(events))


def _place(seat: Seat, seats: tuple[Seat, ...]) -> int:
    """The place of a seat among those still in, by total."""
    return 1 + sum(not other.out and other.total > seat.total for other in seats)


def winners_of(state: State, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    """The names of the seats in the first place."""
    return tuple(name_of(state, at) for at, seat in enumerate(seats) if seat.place == 1)


def _end_round(state: State, seats: tuple[Seat, ...], events: list[Event]) -> tuple[Seat, ...]:
    """The seats after Cerberus has his points and seats too far behind are out. Appends to `events`."""
    if state.rules.house is not None and not seats[-1].out:
        seats = (*seats[:-1], replace(seats[-1], total=seats[-1].total + state.rules.house))
        events.append(_score(state, len(seats) - 1, state.rules.house, seats))
    leader = max(seat.total for seat in seats if not seat.out)
    falling = [at for at, seat in enumerate(seats) if not seat.out and leader - seat.total >= state.rules.margin]
    staying = sum(not seat.out for seat in seats) - len(falling)
    after = list(seats)
    for at in falling:
        place = staying + 1 + sum(seats[other].total > seats[at].total for other in falling)
        after[at] = replace(seats[at], out=state.round, place=place)
        events.append(Event("out", {"player": name_of(state, at), "round": state.round, "place": place}))
    return tuple(after)


def _score(state: State, at: int, points: int, seats: tuple[Seat, ...]) -> Event:
    return Event("score", {"player": name_of(state, at), "points": points, "score": seats[at].total})


def _begin(state: State, seats: tuple[Seat, ...], number: int, player: int, events: list[Event]) -> Step[State]:
    begun = State(state.rules, seats, state.number + 1, number, player)
    return Step(begun, (*events, Event("turn", {"player": name_of(begun, player)})))
