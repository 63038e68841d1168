"""Cricket: three marks close a number; further marks score until all opponents have closed it too.

In cut-throat the points go to the opponents and the fewest win; without scoring
the first to close all numbers wins.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.about import About
from engine.actions import Bounce, Foul, GameAction, Next, Throw
from engine.awards import Counted
from engine.darts import Dart
from engine.faces import Face
from engine.game import Advice, Awaits, Event, Legal, Step, Turn
from engine.games.beds import CLOSE_FIRST, CLOSING, FINISHED, NOTHING, THROWING, effect, not_awaited
from engine.games.cricket_about import ABOUT
from engine.games.cricket_advice import aim_at_marks
from engine.games.cricket_state import CLOSED, DARTS, NO_DARTS, Rules, Seat, State
from engine.games.cricket_statistics import marks_statistics
from engine.games.cricket_view import player_view, result, winners_of
from engine.games.seats import by_first, with_seat
from engine.games.teams import TEAMS, of_team, thrower, too_few
from engine.match import dart_text
from engine.options import Number, OneOf, Option, PerPlayer, Targets
from engine.refusals import Refusal
from engine.segments import BULL, MISS, Segment
from engine.statistics import Ratio, Statistics
from engine.texts import Text


@dataclass(frozen=True, slots=True)
class Cricket:
    """The game `cricket`."""

    name: str = "cricket"
    title: str = "Cricket"
    seats: range = range(1, 17)
    needs_segments: bool = True
    all_public: bool = True
    about: About = ABOUT
    state_type: type[State] = State
    options: tuple[Option, ...] = (
        Option("mode", OneOf(("standard", "cut-throat", "no-score")), "standard", "who gets points for further marks"),
        Option("numbers", Targets(), [20, 19, 18, 17, 16, 15, "bull"], "the numbers to close"),
        Option("rounds", Number(0, 1000), 20, "rounds after which the match ends; 0 is no limit"),
        TEAMS,
        Option(
            "handicap",
            PerPlayer(1, 14),
            {},
            "marks that some players begin with, two on a number at most",
            label=Text("Spot marks", "Vorgegebene Marken", "Marques d’avance"),
        ),
        Option(
            "handicap_points",
            PerPlayer(1, 3000),
            {},
            "points that some players begin with, where spot marks alone are too coarse to make a match fair",
            label=Text("Points to begin with", "Punkte zu Beginn", "Points au départ"),
        ),
    )

    def face(self, options: Mapping[str, Any]) -> None:
        return None

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> State | Refusal:
        teams = options["teams"] or 0
        if refusal := too_few(players, teams):
            return refusal
        numbers = tuple(BULL if number == "bull" else number for number in options["numbers"])
        rules = Rules(players, options["mode"], numbers, options["rounds"], teams)
        first, spots, points = players[: teams or len(players)], options["handicap"], options["handicap_points"]
        if not {*spots, *points} <= set(first):
            return Refusal("bad_option", f"A handicap is for the first player of each team: {', '.join(first)}.")
        if points and rules.mode == "no-score":
            return Refusal("bad_option", "Without scoring nobody can begin with points; leave out handicap_points.")
        if max(spots.values(), default=0) > 2 * len(numbers):
            return Refusal("bad_option", f"On {len(numbers)} numbers {2 * len(numbers)} spot marks are possible.")
        marks = [_spotted(len(numbers), spots.get(name, 0)) for name in first]
        return State(rules, tuple(Seat(on, points.get(name, 0)) for name, on in zip(first, marks, strict=True)))

    def apply(self, state: State, action: GameAction) -> Step[State] | Refusal:
        awaits = _awaits(state)
        match action:
            case _ if awaits == "nothing":
                return FINISHED
            case Next():
                return _close(state)
            case Throw() | Foul() | Bounce() if awaits == "next":
                return CLOSE_FIRST
            case Throw(dart):
                return _dart(state, dart)
            case Foul():
                return _dart(state, None)
            case Bounce():
                return Step(state)
            case _:
                return not_awaited(awaits)

    def turn(self, state: State) -> Turn:
        name = _name(state)
        return Turn(state.number, name, name, state.darts, _awaits(state))

    def winners(self, state: State) -> tuple[str, ...] | None:
        return winners_of(state) if state.finished else None

    def view(self, state: State, viewer: str | None) -> dict[str, Any]:
        rules = state.rules
        return {
            "turn": {"marks": state.marked, "scored": state.scored},
            "players": [player_view(state, at) | of_team(rules.teams, at) for at in range(len(rules.players))],
            "numbers": ["bull" if number == BULL else number for number in rules.numbers],
            "mode": rules.mode,
            "round": state.round,
            **({"rounds": rules.rounds} if rules.rounds else {}),
            **({"result": result(state)} if state.best else {}),
        }

    def legal(self, state: State) -> Legal:
        match _awaits(state):
            case "nothing":
                return NOTHING
            case "next":
                return CLOSING
            case _:
                return THROWING

    def advice(self, state: State, skill_mm: float) -> Advice:
        match _awaits(state):
            case "nothing":
                return Advice()
            case "next":
                return Advice(action=Next())
        others = tuple((seat.score, seat.marks) for at, seat in enumerate(state.seats) if at != state.player)
        mine = state.seats[state.player]
        return Advice(aim_at_marks(skill_mm, state.rules.mode, state.rules.numbers, (mine.score, mine.marks), others))

    def with_earlier(self, state: State, before: State | None) -> State:
        totals = {} if before is None else by_first(before.rules.players, (seat.total for seat in before.seats))
        seats = zip(state.rules.players, state.seats, strict=False)
        return replace(state, seats=tuple(replace(seat, earlier=totals.get(name, NO_DARTS)) for name, seat in seats))

    def statistics(self) -> Statistics[State]:
        return STATISTICS

    def counted(self, begun: State, state: State) -> Counted:
        marks = zip(state.rules.numbers, begun.seats[begun.player].marks, strict=True)
        return Counted("marks", state.counted, state.scored, frozenset(n for n, marked in marks if marked < CLOSED))


def _spotted(numbers: int, marks: int) -> tuple[int, ...]:
    """The marks on each number if so many are given one by one, from the first number on, and then round again."""
    return tuple((marks > at) + (marks > at + numbers) for at in range(numbers))


def _name(state: State) -> str:
    """The player who throws. `rounds` already includes this turn if a dart was thrown."""
    rules, seat = state.rules, state.seats[state.player]
    return thrower(rules.players, rules.teams, state.player, seat.rounds - bool(state.darts or state.finished))


def _awaits(state: State) -> Awaits:
    if state.finished:
        return "nothing"
    return "next" if state.best or len(state.darts) == DARTS else "throw"


def _dart(state: State, dart: Dart | None) -> Step[State] | Refusal:
    rules, player = state.rules, state.player

    def hit(bed: Segment) -> tuple[int, int]:
        """The index of the number and the marks it gets; (0, 0) if they neither close nor score."""
        if bed.number not in rules.numbers:
            return 0, 0
        at = rules.numbers.index(bed.number)
        return (at, bed.multiplier) if _is_open(state, at) else (0, 0)

    landed = hit(MISS) if dart is None else effect(dart, hit)
    if isinstance(landed, Refusal):
        return landed
    seats, counted, points = _marked(state, *landed)
    thrown, mine = (*state.darts, dart_text(dart)), seats[player]
    rounds = mine.rounds + (not state.darts)
    mine = replace(mine, counted=mine.counted + counted, rounds=rounds, darts=mine.darts + 1)
    seats = with_seat(seats, player, mine)
    after = replace(
        state,
        seats=seats,
        darts=thrown,
        counted=(*state.counted, counted),
        scored=state.scored + points,
        best=_won(rules, seats, player),
    )
    event = {"player": _name(state), "dart": thrown[-1], "marks": counted, "points": points}
    events = (Event("dart", event),)
    return Step(after, events if _awaits(after) == "throw" else (*events, _score(after)))


def _is_open(state: State, at: int) -> bool:
    """Whether a mark on the number at index `at` would close or score."""
    if state.seats[state.player].marks[at] < CLOSED:
        return True
    others = (seat for other, seat in enumerate(state.seats) if other != state.player)
    return state.rules.mode != "no-score" and any(seat.marks[at] < CLOSED for seat in others)


def _marked(state: State, at: int, marks: int) -> tuple[tuple[Seat, ...], int, int]:
    """The seats after these marks on the number at index `at`, the marks that counted, and their points."""
    if not marks:
        return state.seats, 0, 0
    rules, player, seats = state.rules, state.player, list(state.seats)
    mine = seats[player]
    closing = min(CLOSED - mine.marks[at], marks)
    seats[player] = replace(mine, marks=(*mine.marks[:at], mine.marks[at] + closing, *mine.marks[at + 1 :]))
    behind = [other for other, seat in enumerate(seats) if other != player and seat.marks[at] < CLOSED]
    further = marks - closing if behind and rules.mode != "no-score" else 0
    points = further * rules.numbers[at]
    if further:
        for gets in behind if rules.mode == "cut-throat" else [player]:
            seats[gets] = replace(seats[gets], score=seats[gets].score + points)
    return tuple(seats), closing + further, points


def _won(rules: Rules, seats: tuple[Seat, ...], player: int) -> tuple[int, ...]:
    """The seat that has won, searched from the thrower on; empty if none has."""
    for at in (*range(player, len(seats)), *range(player)):
        if all(marks == CLOSED for marks in seats[at].marks) and _standing(rules, seats[at]) == max(
            _standing(rules, seat) for seat in seats
        ):
            return (at,)
    return ()


def _standing(rules: Rules, seat: Seat) -> int:
    """The score as a rank: higher is better in every mode."""
    return -seat.score if rules.mode == "cut-throat" else seat.score


def _score(state: State) -> Event:
    name, score = _name(state), state.seats[state.player].score
    return Event("score", {"player": name, "points": state.scored, "marks": state.marked, "score": score})


def _close(state: State) -> Step[State]:
    rules, seats, player = state.rules, state.seats, state.player
    events: tuple[Event, ...] = () if _awaits(state) == "next" else (_score(state),)
    mine = seats[player]
    closed = replace(mine, rounds=mine.rounds + (not state.darts), turns=(*mine.turns, state.marked))
    seats = with_seat(seats, player, closed)
    last = player + 1 == len(seats)
    best = state.best
    if not best and last and state.round == rules.rounds:
        best = _leaders(rules, seats)
    if best:
        over = replace(state, seats=seats, best=best, finished=True)
        return Step(over, (*events, Event("won", {"winners": list(winners_of(over))})))
    following = 0 if last else player + 1
    begun = State(rules, seats, state.number + 1, state.round + last, following)
    if last:
        events += (Event("round", {"round": begun.round}),)
    return Step(begun, (*events, Event("turn", {"player": _name(begun)})))


def _leaders(rules: Rules, seats: tuple[Seat, ...]) -> tuple[int, ...]:
    """The leading seats after the last round: by points, then by counted marks; equals share."""
    ranks = [(_standing(rules, seat), seat.counted) for seat in seats]
    return tuple(at for at, rank in enumerate(ranks) if rank == max(ranks))


def _marked_in_turn(state: State) -> int:
    return state.marked


STATISTICS: Final = replace(
    marks_statistics(_marked_in_turn),
    results=("mpr",),
    columns=("mpr", "best_mpr"),
    rates={"mpr": Ratio("marks", "rounds")},
)
GAME: Final = Cricket()
