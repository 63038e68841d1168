"""Faces: zones over the board, for games that are not played on the beds."""

from collections.abc import Mapping
from typing import Protocol

from engine.darts import Position
from engine.segments import Segment


class Face(Protocol):
    """Zones over the board."""

    @property
    def name(self) -> str:
        """The name of its file, which games and match files use."""
        ...

    def zones_of(self, dart: Segment | Position) -> tuple[str, ...]:
        """The zone of a dart; several zones if it is on their border, none if it is off the face."""
        ...

    def has_zone(self, name: str) -> bool:
        """Whether there is a zone of exactly this name."""
        ...


Faces = Mapping[str, Face]
"""Faces by name. The daemon reads them from files and passes them in."""
