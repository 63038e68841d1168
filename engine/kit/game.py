"""A game of the kit: a record of what is its own. The kit plays the turns, rounds and ends, and is the game to others.

Read a game first, `engine/games/count_up/high_score.py` or `engine/games/targets/halve_it.py`. `docs/games.md`
explains each part.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import NoneType
from typing import Any, Final, Generic, cast

from engine.about import NEEDS_BEDS, About
from engine.actions import Bounce, Choice, Choose, Deck, Foul, GameAction, Next, Roll, Throw
from engine.awards import Counted
from engine.faces import Face
from engine.game import Advice, Aim, AnyDeck, AnyRoll, Legal, Step, Turn
from engine.games.beds import CLOSE_FIRST, CLOSING, FINISHED, NOTHING, OPENING, THROWING, not_awaited
from engine.games.teams import too_few
from engine.kit import handicap, turns, usual
from engine.kit.advice import advised_aim
from engine.kit.awards import any_dart
from engine.kit.beds import Target
from engine.kit.options import options_of, values_of
from engine.kit.state import G, O, State
from engine.kit.statistics import POINTS, with_missed
from engine.kit.view import Show, view_of
from engine.options import Option
from engine.random_play import Chooser
from engine.refusals import Refusal
from engine.segments import Segment
from engine.statistics import Statistics


@dataclass(frozen=True, slots=True)
class Asked:
    """A choice that is awaited before the game goes on: who chooses, what it is called, and what is on offer."""

    side: int
    key: str
    values: tuple[Choice, ...]


_NOTHING: Final[Any] = NoneType


@dataclass(frozen=True, kw_only=True)
class Kit(Generic[O, G]):
    """A game: pure functions of its state, each called at its moment.

    Only what differs from the usual has to be given. A function that changes the state returns the next one.
    """

    name: str
    title: str
    about: About
    seats: range
    rules: type[O]
    """The dataclass of its options."""
    own: type[G] = _NOTHING
    """The dataclass of what it remembers; its fields have defaults, or `start` gives them."""
    start: Callable[[State[O, G]], State[O, G]] = usual.unchanged
    """The state before the first turn, from one with scores of 0."""

    dart: Callable[[State[O, G], Segment], State[O, G]]
    """What a dart does in a bed. A foul is the bed `FOUL`."""
    begin: Callable[[State[O, G]], State[O, G]] = usual.unchanged
    """What the start of a turn does."""
    close: Callable[[State[O, G]], State[O, G]] = usual.unchanged
    """What the end of a turn does."""
    end_round: Callable[[State[O, G]], State[O, G]] = usual.unchanged
    """What the end of a round does."""

    rounds: Callable[[State[O, G]], int] = usual.own_rounds
    """After how many rounds the match ends at the latest; by default the option `rounds`."""
    darts: Callable[[State[O, G]], int] = usual.three
    """How many darts this turn has."""
    order: Callable[[State[O, G]], Sequence[int]] = usual.listed
    """The sides in the order in which they throw in this round."""
    rests: Callable[[State[O, G], int], bool] = usual.nobody
    """Whether a side that is in has no turn in this round. When all rest in a new round, the match is over."""
    unthrown: Callable[[State[O, G]], bool] = usual.no
    """Whether each dart that was not thrown when a turn closes is a miss."""
    rank: Callable[[State[O, G], int], tuple[int, ...]] = usual.by_score
    """How well a side stands: the highest wins at the end, equals share or play on."""
    head_start: int = 0
    """In a race, whose score is the targets done: how many a handicap gives at most. 0: the game is not a race."""
    plays_on: Callable[[State[O, G]], bool] = lambda state: getattr(state.options, "tie", "shared") == "play_on"
    """Whether those who share the best result play extra rounds; by default the option `tie`."""
    last_one_in: bool = True
    """Whether the match ends when one side is left, of several."""
    finish: str = ""
    """`round`: the round in which somebody gets there is played to its end; empty: the option `finish` says it."""
    sides: int = 0
    """The only number of sides that can play against each other; more players make that many teams. 0: any number."""
    house: str = ""
    """The name of the player of the house, if there is one."""
    refuses: Callable[[O, tuple[str, ...]], Refusal | None] = lambda _options, _players: None
    """Why a match of these options and players cannot be played."""
    points_to_begin: int = 0
    """In a game whose score is points, runs, goals or the like: how many a handicap gives at most. 0: none, but 1000 in
    one with `kit.points_counted`."""
    refuses_head_start: Callable[[State[O, G]], Refusal | None] = usual.none
    """Why a match cannot begin with the targets or points of a handicap, which the state has."""

    chance: Callable[[State[O, G]], AnyRoll | AnyDeck | None] = usual.none
    """The dice or the deck that is drawn now."""
    drawn: Callable[[State[O, G], tuple[int, ...]], State[O, G]] = lambda state, _numbers: state
    """What the dice, or the numbers of the number deck, do."""
    asks: Callable[[State[O, G]], Asked | None] = usual.none
    """The choice that is awaited now."""
    chosen: Callable[[State[O, G], Choice], State[O, G]] = lambda state, _choice: state
    """What a choice does."""
    opening: Callable[[State[O, G]], int | None] = usual.none
    """Before the first round: the side that throws one dart now, which needs no `next`. `dart` gets it too."""

    left: Callable[[State[O, G]], int] = lambda state: state.score
    """What is left after a bust, for its event."""

    targets: Callable[[State[O, G]], Sequence[Target]] = usual.nothing_lit
    """What to light while a dart is awaited: the beds to hit."""
    dangers: Callable[[State[O, G]], Sequence[Target]] = usual.nothing_lit
    """What to light as a warning: the beds that hurt."""
    summed: bool = True
    """Whether displays show a sum of the darts of a turn; not where each dart hits what it is for, or does not."""
    show: Callable[[State[O, G], str | None], Show] = lambda _state, _viewer: Show()
    """What else displays show, as `viewer` may see it; None is everyone."""
    disguise: Callable[[State[O, G], str | None, Chooser], State[O, G]] | None = None
    """In a game with secrets: another state, drawn at random, that `viewer` cannot tell from this one. For tests."""
    worth: Callable[[State[O, G], Segment], float] = usual.bed_points
    """What a bed is worth to the thrower now, for advice."""
    matters: Callable[[State[O, G]], Hashable] = usual.none
    """What `worth` depends on besides the bed and the options, as plain values: states in which it is equal have equal
    worths, which are asked for once. None: they are asked for before each dart."""
    aims: Callable[[State[O, G], float], Aim | None] = lambda _state, _skill: None
    """Where to aim for this skill in mm, if the worth of a bed depends on the skill. None: where `worth` is highest."""
    decides: Callable[[State[O, G], float], GameAction | None] = lambda _state, _skill: None
    """What to do instead of throwing, for this skill in mm: a choice, or `next`. None: throw."""
    statistics_of: Statistics[State[Any, Any]] = field(default_factory=lambda: POINTS)
    """What is counted over many matches."""
    earlier: Callable[[State[O, G], State[O, G] | None], State[O, G]] = lambda state, _before: state
    """In a game whose view has figures of the match: the state of a leg with those of the leg before, or without."""
    counted_of: Callable[[State[O, G], State[O, G]], Counted] = any_dart
    """What the darts of a turn counted, for its awards, by the states at its start and now: `kit.points_counted` in a
    game whose score is points, `kit.marks_counted` in one of Cricket, or a function of its own."""

    @property
    def all_public(self) -> bool:
        """Whether every viewer sees the same: a game with secrets says how they could be others."""
        return self.disguise is None

    @property
    def options(self) -> tuple[Option, ...]:
        return (*options_of(self.rules), *handicap.option_of(self))

    @property
    def state_type(self) -> type[State[O, G]]:
        return cast(type[State[O, G]], State[self.rules, self.own])  # type: ignore[name-defined]

    @property
    def needs_segments(self) -> bool:
        return self.about.board in NEEDS_BEDS

    def face(self, options: Mapping[str, Any]) -> None:
        return None

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> State[O, G] | Refusal:
        chosen = values_of(self.rules, options)
        teams = options.get("teams") or (self.sides if len(players) > self.sides else 0)
        if refusal := self.refuses(chosen, players) or too_few(players, teams):
            return refusal
        if self.sides and (teams or len(players)) != self.sides:
            return Refusal("bad_option", f"{self.title} is for {self.sides} players or teams; leave out teams.")
        if self.house and self.house in players:
            return Refusal("bad_players", f"{self.house} is the name of the house; choose another name.")
        sides = teams or len(players)
        none = (0,) * sides
        first = self.start(State(chosen, cast(Any, self.own)(), players, teams, none, none))
        state = handicap.given(self, first, options.get(handicap.NAME) or {})
        if isinstance(state, Refusal):
            return state
        return turns.begun(self, state.changed(at=turns.first_side(self, state)))

    def apply(self, state: State[O, G], action: GameAction) -> Step[State[O, G]] | Refusal:
        awaits, asked = turns.awaited(self, state)
        match action:
            case _ if awaits == "nothing":
                return FINISHED
            case Choose() if asked is not None:
                return turns.choose(self, state, asked, action)
            case Throw() if awaits == "throw":
                return turns.throw(self, state, action.dart)
            case Next() if awaits in ("throw", "next") and self.opening(state) is None:
                return turns.close(self, state)
            case Foul() if awaits == "throw":
                return turns.throw(self, state, None)
            case Bounce() if awaits == "throw":
                return Step(state)
            case Throw() | Foul() | Bounce() if awaits == "next":
                return CLOSE_FIRST
            case Roll() | Deck() if awaits in ("roll", "deck"):
                return turns.draw(self, state, action)
            case _:
                return not_awaited(awaits)

    def turn(self, state: State[O, G]) -> Turn:
        awaits, asked = turns.awaited(self, state)
        name = state.name(state.at)
        actor = name if asked is None else state.name(asked.side)
        return Turn(state.number, name, actor, state.darts, awaits, self.opening(state) is None)

    def winners(self, state: State[O, G]) -> tuple[str, ...] | None:
        return turns.winners(self, state) if state.finished else None

    def view(self, state: State[O, G], viewer: str | None) -> dict[str, Any]:
        return view_of(self, state, viewer)

    def legal(self, state: State[O, G]) -> Legal:
        awaits, asked = turns.awaited(self, state)
        match awaits:
            case "throw":
                return THROWING if self.opening(state) is None else OPENING
            case "next":
                return CLOSING
            case "roll" | "deck":
                drawn = self.chance(state)
                return Legal(patterns=() if drawn is None else (drawn,))
            case "choose":
                return Legal(() if asked is None else tuple(Choose(asked.key, value) for value in asked.values))
            case _:
                return NOTHING

    def advice(self, state: State[O, G], skill_mm: float) -> Advice:
        awaits, asked = turns.awaited(self, state)
        match awaits:
            case "throw":
                decided = self.decides(state, skill_mm)
                if decided is not None:
                    return Advice(action=decided)
                return Advice(self.aims(state, skill_mm) or self.best_aim(state, skill_mm))
            case "next":
                return Advice(action=Next())
            case "choose":
                decided = self.decides(state, skill_mm)
                if decided is None and asked is not None:
                    decided = Choose(asked.key, asked.values[0])
                return Advice(action=decided)
            case _:
                return Advice()

    def best_aim(self, state: State[O, G], skill_mm: float) -> Aim:
        """The aim for which `worth` is highest on average."""
        matters = self.matters(state)
        of = None if matters is None else (self.worth, self.matters, state.options, matters)
        return advised_aim(skill_mm, partial(self.worth, state), of)

    def statistics(self) -> Statistics[State[Any, Any]]:
        return handicap.without_bests(self, with_missed(self, self.statistics_of))

    def with_earlier(self, state: State[O, G], before: State[O, G] | None) -> State[O, G]:
        return self.earlier(state, before)

    def counted(self, begun: State[O, G], state: State[O, G]) -> Counted | None:
        return None if state.ended == "bust" else self.counted_of(begun, state)
