"""Tables: points, legs, and the order of those who are level. The rules of a table are data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from engine.refusals import Refusal
from league.draw import lot
from league.fixtures import NOBODY, Result

Criterion = Literal["points", "wins", "legs", "difference", "head_to_head", "maximums", "buchholz"]
CRITERIA: Final[tuple[Criterion, ...]] = get_args(Criterion)
"""What decides: points, matches won, legs won, legs won less legs lost, the matches among those who are level (points,
then the difference), 180s, and the points of all opponents."""
WORTH: Final = ("win", "draw", "loss")
"""What a match is worth; the keys of rules of one's own, next to `order`."""
Withdrawal = Literal["annul", "half", "walkover"]
"""What becomes of the matches of an entrant who withdraws before the end of a group: none counts; none counts if fewer
than half were played; those that are left are walk-overs."""


@dataclass(frozen=True, slots=True)
class TableRules:
    """How a table is made. `order` is asked from the left; whoever is still level shares the place."""

    name: str = "standard"
    win: int = 2
    draw: int = 1
    loss: int = 0
    order: tuple[Criterion, ...] = ("points", "difference", "legs", "head_to_head")
    withdrawal: Withdrawal = "half"
    source: str = ""
    """Where these rules are written; empty if they are our own."""


STANDARD: Final = TableRules()
SWISS: Final = TableRules("swiss", order=("points", "buchholz", "difference", "legs"), withdrawal="walkover")
KOELN: Final = TableRules(
    "koeln",
    win=0,
    draw=0,
    order=("legs", "wins", "head_to_head"),
    source="Premier League Darts Köln, https://www.premierleaguedarts.de/regeln/ (all seven legs are played; legs "
    "count, then matches won, then the direct comparison)",
)
STOURBRIDGE: Final = TableRules(
    "stourbridge",
    win=2,
    draw=0,
    order=("points", "legs"),
    withdrawal="walkover",
    source="Stourbridge darts league, https://stourbridgedarts.webs.com/league-rules, rules 10 to 12 (two points a "
    "win, then games won, then the prize is shared; whoever does not come loses without a game)",
)
TABLES: Final[Mapping[str, TableRules]] = {rules.name: rules for rules in (STANDARD, SWISS, KOELN, STOURBRIDGE)}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. Those who are level have the same `place`."""

    place: int
    entrant: int
    played: int
    won: int
    drawn: int
    lost: int
    legs: int
    against: int
    points: int


def table(
    entrants: Iterable[int], results: Sequence[Result], rules: TableRules, seed: str, last: Iterable[int] = ()
) -> tuple[Row, ...]:
    """The table of a group; `last` are at its end whatever they have won. Those who are level are ordered by lot.

    A result against `NOBODY` is a win without legs: the bye of a Swiss round.
    """
    sums = {entrant: _sum(entrant, results, rules) for entrant in entrants}
    order: list[tuple[int, ...]] = []
    behind = set(last)
    for part in ([e for e in sums if e not in behind], [e for e in sums if e in behind]):
        order += _ordered(tuple(part), rules.order, sums, results, rules)
    rows: list[Row] = []
    for level in order:
        place = len(rows) + 1
        for entrant in sorted(level, key=lambda e: (lot(seed, "table", e), e)):
            total = sums[entrant]
            rows.append(Row(place, entrant, *total))
    return tuple(rows)


Sum = tuple[int, int, int, int, int, int, int]
"""Played, won, drawn, lost, legs, legs against, points."""
_POINTS: Final = 6


def _sum(entrant: int, results: Iterable[Result], rules: TableRules, among: Iterable[int] | None = None) -> Sum:
    won = drawn = lost = legs = against = 0
    others = None if among is None else set(among)
    for result in results:
        if entrant not in (result.home, result.away):
            continue
        other = result.away if entrant == result.home else result.home
        if others is not None and other not in others:
            continue
        own, theirs = result.score if entrant == result.home else result.score[::-1]
        if other != NOBODY:
            legs, against = legs + own, against + theirs
        won, drawn, lost = won + (own > theirs), drawn + (own == theirs), lost + (own < theirs)
    points = rules.win * won + rules.draw * drawn + rules.loss * lost
    return won + drawn + lost, won, drawn, lost, legs, against, points


def _ordered(
    level: tuple[int, ...],
    criteria: Sequence[Criterion],
    sums: Mapping[int, Sum],
    results: Sequence[Result],
    rules: TableRules,
) -> list[tuple[int, ...]]:
    """Splits those who are level by the first criterion, each part by the next one."""
    if len(level) < 2 or not criteria:
        return [level] if level else []
    value = _values(criteria[0], level, sums, results, rules)
    parts: dict[tuple[int, ...], tuple[int, ...]] = {}
    for entrant in level:
        worth = value(entrant)
        parts[worth] = (*parts.get(worth, ()), entrant)
    found: list[tuple[int, ...]] = []
    for best in sorted(parts, reverse=True):
        found += _ordered(parts[best], criteria[1:], sums, results, rules)
    return found


def _values(
    criterion: Criterion, level: tuple[int, ...], sums: Mapping[int, Sum], results: Sequence[Result], rules: TableRules
) -> Callable[[int], tuple[int, ...]]:
    """A function that returns what an entrant has of a criterion; more is better."""

    def value(entrant: int) -> tuple[int, ...]:
        _, won, _, _, legs, against, points = sums[entrant]
        match criterion:
            case "points":
                return (points,)
            case "wins":
                return (won,)
            case "legs":
                return (legs,)
            case "difference":
                return (legs - against,)
            case "maximums":
                return (_maximums(entrant, results),)
            case "buchholz":
                return (_buchholz(entrant, sums, results),)
            case "head_to_head":
                own = _sum(entrant, results, rules, level)
                return (own[_POINTS], own[4] - own[5])

    return value


def _maximums(entrant: int, results: Iterable[Result]) -> int:
    return sum(
        thrown
        for result in results
        for side, thrown in zip((result.home, result.away), result.maximums, strict=True)
        if side == entrant
    )


def _buchholz(entrant: int, sums: Mapping[int, Sum], results: Iterable[Result]) -> int:
    opponents = [
        result.away if entrant == result.home else result.home
        for result in results
        if entrant in (result.home, result.away)
    ]
    return sum(sums[other][_POINTS] for other in opponents if other in sums)


def rules_from_json(value: object) -> TableRules | Refusal:
    """The rules in a parsed value: a name in `TABLES`, or an object. Refusal `bad_value` says what is wrong."""
    if isinstance(value, str) and value in TABLES:
        return TABLES[value]
    if not isinstance(value, Mapping):
        return _bad(f"`table` is one of {', '.join(TABLES)}, or has win, draw, loss and order.")
    order = value.get("order", list(STANDARD.order))
    if not value.keys() <= {*WORTH, "order"} or not isinstance(order, list) or not order:
        return _bad("`table` has the keys win, draw, loss and order.")
    if not all(isinstance(one, str) and one in CRITERIA for one in order) or len(set(order)) < len(order):
        return _bad(f"`order` has each at most once of {', '.join(CRITERIA)}.")
    points = {key: value[key] for key in WORTH if key in value}
    if not all(type(number) is int and 0 <= number <= 99 for number in points.values()):
        return _bad("win, draw and loss are points from 0 to 99.")
    return replace(STANDARD, name="own", order=tuple(order), **points)


def _bad(message: str) -> Refusal:
    return Refusal("bad_value", message)
