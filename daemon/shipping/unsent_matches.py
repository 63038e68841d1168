"""What the hall has not: lines of running matches, live ones first, and finished matches behind them.

The journal holds them. In memory are how many lines the hall has of each running match, which finished matches are
still to be sent, and what the hall has acknowledged: a few hundred bytes for each match of the journal.
"""

import json
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, Final

from daemon.people.league_cards import ShownCards
from daemon.record.reader import History, MatchRow, RecordState
from daemon.shipping.forgetting import current_id, forgettable, players_of
from daemon.shipping.membership import Membership
from daemon.shipping.sent_file import Sent, SentFile, Stage
from daemon.shipping.to_send import Finished, Lines, Running
from engine import jsontext
from engine.faces import Faces
from engine.match import Header
from engine.matchfile import Games, header_from_json, open_match
from engine.refusals import Refusal
from league.digests import MatchRecord, Seat, digest_of
from league.nameless import is_seat_name, nameless_action, nameless_header
from league.signatures import sign

LINES: Final = 200
"""How many lines of a match are sent at once."""
CHUNK_BYTES: Final = 256 * 1024
AT_ONCE: Final = 16
"""Of how many matches lines are sent at once: with all boards of a hall at one node, no dart waits for 200 answers."""


class UnsentMatches:
    """What is to be sent from a journal. `running`: whether matches are sent while they are played."""

    def __init__(
        self, history: History, sent: SentFile, member: Membership, games: Games, faces: Faces, *, running: bool = True
    ) -> None:
        self._history, self._file, self._member = history, sent, member
        self._games, self._faces, self._sends_running = games, faces, running
        self._cards = ShownCards(sent.path.parent)
        self._sent = sent.all()
        self._last_row = 0
        """The last row of the journal's matches that was looked at."""
        self._running: dict[str, Running] = {}
        self._private: set[str] = set()
        """Running matches of which nothing is sent before they are over: with cards, of bots alone, or damaged."""
        self._finished: OrderedDict[str, int] = OrderedDict()
        """Finished matches that are still to be sent, each with its number of lines."""
        self.look_at_all()

    @property
    def waiting(self) -> int:
        """How many lines the hall has not."""
        behind = sum(max(0, match.actions - match.have) for match in self._running.values() if not match.blocked)
        return behind + sum(self._finished.values())

    def start_over(self, epoch: str) -> None:
        """Sends everything again: the hall has lost some, or is another one."""
        self._file.start_over(epoch)
        self._sent = self._file.all()
        self._running.clear()
        self._private.clear()
        self.look_at_all()

    def look_at_all(self) -> None:
        """Looks at every match of the journal."""
        self._look_at_cards()
        _, self._last_row = self._history.recent(self._last_row)
        self._note(self._history.states(), newest_first=False)

    def _look_at_cards(self) -> None:
        """Has the matches of a player sent again who has shown a card since: the hall then knows who they are.

        Which cards were known is noted by their ids alone: a name would outlive its player there.
        """
        shown = {one.player: name for name, one in self._cards.by_name().items()}
        known = set(json.loads(self._file.about("cards") or "[]"))
        if shown.keys() == known:
            return
        if known - shown.keys() - self._file.forgotten().keys():
            self._file.again(None)  # A card was revoked here, and whose it was is not known any more.
        else:
            names = {shown[player] for player in shown.keys() - known}
            rows = (stored.row for stored in self._history.all_stored())
            self._file.again(row.id for row in rows if names.intersection(players_of(row.header)))
        self._file.note("cards", json.dumps(sorted(shown)))
        self._sent = self._file.all()

    def look(self) -> None:
        """Looks at the matches that are played now: quick, for every dart."""
        recent, self._last_row = self._history.recent(self._last_row)
        ids = {*self._running, *self._private, *recent}
        states = self._history.states(ids)
        for match_id in ids - states.keys():
            self._running.pop(match_id, None)
            self._private.discard(match_id)
        self._note(states, newest_first=True)

    def _note(self, states: dict[str, RecordState], *, newest_first: bool) -> None:
        for match_id, state in states.items():
            known = self._sent.get(match_id)
            if state.over:
                self._running.pop(match_id, None)
                self._private.discard(match_id)
                if state.actions and match_id not in self._finished and (known is None or known.state != state.state):
                    self._finished[match_id] = state.actions
                    self._finished.move_to_end(match_id, last=not newest_first)
            # A match that an undo has opened again is sent when it is over again.
            elif self._sends_running and known is None and match_id not in self._private:
                if match_id not in self._running and (begun := self._begun(match_id)) is None:
                    self._private.add(match_id)
                    continue
                if match_id not in self._running and begun is not None:
                    self._running[match_id] = begun
                self._running[match_id].actions = state.actions
            else:
                self._private.add(match_id)

    def _begun(self, match_id: str) -> Running | None:
        record = self._history.record(match_id)
        if record is None or record.bad is not None:
            return None
        row, header = record.stored.row, _header(record.stored.row)
        if header is None or not _has_people(header, row):
            return None
        opened = open_match(header, self._games, self._faces)
        if isinstance(opened, Refusal) or not opened.all_public:
            return None
        opening = {
            "board": row.board,
            "header": jsontext.dump(nameless_header(header)),
            "started": row.started,
            "seats": self._seats(header, row),
        }
        return Running(header, opening)

    def lines(self, *, live: bool = True) -> list[Lines]:
        """The next chunks of running matches, one of each and at most `AT_ONCE`; empty if the hall has all.

        A chunk behind which nothing is waits for no other: it is of a match that is being watched. Not `live`: those
        behind which there is more alone.
        """
        behind = [(one.actions - one.have, match_id) for match_id, one in self._running.items() if not one.blocked]
        found: list[Lines] = []
        for _, match_id in sorted(pair for pair in behind if pair[0] > 0):
            if len(found) == AT_ONCE or (chunk := self._chunk(match_id, self._running[match_id])) is None:
                continue
            if found and found[0].live and not chunk.live:
                break
            if chunk.live and not live:
                continue
            found.append(chunk)
        return found

    def _chunk(self, match_id: str, match: Running) -> Lines | None:
        lines: list[str] = []
        size = 0
        for text in self._history.actions(match_id, match.have, LINES):
            action = _action(text)
            if action is None or "deck" in action or size > CHUNK_BYTES:
                match.blocked = (action is None or "deck" in action) and not lines
                break
            lines.append(jsontext.dump(nameless_action(action, match.header)))
            size += len(lines[-1])
        if not lines:
            return None
        live = match.have + len(lines) >= match.actions
        return Lines(match_id, match.have + 1, "\n".join(lines), live, None if match.have else match.opening)

    def taken(self, lines: Lines, have: int) -> bool:
        """Notes how many lines of the match the hall has. Whether that leads on."""
        match = self._running.get(lines.match)
        if match is None:
            return True
        leads_on = have != lines.first - 1
        match.have = have
        return leads_on

    def block(self, lines: Lines) -> None:
        """Sends no more of a running match: the hall refuses it."""
        if lines.match in self._running:
            self._running[lines.match].blocked = True

    def finished(self) -> Finished | None:
        """The next finished match; None if the hall has all. Damaged ones and those of bots alone are left out."""
        while self._finished:
            match_id = next(iter(self._finished))
            if (found := self._signed(match_id)) is not None:
                return found
            self._finished.pop(match_id)
        return None

    def _signed(self, match_id: str) -> Finished | None:
        state, record = self._history.states([match_id]).get(match_id), self._history.record(match_id)
        if state is None or record is None or not state.over or record.stored.row.ended is None:
            return None
        row, header = record.stored.row, _header(record.stored.row)
        if record.bad is not None or header is None or not _has_people(header, row):
            self._file.put(match_id, Sent(state.state, 1, "", "not sent"))
            self._sent[match_id] = Sent(state.state, 1, "", "not sent")
            return None
        actions = (nameless_action(json.loads(line), header) for line in record.lines)
        text = "\n".join([jsontext.dump(nameless_header(header)), *map(jsontext.dump, actions), ""])
        digest, known = digest_of(text), self._sent.get(match_id)
        edition = 1 if known is None else known.edition + (known.digest not in ("", digest))
        signed = MatchRecord(self._member.node, match_id, edition, digest, row.started, row.ended or "")
        body = {
            "record": signed.to_json(),
            "signature": sign(self._member.key, signed.signed_text()),
            "board": row.board,
            "file": text,
            "seats": self._seats(header, row),
        }
        return Finished(signed, state.state, body)

    def stored(self, match: Finished, refused: str | None = None) -> None:
        """Notes that the hall has a finished match, or refused it for good."""
        record = match.record
        self._note_sent(record, match.state, record.edition, record.digest, refused)
        self._finished.pop(record.match, None)

    def outdated(self, match: Finished, edition: int) -> None:
        """Notes that the hall has another match under an edition: the next one is sent as a later edition."""
        self._note_sent(match.record, "", edition, "another", None)

    def _note_sent(self, record: MatchRecord, state: str, edition: int, digest: str, refused: str | None) -> None:
        self._sent[record.match] = sent = Sent(state, edition, digest, refused)
        self._file.put(record.match, sent)

    def to_forget(self) -> list[str]:
        """The players whom the hall is still to forget."""
        return forgettable(self._member, self._history, self._file)

    def gone(self, players: Iterable[str]) -> None:
        """Notes that the hall has forgotten players."""
        self._file.reached(Stage.GONE, players)

    def _seats(self, header: Header, row: MatchRow) -> list[dict[str, Any]]:
        bots, forgotten, cards = json.loads(row.bots), self._file.forgotten(), self._cards.by_name()
        found: list[dict[str, Any]] = []
        for number, name in enumerate(header.players, 1):
            if is_seat_name(name):
                continue  # A forgotten player has this name.
            bot = bots.get(name)
            card = None if bot is not None else cards.get(name)
            player = None if bot is not None else current_id(self._member, name, forgotten)
            player = player if card is None else card.player
            seat = Seat(number, name, player, None if bot is None else float(bot))
            text = seat.signed_text(self._member.node, row.id)
            signed = seat.to_json() | {"signature": sign(self._member.key, text)}
            found.append(signed if card is None else signed | {"card": card.text})
        return found


def _header(row: MatchRow) -> Header | None:
    try:
        read = header_from_json(json.loads(row.header))
    except (ValueError, RecursionError):
        return None
    return None if isinstance(read, Refusal) else read


def _action(line: str) -> dict[str, Any] | None:
    """The action of a line; None if it is damaged."""
    try:
        value = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _has_people(header: Header, row: MatchRow) -> bool:
    """Whether somebody plays who is not a bot."""
    try:
        bots = json.loads(row.bots)
    except (ValueError, RecursionError):
        return False
    return any(name not in bots for name in header.players)
