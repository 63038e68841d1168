"""Dart Wars: what a move is worth to the player whose turn it is, for bots and hints.

Worth is counted in troops. A zone is worth standing in for being near the
homelands that must fall and near countries that nobody has visited; a combat
is even. Searching through all sequences of moves was the other way: it takes
a hundred times as long, and the dice of the combats outweigh what it finds.
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
"""What a homeland that falls is worth."""
SPITE: Final = 4.0
"""How much more the strong are attacked than the weak: the power of their strength that counts."""
NEW_TROOP: Final = 1.2
LEFT_AT_HOME: Final = (4.0, 2.0, 1.0, 0.4)
"""What the first, second, third and fourth troop at home is worth while the enemy is near."""
PATIENCE: Final = 300
"""Turns after which nobody is afraid for his homeland any more, so that matches end."""


@dataclass(frozen=True)
class Outlook:
    """How the map looks to the player whose turn it is. Not slotted: what follows is found once."""

    state: State

    @cached_property
    def menace(self) -> Mapping[int, float]:
        """How much each enemy alliance must be fought, by its head: 1 for the strongest, little for the weak."""
        state, side = self.state, head(self.state, self.state.seat)
        strength: dict[int, int] = {}
        for seat in range(len(state.players)):
            if head(state, seat) != side:
                strength[head(state, seat)] = strength.get(head(state, seat), 0) + on_map(state, seat)
        most = max(strength.values(), default=0) or 1
        return {seat: max(0.05, (troops / most) ** SPITE) for seat, troops in strength.items()}

    @cached_property
    def prizes(self) -> Mapping[str, float]:
        """The homelands of enemies, by what drawing near to them is worth.

        More where the owner is free, where few hold it, and where his alliance is
        strong: as people do, all turn against the one who leads.
        """
        state, prizes = self.state, dict[str, float]()
        for owner, home in enumerate(state.homelands):
            side = head(state, owner)
            if home is not None and side in self.menace:
                here = state.troops.get(home, ())
                held = sum(count for seat, count in enumerate(here) if head(state, seat) == side)
                prizes[home] = (6.0 if state.masters[owner] is None else 3.0) / (2 + held) * self.menace[side]
        return prizes

    @cached_property
    def standing(self) -> Mapping[str, float]:
        """What a troop is worth for where it stands, in each zone that one of his can be in after the next move."""
        state, world = self.state, self.state.world
        unseen = _near_the_unseen(world, state.visited) if self.grows else None
        nearness = [(prize, _nearness(world)[home]) for home, prize in self.prizes.items()]
        within = dict.fromkeys(zone for start in state.ready for zone in (start, *world.geography.ways[start]))
        return {
            zone: (0.0 if unseen is None else unseen[zone])
            + max((prize * near[zone] for prize, near in nearness), default=0.0)
            for zone in within
        }

    @cached_property
    def grows(self) -> bool:
        """Whether he can have another troop."""
        return on_map(self.state, self.state.seat) < self.state.supply

    @cached_property
    def hostile(self) -> Mapping[str, int]:
        """How many enemy troops are in each zone that has any."""
        state = self.state
        foes = {zone: enemies(state, state.seat, zone) for zone in state.troops}
        return {zone: sum(state.troops[zone][seat] for seat in there) for zone, there in foes.items() if there}

    @cached_property
    def fear(self) -> float:
        """How much troops at home are needed, 0.2 to 1.5, less and less as the match goes on."""
        state = self.state
        home = state.homelands[state.seat]
        if home is None:
            return 0.0
        steps = state.world.steps[home]
        near = sum(0.6 ** steps[zone] * against for zone, against in self.hostile.items() if steps[zone] <= 3)
        return float(min(1.5, 0.2 + near) * max(0.0, 1.0 - state.number / PATIENCE))

    def gain(self, start: str, zone: str, passing: bool = False) -> float:
        """What one ready troop of his gains by going from `start` to `zone`, or by attacking where it stands."""
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
        """What a legal move gains."""
        zone = move.to if move.to is not None else self.state.targets[move.dart - 1][0]
        return self.gain(move.start, zone, move.passing)

    def best(self) -> tuple[Move, float] | None:
        """The legal move that gains most, and what it gains; None where there is none."""
        ranked = [(self.of_move(move), move) for move in moves(self.state)]
        if not ranked:
            return None
        gain, move = max(ranked, key=lambda pair: pair[0])
        return move, gain


@lru_cache(64)
def _near_the_unseen(world: WorldMap, visited: tuple[str, ...]) -> Mapping[str, float]:
    """What it is worth to be near a country that nobody has visited; the same for many darts on end."""
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
    """For each zone, what part of its worth as a goal is left in every zone, by the moves between them."""
    return {goal: {zone: 0.8**away for zone, away in steps.items()} for goal, steps in world.steps.items()}
