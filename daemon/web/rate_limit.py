"""A rate with a burst: how long somebody must wait with what comes next, after what came."""


class RateLimit:
    """`rate` units a second, after `burst` units at once. Times in seconds that only grow."""

    def __init__(self, now: float, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._at, self._owed = now, 0.0

    def wait(self, size: float, now: float) -> float:
        """Counts `size` units; the seconds until more may be taken."""
        self._owed = max(0.0, self._owed - (now - self._at) * self._rate) + size
        self._at = now
        return max(0.0, (self._owed - self._burst) / self._rate)
