"""Plays a match from its present state to its end by the real rules, as often as is wanted, to see who wins.

Every player follows the game's advice for their own spread, as bots do. Nothing is recorded, and what undo would need
is not kept: the rules are applied to the bare state, which takes a fraction of the time of a match.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from daemon.session.chance import drawn, landed
from engine.actions import GameAction, Throw
from engine.darts import Position
from engine.game import Game
from engine.geometry import segment_at
from engine.refusals import Refusal

LONGEST: Final = 5_000
"""Actions after which a match is given up: poor hands may never finish some games."""


class Stuck(Exception):
    """A game refused its own advice, or gave none for a player for whom it waits. The text says which."""


def play_out(game: Game[Any], state: Any, hands: Mapping[str, float], random: Random) -> tuple[str, ...] | None:
    """Returns who wins from this state on; None if the match does not end. Stuck if the game fails.

    `hands` are the spreads of the players in mm.
    """
    end = played_out(game, state, hands, random)
    return None if end is None else game.winners(end)


def played_out(game: Game[Any], state: Any, hands: Mapping[str, float], random: Random) -> Any | None:
    """Returns the state at the end of a match, else as `play_out`."""
    for _ in range(LONGEST):
        if game.winners(state) is not None:
            return state
        action = next_action(game, state, hands, random)
        step = game.apply(state, action)
        if isinstance(step, Refusal):
            raise Stuck(f"{game.name} refuses what it told a player to do, {action}: {step}")
        state = step.state
    return None


def next_action(game: Game[Any], state: Any, hands: Mapping[str, float], random: Random) -> GameAction:
    """Returns what is done in a state: what chance brings, or what the game advises the player who must act."""
    turn = game.turn(state)
    if (due := drawn(turn.awaits, lambda: game.legal(state), random)) is not None:
        return due
    skill_mm = hands[turn.actor]
    advice = game.advice(state, skill_mm)
    if advice.action is not None:
        return advice.action
    if advice.aim is None:
        raise Stuck(f"{game.name} awaits {turn.awaits} and has no advice for it.")
    return Throw(segment_at(landed(Position(advice.aim.x, advice.aim.y), skill_mm, random)))


@dataclass(slots=True)
class Count:
    """Counts who wins. `sides` are the players who win together: teams, or one player each.

    With a `house` all sides can win together against it.
    """

    sides: Sequence[tuple[str, ...]]
    house: bool = False
    matches: int = 0
    _won: dict[str, float] = field(default_factory=dict)

    def add(self, winners: tuple[str, ...] | None) -> None:
        """Adds a match. Sides that share a win have equal parts of it; a match without an end is shared by all."""
        self.matches += 1
        won = [side for side in self.sides if winners is None or not {*side}.isdisjoint(winners)]
        together = self.house and winners is not None and len(won) == len(self.sides)
        for side in won:
            for name in side:
                self._won[name] = self._won.get(name, 0.0) + (1.0 if together else 1 / len(won))

    def won(self, name: str) -> float:
        """How many matches a player has won, with parts of those that sides share."""
        return self._won.get(name, 0.0)

    def chances(self) -> dict[str, float]:
        """The chance of each player, 0 to 1.

        One match is added that all sides share, so that nobody is certain to win or to lose after a few matches.
        """
        even = 1 / len(self.sides)
        return {name: (self._won.get(name, 0.0) + even) / (self.matches + 1) for side in self.sides for name in side}


@dataclass(frozen=True, slots=True)
class Computed:
    """The chance of each player, and its standard error."""

    chance: Mapping[str, float]
    error: float = 0.0


def counting(view: Mapping[str, Any]) -> Count:
    """Returns an empty count for the players of a match's public view: sides are teams, or one player each.

    The house is not a side: it has no hand.
    """
    sides: dict[object, tuple[str, ...]] = {}
    for player in view["players"]:
        if not player.get("house"):
            key = player.get("team", player["name"])
            sides[key] = (*sides.get(key, ()), player["name"])
    return Count(tuple(sides.values()), any(player.get("house") for player in view["players"]))


def count(
    game: Game[Any],
    state: Any,
    hands: Mapping[str, float],
    found: Count,
    random: Random,
    more: Callable[[int], bool],
) -> None:
    """Plays matches out into `found` while `more` is true, which gets the number of those played. Stuck if that fails.

    What is secret in the state is drawn again for each match, so that the chance tells nobody what they may not see.
    """
    disguise = getattr(game, "disguise", None)
    while more(found.matches):
        found.add(play_out(game, state if disguise is None else disguise(state, None, random), hands, random))


def can_be_counted(game: Game[Any]) -> bool:
    """Whether the chance to win may be shown: not where it would depend on secrets that cannot be drawn again."""
    return getattr(game, "all_public", False) is True or getattr(game, "disguise", None) is not None
