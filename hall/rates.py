"""A bound on a rate."""

from dataclasses import dataclass
from typing import Self


@dataclass(slots=True)
class TokenBucket:
    """Lets through `per_second` on average, and `most` at once."""

    per_second: float
    most: float
    left: float = 0.0
    at: float | None = None

    def copy(self) -> Self:
        """A full bucket with the same bounds."""
        return type(self)(self.per_second, self.most)

    def take(self, now: float) -> bool:
        """Whether one more is let through at a time in seconds."""
        self.left = self.most if self.at is None else min(self.most, self.left + (now - self.at) * self.per_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True
