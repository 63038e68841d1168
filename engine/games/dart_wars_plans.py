"""Dart Wars: the worth of a move to the current player, for bots and hints.

Worth is counted in troops. A zone is worth more near the homelands of enemies and
near unvisited countries; a combat is taken to be even. A search of all sequences
of moves was not chosen: it takes a hundred times as long, and the chance in the
combats outweighs what it finds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Final

from engine.actions import Move
from engine.games.dart_wars_moves import moves
from engine.games.dart_wars_state import HOMELAND_LIMIT, State, enemies, head, on_map, troops_of
from engine.worldmap import WorldMap

CONQUEST: Final = 8.0
"""The worth of conquering a homeland."""
SPITE: Final = 4.0
"""The exponent of an alliance's relative strength: the higher, the more the strongest is attacked."""
NEW_TROOP: Final = 1.2
LEFT_AT_HOME: Final = (4.0, 2.0, 1.0, 0.4)
"""The worth of the first, second, third and fourth troop at home while enemies are near."""
PATIENCE: Final = 300
"""Turns after which no player defends their homeland, so that matches end."""


@dataclass(frozen=True)
class Outlook:
    """The map as the current player rates it. Not slotted, because of its cached properties."""

    state: State

    @cached_property
    def threat(self) -> Mapping[int, float]:
        """The threat of each enemy alliance, by its head: 1 for the strongest, less for weaker ones."""
        state, side = self.state, head(self.state, self.state.seat)
        strength: dict[int, int] = {}
        for seat in range(len(state.players)):
            if head(state, seat) != side:
                strength[head(state, seat)] = strength.get(head(state, seat), 0) + on_map(state, seat)
        most = max(strength.values(), default=0) or 1
        return {seat: max(0.05, (troops / most) ** SPITE) for seat, troops in strength.items()}

    @cached_property
    def prizes(self) -> Mapping[str, float]:
        """The worth of approaching each homeland of an enemy.

        It is higher if the owner is free, few troops hold it, and the alliance is
        strong: all attack the leader.
        """
        state, prizes = self.state, dict[str, float]()
        for owner, home in enumerate(state.homelands):
            side = head(state, owner)
            if home is not None and side in self.threat:
                here = state.troops.get(home, ())
                held = sum(count for seat, count in enumerate(here) if head(state, seat) == side)
                prizes[home] = (6.0 if state.masters[owner] is None else 3.0) / (2 + held) * self.threat[side]
        return prizes

    @cached_property
    def standing(self) -> Mapping[str, float]:
        """The worth of a troop's zone, for each zone that a troop can be in after the next move."""
        state, world = self.state, self.state.world
        unvisited = _near_unvisited(world, state.visited) if self.grows else None
        nearness = [(prize, _nearness(world)[home]) for home, prize in self.prizes.items()]
        within = dict.fromkeys(zone for start in state.ready for zone in (start, *world.geography.ways[start]))
        return {
            zone: (0.0 if unvisited is None else unvisited[zone])
            + max((prize * near[zone] for prize, near in nearness), default=0.0)
            for zone in within
        }

    @cached_property
    def grows(self) -> bool:
        """Whether the player can have another troop."""
        return on_map(self.state, self.state.seat) < self.state.supply

    @cached_property
    def hostile(self) -> Mapping[str, int]:
        """The number of enemy troops in each zone that has any."""
        state = self.state
        foes = {zone: enemies(state, state.seat, zone) for zone in state.troops}
        return {zone: sum(state.troops[zone][seat] for seat in there) for zone, there in foes.items() if there}

    @cached_property
    def fear(self) -> float:
        """How much troops at home are needed, 0.2 to 1.5 at first, falling to 0 as the match goes on."""
        state = self.state
        home = state.homelands[state.seat]
        if home is None:
            return 0.0
        steps = state.world.steps[home]
        near = sum(0.6 ** steps[zone] * against for zone, against in self.hostile.items() if steps[zone] <= 3)
        return float(min(1.5, 0.2 + near) * max(0.0, 1.0 - state.number / PATIENCE))

    def gain(self, start: str, zone: str, passing: bool = False) -> float:
        """The gain of one ready troop that moves from `start` to `zone`; if they are the same, it attacks there."""
        state, seat = self.state, self.state.seat
        home = state.homelands[seat]
        against = 0 if passing else self.hostile.get(zone, 0)
        gain = self._home(home, start, zone)
        if not against:
            gain += self.standing[zone] - self.standing[start]
            if zone in self.prizes and zone not in state.troops:
                return gain + CONQUEST
            if zone not in state.visited and state.world.geography.place[zone].land:
                gain += NEW_TROOP if self.grows else 0.1
            return gain
        pending = state.attacks.get(zone, 0)
        gain += 0.3 * (self.standing[zone] - self.standing[start])
        if zone in self.prizes:
            return gain + 0.5 * CONQUEST / against - 0.5 - 0.1 * pending
        if zone == home:
            return gain + 1.5 / against
        return gain + 0.25 - 0.2 * pending + (0.5 * 0.5 ** state.world.steps[home][zone] if home else 0.0)

    def _home(self, home: str | None, start: str, zone: str) -> float:
        if start == zone or home not in (start, zone):
            return 0.0
        count = troops_of(self.state, self.state.seat, home) - (start == home)
        worth = self.fear * LEFT_AT_HOME[count] if count < HOMELAND_LIMIT else 0.0
        return -worth if start == home else worth

    def of_move(self, move: Move) -> float:
        """The gain of a legal move."""
        zone = move.to if move.to is not None else self.state.targets[move.dart - 1][0]
        return self.gain(move.start, zone, move.passing)

    def best(self) -> tuple[Move, float] | None:
        """The legal move with the highest gain, and that gain; None if no move is legal."""
        ranked = [(self.of_move(move), move) for move in moves(self.state)]
        if not ranked:
            return None
        gain, move = max(ranked, key=lambda pair: pair[0])
        return move, gain


@lru_cache(64)
def _near_unvisited(world: WorldMap, visited: tuple[str, ...]) -> Mapping[str, float]:
    """The worth of being near an unvisited country, by zone. Many darts in a row have the same one."""
    edge = [place.name for place in world.places if place.land and place.name not in visited]
    steps = dict.fromkeys(edge, 0)
    for zone in edge:
        for near in world.geography.ways[zone]:
            if near not in steps:
                steps[near] = steps[zone] + 1
                edge.append(near)
    return {place.name: 0.8 * 0.5 ** steps.get(place.name, 99) for place in world.places}


@cache
def _nearness(world: WorldMap) -> Mapping[str, Mapping[str, float]]:
    """For each zone as a goal, the share of its worth that every zone has, by the moves between them."""
    return {goal: {zone: 0.8**away for zone, away in steps.items()} for goal, steps in world.steps.items()}
