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
from engine.game import Advice, AnyRoll, Event, Legal, Step, Turn
from engine.games.beds import CLOSE_FIRST, CLOSING, FINISHED, NOTHING, THROWING, effect, not_awaited
from engine.games.cerberus_about import ABOUT
from engine.games.cerberus_advice import aim_at_targets
from engine.games.cerberus_round import PENALTY, close, winners_of
from engine.games.cerberus_state import DARTS, NAME, Rules, Seat, State, awaited, name_of, scored_of, wild_of
from engine.games.cerberus_targets import Hit, count, has_wild, marks_of, numbers_of, targets
from engine.games.points_to_begin import points_to_begin
from engine.games.score_statistics import score_statistics
from engine.match import dart_text
from engine.options import Number, Option, Preset
from engine.refusals import Refusal
from engine.segments import MISS, Segment
from engine.statistics import Statistics

DICE: Final = AnyRoll(3, 20)
USUAL_POINTS: Final = 4


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
        points_to_begin(999, since=3),
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
        seats = tuple(Seat(options["handicap"].get(name, 0)) for name in players)
        if points is not None:
            seats = (*seats, Seat())
        totals = [seat.total for seat in seats]
        if max(totals) - min(totals) >= rules.margin:
            return Refusal("bad_option", f"With a handicap nobody may begin {rules.margin} points or more behind.")
        return State(rules, seats)

    def apply(self, state: State, action: GameAction) -> Step[State] | Refusal:
        awaits = awaited(state)
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
                return close(state)
            case _:
                return not_awaited(awaits)

    def turn(self, state: State) -> Turn:
        name = name_of(state, state.player)
        return Turn(state.number, name, name, state.darts, awaited(state))

    def winners(self, state: State) -> tuple[str, ...] | None:
        if not state.finished:
            return None
        return winners_of(state, state.seats)

    def view(self, state: State, viewer: str | None) -> dict[str, Any]:
        turn: dict[str, Any] = {}
        if state.roll:
            wild = wild_of(state)
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
        match awaited(state):
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
        match awaited(state):
            case "throw":
                left = DARTS - len(state.darts)
                penalty = min(PENALTY, state.seats[state.player].total)
                return Advice(
                    aim_at_targets(skill_mm, numbers_of(state.roll), state.hits, wild_of(state), left, penalty)
                )
            case "next":
                return Advice(action=Next())
            case _:
                return Advice()

    def statistics(self) -> Statistics[State]:
        return STATISTICS


def _score_of(state: State, name: str) -> int:
    return state.seats[state.rules.players.index(name)].total


STATISTICS: Final[Statistics[State]] = score_statistics(_score_of)


def _player(state: State, at: int) -> dict[str, Any]:
    seat = state.seats[at]
    going_on = at == state.player and not state.finished
    player: dict[str, Any] = {"name": name_of(state, at), "score": seat.total + (scored_of(state) if going_on else 0)}
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
    event = {"player": name_of(state, state.player), "roll": list(action.dice), "targets": targets(action.dice)}
    return Step(replace(state, roll=action.dice), (Event("roll", event),))


def _dart(state: State, dart: Dart | None) -> Step[State] | Refusal:
    numbers, wild = numbers_of(state.roll), has_wild(state.roll)

    def hit(bed: Segment) -> Hit:
        return (bed.number, marks_of(bed)) if bed.number in numbers or (wild and bed.number) else (0, 0)

    landed = hit(MISS) if dart is None else effect(dart, hit)
    if isinstance(landed, Refusal):
        return landed
    after = replace(state, darts=(*state.darts, dart_text(dart)), hits=(*state.hits, landed))
    marks = landed[1] if landed[0] in numbers or landed[0] == wild_of(after) else 0
    event = {
        "player": name_of(state, state.player),
        "dart": after.darts[-1],
        "marks": marks,
        "scored": scored_of(after),
    }
    return Step(after, (Event("dart", event),))


def _name_wild(state: State, value: int | str) -> Step[State] | Refusal:
    if not isinstance(value, int) or not 1 <= value <= 20 or value == state.roll[0]:
        return Refusal("not_a_choice", f"The wild number is from 1 to 20, but not {state.roll[0]}.")
    chosen = replace(state, wild=value)
    event = {"player": name_of(state, state.player), "wild": value, "scored": scored_of(chosen)}
    return Step(chosen, (Event("choice", event),))


GAME: Final = Cerberus()
