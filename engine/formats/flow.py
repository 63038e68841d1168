"""How a match in a format goes on: the throw for the bull, a choice, a leg, its end, and what follows."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from engine.actions import Choice, Choose, Deck, GameAction, Next
from engine.bullthrow import FOUL, BullThrow, landing, thrown
from engine.darts import Dart
from engine.formats.plan import Plan
from engine.formats.sides import name_of, names_of, side_of
from engine.formats.state import Ended, State, inner, with_inner
from engine.formats.wins import medley_won, needed, reached, set_won
from engine.game import Event, Step, with_earlier
from engine.match import dart_text
from engine.refusals import Refusal

_OF_LEGS: Final = frozenset({"leg", "set", "won"})
"""Events of the end of a leg. Legs and sets are counted here, also those of a game that has its own."""
MOST_TRIES: Final = 10
"""How often the same players throw for the bull; then the listed order stands."""

S = State[Any]


def first_state(plan: Plan) -> S | Refusal:
    """The state before the first dart."""
    sides = tuple(range(len(plan.sides)))
    none = (0,) * (len(sides) + 1)
    step = next_leg(plan, State((None,) * len(plan.legs), sides, none, none, none), 0)
    return step if isinstance(step, Refusal) else step.state


def next_leg(plan: Plan, state: S, number: int) -> Step[S] | Refusal:
    """What begins with the turn `number`: a throw for the bull, a choice, or a leg."""
    medley = plan.medley
    entry = 0 if medley is None else medley.legs[state.leg] if state.leg < len(medley.legs) else None
    first = _starter(plan, state)
    if entry is None and medley is not None:
        decider = state.leg >= len(medley.legs)
        if medley.chooser == "cork" or decider or not state.last:
            return _throw_for_bull(plan, replace(state, phase="choose"), number)
        loser = _after(state, state.last[0])
        # The house may have won; it chooses nothing.
        chooser = loser if medley.chooser == "loser" or state.last[0] not in state.order else state.last[0]
        chosen = replace(state, phase="choose", starter=first, chooser=chooser, number=number)
        return Step(chosen, (Event("turn", {"player": name_of(plan, chosen, chooser)}),))
    begun = replace(state, playing=entry or 0, starter=first)
    if (state.leg == 0 and plan.bull.order == "bull") or plan.start == "bull":
        return _throw_for_bull(plan, replace(begun, phase="leg"), number)
    return _begin(plan, begun, number)


def _starter(plan: Plan, state: S) -> int:
    """Who starts the next leg. A set is started by the side after the one that started the set before."""
    order = state.order
    if state.played == 0 or not state.last or plan.start == "alternate":
        return order[(state.set + state.played) % len(order)]
    winner = state.last[0]
    return winner if plan.start == "winner" and winner in order else _after(state, winner)


def _after(state: S, side: int) -> int:
    """The side that follows another one, or the first after the house."""
    order = state.order
    return order[(order.index(side) + 1) % len(order)] if side in order else order[0]


def _throw_for_bull(plan: Plan, state: S, number: int) -> Step[S] | Refusal:
    """Begins the throw for the bull; `phase` is what follows it."""
    names = tuple(plan.sides[side][0] for side in state.order)
    about = plan.bull
    bull = BullThrow((names,), (), about.compare, about.again, MOST_TRIES, 0, names)
    if bull.thrower is None:
        return _after_bull(plan, replace(state, bull=bull), number)
    after = replace(state, bull=bull, number=number)
    return Step(after, (Event("turn", {"player": bull.thrower}),))


def bull_dart(plan: Plan, state: S, dart: Dart | None) -> Step[S] | Refusal:
    """After a dart for the bull; None is a foul."""
    if state.bull is None:
        return Refusal("not_awaited", "Nobody throws for the bull.")
    thrower, bull = state.bull.thrower, thrown(state.bull, dart)
    if isinstance(bull, Refusal):
        return bull
    landed = FOUL if dart is None else landing(dart)
    text = dart_text(dart) if isinstance(landed, Refusal) else landed.text
    event = Event("dart", {"player": thrower, "dart": text})
    after = replace(state, bull=bull)
    if bull.thrower is not None:
        after = replace(after, number=state.number + 1)
        return Step(after, (event, Event("turn", {"player": bull.thrower})))
    step = _after_bull(plan, after, state.number + 1)
    return step if isinstance(step, Refusal) else Step(step.state, (event, *step.events))


def _after_bull(plan: Plan, state: S, number: int) -> Step[S] | Refusal:
    bull, by_name = state.bull, {side[0]: at for at, side in enumerate(plan.sides)}
    ranked = tuple(by_name[name] for name in bull.order) if bull is not None else state.order
    at = state.order.index(ranked[0])
    order = ranked if plan.bull.decides == "all" else (*state.order[at:], *state.order[:at])
    if state.leg == 0:
        # Later throws for the bull change who starts a leg, not in which order legs are started.
        state = replace(state, order=order)
    state = replace(state, bull=None, starter=ranked[0])
    if state.phase == "choose":
        after = replace(state, chooser=ranked[0], number=number)
        return Step(after, (Event("turn", {"player": name_of(plan, after, ranked[0])}),))
    return _begin(plan, state, number)


def offers(plan: Plan, state: S) -> tuple[int, ...]:
    """The legs of the plan on offer; the game of the leg before only if there is no other."""
    medley = plan.medley
    if medley is None:
        return ()
    before = plan.legs[state.playing].game.name if state.leg else ""
    others = tuple(at for at in medley.offers if not medley.no_repeat or plan.legs[at].game.name != before)
    return others or medley.offers


def choose(plan: Plan, state: S, action: Choose) -> Step[S] | Refusal:
    """After the choice of a game."""
    named: dict[Choice, int] = {plan.legs[at].game.name: at for at in offers(plan, state)}
    if action.key != "game" or action.value not in named:
        return Refusal("not_a_choice", f"Choose one of these games: {', '.join(map(str, named))}.")
    event = Event("choice", {"player": name_of(plan, state, state.chooser), "game": action.value})
    step = _begin(plan, replace(state, playing=named[action.value]), state.number + 1)
    return step if isinstance(step, Refusal) else Step(step.state, (event, *step.events))


def _begin(plan: Plan, state: S, number: int) -> Step[S] | Refusal:
    """Begins a leg with the turn `number`."""
    leg = plan.legs[state.playing]
    begun = leg.game.new(plan.in_order(state.starter, state.order), leg.options, leg.face)
    if isinstance(begun, Refusal):
        return begun
    if inner(state) is not None:
        begun = with_earlier(leg.game, begun, inner(state))
    turn = leg.game.turn(begun)
    after = replace(with_inner(state, begun), phase="leg", bull=None, number=number - turn.number)
    # A turn that waits for cards is announced when they are dealt.
    return Step(after, () if turn.awaits == "deck" else (Event("turn", {"player": turn.player}),))


def play(plan: Plan, state: S, action: GameAction) -> Step[S] | Refusal:
    """After an action in a leg, and what follows if it ends the leg."""
    game, begun = plan.legs[state.playing].game, inner(state)
    step = game.apply(begun, action)
    if isinstance(step, Refusal):
        return step
    told = step.events
    is_dart_alone = len(told) == 1 and told[0].kind == "dart"
    if not is_dart_alone and any(event.kind in _OF_LEGS for event in told):
        told = tuple(event for event in told if event.kind not in _OF_LEGS)
    after, winners = with_inner(state, step.state), game.winners(step.state)
    if winners is not None:
        before = game.turn(begun)
        over = _leg_over(plan, after, winners, told, state.number + before.number + 1)
        if isinstance(over, Refusal) or before.awaits == "next" or over.state.phase == "over":
            return over
        return Step(_with_end(plan, after, over.state), over.events)
    if isinstance(action, Deck) and state.number + game.turn(begun).number > 0 and not _has(told, "turn"):
        # In a later leg even the first turn is announced, once the cards are dealt.
        turn = game.turn(step.state)
        told += (Event("turn", {"player": turn.player}),) if turn.awaits != "deck" else ()
    return Step(after, told)


def ended(plan: Plan, state: S) -> Ended | None:
    """What the leg ends as soon as `next` is all that it waits for; None while it goes on, or is to be played again."""
    if state.phase == "over":
        return Ended("match", state.won, _legs(plan, state), state.sets)
    if plan.legs[state.playing].game.turn(inner(state)).awaits != "next":
        return None
    try:
        step = play(plan, state, Next())
    except Exception:
        # A faulty game of another package: its `next` is refused when somebody says it, and its darts count until then.
        return None
    return None if isinstance(step, Refusal) else _end(plan, state, step.state)


def _end(plan: Plan, before: S, after: S) -> Ended | None:
    """What ended between two states; None if the leg goes on, or is played again."""
    if after.phase == "over":
        return ended(plan, after)
    if after.leg == before.leg:
        return None
    legs = tuple(count + (side in after.last) for side, count in enumerate(_legs(plan, before)))
    if after.set == before.set:
        return Ended("leg", after.last, legs, before.sets)
    taken = tuple(side for side, count in enumerate(after.sets) if count > before.sets[side])
    return Ended("set", taken, legs, after.sets)


def _with_end(plan: Plan, before: S, after: S) -> S:
    """The state after a leg that never waited for `next` alone, with what displays show of its end."""
    end = _end(plan, before, after)
    if end is None:
        return after
    players = plan.legs[before.playing].game.view(inner(before), None)["players"]
    scores = {player["name"]: player["score"] for player in players}
    return replace(after, ended=replace(end, scores=tuple(scores[side[0]] for side in plan.sides)))


def _legs(plan: Plan, state: S) -> tuple[int, ...]:
    """The legs that each side has won: of a medley all, else those of the set."""
    return state.wins if plan.medley is None else state.total


def _has(events: Iterable[Event], kind: str) -> bool:
    return any(event.kind == kind for event in events)


def _leg_over(
    plan: Plan, state: S, winners: tuple[str, ...], told: tuple[Event, ...], number: int
) -> Step[S] | Refusal:
    sides = tuple(dict.fromkeys(side_of(plan, name) for name in winners))
    if len(sides) > 1 and not state.again:
        step = _begin(plan, replace(state, again=True), number)
        return step if isinstance(step, Refusal) else Step(step.state, (*told, *step.events))
    state = _counted(_everywhere(plan, state), sides)
    events = [*told, *(_leg_event(plan, state, side) for side in sides)]
    if plan.medley is not None:
        won = medley_won(plan, state)
    else:
        taken = set_won(plan, state)
        if taken is not None:
            state, more = _set_over(plan, state, taken)
            events += more
        won = _match_won(plan, state, taken)
    if won is not None:
        over = replace(state, phase="over", won=won)
        return Step(over, (*events, Event("won", {"winners": list(names_of(plan, over, won))})))
    step = next_leg(plan, state, number)
    return step if isinstance(step, Refusal) else Step(step.state, (*events, *step.events))


def _everywhere(plan: Plan, state: S) -> S:
    """The state with the end of this leg in every place of its game."""
    name, end = plan.legs[state.playing].game.name, inner(state)
    places = zip(plan.legs, state.inner, strict=True)
    return replace(state, inner=tuple(end if leg.game.name == name else place for leg, place in places))


def _counted(state: S, sides: tuple[int, ...]) -> S:
    def more(counts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(count + (side in sides) for side, count in enumerate(counts))

    return replace(
        state,
        wins=more(state.wins),
        total=more(state.total),
        leg=state.leg + 1,
        played=state.played + 1,
        again=False,
        last=sides,
    )


def _leg_event(plan: Plan, state: S, side: int) -> Event:
    about: dict[str, Any] = {"player": name_of(plan, state, side), "legs": state.wins[side]}
    if plan.medley is None:
        about["to_win"] = needed(plan.best.legs, plan.best.mode)
    return Event("leg", about)


def _set_over(plan: Plan, state: S, taken: tuple[int, ...]) -> tuple[S, list[Event]]:
    """After a set. A draw counts for each who shares it, as a leg does, so that a match always ends."""
    sets = tuple(count + (side in taken) for side, count in enumerate(state.sets))
    enough = needed(plan.best.sets, plan.best.mode)
    events = [
        Event("set", {"player": name_of(plan, state, side), "sets": sets[side], "to_win": enough}) for side in taken
    ]
    after = replace(state, sets=sets, set=state.set + 1)
    over = _match_won(plan, after, taken) is not None
    # The legs of the last set stay to be seen.
    return (after if over else replace(after, wins=(0,) * len(sets), played=0)), events


def _match_won(plan: Plan, state: S, taken: tuple[int, ...] | None) -> tuple[int, ...] | None:
    best = plan.best
    if taken is None:
        return None
    return taken if best.sets == 1 else reached(state.sets, best.sets, best.mode, state.set)
