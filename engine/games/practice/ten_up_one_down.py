"""Ten Up, One Down: three darts for the finish, ten up if you do it."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _checkout, _records
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    start: int = kit.number(41, 2, 170, Text("First target", "Erstes Ziel", "Première cible"))
    rounds: int = kit.rounds(20, 1, 100)


S = State[Options, _checkout.Left]
UP: Final = 10
LOWEST: Final = 2


def start(state: S) -> S:
    target = state.options.start
    return state.with_scores(target).keep(_checkout.Left((target,) * len(state.sides)))


def dart(state: S, bed: Segment) -> S:
    after = _checkout.thrown(state, bed)
    return after.with_score(min(_checkout.HIGHEST, state.score + UP)) if _checkout.done(after) else after


GAME: Final[Kit[Options, _checkout.Left]] = Kit(
    name="ten_up_one_down",
    title="Ten Up, One Down",
    about=About(
        "A",
        Text(
            "Ten up for a finish, one down without.",
            "Zehn rauf für ein Finish, eins runter ohne.",
            "Dix de plus pour un finish, un de moins sans.",
        ),
        aim=Text(
            "Bring your target as high as you can, to 170 at most.",
            "Bring dein Ziel so hoch wie möglich, höchstens auf 170.",
            "Montez votre cible le plus haut possible, à 170 au plus.",
        ),
        turn=Text(
            "Three darts to bring your target, 41 at first, to exactly 0 with a double. If you do, it rises by ten; if "
            "not, it falls by one.",
            "Drei Darts, um dein Ziel, anfangs 41, mit einem Double genau auf 0 zu bringen. Schaffst du es, steigt "
            "es um zehn; sonst sinkt es um eins.",
            "Trois fléchettes pour ramener votre cible, 41 au début, à 0 exactement par un double. Réussi, elle "
            "monte de dix ; sinon elle descend d’un.",
        ),
        end=Text(
            "After the last round, 20 as a rule, the highest target wins.",
            "Nach der letzten Runde, meist der zwanzigsten, gewinnt das höchste Ziel.",
            "Après le dernier tour, en général le vingtième, la plus haute cible gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=_checkout.Left,
    start=start,
    begin=lambda state: _checkout.leaves(state, state.score),
    dart=dart,
    close=lambda state: state if _checkout.done(state) else state.with_score(max(LOWEST, state.score - 1)),
    left=_checkout.left,
    targets=_checkout.targets,
    show=lambda state, viewer: Show(turn=_checkout.shown(state), players=_checkout.lefts(state)),
    aims=_checkout.aims,
    statistics_of=_records.CHECKOUTS,
)
