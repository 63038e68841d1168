"""Advice in Dart Wars, for bots and hints."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from engine.actions import Choose, Combat, Defend, Done, Next
from engine.aiming import aim_at, spots
from engine.game import Advice
from engine.games.dart_wars_combats import combats, defenders
from engine.games.dart_wars_moves import candidates, move_troop, owed
from engine.games.dart_wars_plans import Outlook
from engine.games.dart_wars_start import free_homelands
from engine.games.dart_wars_state import State, head, troops_of
from engine.refusals import Refusal
from engine.worldmap import WorldMap

_UNLIKELY: Final = 0.004
"""Smaller chances are left out of the average; together they do not change the aim."""


def advice(state: State, skill_mm: float) -> Advice:
    """Where to throw, or what to do, for the player who must act."""
    match state.phase:
        case "order" | "combat":
            bull = spots(skill_mm)[0]
            return Advice(aim=aim_at(bull, bull.chance))
        case "homelands":
            return _aimed(state.world, skill_mm, _homes(state))
        case "border":
            worth = _homes(state)
            return Advice(action=Choose("zone", max(free_homelands(state, state.targets[0]), key=worth.__getitem__)))
        case "throws":
            return _aimed(state.world, skill_mm, _gains(state))
        case "moves":
            best = Outlook(state).best()
            wanted = best is not None and (best[1] > 0 or owed(state))
            return Advice(action=best[0] if best is not None and wanted else Done())
        case "combats":
            return Advice(action=max(combats(state), key=lambda combat: _priority(state, combat)))
        case "defend" if state.fight is not None:
            return Advice(action=Defend(state.players[_best_defender(state, defenders(state, state.fight))]))
        case _:
            return Advice()


def _homes(state: State) -> dict[str, float]:
    """The worth of each free country as a homeland: near to many others that are farther from the other players."""
    steps = state.world.steps
    taken = [home for home in state.homelands if home is not None]
    lands = [place.name for place in state.world.places if place.land and place.name not in taken]
    reach = {land: min((steps[home][land] for home in taken), default=99) for land in lands}
    # A country counts in full if every other homeland is at least two moves farther from it.
    return {
        land: 1.0
        + sum(0.6**away * min(max(reach[other] - away, 0), 2) / 2 for other in lands for away in (steps[land][other],))
        for land in lands
    }


def _gains(state: State) -> dict[str, float]:
    """The gain of another dart in each zone, after the darts thrown so far are used."""
    state = replace(state, phase="moves")
    outlook = Outlook(state)
    while (best := outlook.best()) is not None and (best[1] > 0 or owed(state)):
        step = move_troop(state, best[0])
        if isinstance(step, Refusal) or step.state.phase == "over":
            break
        state = step.state
        outlook = Outlook(state)
    reach = tuple(dict.fromkeys(near for start in state.ready for near in (start, *state.world.geography.ways[start])))
    # One dart in each of these zones: its moves are those of the next dart there.
    thrown = len(state.targets)
    everywhere = replace(state, targets=(*state.targets, *((zone,) for zone in reach)))
    due = frozenset(owed(everywhere))
    worth: dict[str, float] = {}
    for move in candidates(everywhere):
        dart = move.dart - 1
        if dart >= thrown:
            zone = reach[dart - thrown]
            worth[zone] = max(
                worth.get(zone, -9.0 if dart in due else 0.0), outlook.gain(move.start, zone, move.passing)
            )
    return worth


def _aimed(world: WorldMap, skill_mm: float, worth: dict[str, float]) -> Advice:
    """The aim with the highest average worth; to end the throws if no aim is worth anything."""
    values = [0.0] * len(spots(skill_mm))
    chances = _chances(world, skill_mm)
    for zone, gain in worth.items():
        if gain:
            for number, odds in chances[zone]:
                values[number] += gain * odds
    value = max(values)
    if value <= 0:
        return Advice(action=Next())
    spot = spots(skill_mm)[values.index(value)]
    return Advice(aim=replace(aim_at(spot, value), target=" ".join(world.zones_of(spot.target)) or spot.target.text))


@cache
def _chances(world: WorldMap, skill_mm: float) -> Mapping[str, tuple[tuple[int, float], ...]]:
    """For each zone, the spots from which a dart can land there, by index, with the chance."""
    chances: dict[str, dict[int, float]] = {place.name: {} for place in world.places}
    for number, spot in enumerate(spots(skill_mm)):
        for bed, odds in spot.odds.items():
            for zone in world.zones_of(bed):
                chances[zone][number] = chances[zone].get(number, 0.0) + odds
    return {zone: tuple(pair for pair in over.items() if pair[1] > _UNLIKELY) for zone, over in chances.items()}


def _priority(state: State, combat: Combat) -> float:
    """The priority of a combat: in homelands first, then against the fewest troops."""
    there = state.troops[combat.zone]
    return (combat.zone in state.homelands) * 10.0 - sum(there) + there[state.seat]


def _best_defender(state: State, there: tuple[int, ...]) -> int:
    """Who fights for an alliance: the player with most troops there, of equals a vassal rather than the master."""
    assert state.fight is not None
    zone, master = state.fight.zone, head(state, state.fight.against)
    return max(there, key=lambda seat: (troops_of(state, seat, zone), seat != master))
