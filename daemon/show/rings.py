"""The rings of LEDs around boards: what each of them is told when something happens on its board."""

from collections.abc import Iterable, Iterator

from daemon.show.cues import BoardFollower, Cue
from daemon.show.ring import Colours, brief, is_at, lasting
from daemon.show.wled import Look
from daemon.system.ring_config import WledRing

Told = tuple[str, Look]
"""The address of a controller, and what it shows now."""


class Rings:
    """Turns states and cues into what rings show; a look that a ring shows already is not told again."""

    def __init__(self, rings: Iterable[WledRing], own: Colours = lambda _player: None) -> None:
        """`own` gives the colour that a player has chosen."""
        self._rings, self._own = tuple(rings), own
        self._lasting: dict[int, Look] = {}

    def state(self, follower: BoardFollower) -> Iterator[Told]:
        """Yields what is to be told after a new state of a board."""
        for number, ring in self._of(follower.board):
            look = lasting(ring, follower.state if is_at(follower.board, follower.state) else {}, self._own)
            if look != self._lasting.get(number):
                self._lasting[number] = look
                yield ring.at, look

    def cue(self, cue: Cue) -> Iterator[Told]:
        """Yields what is to be told after an event."""
        for _, ring in self._of(cue.board):
            if (look := brief(ring, cue)) is not None:
                yield ring.at, look

    def _of(self, board: str) -> Iterator[tuple[int, WledRing]]:
        return ((number, ring) for number, ring in enumerate(self._rings) if ring.board in (None, board))
