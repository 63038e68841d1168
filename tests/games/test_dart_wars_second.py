"""Dart Wars against an independent second implementation: the same troops and legal moves in the same matches."""

from collections.abc import Iterator
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Combat, Defend, Done, First, GameAction, Move, Next, Throw
from engine.darts import Zone
from engine.game import Step
from engine.games.dart_wars import GAME
from engine.games.dart_wars_moves import moves, owed
from engine.games.dart_wars_state import State
from engine.segments import SEGMENTS
from engine.worldmap import WorldMap
from tests.games.plain_dart_wars import PlainDartWars
from tests.games.setups import FACES

NAMES: Final = ("Ann", "Bob", "Cid", "Dot", "Eve")
TARGET: Final = ("DB", "SB", "SI20", "T20", "SO1", "D1", "MISS")


def world_of(name: str) -> WorldMap:
    world = FACES[name]
    assert isinstance(world, WorldMap)
    return world


class Pair:
    """The engine and the second implementation; every step compares them."""

    def __init__(self, world: WorldMap, seats: int, supply: int, homes: list[str]) -> None:
        names = NAMES[:seats]
        state = GAME.new(names, {"order": "listed", "supply": supply, "face": world.name, "handicap": {}}, world)
        assert isinstance(state, State)
        self.state = state
        for home in homes:
            self.apply(Throw(Zone((home,))))
        lands = [place.name for place in world.places if place.land]
        self.plain = PlainDartWars(dict(zip(names, homes, strict=True)), world.geography.ways, lands, supply)
        self.compare()

    def apply(self, action: GameAction) -> None:
        step = GAME.apply(self.state, action)
        assert isinstance(step, Step), f"{action}: {step}"
        self.state = step.state

    def compare(self) -> None:
        view, plain = GAME.view(self.state, None), self.plain
        assert view["zones"] == plain.zones()
        assert set(view["visited"]) == plain.visited
        assert {p["name"]: p["master"] for p in view["players"] if "master" in p} == plain.master
        assert (GAME.winners(self.state) or ("",)) == (plain.winner,)
        if plain.winner:
            return
        assert GAME.turn(self.state).player == plain.player
        assert view["turn"]["attacks"] == plain.counts(attacks=True)
        if plain.phase != "combat":
            assert view["turn"]["ready"] == plain.counts(attacks=False)
        if self.state.phase == "moves":
            assert list(owed(self.state)) == plain.owed()
            assert set(moves(self.state)) == set(self.possible())

    def possible(self) -> Iterator[Move]:
        """Every move that the second implementation accepts, by trying all."""
        for dart, zones in enumerate(self.plain.darts):
            starts = {near for zone in zones for near in (zone, *self.plain.ways[zone])}
            for start in starts:
                for to in (None, *zones):
                    for passing in (False, True):
                        before = self.plain.snapshot()
                        if self.plain.move(dart, start, to, passing):
                            yield Move(dart + 1, start, to, passing)
                            self.plain.restore(before)

    def turn(self, choose: Random) -> None:
        """One turn, with darts near the player's troops so that there is something to do."""
        ways, plain = self.plain.ways, self.plain
        for _ in range(choose.choice((1, 2, 3, 3, 3))):
            starts = [t.zone for t in plain.troops if t.owner == plain.player]
            near = [zone for start in starts for zone in (start, *ways[start])]
            zones = [choose.choice(near)]
            if choose.random() < 0.2:
                zones.append(choose.choice(self.state.world.geography.borders[zones[0]]))
            self.apply(Throw(Zone(tuple(zones))))
            plain.dart(zones)
        if self.state.phase == "throws":
            self.apply(Next())
            plain.phase = "move"
        self.compare()
        while not plain.winner and self.state.phase == "moves":
            legal = moves(self.state)
            if legal and (owed(self.state) or choose.random() < 0.85):
                move = choose.choice(legal)
                self.apply(move)
                assert plain.move(move.dart - 1, move.start, move.to, move.passing)
            else:
                self.apply(Done())
                assert plain.done()
            self.compare()
        while not plain.winner and self.state.phase == "combats":
            self.fight(choose)
            self.compare()

    def fight(self, choose: Random) -> None:
        state, player = self.state, self.plain.player
        zone = choose.choice(sorted(state.attacks))
        foes = sorted({troop.owner for troop in self.plain.foes(zone)})
        against = choose.choice(foes)
        self.apply(Combat(zone, against))
        side = [name for name in foes if self.plain.side(name) == self.plain.side(against)]
        assert (self.state.phase == "defend") == (len(side) > 1)
        by = choose.choice(side)
        if len(side) > 1:
            assert GAME.turn(self.state).actor == self.plain.side(against)
            self.apply(Defend(by))
        first = choose.choice((player, by))
        if first == by:
            self.apply(First(by))
        darts: list[str] = []
        while self.state.phase == "combat":
            darts.append(choose.choice(TARGET))
            self.apply(Throw(SEGMENTS[darts[-1]]))
        self.plain.combat(zone, against, by, first, darts)


@pytest.mark.parametrize("face", ["dart_wars", "dart_wars_82"])
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seats=st.integers(2, 5),
    supply=st.sampled_from([3, 4, 8, 15]),
    seed=st.integers(0, 2**32),
    close=st.booleans(),
)
def test_both_play_alike(face: str, seats: int, supply: int, seed: int, close: bool) -> None:
    choose, world = Random(seed), world_of(face)
    lands = [place.name for place in world.places if place.land]
    homes = choose.sample(lands, seats)
    if close:
        # Neighbouring homelands, so that there are combats from the first turn.
        middle = choose.choice(lands)
        homes = sorted(lands, key=lambda land: world.steps[middle][land])[:seats]
    pair = Pair(world, seats, supply, homes)
    for _ in range(90):
        if pair.plain.winner:
            break
        pair.turn(choose)
