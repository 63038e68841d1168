"""The history as pages and programs see it: lists, figures, and every state of a match.

Everything is read from the journal and replayed. The figures of matches that are over are stored (`figures_file.py`),
so that they are counted once.
"""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, Final, cast

from daemon.history import career, leaders, rating_table, statistics
from daemon.history.answers import (
    HistoryChoices,
    Leaders,
    MatchInfo,
    MatchRecord,
    PlayerFigures,
    PlayerPage,
    PlayerResult,
)
from daemon.history.figures_file import FiguresFile
from daemon.history.figures_schema import BUSY_SECONDS, InUse
from daemon.history.leaders import Period, id_at
from daemon.history.outcome import Counted, counted
from daemon.history.rating_table import rating_json
from daemon.history.replays import Replays, state_json
from daemon.history.statistics import Figures
from daemon.history.stored_match import describe, last_state, people_of
from daemon.history.unsettled import Unsettled
from daemon.record.chain import Damage
from daemon.record.match_list import EVERYTHING, Filter
from daemon.record.reader import History, RecordState, StoredMatch, damage_of
from engine.faces import Faces
from engine.game import only_sides
from engine.matchfile import Games
from engine.refusals import Refusal
from league.achievements import reached
from league.ratings import Rating

PAGE: Final = 50
"""How many matches one answer lists."""
COUNTED_AT_ONCE: Final = 500
"""How many actions are counted while a client waits: 0.15 s on x86. A process counts the rest (`upkeep.py`)."""
PAUSE_SECONDS: Final = 0.1
"""How long the file of figures is free between two pieces of a long count: SQLite looks as often at a file in use."""


class Archive:
    """The matches of a journal. Every method can take long and must not run on the event loop.

    `busy_timeout` is how many seconds an answer waits while another process counts; then it is given without what is
    not counted.
    """

    def __init__(self, history: History, games: Games, faces: Faces, busy_timeout: float = BUSY_SECONDS) -> None:
        self._history, self.games, self.faces = history, games, faces
        self._sides = {name: sides for name, game in games.items() if (sides := only_sides(game))}
        self._counted = FiguresFile(history, games, busy_timeout)
        self._unsettled = Unsettled(history, self._counted)
        self.is_behind = False
        """Whether the last answer lacks what takes too long to count while a client waits."""
        self._running: dict[str, tuple[str, dict[str, Figures]]] = {}
        self._checked: dict[tuple[str, int], int | None] = {}
        self._replays = Replays(games, faces)

    def matches(self, which: Filter = EVERYTHING, before: str | None = None, limit: int = PAGE) -> list[MatchInfo]:
        """Up to `limit` matches that pass a filter, the newest first; with `before`, those that are older than the
        match with this id. They have results as far as these are counted."""
        listed = self._history.listed(which, before, limit, self._sides)
        over = [stored.row.id for stored in listed if stored.row.ended is not None]
        results = self._results(over)
        found = []
        for stored in listed:
            about = describe(stored, self._bad(stored))
            if about["id"] in results:
                about["results"] = results[about["id"]]
            found.append(about)
        return found

    def choices(self, which: Filter) -> HistoryChoices:
        """How many matches pass a filter, and what there is to filter by."""
        found = self._history.choices(which, self._sides)
        several = {name: counts for name, counts in asdict(found).items() if name != "matches"}
        lists = {key: [{"name": name, "matches": n} for name, n in counts.items()] for key, counts in several.items()}
        return cast(HistoryChoices, {"matches": found.matches} | lists)

    def results(self, which: Filter, before: str | None, limit: int) -> list[tuple[MatchInfo, list[PlayerResult]]]:
        """The same matches without a look for damage, which takes long: for a file with all of them."""
        listed = self._history.listed(which, before, limit, self._sides)
        results = self._counted.results(stored.row.id for stored in listed)
        return [(describe(stored, None), results.get(stored.row.id, [])) for stored in listed]

    def is_counted(self) -> Refusal | None:
        """None if every match that is over is counted, else why what is counted is not complete."""
        found = self._stored_totals()
        return found if isinstance(found, Refusal) else None

    def _results(self, matches: list[str]) -> dict[str, list[PlayerResult]]:
        """How these matches ended, counted now if it does not take long."""
        found = self._counted.results(matches)
        missing = self._history.states([match_id for match_id in matches if match_id not in found])
        uncounted = self._counted.uncounted(missing) if missing else {}
        self.is_behind = not self._count(uncounted)
        return found | self._counted.results(uncounted) if uncounted else found

    def _count(self, uncounted: Mapping[str, RecordState]) -> bool:
        """Counts as many of these matches as a client can wait for, and returns whether these were all."""
        few, actions = dict[str, RecordState](), 0
        for match_id, match in uncounted.items():
            if (actions := actions + match.actions) > COUNTED_AT_ONCE and few:
                break
            few[match_id] = match
        try:
            if few:
                self._counted.add(few, self.counted)
        except InUse:
            return False
        return len(few) == len(uncounted)

    def match(self, match_id: str) -> MatchRecord | None:
        """A match with its actions, None if no match has the id."""
        record = self._history.record(match_id)
        if record is None:
            return None
        row, lines = record.stored.row, record.lines
        cached = self._replays.of(row, lines)
        over = row.ended is not None
        # The deck of a running match would show every hand.
        actions = [action if over or "deck" not in action else {"deck": []} for action in map(json.loads, lines)]
        about: dict[str, Any] = {**describe(record.stored, record.bad), "actions": actions, "states": cached.count}
        if results := self._results([match_id] if over else []):
            about["results"] = results[match_id]
        if cached.legs is not None:
            about["legs"] = cached.legs
        return cast(MatchRecord, about)

    def state(self, match_id: str, at: int) -> str | None:
        """The public state after `at` actions, as JSON as on the bus; None if there is no such match or state."""
        record = self._history.record(match_id)
        if record is None:
            return None
        row, lines = record.stored.row, record.lines
        cached = self._replays.of(row, lines)
        if not 0 <= at < cached.count:
            return None
        if at < len(cached.states):
            return cached.states[at]
        return state_json(row.id, at, next(islice(self._replays.matches(row, lines), at, None)))

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
        totals = self._totals()
        if isinstance(totals, Refusal):
            return totals
        order, ratings = sorted(totals, key=lambda name: (-totals[name].matches, name)), self._ratings()
        return [cast(PlayerFigures, self._figures_json(name, totals[name], ratings)) for name in order]

    def _figures_json(self, name: str, figures: Figures, ratings: Mapping[str, Rating]) -> dict[str, Any]:
        about = {"name": name} | statistics.to_json(figures, self.games)
        return about | ({"rating": rating_json(ratings[name])} if name in ratings else {})

    def _ratings(self) -> dict[str, Rating]:
        """Each player's rating; none while more matches are still to be rated than a client can wait for."""
        try:
            self.is_behind = not self._counted.rate(rating_table.AT_ONCE)
        except InUse:
            self.is_behind = True
        return {} if self.is_behind else self._counted.ratings()

    def _totals(self) -> dict[str, Figures] | Refusal:
        """The figures of each player over all matches that count, and those that are running."""
        found = self._stored_totals()
        if isinstance(found, Refusal):
            return found
        stored, running = found
        parts = {name: [figures] for name, figures in stored.items()}
        for match_id, match in running.items():
            for name, figures in self._running_figures(match_id, match).items():
                parts.setdefault(name, []).append(figures)
        return {name: statistics.total(some, self.games) for name, some in parts.items()}

    def _stored_totals(self) -> tuple[dict[str, Figures], dict[str, RecordState]] | Refusal:
        """The figures of each player over the matches that are over, and the matches that are running."""
        uncounted: dict[str, RecordState] = {}
        # A look that finds matches to count, and one that finds none. Again for a damaged file, which is removed.
        for _ in range(4):
            states, uncounted = self._unsettled.look()
            if not uncounted and (totals := self._counted.totals()) is not None:
                self._unsettled.settle()
                return totals, {match_id: match for match_id, match in states.items() if not match.over}
            if not self._count(uncounted):
                break
        return Refusal("counting", f"{len(uncounted)} matches are still being counted. Ask again in a few seconds.")

    def player(self, name: str) -> PlayerPage | Refusal | None:
        """One player in full, None if nobody with this name has played."""
        totals = self._totals()
        if isinstance(totals, Refusal):
            return totals
        if name not in totals:
            return None
        figures = totals[name]
        about = self._figures_json(name, figures, self._ratings()) | {"form": self._counted.form(name)}
        try:
            about["achievements"] = self._counted.earned(
                name, lambda sums: reached(statistics.to_json(sums, self.games))
            )
        except InUse:
            self.is_behind = True
        return cast(PlayerPage, about | career.to_json(figures.career))

    def leaders(self, period: Period) -> Leaders | Refusal:
        """The leaderboards of a period, over the matches that are over. Refused while too much is to be counted."""
        found = self._stored_totals()
        if isinstance(found, Refusal):
            return found
        everything, _ = found
        now, before = self._ratings(), dict[str, Rating]()
        if period.since is not None:
            everything = self._counted.between(period.since, period.until)
        if now and period.since is not None:
            before = self._counted.ratings(id_at(period.since))
            now = now if period.until is None else self._counted.ratings(id_at(period.until))
        return leaders.leaders(period, everything, now, before, self.games)

    def look_over(self) -> Iterator[Damage]:
        """Checks every match, yields the damage, and counts the matches that are over and not counted yet."""
        states = self._history.states()
        uncounted = self._counted.uncounted(states)
        for damage in self._history.damage():
            yield damage
            if damage.match in states:
                # It can have been counted while it was whole.
                self._counted.add_damaged(damage.match, states[damage.match])
                uncounted.pop(damage.match, None)
        self._counted.add(uncounted, self.counted)
        # In pieces, so that no other process waits long for the file. Bounded: a full disk takes none of them.
        for _ in range(len(states) // rating_table.AT_ONCE + 2):
            if self._counted.rate(rating_table.AT_ONCE):
                break
            time.sleep(PAUSE_SECONDS)

    def tidy(self) -> None:
        """Drops the stored figures of matches that have changed because a player was forgotten."""
        self._unsettled.start_over()
        self._counted.tidy()

    def _bad(self, stored: StoredMatch) -> int | None:
        """The number of the first bad action of a match; looked up once for each number of actions."""
        key = (stored.row.id, stored.end.actions)
        if key not in self._checked:
            record = self._history.record(stored.row.id)
            self._checked[key] = 1 if record is None else record.bad
        return self._checked[key]

    def counted(self, match_id: str) -> Counted | None:
        """What a match counts; None for one that goes on, a damaged one, and a game that is not installed."""
        record = self._history.record(match_id)
        last = None if record is None else last_state(record, self.games, self.faces)
        if record is None or last is None or record.stored.row.ended is None:
            return None
        row = record.stored.row
        whole = row.result != "stopped" and last.finished
        return counted(last, match_id, row.started, people_of(row, last), self.games, whole=whole)

    def _running_figures(self, match_id: str, match: RecordState) -> dict[str, Figures]:
        """The figures of a running match, cached until it changes."""
        if self._running.get(match_id, ("", {}))[0] != match.state:
            record = self._history.record(match_id)
            last = None if record is None else last_state(record, self.games, self.faces)
            figures = {}
            if record is not None and last is not None:
                found, people = statistics.of_match(last), people_of(record.stored.row, last)
                # What a game with secrets counts can tell them.
                figures = {
                    name: found[name] if last.all_public else replace(found[name], by_game={}) for name in people
                }
            self._running[match_id] = (match.state, figures)
        return self._running[match_id][1]

    def refresh(self) -> None:
        """Drops everything that is cached in memory, after matches have changed."""
        self._unsettled.start_over()
        self._running.clear()
        self._checked.clear()
        self._replays.clear()
