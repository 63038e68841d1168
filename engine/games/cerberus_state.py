"""The state of a match of Cerberus, and what follows from it."""

from dataclasses import dataclass
from typing import Final

from engine.game import Awaits
from engine.games.cerberus_targets import Hit, best_wild, count

NAME: Final = "Cerberus"
DARTS: Final = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """The options. `house` are the points of Cerberus per round, None if he does not play; `rounds` 0 is no limit."""

    players: tuple[str, ...]
    house: int | None
    margin: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A player or Cerberus: the total of all closed turns, the round of going out (0: still in), and the place."""

    total: int = 0
    out: int = 0
    place: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """A match. `seats` are the players, then Cerberus; `player` is the index of the seat that throws; `wild` is the
    number chosen, or 0."""

    rules: Rules
    seats: tuple[Seat, ...]
    number: int = 0
    round: int = 1
    player: int = 0
    roll: tuple[int, ...] = ()
    darts: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    wild: int = 0
    finished: bool = False


def wild_of(state: State) -> int:
    """The wild number: the one that was chosen, or else the best one for the darts."""
    return state.wild or best_wild(state.roll, state.hits)


def name_of(state: State, at: int) -> str:
    """The name of a seat."""
    return state.rules.players[at] if at < len(state.rules.players) else NAME


def awaited(state: State) -> Awaits:
    """What the match waits for."""
    if state.finished:
        return "nothing"
    if not state.roll:
        return "roll"
    return "throw" if len(state.darts) < DARTS else "next"


def scored_of(state: State) -> int:
    """What the turn has scored so far."""
    marks, multiplier = count(state.roll, state.hits, wild_of(state))
    return marks * multiplier
