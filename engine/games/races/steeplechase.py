"""Steeplechase: clockwise by the inner singles, over four triples, and home on the bull."""

from dataclasses import dataclass
from typing import Any, Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Goal, Kit, Refusal, Segment, Show, State, Target, Text
from engine.segments import Ring

COURSE: Final[tuple[Goal, ...]] = (*kit.in_ring_order(20), "bull")


@dataclass(frozen=True, slots=True)
class Options:
    area: str = kit.one_of(
        Text("Beds of the flat", "Felder auf der Geraden", "Zones du plat"),
        {
            "inner": Text("inner singles", "innere Singles", "simples intérieurs"),
            "any": Text("all of the number", "alle der Zahl", "toutes du numéro"),
        },
    )
    fences: tuple[int | str, ...] = kit.targets((13, 17, 8, 5), Text("Fences", "Hürden", "Haies"))
    tries: int = kit.number(3, 1, 9, Text("Turns at a fence", "Aufnahmen je Hürde", "Volées par haie"))
    rounds: int = kit.most_rounds(100, 300)


@dataclass(frozen=True, slots=True)
class Own:
    tries: tuple[int, ...] = ()
    """The turns that each side has spent at its fence."""


S = State[Options, Own]


def refuses(options: Options, _players: tuple[str, ...]) -> Refusal | None:
    if "bull" in options.fences:
        return Refusal("bad_option", "The bull is the finish; leave it out of the fences.")
    return None


def at_fence(state: S, side: int) -> bool:
    score = state.scores[side]
    return score < len(COURSE) and COURSE[score] in state.options.fences


def moves(state: S, bed: Segment) -> bool:
    """Whether a dart takes the thrower on."""
    goal = COURSE[state.score]
    if not kit.hits(bed, goal):
        return False
    if at_fence(state, state.at):
        return bed.multiplier == 3
    return bed.is_bull or state.options.area == "any" or bed.ring == Ring.INNER_SINGLE


def dart(state: S, bed: Segment) -> S:
    if not moves(state, bed):
        return state
    after = state.brings(1)
    return after.ends() if after.score < len(COURSE) else after.gets_there()


def close(state: S) -> S:
    if state.scored or not at_fence(state, state.at):
        return state.keep(Own(with_seat(state.own.tries, state.at, 0)))
    tries = state.own.tries[state.at] + 1
    after = state.keep(Own(with_seat(state.own.tries, state.at, tries)))
    return after.goes_out() if tries == state.options.tries else after


def targets(state: S) -> list[Target]:
    goal = COURSE[state.score]
    if at_fence(state, state.at):
        return [f"T{goal}"]
    return [f"SI{goal}" if state.options.area == "inner" and goal != "bull" else goal]


def show(state: S, viewer: str | None) -> Show:
    def about(side: int) -> dict[str, Any]:
        score = state.scores[side]
        tries = {"tries": state.options.tries - state.own.tries[side]} if at_fence(state, side) else {}
        return {"next": COURSE[score], **tries} if score < len(COURSE) else {}

    return Show({"track": len(COURSE)}, players=[about(side) for side in state.sides])


GAME: Final[Kit[Options, Own]] = Kit(
    name="steeplechase",
    title="Steeplechase",
    about=About(
        "R",
        Text(
            "Clockwise by the inner singles, over four triples.",
            "Im Uhrzeigersinn über die inneren Singles und vier Triples.",
            "Dans le sens horaire par les simples intérieurs et quatre triples.",
        ),
        aim=Text(
            "Be the first round the board and home on the bull.",
            "Komm vor den anderen um das Board und ins Ziel, das Bull.",
            "Faites le tour et rentrez au bull avant les autres.",
        ),
        turn=Text(
            "The inner single of your next number takes you on, and ends the turn. At a fence, the 13, 17, 8 and 5 as "
            "a rule, it must be the triple; after three turns in vain you are out.",
            "Das innere Single deiner nächsten Zahl bringt dich weiter und beendet die Aufnahme. An einer Hürde, meist "
            "13, 17, 8 und 5, muss es das Triple sein; nach drei vergeblichen Aufnahmen bist du draußen.",
            "Le simple intérieur de votre prochain numéro vous avance et termine la volée. À une haie, en général 13, "
            "17, 8 et 5, il faut le triple ; après trois volées en vain, vous êtes éliminé.",
        ),
        end=Text(
            "The match ends at the bull, or when all are out. Then the most numbers win.",
            "Das Spiel endet am Bull, oder wenn alle draußen sind. Dann gewinnen die meisten Zahlen.",
            "La partie finit au bull, ou quand tous sont éliminés. Alors, le plus de numéros gagne.",
        ),
    ),
    seats=range(1, 17),
    head_start=len(COURSE) - 1,
    rules=Options,
    refuses=refuses,
    own=Own,
    start=lambda state: state.keep(Own((0,) * len(state.sides))),
    dart=dart,
    close=close,
    last_one_in=False,
    targets=targets,
    show=show,
    worth=moves,
    matters=lambda state: state.score,
    statistics_of=kit.HITS,
)
