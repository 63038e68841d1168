"""Catch 40: every finish from 61 to 100, six darts each."""

from dataclasses import dataclass, replace
from typing import Final

from engine import kit
from engine.games.practice import _checkout, _records
from engine.games.x01_checkouts import checkout
from engine.kit import About, Kit, Refusal, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    from_: int = kit.number(61, 41, 170, Text("First target", "Erstes Ziel", "Première cible"))
    to: int = kit.number(100, 41, 170, Text("Last target", "Letztes Ziel", "Dernière cible"))


@dataclass(frozen=True, slots=True)
class Own(_checkout.Left):
    attempt: int = 1
    turn: int = 1
    """The turn of the attempt."""


S = State[Options, Own]
TURNS: Final = 2


def refuses(options: Options, _players: tuple[str, ...]) -> Refusal | None:
    if options.to < options.from_:
        return Refusal("bad_option", f"The last target is {options.to}; it must be at least {options.from_}.")
    return None


def attempts(state: S) -> int:
    return state.options.to - state.options.from_ + 1


def target(state: S) -> int:
    """The target of the attempt; after the last one still that of the last."""
    return min(state.options.to, state.options.from_ + state.own.attempt - 1)


def rests(state: S, side: int) -> bool:
    """Whether a side has finished in this attempt, or all attempts are over."""
    return state.own.left[side] == 0 or state.own.attempt > attempts(state)


def worth(state: S, darts: int) -> int:
    """The points for a finish with the dart of this number in the turn."""
    if state.own.turn == TURNS:
        return 1
    return 2 if darts == 3 and checkout(target(state), 2, "double", False) else 3


def dart(state: S, bed: Segment) -> S:
    after = _checkout.thrown(state, bed)
    return after.gains(worth(state, len(state.darts) + 1)) if _checkout.done(after) else after


def end_round(state: S) -> S:
    own = state.own
    if own.turn < TURNS and any(own.left):
        return state.keep(replace(own, turn=own.turn + 1))
    after = state.keep(replace(own, attempt=own.attempt + 1, turn=1))
    if after.own.attempt > attempts(state):
        return after
    return after.keep(replace(after.own, left=(target(after),) * len(state.sides)))


def show(state: S, viewer: str | None) -> Show:
    turn = {"target": target(state), "attempt": min(attempts(state), state.own.attempt)} | _checkout.shown(state)
    return Show({"attempts": attempts(state)}, turn, _checkout.lefts(state))


GAME: Final[Kit[Options, Own]] = Kit(
    name="catch_40",
    title="Catch 40",
    about=About(
        "A",
        Text(
            "Every finish from 61 to 100, six darts each.",
            "Jedes Finish von 61 bis 100, je sechs Darts.",
            "Tous les finishs de 61 à 100, six fléchettes chacun.",
        ),
        aim=Text(
            "Finish as many of the forty targets as you can, with few darts.",
            "Checke möglichst viele der vierzig Ziele aus, mit wenigen Darts.",
            "Finissez le plus possible des quarante cibles, en peu de fléchettes.",
        ),
        turn=Text(
            "Two turns for each target, out with a double. Two darts bring 3 points, three darts 2, the second "
            "turn 1. At 99, which takes three darts, these bring 3. After a bust the turn does not count.",
            "Zwei Aufnahmen je Ziel, aus mit einem Double. Zwei Darts bringen 3 Punkte, drei Darts 2, die zweite "
            "Aufnahme 1. Die 99 braucht drei Darts, die dort 3 bringen. Eine überworfene Aufnahme zählt nicht.",
            "Deux volées par cible, sortie par un double. Deux fléchettes donnent 3 points, trois 2, la seconde "
            "volée 1. À 99, qui en demande trois, elles donnent 3. Une volée qui dépasse ne compte pas.",
        ),
        end=Text(
            "After the last target the most points win; 120 are perfect.",
            "Nach dem letzten Ziel gewinnen die meisten Punkte; 120 sind perfekt.",
            "Après la dernière cible, le plus de points gagne ; 120, c’est parfait.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    refuses=refuses,
    start=lambda state: state.keep(Own((state.options.from_,) * len(state.sides))),
    dart=dart,
    end_round=end_round,
    rests=rests,
    rounds=lambda state: attempts(state) * TURNS,
    left=_checkout.left,
    targets=_checkout.targets,
    show=show,
    aims=_checkout.aims,
    statistics_of=_records.CHECKOUTS,
)
