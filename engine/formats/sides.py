"""The sides of a match in a format and their players; the house is the side after the last one."""

from typing import Any

from engine.formats.plan import Leg, Plan
from engine.formats.state import State, inner


def side_of(plan: Plan, name: str) -> int:
    """The side of a player; the house is the one after the last."""
    return next((at for at, side in enumerate(plan.sides) if name in side), len(plan.sides))


def name_of(plan: Plan, state: State[Any], side: int) -> str:
    """The first player of a side, or the name of the house."""
    return plan.sides[side][0] if side < len(plan.sides) else house_of(plan.legs[state.playing], inner(state))


def names_of(plan: Plan, state: State[Any], sides: tuple[int, ...]) -> tuple[str, ...]:
    """All players of these sides, in the order of the match."""
    names = {name for side in sides if side < len(plan.sides) for name in plan.sides[side]}
    house = (name_of(plan, state, len(plan.sides)),) if len(plan.sides) in sides else ()
    return (*(name for name in plan.players if name in names), *house)


def house_of(leg: Leg, state: Any) -> str:
    """The name of the house in a game that has one."""
    players = leg.game.view(state, None)["players"]
    return next((str(player["name"]) for player in players if player.get("house")), "")
