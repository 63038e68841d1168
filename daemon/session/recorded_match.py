"""The match that is on a board, together with its record: every change comes with the lines to be written.

A frozen value, like the match inside it: the table puts a new one in its place
only when its lines are on the disk.
"""

import json
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from daemon.record.reader import History, MatchRow
from daemon.session.commands import Start
from daemon.session.published_state import PublishedState, published_state
from drivers.driver import Saying
from engine import codec, jsontext
from engine.actions import Action, Correct, GameAction, Undo, action_from_json, action_to_json
from engine.faces import Faces
from engine.game import Event
from engine.match import Match, apply, begin, replayed
from engine.matchfile import Games, header_from_json, open_match
from engine.refusals import Refusal

log = logging.getLogger(__name__)

SNAPSHOT_EVERY: Final = 64
"""Actions between two stored states: so much a restart plays again, however long the match is."""

Draw = Callable[[Match], GameAction | None]


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A match going on. `recorded` counts its lines; the first `hidden` of them lie behind a stored state."""

    row: MatchRow
    match: Match
    bots: dict[str, float]
    recorded: int = 0
    hidden: int = 0
    stored: int = 0
    kept: bool = True
    """Whether it is in the journal: not where the daemon plays with itself, for somebody to look at."""

    @property
    def manual_chance(self) -> bool:
        """Dice and packs wait for people."""
        return self.match.header.options.get("manual_chance") is True

    @property
    def auto_next(self) -> int | None:
        """Seconds after which a turn that is over is followed by the next; None: somebody says so."""
        value = self.match.header.options.get("auto_next")
        return value if isinstance(value, int) else None


@dataclass(frozen=True, slots=True)
class Transition:
    """A match after one step: lines for the journal, a state to be stored where one is due, what happened, and what is
    seen of it from then on."""

    live: RecordedMatch
    lines: tuple[tuple[int, str], ...]
    snapshot: tuple[int, str] | None
    events: tuple[Event, ...]
    published_state: PublishedState


@dataclass(frozen=True, slots=True)
class _Done:
    """A part of a change."""

    live: RecordedMatch
    lines: tuple[tuple[int, str], ...] = ()
    snapshot: tuple[int, str] | None = None
    events: tuple[Event, ...] = ()

    def shown(self, revision: int) -> Transition:
        live = self.live
        seen = published_state(live.row.id, live.match, live.bots, revision, self.events)
        return Transition(live, self.lines, self.snapshot, self.events, seen)


def start(board: str, match: Match, ask: Start, now: datetime, draw: Draw, revision: int) -> Transition:
    """The new match that was asked for, with what chance brings before the first dart, to be shown as this revision."""
    match_id = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
    row = MatchRow(match_id, board, jsontext.dump(match.header.to_json()), jsontext.dump(ask.bots), now.isoformat())
    live = RecordedMatch(row, match, ask.bots, kept=ask.kept)
    about = {"game": match.game.name, "players": list(match.header.players)}
    return _chance(_Done(live, events=(Event("started", about),)), now, draw).shown(revision)


def act(
    live: RecordedMatch, action: Action, by: str | None, now: datetime, draw: Draw, revision: int
) -> Transition | Refusal:
    """The match after an action, and after the dice or cards that it makes due, to be shown as this revision."""
    done = _do(live, action, by, now)
    return done if isinstance(done, Refusal) else _chance(done, now, draw).shown(revision)


def again(live: RecordedMatch, revision: int) -> Transition:
    """A match as it is, to be shown once more."""
    return _Done(live).shown(revision)


def resume(row: MatchRow, history: History, games: Games, faces: Faces) -> RecordedMatch | Refusal:
    """The match as the journal has it: from the stored state, or from the start where that does not serve."""
    header = header_from_json(json.loads(row.header))
    opened = header if isinstance(header, Refusal) else open_match(header, games, faces)
    if isinstance(opened, Refusal):
        return opened
    snapshot = history.snapshot(row.id)
    if snapshot is not None:
        live = _from_snapshot(row, opened, snapshot, history)
        if live is not None:
            return live
    return whole(row, opened, history)


def whole(row: MatchRow, opened: Match, history: History) -> RecordedMatch | Refusal:
    """The match played from its first action, so that undo can go all the way."""
    return _played(RecordedMatch(row, opened, json.loads(row.bots)), history.actions(row.id))


def reopened(live: RecordedMatch, history: History, games: Games, faces: Faces) -> RecordedMatch | Refusal:
    """The same match with all of its actions at hand, not only those after the stored state."""
    opened = open_match(live.match.header, games, faces)
    return opened if isinstance(opened, Refusal) else whole(live.row, opened, history)


def stopped(live: RecordedMatch, now: datetime) -> MatchRow:
    """The row of a match that is taken from its board."""
    return live.row if live.row.ended is not None else replace(live.row, ended=now.isoformat(), result="stopped")


def saying(live: RecordedMatch | None) -> Saying:
    """What a board that listens is to be told: what the match on it waits for."""
    if live is None:
        return "idle"
    if live.match.finished:
        return "won"
    match live.match.turn.awaits:
        case "throw":
            return "throwing"
        case "next":
            return "takeout"
        case _:
            return "idle"


def _from_snapshot(row: MatchRow, opened: Match, snapshot: tuple[int, str], history: History) -> RecordedMatch | None:
    n, text = snapshot
    try:
        state = codec.from_json(opened.game.state_type, json.loads(text))
    except Exception:
        # Written by a version whose states were made otherwise: the actions still tell everything.
        log.info("the stored state of the match %s does not serve", row.id, exc_info=True)
        return None
    match = begin(opened.header, opened.game, state)
    live = _played(RecordedMatch(row, match, json.loads(row.bots), n, n, n), history.actions(row.id, n))
    return None if isinstance(live, Refusal) else live


def _played(live: RecordedMatch, lines: list[str]) -> RecordedMatch | Refusal:
    match = replayed(live.match, (action_from_json(json.loads(line)) for line in lines))
    return match if isinstance(match, Refusal) else replace(live, match=match, recorded=live.recorded + len(lines))


def _do(live: RecordedMatch, action: Action, by: str | None, now: datetime) -> _Done | Refusal:
    outcome = apply(live.match, action)
    if isinstance(outcome, Refusal):
        return outcome
    match, n = outcome, live.recorded + 1
    line = jsontext.dump(action_to_json(action) | _remarks(by, now))
    begins = match.turns[-1].at == len(match.played) and not isinstance(action, Undo | Correct)
    due = begins and match.unsure is None and n - live.stored >= SNAPSHOT_EVERY
    snapshot = _snapshot(match, n) if due else None
    row = _ended(live.row, match, now)
    return _Done(
        replace(live, row=row, match=match, recorded=n, stored=n if due else live.stored),
        ((n, line),),
        snapshot,
        outcome.events,
    )


def _snapshot(match: Match, n: int) -> tuple[int, str] | None:
    """The state after `n` actions, to be stored. None where the game's states cannot be: the match goes on without."""
    try:
        return n, jsontext.dump(codec.to_json(match.state))
    except Exception:
        log.warning("a state of the game %s cannot be stored", match.game.name, exc_info=True)
        return None


def _chance(done: _Done, now: datetime, draw: Draw) -> _Done:
    while not done.live.manual_chance and (drawn := draw(done.live.match)) is not None:
        more = _do(done.live, drawn, "table", now)
        if isinstance(more, Refusal):
            raise AssertionError(f"the rules refused what they asked chance for: {more}")
        done = _Done(more.live, done.lines + more.lines, more.snapshot or done.snapshot, done.events + more.events)
    return done


def _ended(row: MatchRow, match: Match, now: datetime) -> MatchRow:
    winners = match.game.winners(match.state)
    if winners is None:
        return replace(row, ended=None, result=None, winners=None) if row.ended is not None else row
    return replace(row, ended=now.isoformat(), result="finished", winners=jsontext.dump(list(winners)))


def _remarks(by: str | None, now: datetime) -> dict[str, Any]:
    about: dict[str, Any] = {"at_ms": int(now.timestamp() * 1000)}
    return about if by is None else {"by": by} | about


def utc_now() -> datetime:
    """The time of what is done now, as records and messages have it."""
    return datetime.now(UTC)
