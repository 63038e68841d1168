"""Random legal play for the conformance suite, benchmarks and soak tests.

The caller passes in the source of random choices.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from engine.actions import (
    Action,
    Bounce,
    Choose,
    Combat,
    Deck,
    Defend,
    Done,
    First,
    Foul,
    GameAction,
    Move,
    Next,
    Roll,
    Throw,
)
from engine.cards import PACK
from engine.darts import Dart, Points, Position, Zone
from engine.faces import Face
from engine.game import AnyDeck, AnyRoll, Game
from engine.geometry import segment_at
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.play import apply
from engine.refusals import Refusal
from engine.segments import SEGMENTS, Segment

T = TypeVar("T")


class Chooser(Protocol):
    """The methods of `random.Random` that are used here."""

    def random(self) -> float: ...
    def choice(self, seq: Sequence[T], /) -> T: ...
    def sample(self, population: Sequence[T], k: int) -> list[T]: ...


@dataclass(frozen=True, slots=True)
class Record:
    """A match as in its file, the header and every action, with its first state."""

    header: Header
    begun: Any
    """The state before the first action."""
    actions: tuple[Action, ...]


class Unplayable(Exception):
    """The game cannot be played: it refuses to begin, or refuses an action that it lists as legal."""


LONGEST: Final = 20_000
"""The most actions of a random match, far more than any game needs. The match then stays unfinished."""

_PATIENCE: Final = 150
"""Actions after which nearly every dart follows the advice, so that the match ends."""


def start(
    game: Game[Any], players: tuple[str, ...], options: Mapping[str, Any], face: Face | None = None
) -> Match | Refusal:
    """The match before its first action, by the newest rules, or why it cannot begin."""
    header = Header(game.name, players, dict(options), NEWEST)
    return open_match(header, {game.name: game}, {face.name: face} if face else {})


def random_match(
    game: Game[Any],
    players: tuple[str, ...],
    options: Mapping[str, Any],
    face: Face | None,
    choose: Chooser,
    longest: int = LONGEST,
) -> Record:
    """A random legal match of at most `longest` actions; advised darts bring it to its end. Raises Unplayable."""
    match = start(game, players, options, face)
    if isinstance(match, Refusal):
        raise Unplayable(f"the match cannot begin: {match}")
    return played_on(match, face, choose, longest)


def played_on(match: Match, face: Face | None, choose: Chooser, longest: int = LONGEST) -> Record:
    """The record of a match that is played on from its first state, as `random_match` does. Raises Unplayable."""
    darts = some_darts(face)
    actions: list[Action] = []
    while not match.finished and len(actions) < longest:
        action = random_action(match, darts, choose, aimed=0.5 if len(actions) < _PATIENCE else 0.95)
        outcome = apply(match, action)
        if isinstance(outcome, Refusal):
            raise Unplayable(f"{action} is listed as legal but refused: {outcome}")
        match = outcome
        actions.append(action)
    return Record(match.header, match.turns[0].state, tuple(actions))


def random_action(match: Match, darts: Sequence[Dart], choose: Chooser, aimed: float = 0.5) -> GameAction:
    """One of the legal actions, mostly a dart if that is legal; `aimed` is the share that follows the advice."""
    legal = match.legal()
    for pattern in legal.patterns:
        if isinstance(pattern, AnyRoll):
            return Roll(tuple(choose.choice(range(1, pattern.sides + 1)) for _ in range(pattern.count)))
        if isinstance(pattern, AnyDeck):
            return Deck(tuple(choose.sample(sorted(pattern.cards, key=str), len(pattern.cards))))
    if match.unsure is None and choose.random() < aimed:
        advice = match.game.advice(match.state, 5.0)
        if advice.action is not None and legal.allows(advice.action):
            return advice.action
        if advice.aim is not None:
            at = Position(advice.aim.x, advice.aim.y)
            landed: Dart = at if choose.random() < 0.2 else segment_at(at)
            if legal.allows(Throw(landed)):
                return Throw(landed)
    throws: list[GameAction] = [*map(Throw, darts), Foul()]
    throws = [action for action in throws if any(pattern.matches(action) for pattern in legal.patterns)]
    if throws and (not legal.actions or choose.random() < 0.9):
        return choose.choice(throws)
    return choose.choice(legal.actions)


def some_darts(face: Face | None) -> tuple[Dart, ...]:
    """Darts of every kind: all beds, some positions and points, the zones of the face and an unknown zone."""
    beds = tuple(SEGMENTS.values())
    positions = tuple(Position(x / 4, y / 5) for x in range(-5, 6, 2) for y in range(-6, 7, 3))
    points = tuple(
        Points(total, tuple(b for b in beds if b.points == total and not b.text.startswith(("SI", "SO"))))
        for total in (0, 2, 18, 25, 40, 50, 60)
    )
    landed: tuple[Segment | Position, ...] = (*beds, *positions)
    zones = () if face is None else tuple(dict.fromkeys(face.zones_of(dart) for dart in landed))
    names = dict.fromkeys(name for names in zones for name in names)
    borders = tuple(Zone(names) for names in zones if len(names) > 1)
    return (*beds, *positions, *points, *(Zone((name,)) for name in names), *borders, Zone(("nowhere",)))


def some_actions(players: Sequence[str], face: Face | None) -> Iterator[GameAction]:
    """Actions of every kind, valid and invalid, for the players and a stranger."""
    yield from (Bounce(), Foul(), Next(), Done())
    yield from map(Throw, some_darts(face)[::3])
    yield from (Throw(Zone(("nowhere",))), Throw(Zone(("here", "there"))), Throw(Position(100.0, -100.0)))
    yield from (Roll((7, 16, 10)), Roll((7, 7, 21)), Roll((0, 1, 2)), Roll((1,)), Roll((3, 3, 3, 3)))
    yield from (Deck(PACK), Deck(PACK[::-1]), Deck(PACK[:51]), Deck(PACK[:51] + PACK[:1]))
    names = (*players, "Nobody")
    yield from (Choose("wild", n) for n in (-1, 0, 1, 20, 21, "20"))
    yield from (Choose("segment", text) for text in ("T20", "S18", "XX"))
    yield from (Choose("card", text) for text in ("2H", "10H", "KS", "1X"))
    yield from (Choose("category", text) for text in ("aces", "pair", "yatzy", "chance", "none"))
    yield from (Choose(key, name) for key in ("zone", "player", "colour") for name in ("nowhere", *names))
    over = sorted({zone for bed in SEGMENTS.values() if face is not None for zone in face.zones_of(bed)})
    zones = [*over[::7], "nowhere"]
    for zone in zones:
        yield from (Move(dart, zone) for dart in (1, 3))
        yield from (Move(2, zone, zones[0]), Move(1, zone, None, passing=True), Combat(zone), Combat(zone, names[0]))
        yield Choose("zone", zone)
    for name in names:
        yield from (Defend(name), First(name))
