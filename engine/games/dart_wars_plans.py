"""Dart Wars: what a move is worth to the player whose turn it is, for bots and hints.

Worth is counted in troops. A zone is worth standing in for being near the
homelands that must fall and near countries that nobody has visited; a combat
is even. Searching through all sequences of moves was the other way: it takes
a hundred times as long, and the dice of the combats outweigh what it finds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine.actions import Move
from engine.games.dart_wars_moves import moves
from engine.games.dart_wars_state import HOMELAND_LIMIT, State, enemies, head, on_map, troops_of
from engine.worldmap import WorldMap

CONQUEST: Final = 8.0
"""What a homeland that falls is worth."""
SPITE: Final = 2.0
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
        """How much each enemy alliance must be fought, by its head: 1 for one as strong as the mean of them."""
        state, side = self.state, head(self.state, self.state.seat)
        strength: dict[int, float] = {}
        for seat in range(len(state.players)):
            if head(state, seat) != side:
                strength[head(state, seat)] = strength.get(head(state, seat), 0.0) + on_map(state, seat)
        mean = sum(strength.values()) / len(strength) or 1.0
        return {seat: max(0.4, troops / mean) ** SPITE for seat, troops in strength.items()}

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
        """What a troop is worth for where it stands."""
        state, world = self.state, self.state.world
        grows = on_map(state, state.seat) < state.supply
        worth = _near_the_unseen(world, frozenset(state.visited)) if grows else dict.fromkeys(world.steps, 0.0)
        near = dict.fromkeys(world.steps, 0.0)
        for home, prize in self.prizes.items():
            for zone, steps in world.steps[home].items():
                near[zone] = max(near[zone], prize * 0.8**steps)
        return {zone: worth[zone] + near[zone] for zone in near}

    @cached_property
    def fear(self) -> float:
        """How much troops at home are needed, 0.2 to 1.5, less and less as the match goes on."""
        state = self.state
        home = state.homelands[state.seat]
        if home is None:
            return 0.0
        steps = state.world.steps[home]
        near = sum(
            0.6 ** steps[zone] * sum(here[seat] for seat in enemies(state, state.seat, zone))
            for zone, here in state.troops.items()
            if steps[zone] <= 3
        )
        return float(min(1.5, 0.2 + near) * max(0.0, 1.0 - state.number / PATIENCE))

    def gain(self, start: str, zone: str, passing: bool = False) -> float:
        """What one ready troop of his gains by going from `start` to `zone`, or by attacking where it stands."""
        state, seat = self.state, self.state.seat
        home = state.homelands[seat]
        there = () if passing else enemies(state, seat, zone)
        gain = self._home(home, start, zone)
        if not there:
            gain += self.standing[zone] - self.standing[start]
            if zone in self.prizes and zone not in state.troops:
                return gain + CONQUEST
            if zone not in state.visited and state.world.geography.place[zone].land:
                gain += NEW_TROOP if on_map(state, seat) < state.supply else 0.1
            return gain
        against = sum(state.troops[zone][other] for other in there)
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


def _near_the_unseen(world: WorldMap, visited: frozenset[str]) -> dict[str, float]:
    """What it is worth to be near a country that nobody has visited."""
    edge = [place.name for place in world.places if place.land and place.name not in visited]
    steps = dict.fromkeys(edge, 0)
    for zone in edge:
        for near in world.geography.ways[zone]:
            if near not in steps:
                steps[near] = steps[zone] + 1
                edge.append(near)
    return {place.name: 0.8 * 0.5 ** steps.get(place.name, 99) for place in world.places}
