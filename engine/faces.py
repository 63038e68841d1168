"""What a game that is not played on the beds sees of a dart: the zones of a face."""

from collections.abc import Mapping
from typing import Protocol

from engine.darts import Position
from engine.segments import Segment


class Face(Protocol):
    """Zones over the board."""

    @property
    def name(self) -> str:
        """Its file's name; games and match files name it so."""
        ...

    def zones_of(self, dart: Segment | Position) -> tuple[str, ...]:
        """The zone that a dart is in; several where it is on their border; none where it is off the face."""
        ...

    def has_zone(self, name: str) -> bool:
        """Whether there is a zone of this name, written just so."""
        ...


Faces = Mapping[str, Face]
"""Faces by name. The daemon reads them from files; the engine is handed the values."""
