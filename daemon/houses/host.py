"""The house that records a match: answers the questions of its guests, and tells them what changes."""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from daemon.houses.invitations import Invitation, Invitations
from daemon.houses.messages import LINES, Question, lines_from, read_question
from daemon.mqtt.message import Message
from daemon.mqtt.shared_broker import SharedBroker
from daemon.record.reader import History
from daemon.record.row_writer import of_houses
from daemon.session import reply_payloads
from daemon.session.board_session import BoardSession
from daemon.session.commands import Command, Start, read_command
from daemon.session.guest_rights import GuestAction, guest_may, guests
from daemon.session.house_payloads import House
from daemon.session.inbox import Call
from daemon.session.recorded_match import RecordedMatch
from daemon.session.replies import Asker
from engine.match import Header
from engine.matchfile import NEWEST
from engine.refusals import Refusal
from engine.result import decided

AWAY_SECONDS: Final = 3.5
"""A house that has said nothing for so long is away: it says something every second."""
OPEN: Final = 20
"""Questions of one house that may wait for an answer; more are dropped, and asked again."""
REMEMBERED: Final = 64
"""Houses of which it is remembered when they were heard."""

Reply = dict[str, Any]


class Host:
    """Matches that this node records and other houses play too."""

    def __init__(
        self,
        node: str,
        shared: SharedBroker,
        invitations: Invitations,
        sessions: Mapping[str, BoardSession],
        history: History,
    ) -> None:
        self._node, self._shared, self._invitations = node, shared, invitations
        self._sessions, self._history = sessions, history
        self._heard: dict[tuple[str, str], float] = {}
        self._left: set[tuple[str, str]] = set()
        self._last: dict[tuple[str, str], str] = {}
        self._have: dict[tuple[str, str], int] = {}
        self._asks: str | None = None
        """The place whose command is being executed: its answer has the lines."""
        self._open: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------ questions

    def hear(self, board: str, house: str, message: Message) -> None:
        """Takes a question of another house to the session of the board."""
        if self._open[house] >= OPEN:
            return
        question, session = read_question(house, message.payload), self._sessions.get(board)
        if question is None:
            return
        if session is None:
            self._answer(board, question, _refused(Refusal("bad_boards", f"There is no board {board[:32]!r} here.")))
            return
        self._open[house] += 1

        async def run() -> None:
            try:
                self._answer(board, question, await self._handle(session, question))
            finally:
                self._open[house] -= 1

        task = asyncio.create_task(session.inbox.put(Call(run)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _handle(self, session: BoardSession, question: Question) -> Reply:
        if question.code is not None:
            return await self._invited(session, question, question.code)
        recorded = session.recorded
        if recorded is None or recorded.row.id != question.match:
            return self._off_board(session, question)
        if question.place not in guests(recorded):
            return _refused(Refusal("not_allowed", f"Nobody throws at {question.place[:80]} in this match."))
        self._note(session, question)
        refused: Reply = {"ok": True}
        if question.action:
            refused = await self._act(session, question)
        return refused | self._lines(session, question.place, question.have)

    async def _act(self, session: BoardSession, question: Question) -> Reply:
        _, command = read_command(question.action)
        if isinstance(command, Refusal):
            return _refused(command)
        about = GuestAction(question.place, question.match, question.dart, question.turn, question.have, question.exact)
        self._asks = question.place
        try:
            asker = Asker(question.id, question.place)
            reply = await session.execute(command, asker, partial(guest_may, command, about))
        finally:
            self._asks = None
        if reply["ok"]:
            self._last[session.name, question.place] = question.id
        return dict(reply)

    def _note(self, session: BoardSession, question: Question) -> None:
        """Notes that a house was heard, how much of the record it has, and whether it leaves."""
        key = (session.name, question.place)
        self._heard.pop(key, None)
        self._heard[key] = asyncio.get_running_loop().time()
        while len(self._heard) > REMEMBERED:
            del self._heard[next(iter(self._heard))]
        self._have[key] = question.have
        left = (question.match, question.place)
        (self._left.add if question.leaves else self._left.discard)(left)
        self.show(session)

    def _off_board(self, session: BoardSession, question: Question) -> Reply:
        """The answer about a match that is not on the board: it is over, or adjourned."""
        row = self._history.match(question.match) if question.match else None
        there = [] if row is None else json.loads(row.header).get("boards", [])
        if row is None or row.board != session.name or question.place not in there:
            return _refused(Refusal("no_match", f"There is no match {question.match[:64]!r} for this house here."))
        if row.ended is None:
            return {"ok": True, "match": row.id, "state": "adjourned"}
        lines = lines_from(self._history.actions(row.id, question.have, LINES), question.have)
        return {"ok": True, "match": row.id, "state": "over", **lines}

    # ------------------------------------------------------------------ invitations

    async def _invited(self, session: BoardSession, question: Question, code: str) -> Reply:
        found = self._invitations.find(session.name, code, question.place)
        if isinstance(found, Refusal):
            return _refused(found)
        if question.look:
            return {"ok": True, "invitation": found.shown(self._node)}
        recorded = session.recorded
        if recorded is not None and recorded.row.id == found.match:
            return self._joined(session, recorded, question)
        if recorded is not None and _began(found, question.place, recorded):
            # This house was killed before it noted what began.
            try:
                self._invitations.use(found, question.place, recorded.row.id)
            except OSError as error:
                return _unnoted(error)
            return self._joined(session, recorded, question)
        if found.match is not None:
            row = self._history.match(found.match)
            if row is not None and row.ended is None:
                return {"ok": False, "reason": "not_invited", "message": "The match is adjourned; its host resumes it."}
            return _refused(Refusal("not_invited", "The match of this invitation is over."))
        try:
            self._invitations.use(found, question.place)
            reply = await session.execute(
                Command(Start(self._header(session, found, question), {}), question.id),
                Asker(question.id, question.place),
                lambda there: _busy(session, there),
            )
            recorded = session.recorded
            if reply["ok"] and recorded is not None and question.place in guests(recorded):
                self._invitations.use(found, question.place, recorded.row.id)
                return self._joined(session, recorded, question)
            self._invitations.use(found, None)
        except OSError as error:
            return _unnoted(error)
        return dict(reply)

    def _header(self, session: BoardSession, found: Invitation, question: Question) -> Header:
        here = f"{self._node}/{session.name}"
        boards = tuple(question.place if name in found.guests else here for name in found.players)
        return Header(found.game, found.players, found.options, NEWEST, boards)

    def _joined(self, session: BoardSession, recorded: RecordedMatch, question: Question) -> Reply:
        self._note(session, question)
        row = recorded.row
        about = {"header": row.header, "bots": row.bots, "started": row.started}
        return {"ok": True, **about, **self._lines(session, question.place, 0)}

    # ------------------------------------------------------------------ to the guests

    def changed(self, session: BoardSession) -> None:
        """Tells the guests of a match what has changed."""
        recorded = session.recorded
        if recorded is None or recorded.host is not None:
            return
        self.show(session)
        for place in guests(recorded):
            if place != self._asks:
                house, _, board = place.partition("/")
                have = min(self._have.get((session.name, place), 0), recorded.actions)
                text = {"board": board, "ok": True, **self._lines(session, place, have)}
                self._shared.send(f"oche/{self._node}/board/{session.name}/record/{house}", text)

    def show(self, session: BoardSession) -> None:
        """Publishes which houses play the match on a board, and whether they are there."""
        recorded = session.recorded
        if recorded is None or recorded.host is not None:
            return
        now = asyncio.get_running_loop().time()
        shown: list[House] = []
        for place in guests(recorded):
            here = now - self._heard.get((session.name, place), -AWAY_SECONDS) < AWAY_SECONDS
            left = (recorded.row.id, place) in self._left
            state: House = {
                "node": place.partition("/")[0],
                "state": "left" if left else "here" if here else "away",
                "host": False,
            }
            shown.append(state)
        session.show_houses(shown)

    def _lines(self, session: BoardSession, place: str, have: int) -> Reply:
        """The lines of the record that a guest lacks, and the last command that was executed for it."""
        recorded, key = session.recorded, (session.name, place)
        if recorded is None:
            return {}
        if key not in self._last:
            self._last[key] = next(reversed(self._executed(session.name, place)), "")
        lines: Reply = {}
        if (lacks := recorded.actions - have) > 0:
            # Mostly those of the last action. To open the journal for them would take a millisecond.
            latest = recorded.latest[-lacks:] if lacks <= len(recorded.latest) else None
            lines = lines_from(latest or self._history.actions(recorded.row.id, have, LINES), have)
        self._have[key] = have + len(lines.get("lines", ()))
        return {"match": recorded.row.id, "count": recorded.actions, "last": self._last[key], **lines}

    def _executed(self, board: str, place: str) -> list[str]:
        keys = self._history.replies(of_houses(board))
        return [json.loads(key.partition(" ")[2]) for key in keys if key.startswith(f"{place} ")]

    def _answer(self, board: str, question: Question, reply: Reply) -> None:
        house, _, place = question.place.partition("/")
        body = {**reply, "id": question.id, "board": place}
        self._shared.send(f"oche/{self._node}/board/{board}/reply/{house}", body)


def _refused(refusal: Refusal) -> Reply:
    return {**reply_payloads.refused("", refusal)}


def _unnoted(error: OSError) -> Reply:
    return _refused(Refusal("disk", f"The invitation cannot be noted: {error.strerror}."))


def _began(found: Invitation, place: str, recorded: RecordedMatch) -> bool:
    """Whether a match is the one of an invitation that a house has accepted, but whose match was not noted."""
    if (found.used_by, found.match) != (place, None) or recorded.host is not None or recorded.match.finished:
        return False
    header = recorded.match.header
    return place in guests(recorded) and (header.game, header.players) == (found.game, found.players)


def _busy(session: BoardSession, there: RecordedMatch | None) -> Refusal | None:
    if there is None or not there.kept or there.match.finished:
        return None
    if decided(there.match) is not None:
        # It counts as won when its last darts cannot be corrected any more; a rematch must not make it a stopped one.
        return Refusal(
            "board_busy", f"The match at the host's board {session.name} is won, and ends with Next: press it."
        )
    return Refusal("board_busy", f"A match is being played at the host's board {session.name}; ask them to end it.")
