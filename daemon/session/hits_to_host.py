"""The hits of a board that wait for the answer of the house that records the match, also after a restart."""

import json
from typing import Any

from daemon.record.journal import Journal
from daemon.session.outbox import SentMark


class HitsToHost:
    """Which hits are answered. Hits are sent in order and one at a time, so one number says it.

    The number is in the file `answered-<board>`, which is not flushed: after a power cut a hit can be sent once more,
    with the same id.
    """

    def __init__(self, board: str, journal: Journal) -> None:
        self._board, self._journal = board, journal
        self._mark = SentMark(journal.path.parent, board, "answered")
        self.first: int | None = None
        """The number of the first hit that waits; `None` if none does."""

    def unanswered(self, match_id: str) -> dict[int, dict[str, Any]]:
        """The hits for a match that a former run did not see answered, by number."""
        stored = self._journal.hits(self._board, after=self._mark.read())
        hits = {seq: json.loads(text) for seq, text in stored.items()}
        return {seq: hit for seq, hit in hits.items() if hit.get("match") == match_id}

    def answered(self, seq: int) -> None:
        """Notes that no hit up to this one waits."""
        self._mark.write(seq)
