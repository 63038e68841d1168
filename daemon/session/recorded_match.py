"""The match on a board together with its record: a change comes with the lines to commit and the payloads to publish.

Frozen values and pure functions. The session replaces its match by `Transition.after` only after the commit.
"""

import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from daemon.record.reader import MatchRow
from daemon.session.commands import Start
from daemon.session.ghost_legs import Ghost, follows
from daemon.session.payloads import EarlierTurn, earlier_turns
from daemon.session.published_state import PublishedState, published_state
from drivers.driver import Saying
from engine import codec, jsontext
from engine.actions import EARLIER, Action, GameAction, action_to_json
from engine.game import Event
from engine.match import Match, TurnStart
from engine.play import apply
from engine.refusals import Refusal
from engine.result import decided

log = logging.getLogger(__name__)

SNAPSHOT_EVERY: Final = 64
"""Actions between two stored states. A restart replays these and four turns; more where darts were corrected, undone or
chosen again and again."""
STATE: Final = "begins"
"""Key of a stored state. Under `state` are those of versions that counted the choice of a bed as an action."""

Draw = Callable[[Match], GameAction | None]
"""Returns the dice or the deck that a match waits for; `None` if it waits for something else."""


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A match in progress. `actions` counts its recorded actions; the first `hidden` of them precede the stored state
    from which it was resumed, and `stored` is the number at which a state was stored last."""

    row: MatchRow
    match: Match
    bots: dict[str, float]
    actions: int = 0
    hidden: int = 0
    stored: int = 0
    kept: bool = True
    """Whether it is in the journal; false for the demo's matches."""
    began: datetime | None = None
    """When the turn began; after a restart when it was restored."""
    node: str = ""
    """This node, as the boards of a match in two houses name it."""
    ghosts: Mapping[str, Ghost] = field(default_factory=dict)
    """The bots that throw again what a player has thrown."""
    latest: tuple[str, ...] = ()
    """The lines of its last actions, as the journal has them; none after a restart."""
    straight: int = 0
    """How many of the last actions each added one to the match: none was an undo, a correction or the bed of an unsure
    dart."""
    earlier: tuple[EarlierTurn, ...] = ()
    """The turns before this one whose darts can be corrected."""

    @property
    def manual_chance(self) -> bool:
        """Whether people roll the dice and shuffle the cards."""
        return self.match.header.options.get("manual_chance") is True

    @property
    def auto_next(self) -> int | None:
        """Seconds from the end of a turn to the next one; `None` if somebody has to ask for it."""
        value = self.match.header.options.get("auto_next")
        return value if isinstance(value, int) else None

    def board_of(self, player: str) -> str:
        """The board at which a player throws."""
        header = self.match.header
        bound = dict(zip(header.players, header.boards, strict=False))
        return bound.get(player, self.row.board).removeprefix(f"{self.node}/")

    @property
    def host(self) -> str | None:
        """The board of another node that records the match, as `node/board`; `None` if it is recorded here."""
        return self.row.board if "/" in self.row.board else None

    def turn_is_at(self, board: str) -> bool:
        """Whether the darts that the match waits for are thrown at this board, or pulled out of it."""
        if not self.match.header.boards:
            return True
        turn = self.match.turn
        return self.board_of(turn.player if turn.awaits == "next" else turn.actor) == board

    def saying(self, board: str) -> Saying:
        """What a board that listens is told: what the match waits for, if it waits for it there."""
        if self.match.finished:
            return "won"
        if not self.turn_is_at(board):
            return "idle"
        match self.match.turn.awaits:
            case "throw":
                return "throwing"
            case "next":
                return "takeout"
            case _:
                return "idle"


@dataclass(frozen=True, slots=True)
class Transition:
    """The match `after` a change, and what follows from it.

    `lines` are the actions for the journal as (number, JSON); `snapshot` is a state to store in the same form, if one
    is due.
    """

    after: RecordedMatch
    lines: tuple[tuple[int, str], ...]
    snapshot: tuple[int, str] | None
    events: tuple[Event, ...]
    published: PublishedState


def start(board: str, match: Match, ask: Start, now: datetime, draw: Draw, revision: int, node: str = "") -> Transition:
    """Starts the match that was asked for, with what chance brings before the first dart, published as `revision`."""
    match_id = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
    row = MatchRow(match_id, board, jsontext.dump(match.header.to_json()), jsontext.dump(ask.bots), now.isoformat())
    recorded = RecordedMatch(row, match, ask.bots, kept=ask.kept, began=now, node=node, ghosts=ask.ghosts)
    first = None if recorded.manual_chance else draw(match)
    if first is None:
        return starting(unchanged(recorded, revision), revision)
    advanced = act(recorded, first, "table", now, draw, revision)
    if isinstance(advanced, Refusal):
        raise AssertionError(f"the rules refused what they asked chance for: {advanced}")
    return starting(advanced, revision)


def starting(transition: Transition, revision: int) -> Transition:
    """The first transition of a match on its boards, with the event `started` before all others."""
    match = transition.after.match
    about = Event("started", {"game": match.game.name, "players": list(match.header.players)})
    events = (about, *transition.events)
    return replace(transition, events=events, published=published(transition.after, revision, events))


def act(
    recorded: RecordedMatch, action: Action, by: str | None, now: datetime, draw: Draw, revision: int
) -> Transition | Refusal:
    """Applies an action of `by`, then the dice or cards that it makes due. Published as `revision`."""
    lines: list[tuple[int, str]] = []
    events: list[Event] = []
    snapshot: tuple[int, str] | None = None
    # In whole microseconds first: a float of seconds can be just below the millisecond that the hit names.
    remarks: dict[str, Any] = {"at_ms": round(now.timestamp() * 1e6) // 1000}
    due: Action | None = action
    while due is not None:
        remarked = action_to_json(due) | ({} if by is None else {"by": by}) | remarks
        lines.append((recorded.actions + 1, jsontext.dump(remarked)))
        done = step(recorded, due, now, tuple(line for _, line in lines))
        if isinstance(done, Refusal):
            if len(lines) > 1:
                raise AssertionError(f"the rules refused what they asked chance for: {done}")
            return done
        recorded, following, stored = done
        snapshot = stored or snapshot
        events += following
        due, by = (None if recorded.manual_chance else draw(recorded.match)), "table"
    return Transition(recorded, tuple(lines), snapshot, tuple(events), published(recorded, revision, tuple(events)))


def step(
    recorded: RecordedMatch, action: Action, now: datetime, latest: tuple[str, ...] = ()
) -> tuple[RecordedMatch, tuple[Event, ...], tuple[int, str] | None] | Refusal:
    """Applies one action: the match after it, its events, and the state to store if one is due. `latest` are the lines
    of the transition up to this action."""
    match = apply(recorded.match, action)
    if isinstance(match, Refusal):
        return match
    number = recorded.actions + 1
    events = (*match.events, *_decided(recorded.match, match))
    straight = recorded.straight + 1 if len(match.played) > len(recorded.match.played) else 0
    ended = _ended(recorded.row, match, now)
    same_turn = _same_turn(recorded.match, match)
    # Not `replace`, which would take longer for every dart.
    recorded = RecordedMatch(
        row=ended,
        match=match,
        bots=recorded.bots,
        actions=number,
        hidden=recorded.hidden,
        stored=recorded.stored,
        kept=recorded.kept,
        began=recorded.began if same_turn else now,
        node=recorded.node,
        ghosts=recorded.ghosts,
        latest=latest,
        straight=straight,
        # A dart does not change them.
        earlier=recorded.earlier if same_turn and straight else earlier_turns(match),
    )
    if number - recorded.stored >= SNAPSHOT_EVERY and (start := _turn_to_store(recorded)) is not None:
        return replace(recorded, stored=number), events, _snapshot(recorded, start)
    return recorded, events, None


def act_all(
    recorded: RecordedMatch, actions: Iterable[Action], by: str | None, now: datetime, draw: Draw, revision: int
) -> Transition | Refusal:
    """Applies several actions of `by` as one transition. Refused as a whole if one of them is."""
    done = unchanged(recorded, revision)
    for action in actions:
        following = act(done.after, action, by, now, draw, revision)
        if isinstance(following, Refusal):
            return following
        events = (*done.events, *following.events)
        snapshot = following.snapshot or done.snapshot
        done = replace(following, lines=(*done.lines, *following.lines), snapshot=snapshot, events=events)
    return replace(done, published=published(done.after, revision, done.events))


def unchanged(recorded: RecordedMatch, revision: int) -> Transition:
    """The match as it is, to be published once more after a restart."""
    return Transition(recorded, (), None, (), published(recorded, revision, ()))


def stopped(recorded: RecordedMatch, now: datetime) -> MatchRow:
    """The row of a match that is taken off its board."""
    row = recorded.row
    return row if row.ended is not None else replace(row, ended=now.isoformat(), result="stopped")


def utc_now() -> datetime:
    """The time of an action that no board reported."""
    return datetime.now(UTC)


def _decided(before: Match, after: Match) -> tuple[Event, ...]:
    """The event of the dart that decides the match, which stays open until `next`."""
    winners = None if after.finished else decided(after)
    if winners is None or winners == decided(before):
        return ()
    return (Event("decided", {"winners": list(winners)}),)


def _same_turn(before: Match, after: Match) -> bool:
    return before.turns[-1].number == after.turns[-1].number


def _turn_to_store(recorded: RecordedMatch) -> TurnStart | None:
    """The turn whose start can be stored: the earliest that can still be corrected, if this action began a turn.

    None while an undo, a correction or the choice of a bed is among the actions since: the record has other numbers for
    them than the match.
    """
    match = recorded.match
    if match.turns[-1].at != len(match.played) or match.unsure is not None or len(match.turns) <= EARLIER:
        return None
    start = match.turns[-1 - EARLIER]
    return start if len(match.played) - start.at <= recorded.straight else None


def _snapshot(recorded: RecordedMatch, start: TurnStart) -> tuple[int, str] | None:
    """The state to store; `None` if the game's states cannot be stored, and the match goes on without."""
    match = recorded.match
    number = recorded.actions - (len(match.played) - start.at)
    try:
        return number, jsontext.dump({STATE: codec.to_json(start.state), "awards": start.awards})
    except Exception:
        log.warning("a state of the game %s cannot be stored", match.game.name, exc_info=True)
        return None


def published(recorded: RecordedMatch, revision: int, events: tuple[Event, ...]) -> PublishedState:
    """The payloads of the match at a revision."""
    header = recorded.match.header
    counted = recorded.began if "turn_seconds" in header.options else None
    return published_state(
        recorded.row.id,
        recorded.match,
        recorded.bots,
        revision,
        events,
        recorded.earlier,
        counted,
        {player: recorded.board_of(player) for player in header.players} if header.boards else {},
        follows(recorded.match, recorded.ghosts),
    )


def _ended(row: MatchRow, match: Match, now: datetime) -> MatchRow:
    winners = match.game.winners(match.state)
    if winners is None:
        return replace(row, ended=None, result=None, winners=None) if row.ended is not None else row
    return replace(row, ended=now.isoformat(), result="finished", winners=jsontext.dump(list(winners)))
