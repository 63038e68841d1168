"""The history as pages and programs see it: lists, figures, and every state of a match.

Everything is read from the journal and replayed. The figures of matches that are over are stored (`figures_file.py`),
so that they are counted once.
"""

import json
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, cast

from daemon.history import statistics
from daemon.history.answers import MatchInfo, MatchRecord, PlayerFigures
from daemon.history.figures_file import FiguresFile
from daemon.history.statistics import Figures
from daemon.history.stored_match import describe, open_header, parsed, played, players_of
from daemon.record.chain import Damage
from daemon.record.reader import History, MatchRow, MatchState, StoredMatch, damage_of
from daemon.session.payloads import SCHEMA
from engine import jsontext
from engine.faces import Faces
from engine.match import Match
from engine.matchfile import Games
from engine.refusals import Refusal

CACHED_MATCHES: Final = 4
"""How many matches have their states in memory: a slider asks for one state after the other."""
CACHED_BYTES: Final = 4 * 1024 * 1024
"""How much of each of these matches is in memory; later states are replayed for every request."""
PAGE: Final = 50
"""How many matches one answer lists."""
COUNTED_AT_ONCE: Final = 5_000
"""How many actions are counted while a client waits; more are counted in a separate process (`upkeep.py`)."""


@dataclass(frozen=True, slots=True)
class _States:
    """The first states of a match as JSON, and how many it has in all."""

    states: list[str]
    count: int


class Archive:
    """The matches of a journal. Every method can take long and must not run on the event loop."""

    def __init__(self, history: History, games: Games, faces: Faces) -> None:
        self._history, self.games, self.faces = history, games, faces
        self._counted = FiguresFile(history, games)
        self._running: dict[str, tuple[str, dict[str, Figures]]] = {}
        self._checked: dict[tuple[str, int], int | None] = {}
        self._states: OrderedDict[tuple[str, int], _States] = OrderedDict()

    def matches(self, player: str | None = None, before: str | None = None) -> list[MatchInfo]:
        """Up to `PAGE` matches, the newest first; with `before`, those that are older than the match with this id."""
        found: list[MatchInfo] = []
        seen = before is None
        for stored in self._history.all_stored():
            if len(found) < PAGE and seen and (player is None or player in players_of(stored.row)):
                found.append(describe(stored, self._bad(stored)))
            seen = seen or stored.row.id == before
        return found

    def match(self, match_id: str) -> MatchRecord | None:
        """A match with its actions, None if no match has the id."""
        record = self._history.record(match_id)
        if record is None:
            return None
        row, lines = record.stored.row, record.lines
        cached = self._states_of(row, lines)
        hidden = row.ended is None
        # The deck of a running match would show every hand.
        actions = [{"deck": []} if hidden and "deck" in action else action for action in map(json.loads, lines)]
        about = {**describe(record.stored, record.bad), "actions": actions, "states": cached.count}
        return cast(MatchRecord, about)

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

    def players(self) -> list[PlayerFigures] | Refusal:
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
        totals = {name: statistics.total(some, self.games) for name, some in parts.items()}
        order = sorted(totals, key=lambda name: (-totals[name].matches, name))
        return [cast(PlayerFigures, {"name": name} | statistics.to_json(totals[name], self.games)) for name in order]

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

    def player(self, name: str) -> PlayerFigures | Refusal | None:
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
        opened = open_header(record.stored.row.header, self.games, self.faces)
        if isinstance(opened, Refusal):
            return {}
        # Keeps the last state alone: all states of a long match together are large.
        last = deque(played(opened, record.lines), maxlen=1).pop()
        bots = parsed(record.stored.row.bots) or {}
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
        opened = open_header(row.header, self.games, self.faces)
        return iter(()) if isinstance(opened, Refusal) else played(opened, lines)


def _state_json(match_id: str, at: int, match: Match) -> str:
    about = {"schema": SCHEMA, "match": match_id, "revision": at + 1, "options": match.header.options}
    return jsontext.dump(about | match.view())
