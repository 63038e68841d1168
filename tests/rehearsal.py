"""Matches played beforehand, by the bots' advice and a seeded chance: the same actions on every machine.

A test or a picture that wants a certain moment of a match plays the actions
up to it on a real daemon, with dice and cards typed in.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from daemon.session.chance import draw, landed
from daemon.system.catalogue import faces, games
from engine.actions import GameAction, Next, Throw, action_to_json
from engine.darts import Position
from engine.geometry import segment_at
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.play import apply
from engine.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment of a match: what led to it, and what is done next (None at the end)."""

    match: Match
    past: tuple[dict[str, Any], ...]
    following: dict[str, Any] | None

    @property
    def view(self) -> dict[str, Any]:
        """The public state."""
        return self.match.view()


def rehearse(
    game: str,
    players: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    skill_mm: float = 12.0,
    full_turns: int = 1000,
) -> Iterator[Scene]:
    """Every moment of one match, from its start to its end. After `full_turns` no dart is thrown that need not be."""
    opened = open_match(Header(game, tuple(players), {**options, "manual_chance": True}, NEWEST), games(), faces())
    if isinstance(opened, Refusal):
        raise ValueError(str(opened))
    match, random, past = opened, Random(seed), list[dict[str, Any]]()
    while not match.finished:
        action = _next(match, skill_mm, random, full_turns)
        line = action_to_json(action)
        yield Scene(match, tuple(past), line)
        outcome = apply(match, action)
        if isinstance(outcome, Refusal):
            raise ValueError(str(outcome))
        match = outcome
        past.append(line)
    yield Scene(match, tuple(past), None)


def moment(scenes: Iterator[Scene], wanted: Callable[[dict[str, Any]], bool]) -> Scene:
    """The first of the moments whose state is wanted."""
    return next(scene for scene in scenes if wanted(scene.view))


def _next(match: Match, skill_mm: float, random: Random, full_turns: int) -> GameAction:
    drawn = draw(match, random)
    if drawn is not None:
        return drawn
    if match.game.turn(match.state).number >= full_turns and Next() in match.legal().actions:
        return Next()
    advice = match.game.advice(match.state, skill_mm)
    if advice.action is not None:
        return advice.action
    assert advice.aim is not None
    return Throw(segment_at(landed(Position(advice.aim.x, advice.aim.y), skill_mm, random)))
