"""X01: from 501, or another start, down to exactly 0.

A visit is three darts. It stays open after the last dart, after a bust and after
the winning dart, so that a dart can be corrected until `next`.
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
from engine.games.seats import by_first, with_seat
from engine.games.teams import TEAMS, of_team, thrower, too_few
from engine.games.x01_about import ABOUT
from engine.games.x01_advice import aim_to_begin, aim_to_finish
from engine.games.x01_checkouts import checkout, fits, value
from engine.games.x01_easy_checkouts import easy_checkout
from engine.games.x01_freeze import FREEZE, HIGHEST_DART
from engine.games.x01_handicap import HANDICAP, starts
from engine.games.x01_state import DARTS, Rules, Seat, State, is_frozen, is_nine_darter, side
from engine.games.x01_statistics import STATISTICS
from engine.games.x01_tally import FIRST_VISITS, NO_DARTS, can_finish
from engine.games.x01_view import player_view, result
from engine.match import dart_text
from engine.options import Number, OneOf, Option
from engine.refusals import Refusal
from engine.segments import MISS, Segment
from engine.statistics import Statistics


@dataclass(frozen=True, slots=True)
class X01:
    """The game `x01`."""

    name: str = "x01"
    title: str = "X01"
    seats: range = range(1, 17)
    needs_segments: bool = False
    all_public: bool = True
    about: About = ABOUT
    state_type: type[State] = State
    options: tuple[Option, ...] = (
        Option("start", Number(101, 1001), 501, "points at the start of each leg"),
        Option("in", OneOf(("open", "double", "master")), "open", "the bed that starts scoring; master: also triples"),
        Option("out", OneOf(("open", "double", "master")), "double", "the bed that finishes; master: also triples"),
        Option("bull", OneOf(("split", "full")), "split", "split: 25 and 50; full: both 50"),
        Option("legs", Number(1, 99), 1, "legs that win a set"),
        Option("sets", Number(1, 99), 1, "sets that win the match"),
        *HANDICAP,
        TEAMS,
        Option(
            "checkouts",
            OneOf(("odds", "easy")),
            "odds",
            "the suggested checkout; odds: the best chance to finish; easy: the fewest triples, bulls and doubles",
            since=2,
            before="easy",
        ),
        *FREEZE,
    )

    def face(self, options: Mapping[str, Any]) -> None:
        return None

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> State | Refusal:
        teams = options["teams"] or 0
        if options["freeze"]:
            if len(players) != 4 or teams not in (0, 2):
                return Refusal("bad_players", "Freeze is for two teams of two: four players, of whom every second one.")
            teams = 0
        if refusal := too_few(players, teams):
            return refusal
        first = players[: teams or len(players)]
        if not {*options["handicap"], *options["averages"]} <= {*first}:
            return Refusal("bad_option", f"A handicap is for the first player of each team: {', '.join(first)}.")
        begins = starts(first, options)
        rules = Rules(
            players,
            begins,
            options["in"],
            options["out"],
            options["bull"] == "full",
            options["legs"],
            options["sets"],
            teams,
            options["checkouts"],
            options["frozen"] if options["freeze"] else "",
        )
        seats = tuple(Seat(start, rules.opening == "open") for start in begins)
        return State(rules, seats, seats[0])

    def apply(self, state: State, action: GameAction) -> Step[State] | Refusal:
        if state.finished:
            return FINISHED
        match action:
            case Throw(dart):
                return _dart(state, dart) if not state.end else CLOSE_FIRST
            case Foul():
                return _dart(state, None) if not state.end else CLOSE_FIRST
            case Bounce():
                return Step(state) if not state.end else CLOSE_FIRST
            case Next():
                return _close(state)
            case _:
                return not_awaited(_awaits(state))

    def turn(self, state: State) -> Turn:
        name = _name(state.rules, state.seats, state.player)
        return Turn(state.number, name, name, state.darts, _awaits(state))

    def winners(self, state: State) -> tuple[str, ...] | None:
        if not state.finished:
            return None
        mine = side(state)
        return tuple(n for n in state.rules.players if n not in mine) if state.end == "frozen" else mine

    def view(self, state: State, viewer: str | None) -> dict[str, Any]:
        seat = state.seats[state.player]
        turn: dict[str, Any] = {"scored": state.before.left - seat.left, "points": list(state.worth)}
        if state.end in ("bust", "frozen"):
            turn["bust"] = True
        teams = 2 if state.rules.freeze else state.rules.teams
        several = state.rules.legs * state.rules.sets > 1
        route = suggestion(state)
        if route:
            turn["checkout"] = [bed.text for bed in route]
        return {
            "turn": turn,
            "players": [player_view(state, at) | of_team(teams, at) for at in range(len(state.rules.players))],
            "leg": state.leg + 1,
            "starter": state.rules.players[state.leg % len(state.seats)],
            **({"to_win": {"legs": state.rules.legs, "sets": state.rules.sets}} if several else {}),
            **({"result": result(state)} if state.end == "checkout" else {}),
        }

    def legal(self, state: State) -> Legal:
        if state.finished:
            return NOTHING
        return CLOSING if state.end else THROWING

    def advice(self, state: State, skill_mm: float) -> Advice:
        if state.finished:
            return Advice()
        if state.end:
            return Advice(action=Next())
        rules, seat = state.rules, state.seats[state.player]
        if not seat.is_in:
            return Advice(aim_to_begin(skill_mm, rules.opening, rules.full_bull))
        darts = DARTS - len(state.darts)
        if seat.left <= HIGHEST_DART and is_frozen(state):
            return Advice(action=Next())
        return Advice(aim_to_finish(skill_mm, rules.closing, rules.full_bull, seat.left, state.before.left, darts))

    def with_earlier(self, state: State, before: State | None) -> State:
        totals = {} if before is None else by_first(before.rules.players, (seat.total for seat in before.seats))
        seats = tuple(
            replace(seat, earlier=totals.get(name, NO_DARTS))
            for name, seat in zip(state.rules.players, state.seats, strict=False)
        )
        return replace(state, seats=seats, before=replace(state.before, earlier=seats[state.player].earlier))

    def statistics(self) -> Statistics[State]:
        return STATISTICS

    def counted(self, begun: State, state: State) -> Counted | None:
        if state.end in ("bust", "frozen"):
            return None
        return Counted(
            "points",
            state.worth,
            sum(state.worth),
            finished=state.end == "checkout",
            nine_darter=is_nine_darter(state),
        )


def suggestion(state: State) -> tuple[Segment, ...]:
    """The darts that would finish now; empty if none can, or before the player is in."""
    rules, seat = state.rules, state.seats[state.player]
    if state.end or not seat.is_in or is_frozen(state):
        return ()
    suggest = checkout if rules.checkouts == "odds" else easy_checkout
    return suggest(seat.left, DARTS - len(state.darts), rules.closing, rules.full_bull)


def _name(rules: Rules, seats: tuple[Seat, ...], at: int) -> str:
    """The player who throws, or throws next, at seat `at`."""
    return thrower(rules.players, rules.teams, at, seats[at].turns)


def _awaits(state: State) -> Awaits:
    if state.finished:
        return "nothing"
    return "next" if state.end else "throw"


def _dart(state: State, dart: Dart | None) -> Step[State] | Refusal:
    rules, before, seat = state.rules, state.before, state.seats[state.player]
    landed = _landed(rules, seat, MISS) if dart is None else effect(dart, lambda bed: _landed(rules, seat, bed))
    if isinstance(landed, Refusal):
        return landed
    points, is_in, end = landed
    if end == "checkout" and is_frozen(state):
        end = "bust" if rules.freeze == "bust" else "frozen"
    name, thrown = _name(rules, state.seats, state.player), (*state.darts, dart_text(dart))
    chance = seat.is_in and can_finish(seat.left, rules.closing, rules.full_bull)
    leg = seat.leg.dart(points, first=len(seat.visits) < FIRST_VISITS, chance=chance)
    # Not `replace`, which would take longer for every dart.
    seat = Seat(seat.left - points, is_in, seat.legs, seat.sets, seat.turns, seat.visits, leg, seat.earlier)
    events = [Event("dart", {"player": name, "dart": thrown[-1], "points": points, "left": seat.left})]
    match end:
        case "bust" | "frozen":
            seat = replace(seat, left=before.left, is_in=before.is_in, leg=leg.bust(before.leg))
            events.append(Event("bust", {"player": name, "left": seat.left}))
        case "checkout":
            seat = _leg_won(rules, seat)
            events.append(Event("checkout", {"player": name, "points": before.left, "darts": list(thrown)}))
            events.append(Event("leg", {"player": name, "legs": seat.legs, "to_win": rules.legs}))
            if seat.sets > before.sets:
                events.append(Event("set", {"player": name, "sets": seat.sets, "to_win": rules.sets}))
        case _ if len(thrown) == DARTS:
            end = "darts"
            events.append(_score(name, before, seat))
    if end:
        seat = replace(seat, leg=seat.leg.visit(before.left - seat.left))
    seats = with_seat(state.seats, state.player, seat)
    if end == "checkout" and rules.freeze:
        partner = (state.player + 2) % 4
        seats = with_seat(seats, partner, replace(seats[partner], legs=seat.legs, sets=seat.sets))
    worth = (*state.worth, points)
    return Step(State(rules, seats, before, state.number, state.leg, state.player, thrown, worth, end), tuple(events))


def _landed(rules: Rules, seat: Seat, bed: Segment) -> tuple[int, bool, str]:
    """The effect of a bed: the points it takes off, whether the player is in, and the `end` of the visit."""
    is_in = seat.is_in or fits(bed, rules.opening)
    points = value(bed, rules.full_bull) if is_in else 0
    left = seat.left - points
    if left == 0:
        return points, is_in, "checkout" if fits(bed, rules.closing) else "bust"
    if left < 0 or (left == 1 and rules.closing != "open"):
        return points, is_in, "bust"
    return points, is_in, ""


def _leg_won(rules: Rules, seat: Seat) -> Seat:
    legs = seat.legs + 1
    leg = replace(seat.leg, finished=1)
    return replace(seat, legs=legs, sets=seat.sets + (legs == rules.legs), leg=leg)


def _score(name: str, before: Seat, seat: Seat) -> Event:
    points = before.left - seat.left
    return Event("score", {"player": name, "points": points, "score": seat.left, "left": seat.left})


def _close(state: State) -> Step[State]:
    """Closes the visit and, if they are over, the leg, the set and the match."""
    rules, seat = state.rules, state.seats[state.player]
    if state.end == "frozen" or (state.end == "checkout" and seat.sets == rules.sets):
        over = replace(state, finished=True)
        return Step(over, (Event("won", {"winners": list(GAME.winners(over) or ())}),))
    events = () if state.end else (_score(_name(rules, state.seats, state.player), state.before, seat),)
    scored = state.before.left - seat.left
    closed = replace(
        seat,
        turns=seat.turns + 1,
        visits=(*seat.visits, scored),
        leg=seat.leg.visit(scored),
    )
    all_seats = with_seat(state.seats, state.player, closed)
    if state.end != "checkout":
        return _begin(state, all_seats, state.leg, (state.player + 1) % len(all_seats), events)
    legs = tuple(0 if seat.legs == rules.legs else s.legs for s in all_seats)
    seats = tuple(
        replace(s, left=start, is_in=rules.opening == "open", legs=won, visits=(), leg=NO_DARTS, earlier=s.total)
        for s, start, won in zip(all_seats, rules.starts, legs, strict=True)
    )
    return _begin(state, seats, state.leg + 1, (state.leg + 1) % len(seats), ())


def _begin(state: State, seats: tuple[Seat, ...], leg: int, player: int, events: tuple[Event, ...]) -> Step[State]:
    begun = State(state.rules, seats, seats[player], state.number + 1, leg, player)
    return Step(begun, (*events, Event("turn", {"player": _name(state.rules, seats, player)})))


GAME: Final = X01()
