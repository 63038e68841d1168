"""What did not reach those whom it was for, since the daemon started: the `counters` of the node's status."""

from dataclasses import dataclass
from typing import Final

MISSED: Final = "$SYS/broker/publish/messages/dropped"
"""Where mosquitto says how many messages it dropped, since it started, for clients that did not keep up."""


@dataclass(slots=True)
class Counters:
    """`dropped` met no broker, or one that did not keep up; `lost` came in too fast; `stuck` are displays that were put
    out; `missed` the broker dropped for clients that did not keep up."""

    dropped: int = 0
    lost: int = 0
    stuck: int = 0
    _missed_now: int = 0
    _missed_before: int = 0

    def missed(self, said: bytes) -> bool:
        """Takes the number that the broker says; whether more were missed. One that was started again counts anew."""
        if not said.isdigit() or len(said) > 20:
            return False
        count = int(said)
        if count < self._missed_now:
            self._missed_before += self._missed_now
        more = count not in (0, self._missed_now)
        self._missed_now = count
        return more

    def shown(self) -> dict[str, dict[str, int]]:
        """The part of a status; what is zero is left out."""
        missed = self._missed_before + self._missed_now
        all_of_them = {"dropped": self.dropped, "lost": self.lost, "stuck": self.stuck, "missed": missed}
        counters = {name: count for name, count in all_of_them.items() if count}
        return {"counters": counters} if counters else {}
