"""Two beds that share a wire and close together: one dart on the wire between them, or its tip as it swings.

The first bed scores. The other one is a doubt, which one touch makes a dart. Beds that do not touch each other are two
darts, however close in time. Pure; times in ns, handed in: by the board's own clock if it has one, else of arrival.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import cache

from drivers.debounce import MS, Verdict, Verdicts
from engine.geometry import neighbours
from engine.segments import MISS, Segment


class Neighbours:
    """Turns a dart into a doubt if a bed next to it closed within `neighbour_ms` before."""

    def __init__(self, neighbour_ms: float, meaning: Callable[[Hashable], object]) -> None:
        """`meaning` returns what a key of a verdict stands for."""
        self._window = round(neighbour_ms * MS)
        self._meaning = meaning
        self._closed: dict[Hashable, tuple[Segment, int]] = {}
        """The beds that scored within the window, by contact, and when each of them last closed."""

    def resume(self, keys: Sequence[Hashable]) -> None:
        """Sets the contacts of the last dart of an earlier process, which was at 0 on the board's clock."""
        found = ((key, self._meaning(key)) for key in keys)
        self._closed = {key: (bed, 0) for key, bed in found if isinstance(bed, Segment)}

    def judge(self, verdicts: Verdicts) -> Verdicts:
        """Returns the verdicts, with doubts for the darts that may be another one's."""
        return tuple(map(self._one, verdicts)) if self._window and verdicts else verdicts

    def _one(self, verdict: Verdict) -> Verdict:
        key, at_ns = verdict.key, verdict.judged_ns
        if verdict.kind in ("repeat", "doubt") and key in self._closed:
            self._closed[key] = self._closed[key][0], at_ns
        if verdict.kind != "dart":
            return verdict
        bed = self._meaning(key)
        if not isinstance(bed, Segment) or bed == MISS:
            return verdict
        self._closed = {k: (b, at) for k, (b, at) in self._closed.items() if abs(at_ns - at) <= self._window}
        if any(touch(bed, other) for k, (other, _) in self._closed.items() if k != key):
            return replace(verdict, kind="doubt")
        self._closed[key] = bed, at_ns
        return verdict


@cache
def touch(one: Segment, other: Segment) -> bool:
    """Whether two beds share an edge or a corner, or are the same one on two contacts, as a bull often is."""
    return one == other or one in neighbours(other) or other in neighbours(one)
