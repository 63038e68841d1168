"""Where a tournament stands: who plays each fixture, what is decided, and the tables."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from league.fixtures import NOBODY, Fixture, Known, LoserOf, PlaceOf, Result, Side, WinnerOf
from league.tables import Row, TableRules, table

PairingState = Literal["waits", "ready", "done", "walkover", "bye", "void"]
"""`waits` for earlier fixtures; `ready` to be played; `void`: it is not played, or does not count."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A fixture as it stands. A side is `None` while it is unknown, `NOBODY` for a bye."""

    fixture: Fixture
    state: PairingState
    home: int | None = None
    away: int | None = None
    winner: int | None = None
    loser: int | None = None
    result: Result | None = None

    @property
    def open(self) -> bool:
        """Whether something is still to come."""
        return self.state in ("waits", "ready")


@dataclass(frozen=True, slots=True)
class Standing:
    """All pairings in order, and the tables of the groups by name."""

    pairings: Mapping[str, Pairing]
    tables: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)
    mismatched: tuple[str, ...] = ()
    """Fixtures whose result is between others than should play now: they are to be played again."""


def standing(
    fixtures: Sequence[Fixture],
    results: Mapping[str, Result],
    withdrawn: Collection[int],
    rules: TableRules,
    seed: str,
    default_legs: int,
) -> Standing:
    """Works out every pairing, in the order of the fixtures: each comes after those that it depends on.

    `default_legs` are what the winner of a walk-over gets in a table.
    """
    groups = _groups(fixtures)
    out = _annulled(fixtures, groups, results, withdrawn, rules)
    found: dict[str, Pairing] = {}
    tables: dict[str, tuple[Row, ...]] = {}
    mismatched: list[str] = []

    def rows(group: str) -> tuple[Row, ...] | None:
        """The table of a group that is over."""
        if group not in tables:
            if any(pairing.open for pairing in _of_group(found, group)):
                return None
            tables[group] = _table(found, group, groups[group], out, rules, seed)
        return tables[group]

    def resolve(side: Side) -> int | None:
        match side:
            case Known(entrant):
                return entrant
            case WinnerOf(fixture):
                return found[fixture].winner
            case LoserOf(fixture):
                return found[fixture].loser
            case PlaceOf(group, place):
                if (made := rows(group)) is None:
                    return None
                return made[place - 1].entrant if place <= len(made) and made[place - 1].entrant not in out else NOBODY

    for fixture in fixtures:
        home, away = resolve(fixture.home), resolve(fixture.away)
        result = results.get(fixture.id)
        if result is not None and not result.kept and (result.home, result.away) != (home, away):
            mismatched.append(fixture.id)
            result = None
        found[fixture.id] = _pairing(fixture, home, away, result, withdrawn, out, found, default_legs)
    whole = {
        group: tables.get(group) or _table(found, group, members, out, rules, seed) for group, members in groups.items()
    }
    return Standing(found, whole, tuple(mismatched))


def _pairing(
    fixture: Fixture,
    home: int | None,
    away: int | None,
    result: Result | None,
    withdrawn: Collection[int],
    out: Collection[int],
    earlier: Mapping[str, Pairing],
    legs: int,
) -> Pairing:
    if fixture.only_after is not None:
        final = earlier[fixture.only_after]
        if final.open:
            return Pairing(fixture, "waits")
        if final.result is None or final.winner != final.away:
            return Pairing(fixture, "void", NOBODY, NOBODY, final.winner, final.loser)
    if fixture.group is not None and (home in out or away in out):
        return Pairing(fixture, "void", home, away)
    if result is not None:
        state: PairingState = "walkover" if result.walkover else "done"
        return Pairing(fixture, state, result.home, result.away, result.winner, result.loser, result)
    if home is None or away is None:
        return Pairing(fixture, "waits", home, away)
    if home == away:
        # A result that was kept after a correction has left somebody on both sides: they go on.
        away = NOBODY
    here = [side for side in (home, away) if side != NOBODY and side not in withdrawn]
    if len(here) == 2:
        return Pairing(fixture, "ready", home, away)
    winner = here[0] if here else NOBODY
    if NOBODY in (home, away):
        return Pairing(fixture, "bye", home, away, winner, NOBODY)
    loser = (away if winner == home else home) if here else NOBODY
    score = (legs, 0) if winner == home else (0, legs) if here else (0, 0)
    made = Result(fixture.id, home, away, score, walkover=True)
    return Pairing(fixture, "walkover" if here else "void", home, away, winner, loser, made if here else None)


def _groups(fixtures: Iterable[Fixture]) -> dict[str, tuple[int, ...]]:
    """The entrants of each group, in the order of their fixtures."""
    found: dict[str, dict[int, None]] = {}
    for fixture in fixtures:
        if fixture.group is not None:
            members = found.setdefault(fixture.group, {})
            for side in (fixture.home, fixture.away):
                if isinstance(side, Known) and side.entrant != NOBODY:
                    members[side.entrant] = None
    return {group: tuple(members) for group, members in found.items()}


def _annulled(
    fixtures: Iterable[Fixture],
    groups: Mapping[str, Iterable[int]],
    results: Mapping[str, Result],
    withdrawn: Collection[int],
    rules: TableRules,
) -> set[int]:
    """Those who withdrew before the end of their group, and whose matches do not count by the rules of the table."""
    if rules.withdrawal == "walkover" or not withdrawn:
        return set()
    found = set()
    everything = [fixture for fixture in fixtures if fixture.group is not None]
    for entrant in (entrant for members in groups.values() for entrant in members if entrant in withdrawn):
        own = [fixture for fixture in everything if Known(entrant) in (fixture.home, fixture.away)]
        played = sum(fixture.id in results for fixture in own)
        if played < len(own) and (rules.withdrawal == "annul" or 2 * played < len(own)):
            found.add(entrant)
    return found


def _of_group(found: Mapping[str, Pairing], group: str) -> list[Pairing]:
    return [pairing for pairing in found.values() if pairing.fixture.group == group]


def _table(
    found: Mapping[str, Pairing],
    group: str,
    members: Sequence[int],
    out: Collection[int],
    rules: TableRules,
    seed: str,
) -> tuple[Row, ...]:
    results = [pairing.result for pairing in _of_group(found, group) if pairing.result is not None]
    results += [_bye(pairing) for pairing in _of_group(found, group) if pairing.state == "bye" and pairing.winner]
    counted = [result for result in results if result.home not in out and result.away not in out]
    return table(members, counted, rules, seed, [entrant for entrant in members if entrant in out])


def _bye(pairing: Pairing) -> Result:
    home = pairing.winner == pairing.home
    sides = (pairing.home or NOBODY, pairing.away or NOBODY)
    return Result(pairing.fixture.id, *sides, (1, 0) if home else (0, 1), walkover=True)
