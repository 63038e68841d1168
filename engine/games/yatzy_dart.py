"""Yatzy-Dart: three darts on six circles, then a category of the sheet, until all 15 are filled.

The darts count where they are when the category is chosen: correct a dart that
slid or was knocked before that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from engine.about import About
from engine.actions import Bounce, Choose, Foul, GameAction, Next, Throw
from engine.circles import OUT, Circles
from engine.darts import Dart, Points, Position, Zone
from engine.faces import Face
from engine.game import Advice, AnyDart, Awaits, Event, Legal, Step, Turn
from engine.games import yatzy_advice
from engine.games.beds import FINISHED, NOTHING, effect, not_awaited
from engine.games.points_to_begin import points_to_begin
from engine.games.score_statistics import score_statistics
from engine.games.seats import with_seat
from engine.games.yatzy_dart_about import ABOUT
from engine.games.yatzy_sheet import BONUS, CATEGORIES, Sheet, best_scores
from engine.match import dart_text
from engine.options import Option
from engine.refusals import Refusal
from engine.segments import Segment
from engine.statistics import Statistics

DARTS: Final = 3


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: their sheet, and whether their board reports positions (by their last dart), for the advice."""

    sheet: Sheet = field(default_factory=Sheet)
    by_position: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """A match. `player` is the index of the seat that throws; `zones` are those of `darts`; `thrown` is true after the
    last dart of the turn."""

    face: Circles
    players: tuple[str, ...]
    seats: tuple[Seat, ...]
    number: int = 0
    player: int = 0
    darts: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    thrown: bool = False
    finished: bool = False


@dataclass(frozen=True, slots=True)
class YatzyDart:
    """The game `yatzy_dart`."""

    name: str = "yatzy_dart"
    title: str = "Yatzy-Dart"
    seats: range = range(1, 9)
    needs_segments: bool = False
    all_public: bool = True
    about: About = ABOUT
    state_type: type[State] = State
    options: tuple[Option, ...] = (points_to_begin(500, since=2),)

    def face(self, options: Mapping[str, Any]) -> str:
        return "yatzy"

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> State | Refusal:
        if not isinstance(face, Circles) or any(circle.number > 6 for circle in face.circles):
            return Refusal("no_face", "Yatzy-Dart needs a face of circles worth 1 to 6.")
        return State(face, players, tuple(Seat(Sheet(given=options["handicap"].get(name, 0))) for name in players))

    def apply(self, state: State, action: GameAction) -> Step[State] | Refusal:
        if state.finished:
            return FINISHED
        match action:
            case Choose(key, value) if state.thrown:
                return _choose(state, key, value)
            case _ if state.thrown:
                return not_awaited("choose")
            case Throw(dart):
                return _dart(state, dart)
            case Foul():
                return _dart(state, None)
            case Bounce():
                return Step(state)
            case Next():
                return Step(replace(state, thrown=True))
            case _:
                return not_awaited("throw")

    def turn(self, state: State) -> Turn:
        name = state.players[state.player]
        return Turn(state.number, name, name, state.darts, _awaits(state))

    def winners(self, state: State) -> tuple[str, ...] | None:
        if not state.finished:
            return None
        most = max(seat.sheet.total for seat in state.seats)
        return tuple(p for p, seat in zip(state.players, state.seats, strict=True) if seat.sheet.total == most)

    def view(self, state: State, viewer: str | None) -> dict[str, Any]:
        turn: dict[str, Any] = {"zones": list(state.zones)}
        if not state.finished:
            turn["options"] = options(state)
        return {
            "players": [_player(name, seat.sheet) for name, seat in zip(state.players, state.seats, strict=True)],
            "face": state.face.name,
            "round": _round(state),
            "turn": turn,
        }

    def legal(self, state: State) -> Legal:
        if state.finished:
            return NOTHING
        if state.thrown:
            return Legal(tuple(Choose("category", category) for category in state.seats[state.player].sheet.open))
        return Legal((Bounce(), Next()), (AnyDart(partial(_is_on, state.face)),))

    def advice(self, state: State, skill_mm: float) -> Advice:
        if state.finished:
            return Advice()
        seat = state.seats[state.player]
        plan = yatzy_advice.plan(state.face, seat.by_position, seat.sheet, skill_mm)
        darts = tuple(state.face.worth[zone] for zone in state.zones)
        if state.thrown:
            return Advice(action=Choose("category", plan.category(darts)))
        return Advice(aim=plan.aim(darts))

    def statistics(self) -> Statistics[State]:
        return STATISTICS


def _score_of(state: State, name: str) -> int:
    return state.seats[state.players.index(name)].sheet.total


STATISTICS: Final[Statistics[State]] = score_statistics(_score_of)


def options(state: State) -> dict[str, int]:
    """The open categories of the player whose turn it is, and what the darts so far score there."""
    scores = _scores(state)
    return {category: scores[CATEGORIES.index(category)] for category in state.seats[state.player].sheet.open}


def _scores(state: State) -> tuple[int, ...]:
    return best_scores(tuple(state.face.worth[zone] for zone in state.zones))


def _round(state: State) -> int:
    return state.number // len(state.players) + 1


def _awaits(state: State) -> Awaits:
    if state.finished:
        return "nothing"
    return "choose" if state.thrown else "throw"


def _player(name: str, sheet: Sheet) -> dict[str, Any]:
    return {
        "name": name,
        "score": sheet.total,
        "sheet": sheet.filled,
        "upper": sheet.upper,
        "bonus": sheet.bonus,
    }


def _is_on(face: Circles, dart: Dart) -> bool:
    return not isinstance(dart, Zone) or (len(dart.names) == 1 and face.has_zone(dart.names[0]))


def _dart(state: State, dart: Dart | None) -> Step[State] | Refusal:
    zone = OUT if dart is None else _zone(state.face, dart)
    if isinstance(zone, Refusal):
        return zone
    darts, seat = (*state.darts, dart_text(dart)), state.seats[state.player]
    seats = state.seats
    if isinstance(dart, Segment | Position) and isinstance(dart, Position) != seat.by_position:
        seats = with_seat(state.seats, state.player, Seat(seat.sheet, isinstance(dart, Position)))
    after = replace(state, seats=seats, darts=darts, zones=(*state.zones, zone), thrown=len(darts) == DARTS)
    return Step(after, (Event("dart", {"player": state.players[state.player], "dart": darts[-1], "zone": zone}),))


def _zone(face: Circles, dart: Dart) -> str | Refusal:
    if isinstance(dart, Zone):
        if _is_on(face, dart):
            return dart.names[0]
        return Refusal("unknown_zone", "Name one zone: its numbers ascending and its ring, like 5+6.middle; star; out.")
    if isinstance(dart, Points):
        return effect(dart, lambda bed: face.overlay[bed.text])
    return face.zones_of(dart)[0]


def _choose(state: State, key: str, value: int | str) -> Step[State] | Refusal:
    name, seat = state.players[state.player], state.seats[state.player]
    if key != "category" or value not in seat.sheet.open:
        return Refusal("not_a_choice", f"Choose an open category: {', '.join(seat.sheet.open)}.")
    category = str(value)
    points = _scores(state)[CATEGORIES.index(category)]
    sheet = seat.sheet.with_score(category, points)
    score: dict[str, Any] = {"player": name, "category": category, "points": points, "score": sheet.total}
    if sheet.bonus > seat.sheet.bonus:
        score["bonus"] = BONUS
    events = [Event("choice", {"player": name, "category": category}), Event("score", score)]
    chosen = replace(state, seats=with_seat(state.seats, state.player, replace(seat, sheet=sheet)))
    following = (state.player + 1) % len(state.players)
    if not chosen.seats[following].sheet.open:
        over = replace(chosen, finished=True)
        return Step(over, (*events, Event("won", {"winners": list(GAME.winners(over) or ())})))
    begun = State(state.face, state.players, chosen.seats, state.number + 1, following)
    if not following:
        events.append(Event("round", {"round": _round(begun)}))
    return Step(begun, (*events, Event("turn", {"player": state.players[following]})))


GAME: Final = YatzyDart()
