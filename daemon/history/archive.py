"""The history as pages and programs see it: lists, figures, every state of a match, import, and forgetting.

All of it is read from the journal and played again. What a match that is over
came to is kept beside the journal (`figures_file.py`), so the next look costs nothing.
"""

import hashlib
import json
from collections import OrderedDict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final

from daemon.history import statistics
from daemon.history.figures_file import FiguresFile
from daemon.history.statistics import Figures
from daemon.people.access import user_of
from daemon.record.chain import Damage
from daemon.record.journal import Forgotten, Imported
from daemon.record.reader import History, MatchRow, MatchState, StoredMatch, damage_of
from daemon.session.payloads import SCHEMA
from engine import jsontext
from engine.actions import Action, action_from_json
from engine.faces import Faces
from engine.match import Match, apply
from engine.matchfile import MAX_NAME, Games, header_from_json, open_match, read_action, read_header
from engine.refusals import Refusal

MOST_ACTIONS: Final = 20_000
"""More than any match has; a file with more is no record of one."""
WATCHED: Final = 4
"""Matches whose states are kept at hand: a slider asks for one after the other."""
KEPT_BYTES: Final = 4 * 1024 * 1024
"""Of each of these matches; the states after them are played again for every look."""
PAGE: Final = 50
COUNTED_AT_ONCE: Final = 5_000
"""Actions that are counted while a client waits; more are counted in a process of their own (`upkeep.py`)."""
LATEST_MS: Final = 2**43
"""In the year 2248: a later time is none."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """Why a match file was not taken, and at which of its lines."""

    line: int
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class _Watched:
    """The first states of a match as text, and how many there are in all."""

    states: list[str]
    count: int


class Archive:
    """The journal of a daemon, to be looked through. Every method may take long: none is for the event loop."""

    def __init__(self, history: History, games: Games, faces: Faces) -> None:
        self._history, self._games, self._faces = history, games, faces
        self._counted = FiguresFile(history, games)
        self._going: dict[str, tuple[str, dict[str, Figures]]] = {}
        self._checked: dict[tuple[str, int], int | None] = {}
        self._states: OrderedDict[tuple[str, int], _Watched] = OrderedDict()

    def matches(self, player: str | None = None, before: str | None = None) -> list[dict[str, Any]]:
        """The newest matches first, `PAGE` at a time; `before` is the id of the last one that was seen."""
        found: list[dict[str, Any]] = []
        seen = before is None
        for stored in self._history.all_stored():
            if len(found) < PAGE and seen and (player is None or player in players_of(stored.row)):
                found.append(describe(stored, self._bad(stored)))
            seen = seen or stored.row.id == before
        return found

    def match(self, match_id: str) -> dict[str, Any] | None:
        """A match with its actions, for a list beside the slider; None where there is none."""
        record = self._history.record(match_id)
        if record is None:
            return None
        row, lines = record.stored.row, record.lines
        watched = self._watched(row, lines)
        hidden = row.ended is None
        # The deck of a match that goes on would show every hand.
        actions = [{"deck": []} if hidden and "deck" in action else action for action in map(json.loads, lines)]
        return describe(record.stored, record.bad) | {"actions": actions, "states": watched.count}

    def state(self, match_id: str, at: int) -> str | None:
        """The public state after so many actions, as JSON and as the bus had it."""
        record = self._history.record(match_id)
        if record is None:
            return None
        row, lines = record.stored.row, record.lines
        watched = self._watched(row, lines)
        if not 0 <= at < watched.count:
            return None
        if at < len(watched.states):
            return watched.states[at]
        return _picture(row.id, at, next(islice(self._matches(row, lines), at, None)))

    def export(self, match_id: str) -> str | Refusal | None:
        """A match that is over as a match file."""
        record = self._history.record(match_id)
        if record is None:
            return None
        if record.stored.row.ended is None:
            return Refusal("not_allowed", "The match is still going on; its record would show every hand.")
        if (damage := damage_of(record)) is not None:
            return Refusal("damaged", f"{damage.message} `oche salvage` writes what is whole of it.")
        return "\n".join([record.stored.row.header, *record.lines, ""])

    def players(self) -> list[dict[str, Any]] | Refusal:
        """Everyone who plays by himself, who played most first. Refused while too much is to be counted first."""
        states = self._history.states()
        kept = self._kept(states)
        if isinstance(kept, Refusal):
            return kept
        parts = {name: [figures] for name, figures in kept.items()}
        for match_id, match in states.items():
            if not match.over:
                for name, figures in self._of(match_id, match).items():
                    parts.setdefault(name, []).append(figures)
        totals = {name: statistics.total(some, self._games) for name, some in parts.items()}
        order = sorted(totals, key=lambda name: (-totals[name].matches, name))
        return [{"name": name} | statistics.to_json(totals[name], self._games) for name in order]

    def _kept(self, states: Mapping[str, MatchState]) -> dict[str, Figures] | Refusal:
        """What everyone came to in the matches that are over."""
        uncounted = self._counted.uncounted(states)
        # A second time where what was kept turned out to be damaged, and is gone.
        for _ in range(2):
            if sum(match.actions for match in uncounted.values()) > COUNTED_AT_ONCE:
                break
            self._counted.add(uncounted, self.figures)
            totals, uncounted = self._counted.totals(), self._counted.uncounted(states)
            if totals is not None and not uncounted:
                return totals
        return Refusal("counting", f"{len(uncounted)} matches are still being counted. Ask again in a minute.")

    def player(self, name: str) -> dict[str, Any] | Refusal | None:
        """One player; None where nobody of that name has played."""
        players = self.players()
        if isinstance(players, Refusal):
            return players
        return next((player for player in players if player["name"] == name), None)

    def look_over(self) -> Iterator[Damage]:
        """Checks every match, and counts those that are over and not counted yet, however long it takes."""
        states = self._history.states()
        uncounted = self._counted.uncounted(states)
        for damage in self._history.damage():
            yield damage
            if damage.match in states:
                # It may have been whole when it was counted.
                self._counted.add({damage.match: states[damage.match]}, lambda _: {})
                uncounted.pop(damage.match, None)
        self._counted.add(uncounted, self.figures)

    def tidy(self) -> None:
        """Drops what was counted of matches that are not as they were any more: somebody was forgotten."""
        self._counted.tidy()

    def read(self, file: bytes) -> Imported | BadLine:
        """A match file as rows for the journal: every line is played, and one that is refused refuses the file."""
        lines = [(n, line.strip()) for n, line in enumerate(file.split(b"\n"), 1) if line.strip()]
        number, first = lines[0] if lines else (1, b"")
        header = read_header(first)
        match = header if isinstance(header, Refusal) else open_match(header, self._games, self._faces)
        if isinstance(match, Refusal):
            return BadLine(number, match)
        if len(lines) > MOST_ACTIONS:
            return BadLine(MOST_ACTIONS, Refusal("too_large", f"No match has more than {MOST_ACTIONS} actions."))
        for number, line in lines[1:]:
            action = read_action(line)
            outcome = action if isinstance(action, Refusal) else apply(match, action)
            if isinstance(outcome, Refusal):
                return BadLine(number, outcome)
            match = outcome
        return _imported(match, [jsontext.dump(_without_odd_remarks(json.loads(line))) for _, line in lines[1:]])

    def same(self, other: Imported) -> str | None:
        """The id of a match that is here already, line for line."""
        lines = [json.loads(line) for line in other.lines]
        for stored in self._history.all_stored():
            row = stored.row
            if stored.end.actions != len(lines) or _parsed(row.header) != json.loads(other.match.header):
                continue
            record = self._history.record(row.id)
            if record is not None and record.bad is None and [json.loads(line) for line in record.lines] == lines:
                return row.id
        return None

    def without(self, name: str, at_work: Collection[str] = ()) -> list[Forgotten] | Refusal:
        """What the journal has to change so that it does not know a player; nothing where he never played.

        `at_work` are the boards that have their match in hand. One that rests takes it up as it is then.
        """
        changes = []
        for stored in self._history.all_stored():
            row = stored.row
            named = name in players_of(row)
            if not named and (stored.intact or not self._history.mentions(row.id, name)):
                continue
            if named and (board := self._history.board_of(row.id)) in at_work:
                return Refusal("not_allowed", f"A match of {name} is on the board {board}; stop that match first.")
            changes.append(self._renamed(row, name))
        return changes

    def _renamed(self, row: MatchRow, name: str) -> Forgotten:
        """The match with another name in its place; none of it where it would not be the same match then, or where it
        is damaged: nobody knows where else the name is in it."""
        record = self._history.record(row.id)
        if record is None or record.bad is not None:
            return Forgotten(row.id, user_of(name), None, ())
        taken = json.loads(row.header)["players"]
        other = next(text for n in range(1, len(taken) + 2) if (text := f"Player {n}") not in taken)
        texts = [row.header, row.bots, row.winners or "null"]
        header, bots, winners = (jsontext.dump(_replaced(json.loads(text), name, other)) for text in texts)
        actions = [_replaced(json.loads(text), name, other) for text in record.lines]
        user = user_of(name)
        # What he did himself has the name with which he was let in.
        lines = [jsontext.dump(act | {"by": user_of(other)} if act.get("by") == user else act) for act in actions]
        opened = self._open(header)
        if isinstance(opened, Refusal) or sum(1 for _ in _played(opened, lines)) != len(lines) + 1:
            return Forgotten(row.id, user, None, ())
        new = MatchRow(
            row.id, row.board, header, bots, row.started, row.ended, row.result, None if winners == "null" else winners
        )
        return Forgotten(row.id, user, new, tuple(lines))

    def _bad(self, stored: StoredMatch) -> int | None:
        """The first bad action of a match; looked for once for each length of it."""
        key = (stored.row.id, stored.end.actions)
        if key not in self._checked:
            record = self._history.record(stored.row.id)
            self._checked[key] = 1 if record is None else record.bad
        return self._checked[key]

    def figures(self, match_id: str) -> dict[str, Figures]:
        """The figures of the people in a match; none of one that is damaged, or of a game that is not there."""
        record = self._history.record(match_id)
        if record is None or record.bad is not None:
            return {}
        opened = self._open(record.stored.row.header)
        if isinstance(opened, Refusal):
            return {}
        # The last alone: all of a long match together would be large.
        last = deque(_played(opened, record.lines), maxlen=1).pop()
        bots = _parsed(record.stored.row.bots) or {}
        return {name: figures for name, figures in statistics.of_match(last).items() if name not in bots}

    def _of(self, match_id: str, match: MatchState) -> dict[str, Figures]:
        """The same of a match that goes on, for as long as nothing is added to it."""
        if self._going.get(match_id, ("", {}))[0] != match.state:
            self._going[match_id] = (match.state, self.figures(match_id))
        return self._going[match_id][1]

    def refresh(self) -> None:
        """Drops what was remembered of matches that have changed."""
        self._going.clear()
        self._checked.clear()
        self._states.clear()

    def _watched(self, row: MatchRow, lines: list[str]) -> _Watched:
        key = (row.id, len(lines))
        if key not in self._states:
            # Kept as text: a match holds its whole past, so all of its states together would be large.
            states, size, count = [], 0, 0
            for at, match in enumerate(self._matches(row, lines)):
                count += 1
                if size < KEPT_BYTES:
                    states.append(text := _picture(row.id, at, match))
                    size += len(text)
            self._states[key] = _Watched(states, count)
            while len(self._states) > WATCHED:
                self._states.popitem(last=False)
        self._states.move_to_end(key)
        return self._states[key]

    def _matches(self, row: MatchRow, lines: list[str]) -> Iterator[Match]:
        opened = self._open(row.header)
        return iter(()) if isinstance(opened, Refusal) else _played(opened, lines)

    def _open(self, header: str) -> Match | Refusal:
        read = header_from_json(_parsed(header))
        return read if isinstance(read, Refusal) else open_match(read, self._games, self._faces)


def describe(stored: StoredMatch, bad: int | None) -> dict[str, Any]:
    """A match in a list. `result` is `finished` or `stopped`, absent while it goes on.

    `bad` is the first bad action of one that is damaged; what cannot be read of it is empty.
    """
    row, header = stored.row, _parsed(stored.row.header)
    header = header if isinstance(header, dict) else {}
    about: dict[str, Any] = {"id": row.id, "board": row.board, "started": row.started, "actions": stored.end.actions}
    about |= {"game": str(header.get("game", "")), "players": players_of(row)}
    about["options"] = options if isinstance(options := header.get("options"), dict) else {}
    if isinstance(bots := _parsed(row.bots), dict) and bots:
        about["bots"] = bots
    about |= {} if row.ended is None else {"ended": row.ended}
    about |= {"result": row.result} if row.ended is not None and row.result in ("finished", "stopped") else {}
    if isinstance(winners := _parsed(row.winners or "null"), list):
        about["winners"] = winners
    about |= {} if stored.end.rewritten is None else {"rewritten": stored.end.rewritten}
    if bad is not None:
        return about | {"damaged": True, "first_bad_action": bad}
    return about | ({"checked": False} if stored.unchecked else {})


def players_of(row: MatchRow) -> list[str]:
    """The players of a match, none where its header cannot be read."""
    header = _parsed(row.header)
    players = header.get("players") if isinstance(header, dict) else None
    return [name for name in players if isinstance(name, str)] if isinstance(players, list) else []


def _parsed(text: str) -> Any:
    """The JSON in a row, None where it is damaged."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _played(match: Match, lines: Iterable[str]) -> Iterator[Match]:
    """The match before any action and after each; ends early where one is not legal any more."""
    yield match
    for line in lines:
        action: Action | Refusal = action_from_json(_parsed(line))
        outcome = action if isinstance(action, Refusal) else apply(match, action)
        if isinstance(outcome, Refusal):
            return
        match = outcome
        yield match


def _picture(match_id: str, at: int, match: Match) -> str:
    about = {"schema": SCHEMA, "match": match_id, "revision": at + 1, "options": match.header.options}
    return jsontext.dump(about | match.view())


def _without_odd_remarks(action: dict[str, Any]) -> dict[str, Any]:
    """The rules ignore what a table remarked, so nobody has looked at it: a name and a time, or it is left out."""
    by, at = action.get("by", ""), action.get("at_ms", 1)
    odd = {"by"} if not isinstance(by, str) or len(by) > MAX_NAME else set()
    odd |= {"at_ms"} if type(at) is not int or not 0 < at < LATEST_MS else set()
    return {key: value for key, value in action.items() if key not in odd}


def _imported(match: Match, lines: list[str]) -> Imported:
    times = [at for line in lines if (at := json.loads(line).get("at_ms")) is not None]
    first, last = (times[0], times[-1]) if times else (None, None)
    began = datetime.now(UTC) if first is None else datetime.fromtimestamp(first / 1000, UTC)
    ended = began if last is None else datetime.fromtimestamp(last / 1000, UTC)
    header = jsontext.dump(match.header.to_json())
    digest = hashlib.sha256("\n".join([header, *lines]).encode()).hexdigest()
    winners = match.game.winners(match.state)
    row = MatchRow(
        f"{began:%Y%m%d-%H%M%S}-{digest[:6]}",
        "imported",
        header,
        "{}",
        began.isoformat(),
        ended.isoformat(),
        "stopped" if winners is None else "finished",
        None if winners is None else jsontext.dump(list(winners)),
    )
    return Imported(row, tuple(lines))


def _replaced(value: Any, name: str, other: str) -> Any:
    """The same JSON with another name wherever this one stands: as a text, or as a key."""
    match value:
        case str():
            return other if value == name else value
        case list():
            return [_replaced(part, name, other) for part in value]
        case dict():
            return {_replaced(key, name, other): _replaced(part, name, other) for key, part in value.items()}
        case _:
            return value
