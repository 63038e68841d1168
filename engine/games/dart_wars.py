"""Dart Wars: world conquest for two to five players, on a face that is a map.

A turn is up to three darts, then the moves that they allow, then a combat for each
attack. The rules are in the modules `dart_wars_*`: start, throws, moves, combats
and conquest.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.about import About
from engine.actions import Bounce, Choose, Combat, Defend, Done, First, Foul, GameAction, Move, Next, Throw
from engine.bullthrow import can_be_compared
from engine.darts import Dart
from engine.faces import Face
from engine.game import Advice, AnyDart, Legal, Step, Turn
from engine.games import dart_wars_combats as combats
from engine.games import dart_wars_moves as moves
from engine.games import dart_wars_start as start
from engine.games import dart_wars_throws as throws
from engine.games import dart_wars_view
from engine.games.beds import FINISHED, NOTHING, not_awaited
from engine.games.dart_wars_about import ABOUT
from engine.games.dart_wars_bot import advice
from engine.games.dart_wars_state import State, on_map
from engine.games.score_statistics import score_statistics
from engine.options import Number, OneOf, Option, PerPlayer
from engine.refusals import Refusal
from engine.statistics import Statistics
from engine.texts import Text
from engine.worldmap import WorldMap


@dataclass(frozen=True, slots=True)
class DartWars:
    """The game `dart_wars`."""

    name: str = "dart_wars"
    title: str = "Dart Wars"
    seats: range = range(2, 6)
    needs_segments: bool = True
    all_public: bool = True
    about: About = ABOUT
    state_type: type[State] = State
    options: tuple[Option, ...] = (
        Option("order", OneOf(("bull", "listed")), "bull", "order of play: a throw for the bull, or as listed"),
        Option("supply", Number(3, 50), 15, "most troops of one colour on the map"),
        Option(
            "face",
            OneOf(("dart_wars", "dart_wars_82")),
            "dart_wars",
            "the map; 82 distinguishes inner and outer singles",
        ),
        Option(
            "handicap",
            PerPlayer(1, 47),
            {},
            "troops that some players have more at the start, in their homeland",
            since=2,
            before={},
            label=Text("More troops at the start", "Mehr Truppen zu Beginn", "Troupes en plus au départ"),
        ),
    )

    def face(self, options: Mapping[str, Any]) -> str:
        return str(options["face"])

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> State | Refusal:
        if not isinstance(face, WorldMap):
            return Refusal("no_face", "Dart Wars needs a face that is a map.")
        return start.start(players, options, face)

    def apply(self, state: State, action: GameAction) -> Step[State] | Refusal:
        if state.phase == "over":
            return FINISHED
        match action:
            case Throw(dart):
                return _dart(state, dart)
            case Foul():
                return _dart(state, None)
            case Bounce() if dart_wars_view.AWAITS[state.phase] == "throw":
                return Step(state)
            case Next() if state.phase == "homelands":
                return start.missed(state)
            case Next() if state.phase == "throws":
                return Step(replace(state, phase="moves"))
            case Choose("zone", zone) if state.phase == "border":
                return start.choose(state, zone)
            case Move() if state.phase == "moves":
                return moves.move_troop(state, action)
            case Done() if state.phase == "moves":
                return _done(state)
            case Combat() if state.phase == "combats":
                return combats.announce(state, action)
            case Defend(by) if state.phase == "defend" and state.fight is not None:
                return combats.defend(state, state.fight, by)
            case First(player) if state.phase == "combat" and state.fight is not None:
                return combats.choose_first(state, state.fight, player)
            case _:
                return not_awaited(dart_wars_view.AWAITS[state.phase])

    def turn(self, state: State) -> Turn:
        return dart_wars_view.turn(state)

    def winners(self, state: State) -> tuple[str, ...] | None:
        return None if state.winner is None else (state.players[state.winner],)

    def view(self, state: State, viewer: str | None) -> dict[str, Any]:
        return dart_wars_view.view(state)

    def legal(self, state: State) -> Legal:
        match state.phase:
            case "order":
                return Legal((Bounce(),), _AT_THE_TARGET)
            case "homelands" | "throws":
                return Legal((Bounce(), Next()), (AnyDart(lambda dart: throws.is_dart(state.world, dart)),))
            case "moves":
                return Legal((*moves.moves(state), *(() if moves.owed(state) else (Done(),))))
            case "combat":
                return Legal((Bounce(), *dart_wars_view.choices(state)), _AT_THE_TARGET)
            case "over":
                return NOTHING
            case _:
                return Legal(dart_wars_view.choices(state))

    def advice(self, state: State, skill_mm: float) -> Advice:
        return advice(state, skill_mm)

    def statistics(self) -> Statistics[State]:
        return STATISTICS


def _score_of(state: State, name: str) -> int:
    return on_map(state, state.players.index(name))


STATISTICS: Final[Statistics[State]] = score_statistics(_score_of)


_AT_THE_TARGET: Final = (AnyDart(can_be_compared),)
"""Darts for the bull and in a combat, which need no zone."""


def _dart(state: State, dart: Dart | None) -> Step[State] | Refusal:
    """A dart in any phase; None is a foul."""
    match state.phase:
        case "order":
            return start.bull_dart(state, dart)
        case "homelands":
            return start.homeland_dart(state, dart)
        case "throws":
            return throws.throw(state, dart)
        case "combat" if state.fight is not None:
            return combats.throw(state, state.fight, dart)
        case _:
            return not_awaited(dart_wars_view.AWAITS[state.phase])


def _done(state: State) -> Step[State] | Refusal:
    due = moves.owed(state)
    if due:
        return Refusal("must_attack", f"An attack is owed with {moves.named(due)}; move a troop there first.")
    return combats.end_if_fought(Step(replace(state, phase="combats")))


GAME: Final = DartWars()
