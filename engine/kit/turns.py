"""How a match of the kit goes on: darts, the end of a turn, the next one, rounds, extra rounds and the end.

A turn closes in this order: darts that were not thrown, what the game does, who is out, whether it is won; and after
the last side of a round what the game does then, who is out, whether it is won, and whether it was the last round.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from engine.actions import Choose, Deck, GameAction, Roll
from engine.cards import NUMBERS
from engine.darts import Dart, Points, Position, Zone
from engine.game import AnyDeck, AnyRoll, Awaits, Event, Step
from engine.games.beds import NO_FACE
from engine.geometry import segment_at
from engine.kit.beds import FOUL
from engine.kit.state import HOUSE, G, O, State
from engine.match import dart_text
from engine.refusals import Refusal
from engine.segments import MISS, Segment

if TYPE_CHECKING:
    from engine.kit.game import Asked, Kit

EXTRA_ROUNDS: Final = 10
"""The most extra rounds; who is equal after them shares the win."""


def awaited(game: "Kit[O, G]", state: State[O, G]) -> "tuple[Awaits, Asked | None]":
    """What a match waits for, and the choice if it is one."""
    if state.finished:
        return "nothing", None
    chance = game.chance(state)
    if chance is not None:
        return "roll" if isinstance(chance, AnyRoll) else "deck", None
    if (asked := game.asks(state)) is not None:
        return "choose", asked
    if state.ended or len(state.darts) >= game.darts(state):
        return "next", None
    return "throw", None


def winners(game: "Kit[O, G]", state: State[O, G]) -> tuple[str, ...]:
    """The names of those who have won."""
    return tuple(name for side in state.won for name in ((game.house,) if side == HOUSE else state.names(side)))


def throw(game: "Kit[O, G]", state: State[O, G], dart: Dart | None) -> Step[State[O, G]] | Refusal:
    """After a dart; None is a foul."""
    ready = state.changed(points=(*state.points, 0))
    landed = game.dart(ready, FOUL) if dart is None else _landed(game, ready, dart)
    if isinstance(landed, Refusal):
        return landed
    # What a dart did may be a secret. Not `!=` of the states, which takes three times as long or more.
    took = (landed is not ready and landed.__dict__ != ready.__dict__) or not game.all_public
    after = landed.changed(darts=(*state.darts, dart_text(dart)), took=(*state.took, took))
    name = state.name(state.at)
    events = [Event("dart", {"player": name, "dart": after.darts[-1], "points": after.points[-1]})]
    if after.ended == "bust":
        events.append(Event("bust", {"player": name, "left": game.left(after)}))
    elif after.ended == "checkout":
        events.append(Event("checkout", {"player": name, "points": after.scored, "darts": list(after.darts)}))
    if game.opening(state) is None:
        return Step(after, (*events, *_outs(state, after)))
    following = begun(game, after.changed(number=state.number + 1, at=first_side(game, after)))
    events.append(Event("turn", {"player": following.name(following.at)}))
    return Step(following, tuple(events))


def _landed(game: "Kit[O, G]", state: State[O, G], dart: Dart) -> State[O, G] | Refusal:
    """The state after a dart. Refusal `which_segment` for points whose beds lead to different states."""
    match dart:
        case Segment():
            return game.dart(state, dart)
        case Position():
            return game.dart(state, segment_at(dart))
        case Zone():
            return NO_FACE
        case Points(points, beds):
            after = game.dart(state, beds[0])
            if any(game.dart(state, bed) != after for bed in beds[1:]):
                names = ", ".join(bed.text for bed in beds)
                return Refusal("which_segment", f"Choose the bed of the {points} points: {names}.")
            return after


def draw(game: "Kit[O, G]", state: State[O, G], action: GameAction) -> Step[State[O, G]] | Refusal:
    """After a roll or a deck."""
    awaited, name = game.chance(state), state.name(state.at)
    if awaited is None or not awaited.matches(action):
        dice = isinstance(awaited, AnyRoll)
        what = f"Roll {awaited.count} of {awaited.sides} sides." if isinstance(awaited, AnyRoll) else "Deal the deck."
        return Refusal("bad_value" if dice == isinstance(action, Roll) else "not_awaited", what)
    if isinstance(action, Roll):
        event = Event("roll", {"player": name, "roll": list(action.dice)})
        return Step(game.drawn(state, action.dice), (event,))
    cards = action.cards if isinstance(action, Deck) else ()
    events = [Event("deal", {"cards": len(cards)})]
    after = game.drawn(state, tuple(NUMBERS[card] for card in cards))
    # A turn that waits for cards has not been announced.
    if state.number and not isinstance(game.chance(after), AnyDeck):
        events.append(Event("turn", {"player": name}))
    return Step(after, tuple(events))


def choose(game: "Kit[O, G]", state: State[O, G], asked: "Asked", action: Choose) -> Step[State[O, G]] | Refusal:
    """After a choice that was asked for."""
    if action.key != asked.key or action.value not in asked.values:
        offered = ", ".join(map(str, asked.values))
        return Refusal("not_a_choice", f"Choose one of these, {asked.key}: {offered}.")
    event = Event("choice", {"player": state.name(asked.side), asked.key: action.value})
    return Step(game.chosen(state, action.value), (event,))


def begun(game: "Kit[O, G]", state: State[O, G]) -> State[O, G]:
    """The state at the start of the turn of the side `at`, or of the one that throws before the first round."""
    opening = game.opening(state)
    at = state.at if opening is None else opening
    cleared = state.changed(at=at, darts=(), points=(), took=(), ended="", round_over=False, before=state.scores)
    return game.begin(cleared) if opening is None else cleared


def close(game: "Kit[O, G]", state: State[O, G]) -> Step[State[O, G]]:
    """After the end of a turn."""
    name, before = state.name(state.at), state
    state = game.close([state, *missed(game, state)][-1])
    if state.in_extra:
        extra = (*state.extra[state.at], state.score)
        state = state.changed(extra=(*state.extra[: state.at], extra, *state.extra[state.at + 1 :]))
    following = None if state.round_over else _next_side(game, state, state.at)
    over = _won(game, state, round_over=following is None)
    if not over and following is None:
        state = game.end_round(state)
        over = _won(game, state, round_over=True)
    events = _results(before, state, name)
    if not over and following is None:
        state, over = _next_round(game, state)
        following = None if over else _next_side(game, state, None)
        # Nobody has anything left to do.
        over = over or (_best(game, state, state.sides) if following is None else ())
    if over:
        state = state.changed(won=over, finished=True, round=before.round)
        return Step(state, (*events, Event("won", {"winners": list(winners(game, state))})))
    if state.round != before.round:
        events.append(Event("round", {"round": state.round}))
    after = begun(game, state.changed(number=state.number + 1, at=following or 0))
    if not isinstance(game.chance(after), AnyDeck):
        events.append(Event("turn", {"player": after.name(after.at)}))
    return Step(after, tuple(events))


def missed(game: "Kit[O, G]", state: State[O, G]) -> Iterator[State[O, G]]:
    """The states after each dart that was not thrown when a turn closes, in a game in which it is a miss."""
    if game.unthrown(state) and not state.ended:
        for _ in range(len(state.darts), game.darts(state)):
            state = game.dart(state.changed(points=(*state.points, 0)), MISS)
            yield state


def _next_side(game: "Kit[O, G]", state: State[O, G], after: int | None) -> int | None:
    """The side that throws after another one in the round, or first in it; None: the round is over."""
    order = game.order(state)
    for side in order if after is None else order[order.index(after) + 1 :]:
        if state.contenders and side not in state.contenders:
            continue
        if not state.out[side] and not game.rests(state, side):
            return side
    return None


def first_side(game: "Kit[O, G]", state: State[O, G]) -> int:
    """The side that throws first in a round."""
    return _next_side(game, state, None) or 0


def _won(game: "Kit[O, G]", state: State[O, G], *, round_over: bool) -> tuple[int, ...]:
    """The sides that have won by now; empty: the match goes on."""
    if state.won:
        return state.won
    if state.reached and (game.finish or getattr(state.options, "finish", "at_once")) == "at_once":
        return state.reached
    if any(state.out):
        left = state.left_in
        if not left:
            return _best(game, state, state.sides)
        if game.last_one_in and len(left) == 1 < len(state.sides):
            return left
    if state.reached and round_over:
        best = _best(game, state, state.reached)
        return () if len(best) > 1 and game.plays_on(state) else best
    return ()


def _next_round(game: "Kit[O, G]", state: State[O, G]) -> tuple[State[O, G], tuple[int, ...]]:
    """The state in the next round, or in the last one and who has won."""
    if not (state.in_extra or state.reached or state.round >= game.rounds(state)):
        return state.changed(round=state.round + 1), ()
    among = state.contenders or state.reached or state.sides
    best = _best(game, state, among)
    played = max(map(len, state.extra), default=0)
    if len(best) == 1 or not game.plays_on(state) or played >= EXTRA_ROUNDS:
        return state, best
    nothing: tuple[int, ...] = (0,) * len(state.scores)
    return (
        state.changed(
            round=state.round + 1,
            final=state.final or state.scores,
            extra=state.extra or ((),) * len(state.scores),
            scores=nothing,
            contenders=best,
            reached=(),
        ),
        (),
    )


def _best(game: "Kit[O, G]", state: State[O, G], among: Any) -> tuple[int, ...]:
    ranks = {side: game.rank(state, side) for side in among}
    top = max(ranks.values())
    return tuple(side for side, rank in sorted(ranks.items()) if rank == top)


def _results(before: State[O, G], state: State[O, G], name: str) -> list[Event]:
    """The events of what a turn came to: the scores that changed in it, the thrower's always, and who is out."""
    at, shown = state.at, state.standing
    gained = state.score if state.in_extra else state.score - state.before[at]
    events = [Event("score", {"player": name, "points": gained, "score": shown[at]})]
    for side, score in enumerate(() if state.in_extra else state.scores):
        if side != at and score != state.before[side]:
            event = {"player": state.name(side), "points": score - state.before[side], "score": score}
            events.append(Event("score", event))
    return events + _outs(before, state)


def _outs(before: State[O, G], state: State[O, G]) -> list[Event]:
    """The events of those who went out in between; together they share the place."""
    if state.out == before.out:
        return []
    place = len(state.left_in) + 1
    gone = (side for side in state.sides if state.out[side] and not before.out[side])
    return [Event("out", {"player": state.name(side), "round": state.round, "place": place}) for side in gone]
