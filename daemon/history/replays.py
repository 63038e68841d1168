"""The states of matches, which a slider asks for one after the other: the last few matches stay in memory as JSON."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from daemon.history.answers import LegInfo
from daemon.history.legs import LegKey, leg_key
from daemon.history.outcome import leg_infos
from daemon.history.stored_match import open_header, played
from daemon.record.reader import MatchRow
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


@dataclass(frozen=True, slots=True)
class States:
    """The first states of a match as JSON, how many it has in all, and its legs unless they tell a secret."""

    states: list[str]
    count: int
    legs: list[LegInfo] | None


class Replays:
    """The states of the matches that were asked for last."""

    def __init__(self, games: Games, faces: Faces) -> None:
        self._games, self._faces = games, faces
        self._states: OrderedDict[tuple[str, int], States] = OrderedDict()

    def clear(self) -> None:
        """Drops what is in memory, after matches have changed."""
        self._states.clear()

    def of(self, row: MatchRow, lines: list[str]) -> States:
        """The first states of a match, and its legs."""
        key = (row.id, len(lines))
        if key not in self._states:
            # As text: a match holds its whole past, so all of its states together would be large.
            states, size, count = [], 0, 0
            last, begins = None, dict[LegKey, int]()
            for at, match in enumerate(self.matches(row, lines)):
                count += 1
                # An undo leads back into a leg that has begun before.
                begins.setdefault(leg_key(match.game, match.state), at)
                last = match
                if size < CACHED_BYTES:
                    states.append(text := state_json(row.id, at, match))
                    size += len(text)
            is_public = last is not None and (row.ended is not None or last.all_public)
            legs = leg_infos(last, self._games, begins) if last is not None and is_public else None
            self._states[key] = States(states, count, legs)
            while len(self._states) > CACHED_MATCHES:
                self._states.popitem(last=False)
        self._states.move_to_end(key)
        return self._states[key]

    def matches(self, row: MatchRow, lines: list[str]) -> Iterator[Match]:
        """The match before its first action and after each one."""
        opened = open_header(row.header, self._games, self._faces)
        return iter(()) if isinstance(opened, Refusal) else played(opened, lines)


def state_json(match_id: str, at: int, match: Match) -> str:
    """The public state after `at` actions, as JSON as on the bus."""
    about = {"schema": SCHEMA, "match": match_id, "revision": at + 1, "options": match.header.options}
    return jsontext.dump(about | match.view())
