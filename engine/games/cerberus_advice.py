"""Advice in Cerberus: the aim with the highest average score of the turn.

A turn is short and searched to its end. The search keeps the marks of the darts
thrown and the set of targets hit. It takes the wild number to be the best one
hit so far, or else the next one hit; choosing it later never pays less.
"""

from functools import lru_cache
from typing import Final

from engine.aiming import Spot, aim_at, nearest, spots
from engine.game import Aim
from engine.games.cerberus_targets import MULTIPLIER, Hit, marks_of

_WILD: Final = 0
"""Stands for a wild number that no dart has hit yet."""


def aim_at_targets(
    skill_mm: float, numbers: tuple[int, ...], hits: tuple[Hit, ...], wild: int, darts: int, penalty: int
) -> Aim:
    """The aim for the next dart.

    `numbers` are the targets without a wild one, the bull as 25; `hits` the numbers and marks of the darts thrown;
    `wild` the present wild number; `darts` the number in hand; `penalty` the cost of a turn without marks.
    """
    if len(numbers) < 3:
        numbers = (*numbers, wild if any(number == wild for number, _ in hits) else _WILD)
    marked = [(number, marks) for number, marks in hits if number in numbers and number]
    mask = sum(1 << numbers.index(number) for number in {number for number, _ in marked})
    skill = nearest(skill_mm)
    index, value = _best(skill, numbers, sum(marks for _, marks in marked), mask, darts, penalty)
    return aim_at(spots(skill)[index], value)


@lru_cache(20_000)
def _best(skill: int, numbers: tuple[int, ...], marks: int, mask: int, darts: int, penalty: int) -> tuple[int, float]:
    """The index of the best spot with these marks and targets hit (`mask`), and the average score with it."""
    chosen, most = 0, float("-inf")
    worth: dict[tuple[int, int], float] = {(0, 0): _then(skill, numbers, marks, mask, darts - 1, penalty)}
    for index, hits in _outcomes(skill, numbers):
        total = 0.0
        for hit, odds in hits:
            value = worth.get(hit)
            if value is None:
                number, more = hit
                among = numbers if number in numbers else tuple(n or number for n in numbers)
                bit = 1 << among.index(number)
                value = worth[hit] = _then(skill, among, marks + more, mask | bit, darts - 1, penalty)
            total += odds * value
        if total > most + 1e-9:
            chosen, most = index, total
    return chosen, most


def _then(skill: int, numbers: tuple[int, ...], marks: int, mask: int, darts: int, penalty: int) -> float:
    if darts:
        return _best(skill, numbers, marks, mask, darts, penalty)[1]
    return float(marks * MULTIPLIER[mask.bit_count()]) or -float(penalty)


@lru_cache(256)
def _outcomes(
    skill: int, numbers: tuple[int, ...]
) -> tuple[tuple[int, tuple[tuple[tuple[int, int], float], ...]], ...]:
    """For each spot that can hit a target: its index, and the odds of each number and marks; (0, 0) is no target."""
    found = ((index, _hits(spot, numbers)) for index, spot in enumerate(spots(skill)))
    return tuple((index, tuple(hits.items())) for index, hits in found if len(hits) > 1)


def _hits(spot: Spot, numbers: tuple[int, ...]) -> dict[tuple[int, int], float]:
    hits = {(0, 0): 0.0}
    for bed, odds in spot.odds.items():
        counts = bed.number in numbers or (_WILD in numbers and not bed.is_bull)
        hit = (bed.number, marks_of(bed)) if counts and bed.number else (0, 0)
        hits[hit] = hits.get(hit, 0.0) + odds
    return hits
