"""Dart Wars: which moves the darts of a turn allow, and what a move does.

Whether a free move or a pass makes an owed attack impossible is read from the
state after that move.
"""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Move
from engine.game import Event, Step
from engine.games.dart_wars_conquest import consequences
from engine.games.dart_wars_state import (
    HOMELAND_LIMIT,
    State,
    counted,
    enemies,
    enemy_troops,
    on_map,
    troops_of,
    with_one_moved,
    with_troops,
)
from engine.refusals import Refusal


def moves(state: State) -> tuple[Move, ...]:
    """All legal moves, by dart, then by target zone and start zone."""
    if not state.ready:
        return ()
    due = owed(state)
    return tuple(move for move in candidates(state) if not _escapes(state, move, due))


def owed(state: State) -> tuple[int, ...]:
    """The darts (from 0) that must attack if a ready troop can: those with an enemy in each of their zones."""
    return tuple(
        dart
        for dart, zones in enumerate(state.targets)
        if zones
        and dart not in state.used
        and all(enemies(state, state.seat, zone) for zone in zones)
        and any(_is_obliged(state, zone) for zone in zones)
    )


def _is_obliged(state: State, zone: str) -> bool:
    """Whether a ready troop other than a last stronghold could attack in a zone."""
    if zone in state.ready and not _is_last_stronghold(state, zone):
        return True
    if _is_full(state, zone):
        return False
    ready = state.ready
    return any(start in ready and not _is_last_stronghold(state, start) for start in state.world.geography.ways[zone])


def _is_last_stronghold(state: State, zone: str) -> bool:
    return zone == state.homelands[state.seat] and troops_of(state, state.seat, zone) == 1


def _is_full(state: State, zone: str) -> bool:
    """Whether no more troops of the current player may move into a zone."""
    return zone == state.homelands[state.seat] and troops_of(state, state.seat, zone) >= HOMELAND_LIMIT


def candidates(state: State) -> Iterator[Move]:
    """The moves that darts, troops and zones allow, without regard to owed attacks."""
    for dart, zones in enumerate(state.targets):
        if dart in state.used:
            continue
        for zone in zones:
            to = zone if len(zones) > 1 else None
            hostile = enemy_troops(state, state.seat, zone) if zone in state.troops else 0
            if hostile and zone in state.ready:
                yield Move(dart + 1, zone, to)
            if _is_full(state, zone):
                continue
            for start in state.world.geography.ways[zone]:
                if start in state.ready:
                    yield Move(dart + 1, start, to)
                    if hostile and state.attacks.get(zone, 0) >= hostile:
                        yield Move(dart + 1, start, to, passing=True)


def _escapes(state: State, move: Move, due: tuple[int, ...]) -> bool:
    """Whether a move other than an attack makes an owed attack impossible."""
    others = [dart for dart in due if dart != move.dart - 1]
    if not others:
        return False
    zone = _goal(state, move)
    if not move.passing and enemies(state, state.seat, zone):
        return False
    after = _moved(state, move, zone).state
    if after.phase == "over":
        return False
    still = owed(after)
    # If the move conquered the enemies in a zone, nothing is owed there.
    return any(
        dart not in still and all(enemies(after, after.seat, zone) for zone in after.targets[dart]) for dart in others
    )


def _goal(state: State, move: Move) -> str:
    return move.to if move.to is not None else state.targets[move.dart - 1][0]


def move_troop(state: State, move: Move) -> Step[State] | Refusal:
    """The state after a move, or why it is not allowed."""
    if move.dart > len(state.targets):
        thrown = len(state.targets)
        return Refusal("no_such_dart", f"This turn had {thrown} dart{'' if thrown == 1 else 's'}.")
    if not any(move == candidate for candidate in candidates(state)):
        return Refusal("not_a_move", _why_not(state, move))
    due = owed(state)
    if _escapes(state, move, due):
        return Refusal("must_attack", f"That would leave {named(due)} without an attack; attack first.")
    return _moved(state, move, _goal(state, move))


def named(darts: tuple[int, ...]) -> str:
    """Darts as text, counted from 1."""
    return " and ".join(f"dart {dart + 1}" for dart in darts)


def _moved(state: State, move: Move, zone: str) -> Step[State]:
    """The state after a move that is one of the candidates."""
    seat, start = state.seat, move.start
    event = {"player": state.player, "from": start, "to": zone, "dart": move.dart}
    troops = state.troops if start == zone else with_one_moved(state, seat, start, zone)
    used, spent = state.used | {move.dart - 1}, counted(state.ready, start, -1)
    if not move.passing and enemies(state, seat, zone):
        attacks = counted(state.attacks, zone, 1)
        after = replace(state, troops=troops, ready=spent, used=used, attacks=attacks)
        return consequences(after, Event("zone", event | {"attack": True}))
    if zone in state.visited or not state.world.geography.place[zone].land:
        after = replace(state, troops=troops, ready=counted(spent, zone, 1), used=used)
        return consequences(after, Event("zone", event))
    gained = int(on_map(state, seat) < state.supply)
    visited = Event("visited", {"player": state.player, "zone": zone, "troops": gained})
    after = replace(state, troops=troops, ready=spent, used=used, visited=(*state.visited, zone))
    if gained:
        after = replace(after, troops=with_troops(after, zone, seat, 1))
    else:
        after = replace(after, ready=counted(spent, zone, 1))
    return consequences(after, Event("zone", event), visited)


def _why_not(state: State, move: Move) -> str:
    """The message for an illegal move: what is wrong and what to do."""
    zones, near = state.targets[move.dart - 1], state.world.geography.ways
    if not zones:
        return f"Dart {move.dart} is in no zone; it moves no troop."
    if move.dart - 1 in state.used:
        return f"Dart {move.dart} has moved a troop already; use another dart."
    if (move.to is None) != (len(zones) == 1) or (move.to is not None and move.to not in zones):
        return f'Dart {move.dart} is in {" and ".join(zones)}; only a dart on a border needs "to", one of its zones.'
    zone = _goal(state, move)
    if move.start not in state.ready:
        return f"No ready troop of yours is in {move.start[:30]}; it takes one to move."
    if move.start != zone and move.start not in near[zone]:
        return f"{move.start} and {zone} are not neighbours; a troop comes from a zone that is."
    if move.start != zone and _is_full(state, zone):
        return f"{HOMELAND_LIMIT} of your troops are at home already; leave the dart."
    if move.passing:
        return "A troop passes only where each enemy is attacked already; attack there first."
    return f"That troop is in {zone} already, and nobody is there to attack; leave the dart."
