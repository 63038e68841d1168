"""A tournament and how to take back what came last: undo is here, once, for every format."""

from dataclasses import dataclass

from engine.refusals import Refusal
from league.calls import is_playable, with_left, without_calls_in_the_way
from league.events import UNDOABLE, Call, Event, Undo
from league.setup import Setup
from league.state import Tournament
from league.tournament import apply


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
            return self._undo(at)
        made = apply(self.tournament, event, at)
        if isinstance(made, Refusal):
            return made
        return Record((*self.events, (event, at)), (*self.states, made))

    def _undo(self, at: float) -> "Record | Refusal":
        """Leaves out the last event that can be taken back; what came after it is done again if it can be."""
        for index in range(len(self.events) - 1, -1, -1):
            if isinstance(self.events[index][0], UNDOABLE):
                found = Record(self.events[:index], self.states[:index])
                for number in range(index + 1, len(self.events)):
                    found = found._again(*self.events[number], self.states[number])
                after = with_left(self.states[-1], found.states[-1], at, at_once=False)
                return Record(found.events, (*found.states[:-1], after))
            if not isinstance(self.events[index][0], Setup) and self.states[index].seed != self.states[index - 1].seed:
                break  # Not over the draw: the list of entrants was open then.
        return Refusal("nothing_to_undo", "There is nothing to take back.")

    def _again(self, event: Event, at: float, state: Tournament) -> "Record":
        """The record after an event that was done before, `state` is what came of it then. A call is made again for the
        same players alone: theirs is the match on the board. It stands against calls that were made before it."""
        record = self
        if isinstance(event, Call):
            now = self.states[-1]
            pairing = now.standing.pairings.get(event.fixture)
            if pairing is None or not is_playable(state.standing.pairings[event.fixture], pairing):
                return self
            if event.board is not None:
                record = Record(self.events, (*self.states[:-1], without_calls_in_the_way(now, event)))
        after = record.act(event, at)
        return self if isinstance(after, Refusal) else after
