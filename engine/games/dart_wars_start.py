"""Dart Wars: the throw for the bull, and the throws for homelands.

A player throws one dart a turn for their homeland. After four failed throws of
their own, the next player in the order throws for them, in their turn. `next`
counts as a failed throw.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine import bullthrow
from engine.darts import Dart
from engine.game import Event, Step
from engine.games.dart_wars_state import FIRST_TROOPS, State, begin_turn, with_troops
from engine.games.dart_wars_throws import zones_of
from engine.games.seats import with_seat
from engine.match import dart_text
from engine.refusals import Refusal
from engine.worldmap import WorldMap

OWN_THROWS: Final = 4
"""Failed throws of a player after which another one throws for their homeland."""


def start(players: tuple[str, ...], options: Mapping[str, Any], world: WorldMap) -> State | Refusal:
    """A match before its first dart."""
    more = tuple(options["handicap"].get(name, 0) for name in players)
    if FIRST_TROOPS + max(more) > options["supply"]:
        most = options["supply"] - FIRST_TROOPS
        return Refusal("bad_option", f"The handicap can be {most} troops at most; the supply has no more.")
    seats = tuple(range(len(players)))
    nobody = (None,) * len(players)
    state = State(
        world,
        players,
        options["supply"],
        "homelands",
        seats,
        0,
        nobody,
        nobody,
        (0,) * len(players),
        number=1,
        more=more,
    )
    if options["order"] == "listed":
        return state
    return replace(state, phase="order", bull=bullthrow.throw_for_bull(players))


def bull_dart(state: State, dart: Dart | None) -> Step[State] | Refusal:
    """One dart of the throw for the bull; None is a foul, a miss."""
    assert state.bull is not None
    bull = bullthrow.thrown(state.bull, dart)
    if isinstance(bull, Refusal):
        return bull
    events = [Event("dart", {"player": state.player, "dart": dart_text(dart)})]
    after = replace(state, bull=bull, number=state.number + 1)
    if bull.thrower is not None:
        events.append(Event("turn", {"player": bull.thrower}))
        return Step(replace(after, seat=state.players.index(bull.thrower)), tuple(events))
    order = tuple(state.players.index(name) for name in bull.order)
    events.append(Event("turn", {"player": bull.order[0]}))
    return Step(replace(after, phase="homelands", order=order, seat=order[0]), tuple(events))


def thrower(state: State) -> int:
    """The seat that throws for the homeland of the player whose turn it is."""
    if state.misses[state.seat] < OWN_THROWS:
        return state.seat
    return state.order[(state.order.index(state.seat) + 1) % len(state.order)]


def homeland_dart(state: State, dart: Dart | None) -> Step[State] | Refusal:
    """One dart for a homeland; None is a foul."""
    zones = () if dart is None else zones_of(state.world, dart)
    if isinstance(zones, Refusal):
        return zones
    free = free_homelands(state, zones)
    shown = dart_text(dart)
    thrown = Event("dart", {"player": state.players[thrower(state)], "dart": shown, "zones": list(zones)})
    if len(free) > 1:
        return Step(replace(state, phase="border", darts=(shown,), targets=(zones,)), (thrown,))
    step = _set_homeland(state, free[0]) if free else missed(state)
    return Step(step.state, (thrown, *step.events))


def free_homelands(state: State, zones: tuple[str, ...]) -> tuple[str, ...]:
    """The zones that can become a homeland."""
    place = state.world.geography.place
    return tuple(zone for zone in zones if place[zone].land and zone not in state.homelands)


def missed(state: State) -> Step[State]:
    """Ends a turn without a homeland."""
    misses = with_seat(state.misses, state.seat, state.misses[state.seat] + 1)
    return _next(replace(state, misses=misses))


def choose(state: State, zone: object) -> Step[State] | Refusal:
    """Chooses the zone of a dart on a border that becomes the homeland."""
    free = free_homelands(state, state.targets[0])
    if zone not in free:
        return Refusal("not_a_choice", f"The dart is on the border of {' and '.join(free)}; choose one of them.")
    return _set_homeland(state, str(zone))


def _set_homeland(state: State, zone: str) -> Step[State]:
    """The player whose turn it is makes a country their homeland."""
    after = replace(
        state,
        homelands=with_seat(state.homelands, state.seat, zone),
        taken=(*state.taken, state.seat),
        visited=(*state.visited, zone),
        troops=with_troops(state, zone, state.seat, FIRST_TROOPS + state.more[state.seat]),
    )
    step = _next(after)
    return Step(step.state, (Event("zone", {"player": state.player, "homeland": zone}), *step.events))


def _next(state: State) -> Step[State]:
    if len(state.taken) == len(state.players):
        return begin_turn(replace(state, order=state.taken), state.taken[0])
    at = state.order.index(state.seat) + 1
    following = state.order[at:] + state.order[:at]
    seat = next(seat for seat in following if state.homelands[seat] is None)
    after = replace(state, phase="homelands", seat=seat, number=state.number + 1, darts=(), targets=())
    return Step(after, (Event("turn", {"player": after.player}),))
