"""Dart Wars: the state of a match, and queries that all rules use.

Players are seats, numbers from 0 in the order of the header. Troops are ready or
spent only in their owner's turn, so only the current player has a count of ready
troops.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engine.bullthrow import BullThrow, Landing
from engine.game import Event, Step
from engine.worldmap import WorldMap

DARTS: Final = 3
HOMELAND_LIMIT: Final = 4
"""The most troops of their own that a player can have on their homeland by moves."""
FIRST_TROOPS: Final = 3
MASTER_OF_THE_WORLD: Final = "master_of_the_world"
"""The award of the winner."""

Phase = Literal["order", "homelands", "border", "throws", "moves", "combats", "defend", "combat", "over"]
"""The phase. `border`: choosing one of several homelands; `combats`: announcing one; `combat`: its darts."""

Troops = Mapping[str, tuple[int, ...]]
"""The number of troops of each seat, by zone; zones without troops are absent."""


@dataclass(frozen=True, slots=True)
class Fight:
    """The current combat. `against` is the seat that was announced, `defender` the seat that fights.

    `first` throws first. `begun` is true after the first dart; `landings` are the darts since the last tie.
    """

    zone: str
    against: int
    defender: int
    first: int
    first_said: bool = False
    begun: bool = False
    landings: tuple[Landing, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A match.

    `order` is the order of seats for homelands, then for turns; `seat` is whose turn
    it is. `misses` counts the failed throws of each seat for a homeland, `taken` are
    the seats that have one, in that order. `targets` are the zones of each dart of
    the turn, none for a dart in no zone; `used` are the indices of the darts that
    moved a troop. `more` are the troops that a handicap gives each seat.
    """

    world: WorldMap
    players: tuple[str, ...]
    supply: int
    phase: Phase
    order: tuple[int, ...]
    seat: int
    homelands: tuple[str | None, ...]
    masters: tuple[int | None, ...]
    misses: tuple[int, ...]
    bull: BullThrow | None = None
    number: int = 0
    taken: tuple[int, ...] = ()
    visited: tuple[str, ...] = ()
    troops: Troops = field(default_factory=dict)
    darts: tuple[str, ...] = ()
    targets: tuple[tuple[str, ...], ...] = ()
    used: frozenset[int] = frozenset()
    ready: Mapping[str, int] = field(default_factory=dict)
    attacks: Mapping[str, int] = field(default_factory=dict)
    fight: Fight | None = None
    winner: int | None = None
    more: tuple[int, ...] = ()

    @property
    def player(self) -> str:
        """The name of the player whose turn it is."""
        return self.players[self.seat]


def head(state: State, seat: int) -> int:
    """The seat of the master of this seat's alliance: the seat itself if it is free."""
    master = state.masters[seat]
    return seat if master is None else master


def troops_of(state: State, seat: int, zone: str) -> int:
    """The number of troops of this seat's own colour in a zone."""
    here = state.troops.get(zone)
    return 0 if here is None else here[seat]


def on_map(state: State, seat: int) -> int:
    """The number of troops of this seat's own colour on the map."""
    return sum(here[seat] for here in state.troops.values())


def enemies(state: State, seat: int, zone: str) -> tuple[int, ...]:
    """The seats of enemies of this seat's alliance that have a troop in a zone."""
    here = state.troops.get(zone)
    if here is None:
        return ()
    masters, side = state.masters, head(state, seat)
    return tuple(other for other, count in enumerate(here) if count and other != side and masters[other] != side)


def enemy_troops(state: State, seat: int, zone: str) -> int:
    """The number of troops of all enemies of this seat's alliance in a zone."""
    return sum(state.troops[zone][other] for other in enemies(state, seat, zone))


def with_troops(state: State, zone: str, seat: int, change: int) -> Troops:
    """The troops on the map after a change of one colour in a zone."""
    troops = dict(state.troops)
    _change(troops, zone, seat, change, len(state.players))
    return troops


def with_one_moved(state: State, seat: int, start: str, zone: str) -> Troops:
    """The troops on the map after one of this colour moves from `start` to `zone`."""
    troops = dict(state.troops)
    _change(troops, start, seat, -1, len(state.players))
    _change(troops, zone, seat, 1, len(state.players))
    return troops


def _change(troops: dict[str, tuple[int, ...]], zone: str, seat: int, change: int, seats: int) -> None:
    here = list(troops.get(zone) or (0,) * seats)
    here[seat] += change
    if any(here):
        troops[zone] = tuple(here)
    else:
        del troops[zone]


def counted(counts: Mapping[str, int], zone: str, change: int) -> Mapping[str, int]:
    """Counts by zone after a change of one; zones with 0 are absent."""
    result = dict(counts)
    result[zone] = result.get(zone, 0) + change
    if not result[zone]:
        del result[zone]
    return result


def turns_from(state: State) -> tuple[int, ...]:
    """All seats in the order of turns, from the current one."""
    at = state.order.index(state.seat)
    return state.order[at:] + state.order[:at]


def begin_turn(state: State, seat: int) -> Step[State]:
    """Begins the turn of a seat, with all its troops ready."""
    ready = {zone: here[seat] for zone, here in state.troops.items() if here[seat]}
    begun = replace(
        state,
        phase="throws",
        seat=seat,
        number=state.number + 1,
        darts=(),
        targets=(),
        used=frozenset(),
        ready=ready,
        attacks={},
        fight=None,
    )
    return Step(begun, (Event("turn", {"player": begun.player}),))


def won(state: State, seat: int) -> Step[State]:
    """Ends the match; pending attacks lapse."""
    over = replace(state, phase="over", winner=seat, attacks={}, fight=None)
    name = state.players[seat]
    award = Event("award", {"player": name, "award": MASTER_OF_THE_WORLD, "points": on_map(over, seat)})
    return Step(over, (award, Event("won", {"winners": [name]})))
