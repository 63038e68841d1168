"""Seats: where a player or a team sits, numbered from 0 in the order of the match header."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def by_first(players: tuple[str, ...], values: Iterable[T]) -> dict[str, T]:
    """A value of each seat by the name of its first player."""
    return dict(zip(players, values, strict=False))


def with_seat(seats: tuple[T, ...], at: int, seat: T) -> tuple[T, ...]:
    """The seats with `seat` in place `at`."""
    return (*seats[:at], seat, *seats[at + 1 :])
