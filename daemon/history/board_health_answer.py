"""The answer about the beds of a board over HTTP: `/board/NAME/health.json`."""

from typing import Annotated, Final, Literal, NotRequired

from pydantic import Field

from daemon.system.payload import Payload

VERSION: Final = 1
"""Version of what is worked out and how; what another version has kept is worked out again."""
ENOUGH_DARTS: Final = 300
"""With fewer darts on a board only a bed that nearly every dart is aimed at could be judged."""
MOST_MATCHES: Final = 400
"""How many of the newest matches on a board are read."""


class FaultOfBoard(Payload):
    """A `bed` or a `line` of the matrix that was hit `seen` times where the hands of the players say `expected`.

    `chance` is that of so few darts if 60 % of them were reported. A bed of the kind `doubled` has counted `seen` of
    its `expected` darts twice.
    """

    kind: Literal["bed", "line", "doubled"]
    name: str
    beds: list[str]
    seen: Annotated[int, Field(ge=0)]
    expected: float
    chance: NotRequired[float]


class BoardHealth(Payload):
    """What the newest darts of people say of a board. While it is worked out again, the figures are those of last time.

    `needed` darts are enough to judge a board, `darts` of `players` are known. Without `lines` the model of the board,
    and so its matrix, is not known. `install` is the command that installs numpy.
    """

    state: Literal["ready", "computing", "few", "not_installed", "failed"]
    install: NotRequired[str]
    darts: NotRequired[Annotated[int, Field(ge=0)]]
    players: NotRequired[Annotated[int, Field(ge=0)]]
    needed: NotRequired[int]
    lines: NotRequired[bool]
    faults: NotRequired[list[FaultOfBoard]]
