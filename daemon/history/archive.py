"""The history as pages and programs see it: lists, figures, every state of a match, import, and forgetting.

Everything is read from the journal and replayed. The figures of matches that are over are stored (`figures_file.py`),
so that they are counted once.
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
"""The most actions of an imported match, more than any real one has; a longer file is refused."""
CACHED_MATCHES: Final = 4
"""How many matches have their states in memory: a slider asks for one state after the other."""
CACHED_BYTES: Final = 4 * 1024 * 1024
"""How much of each of these matches is in memory; later states are replayed for every request."""
PAGE: Final = 50
"""How many matches one answer lists."""
COUNTED_AT_ONCE: Final = 5_000
"""How many actions are counted while a client waits; more are counted in a separate process (`upkeep.py`)."""
LATEST_MS: Final = 2**43
"""The latest valid time of an action, in the year 2248, in ms since 1970."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """Why a match file was refused, and the number of the line at fault."""

    line: int
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class _States:
    """The first states of a match as JSON, and how many it has in all."""

    states: list[str]
    count: int


class Archive:
    """The matches of a journal. Every method can take long and must not run on the event loop."""

    def __init__(self, history: History, games: Games, faces: Faces) -> None:
        self._history, self._games, self._faces = history, games, faces
        self._counted = FiguresFile(history, games)
        self._running: dict[str, tuple[str, dict[str, Figures]]] = {}
        self._checked: dict[tuple[str, int], int | None] = {}
        self._states: OrderedDict[tuple[str, int], _States] = OrderedDict()

    def matches(self, player: str | None = None, before: str | None = None) -> list[dict[str, Any]]:
        """Up to `PAGE` matches, the newest first; with `before`, those that are older than the match with this id."""
        found: list[dict[str, Any]] = []
        seen = before is None
        for stored in self._history.all_stored():
            if len(found) < PAGE and seen and (player is None or player in players_of(stored.row)):
                found.append(describe(stored, self._bad(stored)))
            seen = seen or stored.row.id == before
        return found

    def match(self, match_id: str) -> dict[str, Any] | None:
        """A match with its actions, None if no match has the id."""
        record = self._history.record(match_id)
        if record is None:
            return None
        row, lines = record.stored.row, record.lines
        cached = self._states_of(row, lines)
        hidden = row.ended is None
        # The deck of a running match would show every hand.
        actions = [{"deck": []} if hidden and "deck" in action else action for action in map(json.loads, lines)]
        return describe(record.stored, record.bad) | {"actions": actions, "states": cached.count}

    def state(self, match_id: str, at: int) -> str | None:
        """The public state after `at` actions, as JSON as on the bus; None if there is no such match or state."""
        record = self._history.record(match_id)
        if record is None:
            return None
        row, lines = record.stored.row, record.lines
        cached = self._states_of(row, lines)
        if not 0 <= at < cached.count:
            return None
        if at < len(cached.states):
            return cached.states[at]
        return _state_json(row.id, at, next(islice(self._matches(row, lines), at, None)))

    def export(self, match_id: str) -> str | Refusal | None:
        """The match file of a match that is over, None if no match has the id."""
        record = self._history.record(match_id)
        if record is None:
            return None
        if record.stored.row.ended is None:
            return Refusal("not_allowed", "The match is still going on; its record would show every hand.")
        if (damage := damage_of(record)) is not None:
            return Refusal("damaged", f"{damage.message} `oche salvage` writes what is whole of it.")
        return "\n".join([record.stored.row.header, *record.lines, ""])

    def players(self) -> list[dict[str, Any]] | Refusal:
        """The figures of each player, most matches first. Refused while too much is still to be counted."""
        states = self._history.states()
        stored = self._stored_totals(states)
        if isinstance(stored, Refusal):
            return stored
        parts = {name: [figures] for name, figures in stored.items()}
        for match_id, match in states.items():
            if not match.over:
                for name, figures in self._running_figures(match_id, match).items():
                    parts.setdefault(name, []).append(figures)
        totals = {name: statistics.total(some, self._games) for name, some in parts.items()}
        order = sorted(totals, key=lambda name: (-totals[name].matches, name))
        return [{"name": name} | statistics.to_json(totals[name], self._games) for name in order]

    def _stored_totals(self, states: Mapping[str, MatchState]) -> dict[str, Figures] | Refusal:
        """The figures of each player over the matches that are over."""
        uncounted = self._counted.uncounted(states)
        # The second attempt is for a damaged file, which the first one removes.
        for _ in range(2):
            if sum(match.actions for match in uncounted.values()) > COUNTED_AT_ONCE:
                break
            self._counted.add(uncounted, self.figures)
            totals, uncounted = self._counted.totals(), self._counted.uncounted(states)
            if totals is not None and not uncounted:
                return totals
        return Refusal("counting", f"{len(uncounted)} matches are still being counted. Ask again in a minute.")

    def player(self, name: str) -> dict[str, Any] | Refusal | None:
        """The figures of one player, None if nobody with this name has played."""
        players = self.players()
        if isinstance(players, Refusal):
            return players
        return next((player for player in players if player["name"] == name), None)

    def look_over(self) -> Iterator[Damage]:
        """Checks every match, yields the damage, and counts the matches that are over and not counted yet."""
        states = self._history.states()
        uncounted = self._counted.uncounted(states)
        for damage in self._history.damage():
            yield damage
            if damage.match in states:
                # It can have been counted while it was whole.
                self._counted.add({damage.match: states[damage.match]}, lambda _: {})
                uncounted.pop(damage.match, None)
        self._counted.add(uncounted, self.figures)

    def tidy(self) -> None:
        """Drops the stored figures of matches that have changed because a player was forgotten."""
        self._counted.tidy()

    def read(self, file: bytes) -> Imported | BadLine:
        """A match file as a change to the journal. Every line is played; one refused line refuses the whole file."""
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
        return _imported(match, [jsontext.dump(_without_invalid_notes(json.loads(line))) for _, line in lines[1:]])

    def same(self, other: Imported) -> str | None:
        """The id of a match in the journal with the same header and actions, None if there is none."""
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
        """The changes that remove a player's name from the journal, none if the player never played.

        `at_work` are the boards that are running: they have their match in memory, so it must be stopped first.
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
        """The match with another name in place of this one.

        The match is deleted if it would play differently then, or if it is damaged and the name can be anywhere in it.
        """
        record = self._history.record(row.id)
        if record is None or record.bad is not None:
            return Forgotten(row.id, user_of(name), None, ())
        taken = json.loads(row.header)["players"]
        other = next(text for n in range(1, len(taken) + 2) if (text := f"Player {n}") not in taken)
        texts = [row.header, row.bots, row.winners or "null"]
        header, bots, winners = (jsontext.dump(_replaced(json.loads(text), name, other)) for text in texts)
        actions = [_replaced(json.loads(text), name, other) for text in record.lines]
        user = user_of(name)
        # The player's own actions have their user name.
        lines = [jsontext.dump(act | {"by": user_of(other)} if act.get("by") == user else act) for act in actions]
        opened = self._open(header)
        if isinstance(opened, Refusal) or sum(1 for _ in _played(opened, lines)) != len(lines) + 1:
            return Forgotten(row.id, user, None, ())
        new = MatchRow(
            row.id, row.board, header, bots, row.started, row.ended, row.result, None if winners == "null" else winners
        )
        return Forgotten(row.id, user, new, tuple(lines))

    def _bad(self, stored: StoredMatch) -> int | None:
        """The number of the first bad action of a match; looked up once for each number of actions."""
        key = (stored.row.id, stored.end.actions)
        if key not in self._checked:
            record = self._history.record(stored.row.id)
            self._checked[key] = 1 if record is None else record.bad
        return self._checked[key]

    def figures(self, match_id: str) -> dict[str, Figures]:
        """The figures of the people in a match; none for a damaged match or a game that is not installed."""
        record = self._history.record(match_id)
        if record is None or record.bad is not None:
            return {}
        opened = self._open(record.stored.row.header)
        if isinstance(opened, Refusal):
            return {}
        # Keeps the last state alone: all states of a long match together are large.
        last = deque(_played(opened, record.lines), maxlen=1).pop()
        bots = _parsed(record.stored.row.bots) or {}
        return {name: figures for name, figures in statistics.of_match(last).items() if name not in bots}

    def _running_figures(self, match_id: str, match: MatchState) -> dict[str, Figures]:
        """The figures of a running match, cached until it changes."""
        if self._running.get(match_id, ("", {}))[0] != match.state:
            self._running[match_id] = (match.state, self.figures(match_id))
        return self._running[match_id][1]

    def refresh(self) -> None:
        """Drops everything that is cached in memory, after matches have changed."""
        self._running.clear()
        self._checked.clear()
        self._states.clear()

    def _states_of(self, row: MatchRow, lines: list[str]) -> _States:
        key = (row.id, len(lines))
        if key not in self._states:
            # As text: a match holds its whole past, so all of its states together would be large.
            states, size, count = [], 0, 0
            for at, match in enumerate(self._matches(row, lines)):
                count += 1
                if size < CACHED_BYTES:
                    states.append(text := _state_json(row.id, at, match))
                    size += len(text)
            self._states[key] = _States(states, count)
            while len(self._states) > CACHED_MATCHES:
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
    """A match as `MatchInfo`. `bad` is the number of its first bad action, None if it is whole.

    What cannot be read of a damaged match is empty.
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
    """The players of a match, none if its header cannot be read."""
    header = _parsed(row.header)
    players = header.get("players") if isinstance(header, dict) else None
    return [name for name in players if isinstance(name, str)] if isinstance(players, list) else []


def _parsed(text: str) -> Any:
    """The value of the JSON in a row, None if it is damaged."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _played(match: Match, lines: Iterable[str]) -> Iterator[Match]:
    """The match before the first action and after each one. Ends early at an action that is not legal."""
    yield match
    for line in lines:
        action: Action | Refusal = action_from_json(_parsed(line))
        outcome = action if isinstance(action, Refusal) else apply(match, action)
        if isinstance(outcome, Refusal):
            return
        match = outcome
        yield match


def _state_json(match_id: str, at: int, match: Match) -> str:
    about = {"schema": SCHEMA, "match": match_id, "revision": at + 1, "options": match.header.options}
    return jsontext.dump(about | match.view())


def _without_invalid_notes(action: dict[str, Any]) -> dict[str, Any]:
    """The action without an invalid `by` or `at_ms`, which the rules ignore and so have not checked."""
    by, at = action.get("by", ""), action.get("at_ms", 1)
    invalid = {"by"} if not isinstance(by, str) or len(by) > MAX_NAME else set()
    invalid |= {"at_ms"} if type(at) is not int or not 0 < at < LATEST_MS else set()
    return {key: value for key, value in action.items() if key not in invalid}


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
    """The same JSON with the name replaced wherever it is a whole string or a key."""
    match value:
        case str():
            return other if value == name else value
        case list():
            return [_replaced(part, name, other) for part in value]
        case dict():
            return {_replaced(key, name, other): _replaced(part, name, other) for key, part in value.items()}
        case _:
            return value
