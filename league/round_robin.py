"""Everybody against everybody, at home and away; also in several groups that lead to a knock-out."""

from collections.abc import Sequence
from string import ascii_uppercase

from league.draw import seed_lines
from league.fixtures import NOBODY, Fixture, Known, PlaceOf, Side


def match_days(entrants: Sequence[int], times: int = 1) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The pairs (home, away) of each match day; each pair meets `times` times, at home and away in turn.

    The circle method: one entrant stays, the others move on by one place a day. With an odd number one of them rests
    each day.
    """
    circle = [*entrants] if len(entrants) % 2 == 0 else [*entrants, NOBODY]
    place = {entrant: index for index, entrant in enumerate(circle)}
    half = len(circle) // 2
    days: list[tuple[tuple[int, int], ...]] = []
    for _ in range(len(circle) - 1):
        pairs = []
        for one, other in zip(circle[:half], circle[: -half - 1 : -1], strict=True):
            low, high = sorted((one, other), key=place.__getitem__)
            if NOBODY not in (one, other):
                # By the sum of their places, so that all have as many home matches, or one more.
                pairs.append((low, high) if (place[low] + place[high]) % 2 else (high, low))
        days.append(tuple(pairs))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    turned_days = [tuple((away, home) for home, away in pairs) for pairs in days]
    return tuple(pairs for time in range(times) for pairs in (days if time % 2 == 0 else turned_days))


def round_robin(entrants: Sequence[int], times: int = 1, group: str = "A") -> tuple[Fixture, ...]:
    """The fixtures of one group: `times` · n · (n - 1) / 2."""
    return tuple(
        Fixture(f"G{group}{day}-{index}", "group", day, Known(home), Known(away), group)
        for day, pairs in enumerate(match_days(entrants, times), 1)
        for index, (home, away) in enumerate(pairs, 1)
    )


def group_names(count: int) -> tuple[str, ...]:
    """Names of groups: A, B, C…"""
    return tuple(ascii_uppercase[:count])


def qualifiers(groups: Sequence[str], advance: int) -> tuple[Side, ...]:
    """The lines of the knock-out after groups; nobody meets the first of their own group in the first round, if that
    can be avoided.

    Winners are placed above seconds, and so on; the best places have the byes.
    """
    ranked: list[PlaceOf] = [PlaceOf(group, place) for place in range(1, advance + 1) for group in groups]
    size = 1 << max(1, (len(ranked) - 1).bit_length())
    lines: list[Side] = [ranked[rank - 1] if rank <= len(ranked) else Known(NOBODY) for rank in seed_lines(size)]
    for index in range(len(lines)):
        if _clash(lines, index):
            _move(lines, index)
    return tuple(lines)


def _clash(lines: Sequence[Side], index: int) -> bool:
    """Whether the side at `index` meets one of the same group in the first round."""
    side, other = lines[index], lines[index ^ 1]
    return isinstance(side, PlaceOf) and isinstance(other, PlaceOf) and side.group == other.group


def _move(lines: list[Side], index: int) -> None:
    """Exchanges a side with one that has the same place in another group, if both then meet other groups."""
    side = lines[index]
    for other, found in enumerate(lines):
        if isinstance(side, PlaceOf) and isinstance(found, PlaceOf) and found.place == side.place and other != index:
            lines[index], lines[other] = found, side
            if not _clash(lines, index) and not _clash(lines, other):
                return
            lines[index], lines[other] = side, found
