"""Messages that did not reach their receivers since the daemon started: `counters` in the node status."""

from dataclasses import dataclass
from typing import Final

MISSED: Final = "$SYS/broker/publish/messages/dropped"
"""Topic of the number of messages that mosquitto dropped since it started, for clients that did not keep up."""


@dataclass(slots=True)
class Counters:
    """`dropped` messages had no broker, or one that did not keep up; `lost` messages arrived too fast; `stuck` displays
    were disconnected because they did not read; `missed` messages were dropped by the broker for slow clients."""

    dropped: int = 0
    lost: int = 0
    stuck: int = 0
    _missed_now: int = 0
    _missed_before: int = 0

    def missed(self, said: bytes) -> bool:
        """Takes the broker's number; returns whether more were missed. A broker that restarts counts from zero."""
        if not said.isdigit() or len(said) > 20:
            return False
        count = int(said)
        if count < self._missed_now:
            self._missed_before += self._missed_now
        more = count not in (0, self._missed_now)
        self._missed_now = count
        return more

    def shown(self) -> dict[str, dict[str, int]]:
        """Returns the part of a node status, without counters that are zero."""
        missed = self._missed_before + self._missed_now
        all_of_them = {"dropped": self.dropped, "lost": self.lost, "stuck": self.stuck, "missed": missed}
        counters = {name: count for name, count in all_of_them.items() if count}
        return {"counters": counters} if counters else {}
