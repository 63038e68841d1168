"""The answer about a player's hand over HTTP: `/players/NAME/hand.json`."""

from typing import Annotated, Final, Literal, NotRequired

from pydantic import Field

from daemon.system.payload import Payload

VERSION: Final = 2
"""Version of what is worked out and how; what another version has kept is worked out again."""


class HandErrors(Payload):
    """The standard error of each number of a hand."""

    x_mm: float
    y_mm: float
    tilt: float
    right_mm: float
    up_mm: float
    skill_mm: float


class HandRates(Payload):
    """How darts scatter around the aim, in mm: standard deviations, tilt from -1 to 1, average miss.

    `skill_mm` is the spread of a round hand that is as good.
    """

    x_mm: float
    y_mm: float
    tilt: float
    right_mm: float
    up_mm: float
    skill_mm: float
    error: HandErrors


class BestAim(Payload):
    """Where a dart brings the most points on average: mm from the centre to the right and up."""

    x_mm: float
    y_mm: float
    bed: str
    points: float


class OwnRoute(Payload):
    """A checkout that suits the hand better than the standard one, and the darts that it saves on average."""

    left: int
    own: list[str]
    standard: list[str]
    darts: float


class CostlyDart(Payload):
    """The dart that put back a finish the most, in darts. `darts` were in hand, `left` points to go."""

    match: str
    left: int
    darts: int
    bed: str
    cost: float


class VisitPoints(Payload):
    """Points of a visit in X01: with the best aims and average luck, and those that were thrown."""

    expected: float
    thrown: NotRequired[float]


class PracticeAdvice(Payload):
    """The kind of bed that falls behind the most: darts at it, how many hit, how many the hand hits on average."""

    kind: Literal["triples", "doubles", "bull", "singles"]
    darts: int
    hit: int
    expected: float
    drill: str


class HandMonth(Payload):
    """The spread of the darts of one month in mm, with its standard error."""

    month: str
    darts: int
    skill_mm: float
    error: float


class HandPage(Payload):
    """A player's hand and what follows from it. While it is worked out again, the figures are those of last time.

    `needed` darts are enough for a hand, `darts` are known; `install` is the command that installs numpy.
    """

    state: Literal["ready", "computing", "few", "not_installed", "failed"]
    install: NotRequired[str]
    darts: NotRequired[Annotated[int, Field(ge=0)]]
    needed: NotRequired[int]
    hand: NotRequired[HandRates]
    best: NotRequired[BestAim]
    at_t20: NotRequired[float]
    average: NotRequired[VisitPoints]
    routes: NotRequired[list[OwnRoute]]
    costly: NotRequired[CostlyDart]
    practice: NotRequired[PracticeAdvice]
    months: NotRequired[list[HandMonth]]
