"""What a check of `oche doctor` reports."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is wrong."""

    check: str
    """Its name for programs."""
    wrong: str
    """What is wrong, and where: a sentence."""
    do: str
    """What to do."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """Something that a check could not look at."""

    why: str


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that is well."""

    what: str


Finding = Trouble | Unseen | Seen
