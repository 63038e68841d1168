"""A tournament and how to take back what came last: undo is here, once, for every format."""

from dataclasses import dataclass

from engine.refusals import Refusal
from league.events import UNDOABLE, Event, Undo
from league.setup import Setup
from league.tournament import Tournament, apply


@dataclass(frozen=True, slots=True)
class Record:
    """The events that count, with their times, and the state after each of them. Undone events are left out."""

    events: tuple[tuple[Event, float], ...] = ()
    states: tuple[Tournament, ...] = ()

    @property
    def tournament(self) -> Tournament | None:
        """The tournament now; `None` before its first line."""
        return self.states[-1] if self.states else None

    def act(self, event: Event, at: float) -> "Record | Refusal":
        """The record after an event at a time in seconds."""
        if isinstance(event, Undo) and not (self.tournament is not None and self.tournament.closed):
            return self._undo()
        made = apply(self.tournament, event, at)
        if isinstance(made, Refusal):
            return made
        return Record((*self.events, (event, at)), (*self.states, made))

    def _undo(self) -> "Record | Refusal":
        """Leaves out the last event that can be taken back; calls that came after it are made again if they can be."""
        for index in range(len(self.events) - 1, -1, -1):
            if isinstance(self.events[index][0], UNDOABLE):
                found = Record(self.events[:index], self.states[:index])
                for event, at in self.events[index + 1 :]:
                    after = found.act(event, at)
                    found = found if isinstance(after, Refusal) else after
                return found
            if not isinstance(self.events[index][0], Setup) and self.states[index].seed != self.states[index - 1].seed:
                break  # Not over the draw: the list of entrants was open then.
        return Refusal("nothing_to_undo", "There is nothing to take back.")
