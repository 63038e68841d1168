"""The game of a match in a format: to the match it is one game, which plays the legs of others one after another.

A game that holds the state of the leg as a value gets undo, correction, storage, replays and the history from the match
as any game does. `docs/development.md` says what was compared.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from engine.actions import Bounce, Choose, Foul, GameAction, Throw
from engine.aiming import aim_at, spots
from engine.awards import Counted, counted_by
from engine.faces import Face
from engine.formats import flow
from engine.formats.plan import Plan
from engine.formats.sides import name_of, names_of
from engine.formats.state import State, inner, with_inner
from engine.formats.view import view_of
from engine.game import Advice, Awaits, Event, Legal, Step, Turn
from engine.games.beds import FINISHED, NOTHING, OPENING, not_awaited
from engine.options import Option
from engine.refusals import Refusal

if TYPE_CHECKING:
    from engine.random_play import Chooser

S = State[Any]


@dataclass(frozen=True)
class Series:
    """One match in a format. `plan` holds its games, so it is made for each match."""

    name: str
    title: str
    plan: Plan
    options: tuple[Option, ...]

    @property
    def seats(self) -> range:
        count = len(self.plan.players)
        return range(count, count + 1)

    @property
    def all_public(self) -> bool:
        return all(getattr(leg.game, "all_public", False) is True for leg in self.plan.legs)

    @property
    def needs_segments(self) -> bool:
        return any(leg.game.needs_segments for leg in self.plan.legs)

    @property
    def state_type(self) -> type[S]:
        places = tuple(leg.game.state_type | None for leg in self.plan.legs)
        return cast(type[S], State[tuple.__class_getitem__(places)])  # type: ignore[misc]

    def face(self, options: Mapping[str, Any]) -> None:
        """None: each leg has its own."""
        return

    def new(self, players: tuple[str, ...], options: Mapping[str, Any], face: Face | None) -> S | Refusal:
        return flow.first_state(self.plan)

    def apply(self, state: S, action: GameAction) -> Step[S] | Refusal:
        if state.ended is not None:
            state = replace(state, ended=None)
        match self.waits(state):
            case "over":
                return FINISHED
            case "leg":
                step = flow.play(self.plan, state, action)
            case "bull":
                step = self._for_bull(state, action)
            case _ if isinstance(action, Choose):
                step = flow.choose(self.plan, state, action)
            case _:
                return not_awaited("choose")
        return step if isinstance(step, Refusal) else self._with_round(state, step)

    def _for_bull(self, state: S, action: GameAction) -> Step[S] | Refusal:
        match action:
            case Throw(dart):
                return flow.bull_dart(self.plan, state, dart)
            case Foul():
                return flow.bull_dart(self.plan, state, None)
            case Bounce():
                return Step(state)
            case _:
                return not_awaited("throw")

    def _with_round(self, before: S, step: Step[S]) -> Step[S]:
        """The step with an event of the round if a leg begins in another round than the last one was in."""
        after = step.state
        if before.number == after.number and before.phase == after.phase and before.bull is after.bull:
            return step  # The leg goes on.
        if any(event.kind == "round" for event in step.events):
            return step
        new = self._round(after)
        if new is None or new == self._round(before):
            return step
        at = next((at for at, event in enumerate(step.events) if event.kind == "turn"), len(step.events))
        return Step(after, (*step.events[:at], Event("round", {"round": new}), *step.events[at:]))

    def _round(self, state: S) -> Any:
        """The round that displays show; None between legs, and in a game without rounds."""
        if state.bull is not None or state.phase == "choose":
            return None
        return self.plan.legs[state.playing].game.view(inner(state), None).get("round")

    @staticmethod
    def waits(state: S) -> str:
        """The phase, or `bull` while the bull is thrown at, whatever comes after."""
        return "bull" if state.bull is not None else state.phase

    def turn(self, state: S) -> Turn:
        if state.bull is not None:
            thrower = state.bull.thrower or ""
            return Turn(state.number, thrower, thrower, (), "throw", correctable=False)
        if state.phase == "choose":
            chooser = name_of(self.plan, state, state.chooser)
            return Turn(state.number, chooser, chooser, (), "choose", correctable=False)
        turn = self.plan.legs[state.playing].game.turn(inner(state))
        awaits: Awaits = "nothing" if state.phase == "over" else turn.awaits
        if state.number == 0 and awaits == turn.awaits:
            return turn
        # Not `replace`, which takes twice as long.
        return Turn(
            state.number + turn.number, turn.player, turn.actor, turn.darts, awaits, turn.correctable, turn.apart
        )

    def winners(self, state: S) -> tuple[str, ...] | None:
        return names_of(self.plan, state, state.won) if state.phase == "over" else None

    def view(self, state: S, viewer: str | None) -> dict[str, Any]:
        return view_of(self.plan, state, viewer)

    def legal(self, state: S) -> Legal:
        match self.waits(state):
            case "over":
                return NOTHING
            case "bull":
                return OPENING
            case "choose":
                games = (self.plan.legs[at].game.name for at in flow.offers(self.plan, state))
                return Legal(tuple(Choose("game", name) for name in games))
            case _:
                return self.plan.legs[state.playing].game.legal(inner(state))

    def advice(self, state: S, skill_mm: float) -> Advice:
        match self.waits(state):
            case "over":
                return Advice()
            case "bull":
                bull = spots(skill_mm)[0]
                return Advice(aim_at(bull, bull.chance))
            case "choose":
                return Advice(action=self.legal(state).actions[0])
            case _:
                return self.plan.legs[state.playing].game.advice(inner(state), skill_mm)

    def counted(self, begun: S, state: S) -> Counted | None:
        """What the darts of a turn counted in the game of the leg."""
        return counted_by(self.plan.legs[state.playing].game, inner(begun), inner(state))

    @property
    def disguise(self) -> Callable[[S, str | None, "Chooser"], S] | None:
        """As of the game of the leg; None if one of the games has secrets that cannot be drawn again."""
        hidden = [leg.game for leg in self.plan.legs if getattr(leg.game, "all_public", False) is not True]
        can = bool(hidden) and all(getattr(game, "disguise", None) is not None for game in hidden)
        return self._disguised if can else None

    def _disguised(self, state: S, viewer: str | None, choose: "Chooser") -> S:
        disguise = getattr(self.plan.legs[state.playing].game, "disguise", None)
        if disguise is None or state.bull is not None or state.phase == "choose":
            return state
        return with_inner(state, disguise(inner(state), viewer, choose))
