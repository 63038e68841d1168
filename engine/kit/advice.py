"""Where to aim for a worth of the beds. Equal worths have one answer, which is kept."""

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Final

from engine.aiming import BEDS, aim_at, best_of, nearest, spots
from engine.game import Aim
from engine.segments import Segment

_KEPT: Final = 4096
"""How many aims are kept by their worths, and as many by what these depend on."""

_aims: dict[tuple[int, Hashable], Aim] = {}


def advised_aim(skill_mm: float, worth: Callable[[Segment], float], of: Hashable = None) -> Aim:
    """The aim that is worth most on average for a player of this skill.

    `of` tells the worths from all others: which function they are of, and all that this depends on besides the bed.
    Calls with an equal one have the same aim, and only the first asks `worth`. None: every call asks it.
    """
    skill = nearest(skill_mm)
    if of is None:
        return _aim(skill, tuple(map(worth, BEDS)))
    found = _aims.get((skill, of))
    if found is None:
        found = _aim(skill, tuple(map(worth, BEDS)))
        if len(_aims) >= _KEPT:
            # All are forgotten: most are found again by their worths.
            _aims.clear()
        _aims[skill, of] = found
    return found


@lru_cache(_KEPT)
def _aim(skill_mm: int, worths: tuple[float, ...]) -> Aim:
    return aim_at(*best_of(spots(skill_mm), worths))
