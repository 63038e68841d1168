"""Where to aim for a worth of the beds. Equal worths have one answer, which is kept."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from engine.aiming import BEDS, aim, nearest
from engine.game import Aim
from engine.segments import Segment

_KEPT: Final = 4096


def advised_aim(skill_mm: float, worth: Callable[[Segment], float]) -> Aim:
    """The aim that is worth most on average for a player of this skill."""
    return _aim(nearest(skill_mm), tuple(map(worth, BEDS)))


@lru_cache(_KEPT)
def _aim(skill_mm: int, worths: tuple[float, ...]) -> Aim:
    return aim(skill_mm, dict(zip(BEDS, worths, strict=True)).__getitem__)
