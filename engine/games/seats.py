"""Seats: where a player or a team sits, numbered from 0 in the order of the match header."""

from typing import TypeVar

T = TypeVar("T")


def with_seat(seats: tuple[T, ...], at: int, seat: T) -> tuple[T, ...]:
    """The seats with `seat` in place `at`."""
    return (*seats[:at], seat, *seats[at + 1 :])
