"""The copy of a match that another node records: the same lines, played by the same rules.

Not chosen: to show the states that the host publishes. A copy of the record restores itself after a restart, is in this
house's history too, and has the same bytes in the end.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from daemon.session.recorded_match import RecordedMatch, Transition, published, step, utc_now
from engine.actions import action_from_json
from engine.game import Event
from engine.refusals import Refusal


@dataclass(frozen=True, slots=True)
class RecordLines:
    """Lines of the host's record of a match; `first` is the number of the first one."""

    match: str
    first: int
    lines: tuple[str, ...]


def follow(recorded: RecordedMatch, new: RecordLines, revision: int) -> Transition | Refusal | None:
    """The copy after these lines; those that it has are skipped. `None` if none is new, or one before them is missing.

    Refusal if the rules here do not allow a line.
    """
    done: list[tuple[int, str]] = []
    events: list[Event] = []
    snapshot: tuple[int, str] | None = None
    for number, line in enumerate(new.lines, new.first):
        if number <= recorded.actions:
            continue
        if number > recorded.actions + 1:
            break
        value = json.loads(line)
        action = action_from_json(value)
        following = action if isinstance(action, Refusal) else step(recorded, action, _time(value))
        if isinstance(following, Refusal):
            return following
        recorded, caused, stored = following
        snapshot = stored or snapshot
        done.append((number, line))
        events += caused
    if not done:
        return None
    return Transition(recorded, tuple(done), snapshot, tuple(events), published(recorded, revision, tuple(events)))


def _time(line: dict[str, object]) -> datetime:
    """The time that the host has noted."""
    at = line.get("at_ms")
    return datetime.fromtimestamp(at / 1000, UTC) if isinstance(at, int) and 0 <= at < 2**45 else utc_now()
