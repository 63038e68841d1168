"""The chance of each player to win a match of X01 as it stands, by `x01_chance`."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.games.x01_checkouts import Rule
from engine.games.x01_state import DARTS, Rules, State
from twin.bed_integrals import Floats
from twin.hand import Hand
from twin.x01_chance import SOLVED, Player, Standing, leg_chances, match_chances, player_of, visits_to_finish

MOST_PLAYERS: Final = 16
"""How many players are remembered as solved, 1 MB each; the one that was solved first goes."""
MOST_BYTES: Final = 64 << 20
"""What the tables of visits take in all; the oldest ones go. The newest stays: one for 5001 can take 67 MB alone."""
MOST_COLUMNS: Final = 256
"""How many columns of tables are kept, of up to 24 kB each."""

_TOPS: Final = (501, 1001, 2001, 5001)

_Key = tuple[float, Rule, bool]


class X01Chances:
    """Computes chances, and remembers how players play, which takes seconds to solve."""

    def __init__(self, solved: int = SOLVED) -> None:
        """`solved` is the score up to which aims are solved; above it only points count."""
        self._solved = solved
        self._players: dict[_Key, Player] = {}
        self._waits: dict[tuple[_Key, int], Floats] = {}
        self._columns: dict[tuple[_Key, int, int], Floats] = {}

    def of(self, state: State, hands: Mapping[str, float]) -> dict[str, float] | None:
        """Returns the chance of each player; None where it does not follow from the visits that everybody needs.

        That is so with teams, in freeze, with a way in, and in very long matches. `hands` are spreads in mm.
        """
        rules = state.rules
        if rules.freeze or rules.teams or rules.opening != "open" or state.finished or len(state.seats) < 2:
            return None
        if state.end == "checkout":
            return self._between_legs(state, hands)
        count = len(state.seats)
        by_starter = [self._leg(state, hands, starter, None) for starter in range(count)]
        first = (state.player + (1 if state.end else 0)) % count
        return self._named(state, self._leg(state, hands, first, state), by_starter, _standing(state))

    def leg(self, rules: Rules, hands: Mapping[str, float], starts: tuple[int, ...]) -> list[list[float]]:
        """The chance of each player to win a leg from these starts, by who begins it."""
        waits = [self._wait(rules, hands[name], start) for name, start in zip(rules.players, starts, strict=True)]
        count = len(starts)
        return [_rotated(leg_chances(_turned(waits, starter)), -starter) for starter in range(count)]

    def _leg(self, state: State, hands: Mapping[str, float], first: int, playing: State | None) -> list[float]:
        """The chances in a leg that player `first` begins, or continues in `playing`."""
        names = state.rules.players
        lefts = state.rules.starts if playing is None else tuple(seat.left for seat in playing.seats)
        waits = [self._wait(state.rules, hands[name], left) for name, left in zip(names, lefts, strict=True)]
        if playing is not None and not playing.end:
            waits[first] = self._visiting(playing, hands[names[first]])
        return _rotated(leg_chances(_turned(waits, first)), -first)

    def _between_legs(self, state: State, hands: Mapping[str, float]) -> dict[str, float] | None:
        """The chances once the last dart of a leg has landed, which is not closed yet."""
        rules, seat, count = state.rules, state.seats[state.player], len(state.seats)
        if seat.sets == rules.sets:
            return {name: float(at == state.player) for at, name in enumerate(rules.players)}
        legs = tuple(0 if seat.legs == rules.legs else each.legs for each in state.seats)
        standing = Standing(legs, tuple(each.sets for each in state.seats), state.leg + 1)
        by_starter = [self._leg(state, hands, starter, None) for starter in range(count)]
        return self._named(state, by_starter[(state.leg + 1) % count], by_starter, standing)

    def _named(
        self, state: State, leg: list[float], by_starter: list[list[float]], standing: Standing
    ) -> dict[str, float] | None:
        found = match_chances(leg, by_starter, standing, state.rules.legs, state.rules.sets)
        return None if found is None else dict(zip(state.rules.players, found, strict=True))

    def _wait(self, rules: Rules, skill_mm: float, left: int) -> Floats:
        """The chance to have finished by the number of visits, from a score."""
        key, highest = _key(rules, skill_mm), _highest(max(*rules.starts, left))
        if (key, highest, left) not in self._columns:
            while len(self._columns) >= MOST_COLUMNS:
                self._columns.pop(next(iter(self._columns)))
            # A copy: a part of the table would keep all of it.
            self._columns[key, highest, left] = self._table(key, highest)[:, left].copy()
        return self._columns[key, highest, left]

    def _table(self, key: _Key, highest: int) -> Floats:
        """The same for all scores up to `highest`."""
        if (key, highest) not in self._waits:
            made = visits_to_finish(self._player(key), highest)
            while self._waits and made.nbytes + sum(table.nbytes for table in self._waits.values()) > MOST_BYTES:
                self._waits.pop(next(iter(self._waits)))
            self._waits[key, highest] = made
        return self._waits[key, highest]

    def _visiting(self, state: State, skill_mm: float) -> Floats:
        """The same for the player who throws, from the middle of a visit."""
        seat, before = state.seats[state.player], state.before.left
        key = _key(state.rules, skill_mm)
        ends = self._player(key).after(before, seat.left, DARTS - len(state.darts))
        done = self._table(key, _highest(max(*state.rules.starts, before)))
        return np.concatenate([[0.0], done[:, : before + 1] @ ends])

    def _player(self, key: _Key) -> Player:
        if key not in self._players:
            while len(self._players) >= MOST_PLAYERS:
                self._players.pop(next(iter(self._players)))
            skill_mm, out, full_bull = key
            self._players[key] = player_of(Hand(skill_mm, skill_mm), out, full_bull, self._solved)
        return self._players[key]


def _key(rules: Rules, skill_mm: float) -> _Key:
    return round(skill_mm, 1), rules.closing, rules.full_bull


def _highest(score: int) -> int:
    """The score up to which visits are counted: one of a few, so that they are counted once for many scores."""
    return next(most for most in _TOPS if most >= score)


def _standing(state: State) -> Standing:
    return Standing(tuple(seat.legs for seat in state.seats), tuple(seat.sets for seat in state.seats), state.leg)


def _turned(waits: list[Floats], first: int) -> list[Floats]:
    return [*waits[first:], *waits[:first]]


def _rotated(chances: list[float], by: int) -> list[float]:
    return [*chances[by:], *chances[:by]]
