"""Dart Wars: the zones of a dart, and the throws of a turn."""

from dataclasses import replace

from engine.darts import Dart, Points, Zone
from engine.game import Event, Step
from engine.games.dart_wars_state import DARTS, State
from engine.match import dart_text
from engine.refusals import Refusal
from engine.worldmap import WorldMap


def zones_of(world: WorldMap, dart: Dart) -> tuple[str, ...] | Refusal:
    """The zones of a dart: none, one, or those of a border.

    Refusal `unknown_zone`, `bad_value` for zones without a common border, or
    `which_segment` for points whose beds lie in different zones.
    """
    match dart:
        case Zone(names):
            return _named(world, names)
        case Points(points, beds):
            zones = {world.zones_of(bed) for bed in beds}
            if len(zones) > 1:
                return Refusal("which_segment", f"The bed of these {points} points decides the zone; choose it.")
            return zones.pop()
        case _:
            return world.zones_of(dart)


def _named(world: WorldMap, names: tuple[str, ...]) -> tuple[str, ...] | Refusal:
    for name in names:
        if not world.has_zone(name):
            return Refusal("unknown_zone", f"There is no zone {name[:30]!r} on this map; name one of the map.")
    if len(names) > 1 and not world.geography.meet(names):
        return Refusal("bad_value", f"{' and '.join(names)} have no common border; name zones that have.")
    return names


def is_dart(world: WorldMap, dart: Dart) -> bool:
    """Whether `zones_of` accepts such a dart once its bed is known."""
    return not isinstance(dart, Zone) or not isinstance(_named(world, dart.names), Refusal)


def throw(state: State, dart: Dart | None) -> Step[State] | Refusal:
    """One of the three darts of a turn; None is a foul. The third one ends the throws."""
    zones = () if dart is None else zones_of(state.world, dart)
    if isinstance(zones, Refusal):
        return zones
    shown = dart_text(dart)
    thrown = replace(
        state,
        darts=(*state.darts, shown),
        targets=(*state.targets, zones),
        phase="moves" if len(state.darts) + 1 == DARTS else "throws",
    )
    return Step(thrown, (Event("dart", {"player": state.player, "dart": shown, "zones": list(zones)}),))
