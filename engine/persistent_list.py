"""A persistent list: appending returns a new list that shares its full parts with the old one.

Matches append an action per dart. A tuple would be copied each time, which is
slow after ten thousand darts; comparing a linked list would recurse as deep as
it is long.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, Generic, TypeVar

T = TypeVar("T")

PART: Final = 64
"""The number of values in a full part."""


@dataclass(frozen=True, slots=True)
class PersistentList(Generic[T]):
    """The values in order: each of `parts` has PART of them, `end` has fewer. Made by `persistent_list`."""

    parts: tuple[tuple[T, ...], ...] = ()
    end: tuple[T, ...] = ()

    def __len__(self) -> int:
        return len(self.parts) * PART + len(self.end)

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(self.parts), self.end)

    def __getitem__(self, at: int) -> T:
        """The value at index `at`, negative from the end. Raises IndexError as a tuple does."""
        if -len(self.end) <= at < 0:
            return self.end[at]  # What a match asks for with every dart.
        at += len(self) if at < 0 else 0
        part, place = divmod(at, PART)
        if at < 0 or part > len(self.parts):
            raise IndexError("list index out of range")
        return (self.end if part == len(self.parts) else self.parts[part])[place]

    def add(self, value: T) -> "PersistentList[T]":
        """The list with one more value."""
        end = (*self.end, value)
        return PersistentList(self.parts, end) if len(end) < PART else PersistentList((*self.parts, end), ())

    def extended(self, values: Iterable[T]) -> "PersistentList[T]":
        """The list with these values appended."""
        longer = self
        for value in values:
            longer = longer.add(value)
        return longer

    def upto(self, at: int) -> "PersistentList[T]":
        """The first `at` values, or all if there are fewer."""
        part, place = divmod(at, PART)
        if part >= len(self.parts):
            return PersistentList(self.parts, self.end[: max(0, at - len(self.parts) * PART)])
        return PersistentList(self.parts[:part], self.parts[part][:place])

    def since(self, at: int) -> tuple[T, ...]:
        """The values from index `at` on."""
        part, place = divmod(at, PART)
        if part >= len(self.parts):
            return self.end[max(0, at - len(self.parts) * PART) :]
        return (*self.parts[part][place:], *chain.from_iterable(self.parts[part + 1 :]), *self.end)

    def replaced(self, at: int, value: T) -> "PersistentList[T]":
        """The list with `value` at index `at`."""
        return self.upto(at).add(value).extended(self.since(at + 1))


def persistent_list(values: Iterable[T] = ()) -> PersistentList[T]:
    """The list of these values."""
    empty: PersistentList[T] = PersistentList()
    return empty.extended(values)
