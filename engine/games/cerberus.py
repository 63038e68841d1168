"""Cerberus: three dice give three targets; darts in different targets multiply the marks.

Players who fall too far behind the leader are out, and the last one left wins.
Cerberus, the house, throws nothing, gets points every round and can win too. After
the last round the highest total of those left wins.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.about import About
from engine.actions import Bounce, Choose, Foul, GameAction, Next, Roll, Throw
from engine.darts import Dart
from engine.faces import Face
from engine.game import Advice, AnyRoll, Awaits, Event, Legal, Step, Turn
from engine.games.beds import CLOSE_FIRST, CLOSING, FINISHED, NOTHING, THROWING, effect, not_awaited
from engine.games.cerberus_about import ABOUT
from engine.games.cerberus_advice import aim_at_targets
from engine.games.cerberus_targets import Hit, best_wild, count, has_wild, marks_of, numbers_of, targets
from engine.games.score_statistics import score_statistics
from engine.games.seats import with_seat
from engine.match import dart_text
from engine.options import Number, Option, Preset
from engine.refusals import Refusal
from engine.segments import MISS, Segment
from engine.statistics import Statistics

NAME: Final = "Cerberus"
DARTS: Final = 3
DICE: Final = AnyRoll(3, 20)
PENALTY: Final = 3
USUAL_POINTS: Final = 4
MOST: Final = 50
"""The highest score of a turn."""
AWARD: Final = "cerberus_50"
"""The award for a turn of MOST points."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The options. `house` are the points of Cerberus per round, None if he does not play; `rounds` 0 is no limit."""

    players: tuple[str, ...]
    house: int | None
    margin: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A player or Cerberus: the total of all closed turns, the round of going out (0: still in), and the place."""

    total: int = 0
    out: int = 0
    place: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """A match. `seats` are the players, then Cerberus; `player` is the index of the seat that throws; `wild` is the
    number chosen, or 0."""

    rules: Rules
    seats: tuple[Seat, ...]
    number: int = 0
    round: int = 1
    player: int = 0
    roll: tuple[int, ...] = ()
    darts: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    wild: int = 0
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Cerberus:
    """The game `cerberus`."""

    name: str = "cerberus"
    title: str = "Cerberus"
    seats: range = range(1, 17)
    needs_segments: bool = False
    all_public: bool = True
    about: About = ABOUT
    state_type: type[State] = State
    options: tuple[Option, ...] = (
        Option(
            "cerberus_points",
            Number(0, 50),
            None,
            f"points of Cerberus per round; default: {USUAL_POINTS} for one player, no Cerberus for more; "
            "if most darts miss, 2 keep a match of several players short",
            presets=(
                Preset("gentle", 1),
                Preset("easy", 2),
                Preset("usual", USUAL_POINTS),
                Preset("hard", 8),
                Preset("merciless", 12),
            ),
        ),
        Option("margin", Number(1, 1000), 25, "points behind the leader at which a player is out"),
        Option(
            "rounds",
            Number(0, 1000),
            200,
            "rounds after which the highest total wins; 0 is no limit",
            since=2,
            before=0,
        ),
    )

    def face(self, options: Mapping[str, Any]) -> None:
        return None

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> State | Refusal:
        if NAME in players:
            return Refusal("bad_players", f"{NAME} is the name of the house; choose another name.")
        points = options["cerberus_points"]
        if points is None and len(players) == 1:
            points = USUAL_POINTS
        rules = Rules(players, points, options["margin"], options["rounds"])
        return State(rules, (Seat(),) * (len(players) + (points is not None)))

    def apply(self, state: State, action: GameAction) -> Step[State] | Refusal:
        awaits = _awaits(state)
        match action:
            case _ if awaits == "nothing":
                return FINISHED
            case Roll() if awaits == "roll":
                return _roll(state, action)
            case Throw(dart) if awaits == "throw":
                return _dart(state, dart)
            case Foul() if awaits == "throw":
                return _dart(state, None)
            case Bounce() if awaits == "throw":
                return Step(state)
            case Throw() | Foul() | Bounce() if awaits == "next":
                return CLOSE_FIRST
            case Choose("wild", value) if awaits == "next" and has_wild(state.roll):
                return _name_wild(state, value)
            case Next() if awaits != "roll":
                return _close(state)
            case _:
                return not_awaited(awaits)

    def turn(self, state: State) -> Turn:
        name = _name(state, state.player)
        return Turn(state.number, name, name, state.darts, _awaits(state))

    def winners(self, state: State) -> tuple[str, ...] | None:
        if not state.finished:
            return None
        return _winners(state, state.seats)

    def view(self, state: State, viewer: str | None) -> dict[str, Any]:
        turn: dict[str, Any] = {}
        if state.roll:
            wild = _wild(state)
            marks, multiplier = count(state.roll, state.hits, wild)
            turn = {"roll": list(state.roll), "targets": targets(state.roll)}
            turn |= {"marks": marks, "multiplier": multiplier, "scored": marks * multiplier}
            if has_wild(state.roll) and len(state.darts) == DARTS:
                turn["wild"] = wild
        return {
            "turn": turn,
            "players": [_player(state, at) for at in range(len(state.seats))],
            "round": state.round,
            "margin": state.rules.margin,
        } | ({"rounds": state.rules.rounds} if state.rules.rounds else {})

    def legal(self, state: State) -> Legal:
        match _awaits(state):
            case "nothing":
                return NOTHING
            case "roll":
                return Legal(patterns=(DICE,))
            case "throw":
                return THROWING
            case _ if has_wild(state.roll):
                wilds = (Choose("wild", number) for number in range(1, 21) if number != state.roll[0])
                return Legal((Next(), *wilds))
            case _:
                return CLOSING

    def advice(self, state: State, skill_mm: float) -> Advice:
        match _awaits(state):
            case "throw":
                left = DARTS - len(state.darts)
                penalty = min(PENALTY, state.seats[state.player].total)
                return Advice(aim_at_targets(skill_mm, numbers_of(state.roll), state.hits, _wild(state), left, penalty))
            case "next":
                return Advice(action=Next())
            case _:
                return Advice()

    def statistics(self) -> Statistics[State]:
        return STATISTICS


def _score_of(state: State, name: str) -> int:
    return state.seats[state.rules.players.index(name)].total


STATISTICS: Final[Statistics[State]] = score_statistics(_score_of)


def _wild(state: State) -> int:
    return state.wild or best_wild(state.roll, state.hits)


def _name(state: State, at: int) -> str:
    return state.rules.players[at] if at < len(state.rules.players) else NAME


def _awaits(state: State) -> Awaits:
    if state.finished:
        return "nothing"
    if not state.roll:
        return "roll"
    return "throw" if len(state.darts) < DARTS else "next"


def _scored(state: State) -> int:
    marks, multiplier = count(state.roll, state.hits, _wild(state))
    return marks * multiplier


def _player(state: State, at: int) -> dict[str, Any]:
    seat = state.seats[at]
    going_on = at == state.player and not state.finished
    player: dict[str, Any] = {"name": _name(state, at), "score": seat.total + (_scored(state) if going_on else 0)}
    if seat.out:
        player["out"] = seat.out
    if seat.place:
        player["place"] = seat.place
    if at == len(state.rules.players):
        player["house"] = True
    return player


def _roll(state: State, action: Roll) -> Step[State] | Refusal:
    if not DICE.matches(action):
        return Refusal("bad_value", "A roll is three dice of 1 to 20, like [7, 16, 10].")
    event = {"player": _name(state, state.player), "roll": list(action.dice), "targets": targets(action.dice)}
    return Step(replace(state, roll=action.dice), (Event("roll", event),))


def _dart(state: State, dart: Dart | None) -> Step[State] | Refusal:
    numbers, wild = numbers_of(state.roll), has_wild(state.roll)

    def hit(bed: Segment) -> Hit:
        return (bed.number, marks_of(bed)) if bed.number in numbers or (wild and bed.number) else (0, 0)

    landed = hit(MISS) if dart is None else effect(dart, hit)
    if isinstance(landed, Refusal):
        return landed
    after = replace(state, darts=(*state.darts, dart_text(dart)), hits=(*state.hits, landed))
    marks = landed[1] if landed[0] in numbers or landed[0] == _wild(after) else 0
    event = {"player": _name(state, state.player), "dart": after.darts[-1], "marks": marks, "scored": _scored(after)}
    return Step(after, (Event("dart", event),))


def _name_wild(state: State, value: int | str) -> Step[State] | Refusal:
    if not isinstance(value, int) or not 1 <= value <= 20 or value == state.roll[0]:
        return Refusal("not_a_choice", f"The wild number is from 1 to 20, but not {state.roll[0]}.")
    chosen = replace(state, wild=value)
    event = {"player": _name(state, state.player), "wild": value, "scored": _scored(chosen)}
    return Step(chosen, (Event("choice", event),))


def _close(state: State) -> Step[State]:
    """Adds the points of the turn or the penalty; after the last player the round ends."""
    scored, seat = _scored(state), state.seats[state.player]
    points = scored or -min(PENALTY, seat.total)
    seats = with_seat(state.seats, state.player, replace(seat, total=seat.total + points))
    events = [_score(state, state.player, points, seats)]
    if points == MOST:
        events.append(Event("award", {"player": _name(state, state.player), "award": AWARD, "points": points}))
    for player in range(state.player + 1, len(state.rules.players)):
        if not seats[player].out:
            return _begin(state, seats, state.round, player, events)
    seats = _end_round(state, seats, events)
    if sum(not seat.out for seat in seats) > 1 and state.round != state.rules.rounds:
        first = next(at for at, seat in enumerate(seats) if not seat.out)
        events.append(Event("round", {"round": state.round + 1}))
        return _begin(state, seats, state.round + 1, first, events)
    # One is left, or the rounds are over; those left are placed by their totals.
    seats = tuple(seat if seat.out else replace(seat, place=_place(seat, seats)) for seat in seats)
    over = replace(state, seats=seats, finished=True)
    events.append(Event("won", {"winners": list(_winners(state, seats))}))
    return Step(over, tuple(events))


def _place(seat: Seat, seats: tuple[Seat, ...]) -> int:
    """The place of a seat among those still in, by total."""
    return 1 + sum(not other.out and other.total > seat.total for other in seats)


def _winners(state: State, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    return tuple(_name(state, at) for at, seat in enumerate(seats) if seat.place == 1)


def _end_round(state: State, seats: tuple[Seat, ...], events: list[Event]) -> tuple[Seat, ...]:
    """The seats after Cerberus has his points and seats too far behind are out. Appends to `events`."""
    if state.rules.house is not None and not seats[-1].out:
        seats = (*seats[:-1], replace(seats[-1], total=seats[-1].total + state.rules.house))
        events.append(_score(state, len(seats) - 1, state.rules.house, seats))
    leader = max(seat.total for seat in seats if not seat.out)
    falling = [at for at, seat in enumerate(seats) if not seat.out and leader - seat.total >= state.rules.margin]
    staying = sum(not seat.out for seat in seats) - len(falling)
    after = list(seats)
    for at in falling:
        place = staying + 1 + sum(seats[other].total > seats[at].total for other in falling)
        after[at] = replace(seats[at], out=state.round, place=place)
        events.append(Event("out", {"player": _name(state, at), "round": state.round, "place": place}))
    return tuple(after)


def _score(state: State, at: int, points: int, seats: tuple[Seat, ...]) -> Event:
    return Event("score", {"player": _name(state, at), "points": points, "score": seats[at].total})


def _begin(state: State, seats: tuple[Seat, ...], number: int, player: int, events: list[Event]) -> Step[State]:
    begun = State(state.rules, seats, state.number + 1, number, player)
    return Step(begun, (*events, Event("turn", {"player": _name(begun, player)})))


GAME: Final = Cerberus()
