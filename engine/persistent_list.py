"""A long row of values to which each step adds one: actions, turns, edits.

A tuple would be copied whole for every dart, which is felt after ten thousand
of them. A chain of single links would not, but comparing or storing a chain
goes as deep as it is long. So full parts are kept as they are, and only the
short end is copied.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, Generic, TypeVar

T = TypeVar("T")

PART: Final = 64
"""Values in a full part."""


@dataclass(frozen=True, slots=True)
class PersistentList(Generic[T]):
    """The values in order: `parts` have PART of them each, `end` has fewer. Made by `trail`, never changed."""

    parts: tuple[tuple[T, ...], ...] = ()
    end: tuple[T, ...] = ()

    def __len__(self) -> int:
        return len(self.parts) * PART + len(self.end)

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(self.parts), self.end)

    def __getitem__(self, at: int) -> T:
        """The value at a place; a negative one is counted from the end. Raises IndexError as a tuple does."""
        at += len(self) if at < 0 else 0
        part, place = divmod(at, PART)
        if at < 0 or part > len(self.parts):
            raise IndexError("no such place in the trail")
        return (self.end if part == len(self.parts) else self.parts[part])[place]

    def add(self, value: T) -> "PersistentList[T]":
        """The trail with one more value."""
        end = (*self.end, value)
        return PersistentList(self.parts, end) if len(end) < PART else PersistentList((*self.parts, end), ())

    def extended(self, values: Iterable[T]) -> "PersistentList[T]":
        """The trail with these values behind its own."""
        longer = self
        for value in values:
            longer = longer.add(value)
        return longer

    def upto(self, at: int) -> "PersistentList[T]":
        """The first `at` values; all of them where there are no more."""
        part, place = divmod(at, PART)
        if part >= len(self.parts):
            return PersistentList(self.parts, self.end[: max(0, at - len(self.parts) * PART)])
        return PersistentList(self.parts[:part], self.parts[part][:place])

    def since(self, at: int) -> tuple[T, ...]:
        """The values from the place `at` on."""
        part, place = divmod(at, PART)
        if part >= len(self.parts):
            return self.end[max(0, at - len(self.parts) * PART) :]
        return (*self.parts[part][place:], *chain.from_iterable(self.parts[part + 1 :]), *self.end)

    def replaced(self, at: int, value: T) -> "PersistentList[T]":
        """The trail with another value at a place."""
        return self.upto(at).add(value).extended(self.since(at + 1))


def persistent_list(values: Iterable[T] = ()) -> PersistentList[T]:
    """A trail of these values."""
    empty: PersistentList[T] = PersistentList()
    return empty.extended(values)
