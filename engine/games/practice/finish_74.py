"""Finish 74: seven favourite finishes, all or nothing each."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _checkout, _records, _survival
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    start: int = kit.number(74, 1, 500, Text("Points at the start", "Punkte zu Beginn", "Points au départ"))


S = State[Options, _checkout.Left]
FINISHES: Final = (40, 32, 36, 20, 16, 24, 8)


def target(state: S) -> int:
    return FINISHES[state.round - 1]


def start(state: S) -> S:
    return state.with_scores(state.options.start).keep(_checkout.Left((target(state),) * len(state.sides)))


def dart(state: S, bed: Segment) -> S:
    after = _checkout.thrown(state, bed)
    return after.gains(target(state)) if _checkout.done(after) else after


def close(state: S) -> S:
    if _checkout.done(state):
        return state
    after = state.gains(-target(state))
    return after.goes_out() if after.score < 0 else after


def show(state: S, viewer: str | None) -> Show:
    players = [left | done for left, done in zip(_checkout.lefts(state), _survival.completed(state), strict=True)]
    return Show(turn={"target": target(state)} | _checkout.shown(state), players=players)


GAME: Final[Kit[Options, _checkout.Left]] = Kit(
    name="finish_74",
    title="Finish 74",
    about=About(
        "A",
        Text(
            "Seven favourite finishes, all or nothing.",
            "Sieben Lieblingsfinishes, alles oder nichts.",
            "Sept finishs favoris, tout ou rien.",
        ),
        aim=Text(
            "Get through all seven finishes with as many points as you can.",
            "Komm mit möglichst vielen Punkten durch alle sieben Finishes.",
            "Passez les sept finishs avec le plus de points possible.",
        ),
        turn=Text(
            "Three darts for one finish, out with a double: 40, 32, 36, 20, 16, 24, 8. If you do it, its value is "
            "added to your points; if not, it is taken off.",
            "Drei Darts für ein Finish, aus mit einem Double: 40, 32, 36, 20, 16, 24, 8. Schaffst du es, kommt der "
            "Wert zu deinen Punkten; sonst geht er ab.",
            "Trois fléchettes pour un finish, sortie par un double : 40, 32, 36, 20, 16, 24, 8. Réussi, sa valeur "
            "s’ajoute à vos points ; sinon elle est retirée.",
        ),
        end=Text(
            "Below 0 you are out. Of those who get through the most points win; 250 are perfect.",
            "Unter 0 bist du raus. Von denen, die durchkommen, gewinnen die meisten Punkte; 250 sind perfekt.",
            "Sous 0, vous êtes éliminé. Parmi ceux qui finissent, le plus de points gagne ; 250, c’est parfait.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=_checkout.Left,
    start=start,
    begin=lambda state: _checkout.leaves(state, target(state)),
    dart=dart,
    close=close,
    rounds=lambda state: len(FINISHES),
    rank=_survival.rank,
    last_one_in=False,
    left=_checkout.left,
    targets=_checkout.targets,
    show=show,
    aims=_checkout.aims,
    statistics_of=_records.CHECKOUTS,
)
