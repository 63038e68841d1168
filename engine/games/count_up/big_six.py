"""Big Six: hit the target, and you may set the next one; fail and you lose a life."""

from dataclasses import dataclass, replace
from typing import Final

from engine import kit
from engine.games.shared_texts import LAST_WITH_LIVES, LIVES_DECIDE
from engine.kit import About, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives()
    rounds: int = kit.most_rounds(100, 500)


@dataclass(frozen=True, slots=True)
class Own:
    target: str = "S6"
    """A bed; of a single, both its parts."""
    hit: bool = False


S = State[Options, Own]


def dart(state: S, bed: Segment) -> S:
    own, hit = state.own, kit.plain(bed).text
    if not own.hit:
        return state.counts(1).keep(replace(own, hit=True)) if hit == own.target else state
    return state.keep(replace(own, target=hit)).ends() if bed.number else state


def worth(state: S, bed: Segment) -> float:
    if not state.own.hit:
        return kit.plain(bed).text == state.own.target
    # A target that is hard for the next player.
    return 0.3 if bed.multiplier == 1 else bed.multiplier > 1


def show(state: S, viewer: str | None) -> Show:
    lives = [{"lives": state.scores[side]} for side in state.sides]
    return Show({"target": state.own.target}, {"hit": state.own.hit}, lives)


GAME: Final[Kit[Options, Own]] = Kit(
    name="big_six",
    title="Big Six",
    about=About(
        "A",
        Text(
            "Hit the target, then set one for the next player.",
            "Triff das Ziel, dann setz dem Nächsten eines.",
            "Touchez la cible, puis fixez celle du suivant.",
        ),
        aim=LAST_WITH_LIVES,
        turn=Text(
            "Hit the target, at first a single 6. After the hit your next dart on the board sets a new target. No hit "
            "in the turn costs a life.",
            "Triff das Ziel, zuerst eine einfache 6. Nach dem Treffer setzt dein nächster Dart im Board ein neues. "
            "Eine Aufnahme ohne Treffer kostet ein Leben.",
            "Touchez la cible, d’abord un simple 6. Ensuite, votre fléchette suivante fixe une nouvelle cible. Une "
            "volée sans toucher coûte une vie.",
        ),
        end=LIVES_DECIDE,
    ),
    seats=range(2, 17),
    rules=Options,
    own=Own,
    start=lambda state: state.with_scores(state.options.lives),
    begin=lambda state: state.keep(replace(state.own, hit=False)),
    dart=dart,
    close=lambda state: state if state.own.hit else state.loses_life(),
    targets=lambda state: [] if state.own.hit else [state.own.target],
    summed=False,
    show=show,
    worth=worth,
    matters=lambda state: "" if state.own.hit else state.own.target,
    statistics_of=kit.HITS,
)
