"""Dart Wars: the consequences of moves and combats: conquests, attacks that lapse, the end."""

from dataclasses import replace

from engine.game import Event, Step
from engine.games.dart_wars_state import (
    State,
    begin_turn,
    enemies,
    head,
    on_map,
    troops_of,
    turns_from,
    with_troops,
    won,
)


def consequences(state: State, *events: Event) -> Step[State]:
    """Conquers every homeland that falls, one at a time, and drops attacks without an enemy."""
    sent = list(events)
    while (fallen := _falling(state)) is not None:
        step = _conquered(state, fallen)
        state = step.state
        sent.extend(step.events)
        free = [seat for seat, master in enumerate(state.masters) if master is None]
        if len(free) == 1:
            step = won(state, free[0])
            return Step(step.state, (*sent, *step.events))
    if any(not enemies(state, state.seat, zone) for zone in state.attacks):
        left = {zone: count for zone, count in state.attacks.items() if enemies(state, state.seat, zone)}
        state = replace(state, attacks=left)
    return Step(state, tuple(sent))


def _falling(state: State) -> int | None:
    """The first seat, from the current one on, whose homeland holds enemies and no troop of its own alliance."""
    troops, homelands, masters = state.troops, state.homelands, state.masters
    for owner in turns_from(state):
        here = troops.get(homelands[owner] or "")
        if here is None or here[owner]:
            continue
        side = head(state, owner)
        if not any(count and (seat == side or masters[seat] == side) for seat, count in enumerate(here)):
            return owner
    return None


def _conquered(state: State, owner: int) -> Step[State]:
    home = state.homelands[owner]
    assert home is not None
    conqueror = _conqueror(state, owner, home)
    master = head(state, conqueror)
    changed = tuple(master if seat == owner or old == owner else old for seat, old in enumerate(state.masters))
    event = {"homeland": home, "owner": state.players[owner], "by": state.players[conqueror]}
    state = replace(state, masters=changed)
    pardon = on_map(state, owner) == 0
    if pardon:
        state = replace(state, troops=with_troops(state, home, owner, 1))
    return Step(state, (Event("conquest", event | {"master": state.players[master], "pardon": pardon}),))


def _conqueror(state: State, owner: int, home: str) -> int:
    there = enemies(state, owner, home)
    if state.seat in there:
        return state.seat
    # max returns the first of equals, here in the order of turns.
    return max((seat for seat in turns_from(state) if seat in there), key=lambda seat: troops_of(state, seat, home))


def end_turn(state: State) -> Step[State]:
    """Ends the turn: a player surrenders, or the next player with a troop has their turn."""
    pair = _surrender(state)
    if pair is None:
        following = turns_from(state)
        seat = next(seat for seat in (*following[1:], state.seat) if on_map(state, seat))
        return begin_turn(state, seat)
    alone, master = pair
    masters = tuple(master if seat == alone else old for seat, old in enumerate(state.masters))
    event = {"owner": state.players[alone], "master": state.players[master], "surrender": True}
    step = won(replace(state, masters=masters), master)
    return Step(step.state, (Event("conquest", event), *step.events))


def _surrender(state: State) -> tuple[int, int] | None:
    """A player alone against one alliance without troops away from home, and the master of that alliance; or None."""
    free = [seat for seat, master in enumerate(state.masters) if master is None]
    if len(free) != 2:
        return None
    for alone, master in (free, free[::-1]):
        has_vassals = alone in state.masters
        away = any(here[alone] for zone, here in state.troops.items() if zone != state.homelands[alone])
        if not has_vassals and master in state.masters and not away:
            return alone, master
    return None
