"""How long writes to the journal took, as a histogram: from the request to the flush of the disk."""

from bisect import bisect_left
from typing import Final

BOUNDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0)
"""Upper bounds of the buckets in seconds; longer times have a bucket of their own."""


class WriteTimes:
    """A histogram of seconds, by the buckets of `BOUNDS`."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        """How many times each bucket has, without those of the buckets before."""
        self.sum = 0.0
        """All times together, in seconds."""

    def add(self, seconds: float) -> None:
        """Counts a time."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds
