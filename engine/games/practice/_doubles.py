"""What drills with a double for each round share: the doubles in order, and the one of this round."""

from functools import cache
from typing import Any, Final

from engine import kit
from engine.kit import Show, Text

BULL: Final = Text("The inner bull is the last", "Das Bullseye kommt zuletzt", "Le bull vient en dernier")


def bull() -> Any:
    """Whether the inner bull comes last."""
    return kit.flag(True, BULL)


@cache
def doubles(first: int, bull: bool, clockwise: bool) -> tuple[str, ...]:
    """The doubles from `first`, by number or clockwise."""
    numbers = kit.in_ring_order(first) if clockwise else range(first, 21)
    return (*(f"D{number}" for number in numbers), *(("DB",) if bull else ()))


def shown(goal: str) -> Show:
    return Show(turn={"target": goal})
