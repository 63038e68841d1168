"""Whether the event loop itself may wait for the disk.

A commit in the loop's own thread saves two wake-ups, a quarter of the time from a dart to its state. But a flush stops
every board, page and connection of the daemon, and that of a memory card can take a second. So the loop waits only for
a disk that was quick for a while; a slow flush makes it leave the commits to the journal's thread, the longer the
slower it was.
"""

from typing import Final

QUICK_SECONDS: Final = 0.005
"""The longest commit that the loop may wait for: shorter than a screen needs for one picture."""
FIRST: Final = 20
"""Commits of a new journal that must be quick in the thread before the loop makes one."""
FOR_EACH_MS: Final = 1
"""The same after a slow commit, for each of its milliseconds: after a second, a thousand, which is some evenings."""


class QuickDisk:
    """Counts how many commits must still be quick."""

    def __init__(self) -> None:
        self._left = FIRST

    @property
    def is_quick(self) -> bool:
        """Whether the next commit may be made on the event loop."""
        return self._left == 0

    def took(self, seconds: float) -> None:
        """Counts a commit that took so long, on the loop or in the thread."""
        if seconds > QUICK_SECONDS:
            self._left = max(self._left, FIRST, round(seconds * 1000 * FOR_EACH_MS))
        elif self._left:
            self._left -= 1
