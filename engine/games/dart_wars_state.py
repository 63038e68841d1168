"""Dart Wars: what a match is at one moment, and the questions that every rule asks of it.

Players are their seats, numbers from 0 in the order of the header. A troop is
ready or spent only in its owner's turn, so ready ones are counted for the
player whose turn it is, and all others are just troops.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engine.bullthrow import BullThrow, Landing
from engine.game import Event, Step
from engine.worldmap import WorldMap

DARTS: Final = 3
HOMELAND_LIMIT: Final = 4
"""How many of his own troops a player can move onto his homeland."""
FIRST_TROOPS: Final = 3
MASTER_OF_THE_WORLD: Final = "master_of_the_world"
"""The award of the player who wins."""

Phase = Literal["order", "homelands", "border", "throws", "moves", "combats", "defend", "combat", "over"]
"""What goes on. `border`: a homeland is chosen among two; `combats`: one is to be announced; `combat`: its darts."""

Troops = Mapping[str, tuple[int, ...]]
"""How many troops each seat has in a zone; zones without any are absent."""


@dataclass(frozen=True, slots=True)
class Fight:
    """The combat that goes on. `against` is the colour that was announced, `defender` the one who fights.

    `first` throws first. `begun` says that a dart was thrown; `landings` are the darts since the last tie.
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

    `order` are the seats in which homelands are thrown for, then the turns are
    taken; `seat` is whose turn it is. `misses` counts each seat's own failed
    throws for a homeland, `taken` are the seats that have one, in that order.
    `targets` are the zones of each dart of the turn, none for a dart that is
    in no zone, and `used` the numbers (from 0) of the darts that moved a troop.
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

    @property
    def player(self) -> str:
        """The name of the one whose turn it is."""
        return self.players[self.seat]


def head(state: State, seat: int) -> int:
    """The master of this player's alliance: himself, if he is free."""
    master = state.masters[seat]
    return seat if master is None else master


def troops_of(state: State, seat: int, zone: str) -> int:
    """How many troops of this player's own colour are in a zone."""
    here = state.troops.get(zone)
    return 0 if here is None else here[seat]


def on_map(state: State, seat: int) -> int:
    """How many troops of this player's own colour there are."""
    return sum(here[seat] for here in state.troops.values())


def enemies(state: State, seat: int, zone: str) -> tuple[int, ...]:
    """The enemies of this player's alliance who have a troop in a zone."""
    here = state.troops.get(zone)
    if here is None:
        return ()
    masters, side = state.masters, head(state, seat)
    return tuple(other for other, count in enumerate(here) if count and other != side and masters[other] != side)


def enemy_troops(state: State, seat: int, zone: str) -> int:
    """How many troops his alliance's enemies have in a zone, of all colours."""
    return sum(state.troops[zone][other] for other in enemies(state, seat, zone))


def with_troops(state: State, zone: str, seat: int, change: int) -> Troops:
    """The troops on the map with some of one colour more, or fewer, in a zone."""
    troops = dict(state.troops)
    _change(troops, zone, seat, change, len(state.players))
    return troops


def with_one_moved(state: State, seat: int, start: str, zone: str) -> Troops:
    """The troops on the map with one of this colour in `zone` instead of `start`."""
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
    """Numbers by zone with one of them changed; a zone with none is absent."""
    result = dict(counts)
    result[zone] = result.get(zone, 0) + change
    if not result[zone]:
        del result[zone]
    return result


def turns_from(state: State) -> tuple[int, ...]:
    """All players in the order of turns, from the one whose turn it is."""
    at = state.order.index(state.seat)
    return state.order[at:] + state.order[:at]


def begin_turn(state: State, seat: int) -> Step[State]:
    """The turn of a player, with all his troops ready."""
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
    """The end: what was open lapses."""
    over = replace(state, phase="over", winner=seat, attacks={}, fight=None)
    name = state.players[seat]
    award = Event("award", {"player": name, "award": MASTER_OF_THE_WORLD, "points": on_map(over, seat)})
    return Step(over, (award, Event("won", {"winners": [name]})))
