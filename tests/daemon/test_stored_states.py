"""A match that is resumed from its stored state is the match that is replayed from its first action."""

import random
from collections.abc import Iterator
from typing import Any, Final

import pytest

from daemon.session.commands import Start
from daemon.session.payloads import earlier_turns
from daemon.session.recorded_match import SNAPSHOT_EVERY, RecordedMatch, act, start, utc_now
from daemon.session.resumed_match import resume
from daemon.system.catalogue import faces, games
from engine.actions import EARLIER, Action, Choose, Correct, Next, Throw, Undo
from engine.darts import Points
from engine.match import Header
from engine.matchfile import open_match
from engine.refusals import Refusal
from engine.segments import SEGMENTS

UNSURE: Final = Points(18, (SEGMENTS["T6"], SEGMENTS["D9"], SEGMENTS["SO18"]))
ACTIONS: Final = 3 * SNAPSHOT_EVERY


class _Record:
    """What was written of one match, as the journal returns it."""

    def __init__(self, *, states: bool) -> None:
        self.lines: list[tuple[int, str]] = []
        self.states: list[tuple[int, str]] = []
        self._with_states = states

    def actions(self, _match: str, after: int = 0) -> list[str]:
        return [line for number, line in self.lines if number > after]

    def snapshot(self, _match: str) -> tuple[int, str] | None:
        return self.states[-1] if self.states and self._with_states else None


def _played(seed: int, record: _Record) -> Iterator[RecordedMatch]:
    """Cricket of a board that says the points alone now and then, with people who correct."""
    chance, now = random.Random(seed), utc_now()
    header = Header("cricket", ("Ann", "Bob"), {})
    match = open_match(header, games(), faces())
    assert not isinstance(match, Refusal)
    recorded = start("lounge", match, Start(header, {}), now, lambda _: None, 1).after
    for _ in range(ACTIONS):
        done = act(recorded, _action(recorded, chance), None, now, lambda _: None, 1)
        if isinstance(done, Refusal):
            continue
        recorded = done.after
        record.lines += done.lines
        if done.snapshot is not None:
            record.states.append(done.snapshot)
        yield recorded


def _action(recorded: RecordedMatch, chance: random.Random) -> Action:
    turn = recorded.match.turn
    if turn.awaits == "choose":
        return Choose("segment", "T6")
    if turn.darts and chance.random() < 0.02:
        corrections: list[Action] = [Undo(), Correct(1, SEGMENTS["SO7"]), Correct(1, SEGMENTS["D3"], back=1)]
        return chance.choice(corrections)
    if turn.awaits != "throw":
        return Next()
    return Throw(UNSURE if chance.random() < 0.03 else SEGMENTS[chance.choice(["SO7", "T20", "SO1", "D3"])])


def _shown(record: _Record, recorded: RecordedMatch) -> Any:
    found: Any = resume(recorded.row, record, games(), faces())  # type: ignore[arg-type]
    assert not isinstance(found, Refusal), found
    return found.actions, found.match.turn, found.match.view()


@pytest.mark.parametrize("seed", range(12))
def test_a_match_with_chosen_beds_and_corrections_is_the_same_after_a_restart(seed: int) -> None:
    record, whole = _Record(states=True), _Record(states=False)
    whole.lines, compared = record.lines, 0
    for recorded in _played(seed, record):
        if len(record.states) > compared:
            compared = len(record.states)
            assert _shown(record, recorded) == _shown(whole, recorded)
    assert _shown(record, recorded) == _shown(whole, recorded)


@pytest.mark.parametrize("seed", range(12))
def test_the_turns_that_can_be_corrected_are_those_of_the_match_after_every_action(seed: int) -> None:
    record, found = _Record(states=True), 0
    for recorded in _played(seed, record):
        assert recorded.earlier == earlier_turns(recorded.match)
        found = max(found, len(recorded.earlier))
    resumed: Any = resume(recorded.row, record, games(), faces())  # type: ignore[arg-type]
    assert resumed.earlier == recorded.earlier
    assert found == EARLIER


def test_states_are_stored_in_such_matches() -> None:
    """Otherwise the comparison would prove nothing."""
    assert sum(_stored(seed) for seed in range(12)) > 6


def _stored(seed: int) -> int:
    record = _Record(states=True)
    for _ in _played(seed, record):
        pass
    return len(record.states)
