"""Random Checkout: a drawn finish, and three visits to take it."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine import kit
from engine.games.practice import _checkout, _records
from engine.games.seats import with_seat
from engine.games.x01_checkouts import checkout
from engine.kit import About, AnyRoll, Kit, Refusal, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    attempts: int = kit.number(10, 1, 100, Text("Targets", "Ziele", "Cibles"))
    turns: int = _checkout.turns()
    from_: int = kit.number(2, 2, 170, Text("Lowest target", "Kleinstes Ziel", "Plus petite cible"))
    to: int = kit.number(170, 2, 170, Text("Highest target", "Größtes Ziel", "Plus grande cible"))


@dataclass(frozen=True, slots=True)
class Own(_checkout.Left):
    attempt: int = 1
    turn: int = 1
    """The turn of the attempt."""
    target: int = 0
    """0: it is not drawn yet."""
    thrown: tuple[int, ...] = ()
    """The darts of each side in this attempt."""
    darts: tuple[int, ...] = ()
    """The darts of each side in attempts that finished."""


S = State[Options, Own]


@cache
def finishes(lowest: int, highest: int) -> tuple[int, ...]:
    """The numbers that three darts can finish."""
    return tuple(points for points in range(lowest, highest + 1) if checkout(points, 3, "double", False))


def refuses(options: Options, _players: tuple[str, ...]) -> Refusal | None:
    if finishes(options.from_, options.to):
        return None
    return Refusal("bad_option", f"Three darts finish no number from {options.from_} to {options.to}; widen the range.")


def choices(state: S) -> tuple[int, ...]:
    return finishes(state.options.from_, state.options.to)


def aimed_at(state: S, target: int) -> S:
    """All have this target."""
    return state.keep(kit.replaced(state.own, target=target, left=(target,) * len(state.sides)))


def start(state: S) -> S:
    none = (0,) * len(state.sides)
    return offered(state.keep(Own(none, thrown=none, darts=none)))


def offered(state: S) -> S:
    """The only finish, if there is no choice."""
    return aimed_at(state, choices(state)[0]) if len(choices(state)) == 1 else state


def chance(state: S) -> AnyRoll | None:
    return None if state.own.target else AnyRoll(1, len(choices(state)))


def rests(state: S, side: int) -> bool:
    """Whether a side has finished in this attempt, or all attempts are over."""
    own = state.own
    return own.attempt > state.options.attempts or (own.target > 0 and own.left[side] == 0)


def close(state: S) -> S:
    own, at = state.own, state.at
    thrown = own.thrown[at] + len(state.darts)
    darts = own.darts[at] + (thrown if _checkout.done(state) else 0)
    return state.keep(
        kit.replaced(own, thrown=with_seat(own.thrown, at, thrown), darts=with_seat(own.darts, at, darts))
    )


def end_round(state: S) -> S:
    own, none = state.own, (0,) * len(state.sides)
    if own.turn < state.options.turns and any(own.left):
        return state.keep(kit.replaced(own, turn=own.turn + 1))
    if own.attempt == state.options.attempts:
        return state.keep(kit.replaced(own, attempt=own.attempt + 1))
    return offered(state.keep(kit.replaced(own, attempt=own.attempt + 1, turn=1, target=0, left=none, thrown=none)))


def show(state: S, viewer: str | None) -> Show:
    own, attempts = state.own, state.options.attempts
    turn = {"attempt": min(attempts, own.attempt)}
    drawn = own.target > 0
    darts = [{"darts": darts} for darts in own.darts]
    lefts = _checkout.lefts(state) if drawn else [{} for _ in state.sides]
    players = [left | thrown for left, thrown in zip(lefts, darts, strict=True)]
    return Show(
        {"attempts": attempts}, turn | ({"target": own.target} | _checkout.shown(state) if drawn else {}), players
    )


GAME: Final[Kit[Options, Own]] = Kit(
    name="random_checkout",
    title="Random Checkout",
    about=About(
        "A",
        Text(
            "A drawn finish, and nine darts to take it.",
            "Ein ausgelostes Finish, und neun Darts dafür.",
            "Un finish tiré au sort, et neuf fléchettes pour le faire.",
        ),
        aim=Text(
            "Finish as many drawn targets as you can, with few darts.",
            "Checke möglichst viele ausgeloste Ziele aus, mit wenigen Darts.",
            "Finissez le plus possible de cibles tirées, en peu de fléchettes.",
        ),
        turn=Text(
            "A die names the target for all, from 2 to 170. You have three turns to bring it to exactly 0 with a "
            "double, for a point. After a bust the turn does not count.",
            "Ein Würfel nennt das Ziel für alle, von 2 bis 170. Du hast drei Aufnahmen, um es mit einem Double "
            "genau auf 0 zu bringen: ein Punkt. Eine überworfene Aufnahme zählt nicht.",
            "Un dé donne la cible pour tous, de 2 à 170. Vous avez trois volées pour la ramener à 0 exactement par un "
            "double : un point. Une volée qui dépasse ne compte pas.",
        ),
        end=Text(
            "After ten targets the most points win, then the fewest darts in finished targets.",
            "Nach zehn Zielen gewinnen die meisten Punkte, dann die wenigsten Darts in geschafften Zielen.",
            "Après dix cibles, le plus de points gagne, puis le moins de fléchettes sur les cibles finies.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    refuses=refuses,
    start=start,
    chance=chance,
    drawn=lambda state, dice: aimed_at(state, choices(state)[dice[0] - 1]),
    dart=_checkout.finished_scores,
    close=close,
    end_round=end_round,
    rests=rests,
    rounds=_checkout.rounds,
    rank=lambda state, side: (state.scores[side], -state.own.darts[side]),
    left=_checkout.left,
    targets=_checkout.targets,
    show=show,
    aims=_checkout.aims,
    statistics_of=_records.CHECKOUTS,
)
