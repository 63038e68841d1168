"""Awards: what the darts of one turn earn, in every game: hat trick, ton 80, three in a bed, nine marks and others.

A game that knows what its darts counted says so by `counted`; in any other game every dart takes part, and only the
awards for beds can be earned. The match asks when the throwing of a turn ends, and again after a correction.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

from engine.game import Event, Game, Step, Turn
from engine.segments import MISS, OUTER_BULL, SEGMENTS, Ring, Segment

DARTS: Final = 3
"""Awards for beds need this many darts."""

House = Literal["hall", "us", "steel"]

AWARDS: Final = (
    "nine_darter",
    "ton_80",
    "three_in_the_black",
    "white_horse",
    "three_in_a_bed",
    "hat_trick",
    "nine_marks",
    "eight_marks",
    "seven_marks",
    "six_marks",
    "five_marks",
    "high_ton",
    "low_ton",
    "shanghai",
    "big_fish",
    "one_forty_plus",
    "hundred_plus",
    "sixty_plus",
    "bed_and_breakfast",
    "game_shot",
)
"""Every award of a turn, in the order in which one is called if a turn earns several."""

_MARKS: Final = {9: "nine_marks", 8: "eight_marks", 7: "seven_marks", 6: "six_marks", 5: "five_marks"}
_STEEL: Final = ((180, "ton_80"), (140, "one_forty_plus"), (100, "hundred_plus"), (60, "sixty_plus"))
"""The classes of a visit in steel darts, by the points from which on it belongs to them."""
_BREAKFAST: Final = {20, 5, 1}
_FISH: Final = 170

Kind = Literal["points", "marks", "other"]


@dataclass(frozen=True, slots=True)
class Counted:
    """What the darts of a turn counted by the rules of the game.

    `worth` has a number for each dart, 0 if it counted nothing: points in a game of points, marks in a game of Cricket,
    in other games any number. `points` are those of the turn. `closes` are the numbers that the thrower of a game of
    Cricket had not closed before the turn; `finished` says that a leg of X01 was, `nine_darter` that nine darts were
    enough for it.
    """

    kind: Kind
    worth: tuple[int, ...]
    points: int = 0
    closes: frozenset[int] = frozenset()
    finished: bool = False
    nine_darter: bool = False


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Custom:
    """By whose custom awards are given, and where a low ton begins and a high ton ends."""

    house: House = "hall"
    low_ton_from: int = 100
    high_ton_to: int = 179


def custom(options: Mapping[str, Any]) -> Custom:
    """The custom that the options of a match ask for."""
    house: House = options.get("house", "hall")
    return Custom(
        house, options.get("low_ton_from") or 100, options.get("high_ton_to") or (179 if house == "hall" else 180)
    )


def of_darts(darts: tuple[str, ...]) -> Counted:
    """What darts count in a game that does not say it: every one takes part."""
    beds = [SEGMENTS.get(dart, MISS) for dart in darts]
    return Counted("other", (1,) * len(darts), sum(bed.points for bed in beds))


def earned(darts: tuple[str, ...], counted: Counted, by: Custom) -> tuple[str, ...]:
    """The awards of a turn with these darts, as their texts, in the order of `AWARDS`."""
    found: set[str] = set()
    if len(darts) == DARTS == len(counted.worth) and all(counted.worth):
        found |= _of_beds([SEGMENTS.get(dart, MISS) for dart in darts], counted, by)
    if counted.kind == "marks" and (marks := _MARKS.get(sum(counted.worth))):
        found.add(marks)
        if by.house == "us" and marks == "nine_marks":
            found.add("white_horse")
    if counted.kind == "points":
        found |= _of_total(darts, counted, by, found)
    return tuple(award for award in AWARDS if award in found) if found else ()


def _of_beds(beds: list[Segment], counted: Counted, by: Custom) -> set[str]:
    """The awards for three darts that all counted."""
    found: set[str] = set()
    same, rings, numbers = len(set(beds)) == 1, {bed.ring for bed in beds}, {bed.number for bed in beds}
    bulls = all(bed.is_bull for bed in beds)
    if same and bulls and OUTER_BULL not in beds:
        found.add("three_in_the_black")
    if bulls and (by.house == "us" or "three_in_the_black" not in found):
        found.add("hat_trick")
    if same and beds[0].text == "T20" and counted.kind == "points":
        found.add("ton_80")
    elif same and not bulls and (rings == {Ring.TRIPLE} or (by.house == "us" and rings == {Ring.DOUBLE})):
        found.add("three_in_a_bed")
    if counted.kind == "marks" and rings == {Ring.TRIPLE} and len(numbers) == DARTS and numbers <= counted.closes:
        found.add("white_horse")
    if len(numbers) == 1 and {bed.multiplier for bed in beds} == {1, 2, 3}:
        found.add("shanghai")
    return found


def _of_total(darts: tuple[str, ...], counted: Counted, by: Custom, beds: set[str]) -> set[str]:
    """The awards for the points of a turn; `beds` are those for its beds."""
    total = sum(counted.worth)
    if by.house == "steel":
        found = {next((name for least, name in _STEEL if total >= least), "")} - {"", "ton_80"}
        known = [SEGMENTS.get(dart, MISS) for dart in darts]
        singles = {bed.number for bed in known if bed.multiplier == 1}
        if len(known) == DARTS and singles == _BREAKFAST:
            found.add("bed_and_breakfast")
        if counted.finished:
            found |= {"game_shot"} | ({"big_fish"} if total == _FISH else set())
        if counted.nine_darter:
            found.add("nine_darter")
        return found
    if 151 <= total <= by.high_ton_to:
        return {"high_ton"}
    if by.low_ton_from <= total <= 150 and not (by.house == "us" and "hat_trick" in beds):
        return {"low_ton"}
    return set()


def counted_by(game: Game[S], begun: S, state: S) -> Counted | None:
    """What the darts of a turn counted, as the game says, or each if it does not say it; None if the turn is bust."""
    # Not `isinstance` of a protocol, which would take half of the time of a dart.
    counts: Callable[[S, S], Counted | None] | None = getattr(game, "counted", None)
    return of_darts(game.turn(state).darts) if counts is None else counts(begun, state)


Tally = Mapping[str, Mapping[str, int]]
"""How often each player has earned each award."""


def tallied(tally: Tally, events: Iterable[Event]) -> Tally:
    """The tally after these events of the kind `award`."""
    for event in events:
        player, award = event.data["player"], event.data["award"]
        own = tally.get(player, {})
        tally = {**tally, player: {**own, award: own.get(award, 0) + 1}}
    return tally


def after_step(
    game: Game[Any],
    options: Mapping[str, Any],
    begun: Any,
    before: Any,
    was: Turn,
    after: Step[Any],
    turn: Turn,
    earned: tuple[Event, ...],
) -> tuple[Event, ...]:
    """The awards of the turn of the state `before`, which began with the state `begun`, after another step.

    `was` is its turn, `turn` that of the state after it, and `earned` are the awards before it. A turn is looked at
    once, with its last dart, or when it closes before that.
    """
    own = (*earned, *found) if (found := [event for event in after.events if event.kind == "award"]) else earned
    if turn.awaits == "throw" and 0 < len(turn.darts) < DARTS:
        return own  # Most darts end here: the turn goes on, and no award is due.
    if _is_thrown(was):
        return own
    closed = turn.number != was.number or turn.awaits == "nothing"
    if not closed and not _is_thrown(turn):
        return own
    return (*own, *_events(game, options, begun, before if closed else after.state, was if closed else turn))


def _is_thrown(turn: Turn) -> bool:
    """Whether the throwing of this turn is over."""
    return turn.awaits in ("next", "nothing") or (turn.awaits != "throw" and len(turn.darts) >= DARTS)


def _events(game: Game[Any], options: Mapping[str, Any], begun: Any, state: Any, turn: Turn) -> Iterator[Event]:
    if not turn.darts or not turn.correctable:
        return
    counted = counted_by(game, begun, state)
    if counted is not None and any(counted.worth):
        for award in earned(turn.darts, counted, custom(options)):
            yield Event("award", {"player": turn.player, "award": award, "points": counted.points})


def with_awards(events: tuple[Event, ...], earned: Iterable[Event]) -> tuple[Event, ...]:
    """The events of a step with the awards that they do not have, before what begins or ends with the step."""
    new = tuple(event for event in earned if event not in events)
    at = next((at for at, event in enumerate(events) if event.kind in ("round", "turn", "won")), len(events))
    return (*events[:at], *new, *events[at:]) if new else events
