"""Blind Killer: everyone sees the numbers, nobody knows whose they are."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import kit
from engine.games.seats import with_seat
from engine.kit import About, Chooser, Kit, Refusal, Segment, Show, State, Text

NUMBERS: Final = 20


@dataclass(frozen=True, slots=True)
class Options:
    lives: int = kit.lives(3, 9)
    decoys: int = kit.number(3, 0, 17, Text("Numbers of nobody", "Zahlen von niemandem", "Numéros de personne"))
    licence: str = kit.one_of(
        Text("Who takes lives", "Wer Leben nimmt", "Qui prend des vies"),
        {
            "open": Text("everyone", "alle", "tout le monde"),
            "bull": Text("who has hit the bull", "wer das Bull getroffen hat", "qui a touché le bull"),
        },
    )
    rounds: int = kit.most_rounds(40)


@dataclass(frozen=True, slots=True)
class Own:
    numbers: tuple[int, ...] = ()
    """The number of each side in order, then those of nobody; empty before they are dealt."""
    lives: tuple[int, ...] = ()
    """The lives of each of these numbers."""
    licensed: frozenset[int] = frozenset()
    """The sides that have hit the bull, where that is needed."""


S = State[Options, Own]


def refuses(options: Options, players: tuple[str, ...]) -> Refusal | None:
    if len(players) + options.decoys > NUMBERS:
        return Refusal("bad_option", f"There are {NUMBERS} numbers: for {len(players)} players leave some decoys out.")
    return None


def dealt(state: S, cards: tuple[int, ...]) -> S:
    numbers = cards[: len(state.sides) + state.options.decoys]
    return state.keep(Own(numbers, (state.options.lives,) * len(numbers)))


def may_take(state: S) -> bool:
    return state.options.licence == "open" or state.at in state.own.licensed


def lives(state: S, number: int) -> int:
    """The lives of a number; 0 for one that is not in play."""
    own = state.own
    return own.lives[own.numbers.index(number)] if number in own.numbers else 0


def dart(state: S, bed: Segment) -> S:
    own = state.own
    if not may_take(state):
        return state.keep(replace(own, licensed=own.licensed | {state.at})) if bed.is_bull else state
    left = lives(state, bed.number)
    if not left:
        return state
    at = own.numbers.index(bed.number)
    after = state.counts(1).keep(replace(own, lives=with_seat(own.lives, at, left - 1)))
    if left > 1 or at not in state.sides:
        return after
    after = after.with_score(0, at).goes_out(at)
    return after if len(after.left_in) > 1 else after.ends()


def in_play(state: S) -> list[int]:
    return sorted(number for number in state.own.numbers if lives(state, number))


def worth(state: S, bed: Segment) -> float:
    """The weakest number of another first, but all of them are worth something."""
    if not may_take(state):
        return float(bed.is_bull)
    left = lives(state, bed.number)
    if not left:
        return 0.0
    return -1.0 if bed.number == state.own.numbers[state.at] else 1.0 / left


def matters(state: S) -> Hashable:
    own = state.own
    if not may_take(state):
        return ()
    return own.numbers[state.at], frozenset(zip(own.numbers, own.lives, strict=True))


def targets(state: S) -> list[kit.Target]:
    return [*in_play(state)] if may_take(state) else ["bull"]


def show(state: S, viewer: str | None) -> Show:
    own = state.own
    shown = {
        str(number): state.name(at) if at in state.sides else ""
        for at, (number, left) in sorted(enumerate(zip(own.numbers, own.lives, strict=True)), key=lambda each: each[1])
        if state.finished or not left
    }

    def about(side: int) -> dict[str, Any]:
        number = {"number": own.numbers[side]} if own.numbers and viewer in state.names(side) else {}
        return number | ({"licensed": True} if side in own.licensed else {})

    numbers = {str(number): lives(state, number) for number in sorted(own.numbers)}
    return Show({"numbers": numbers, "shown": shown}, players=[about(side) for side in state.sides])


def disguise(state: S, viewer: str | None, choose: Chooser) -> S:
    """The numbers in play that are not the viewer's, with their lives, in other places."""
    own = state.own
    secret = [
        at
        for at, left in enumerate(own.lives)
        if left and not (at in state.sides and viewer in state.names(at)) and not state.finished
    ]
    source = dict(zip(secret, choose.sample(secret, len(secret)), strict=True))
    places = [source.get(at, at) for at in range(len(own.numbers))]
    return state.keep(
        replace(own, numbers=tuple(own.numbers[at] for at in places), lives=tuple(own.lives[at] for at in places))
    )


GAME: Final[Kit[Options, Own]] = Kit(
    name="blind_killer",
    title="Blind Killer",
    about=About(
        "B",
        Text(
            "Everyone sees the numbers, nobody knows whose they are.",
            "Alle sehen die Zahlen, keiner weiß, wem sie gehören.",
            "Tous voient les numéros, personne ne sait à qui ils sont.",
        ),
        aim=Text(
            "Be the last one in. Your own number is secret: do not give yourself away.",
            "Bleib als Letzter im Spiel. Deine Zahl ist geheim: verrate dich nicht.",
            "Soyez le dernier en jeu. Votre numéro est secret : ne vous trahissez pas.",
        ),
        turn=Text(
            "A dart in a number takes one life from it, your own too. Some numbers are nobody’s. At 0 lives a number "
            "is shown with its owner, who is out.",
            "Ein Dart in eine Zahl nimmt ihr ein Leben, auch deiner eigenen. Manche gehören niemandem. Bei 0 Leben "
            "zeigt sich, wem die Zahl gehört, und der ist draußen.",
            "Une fléchette dans un numéro lui prend une vie, même au vôtre. Certains ne sont à personne. À 0 vie, un "
            "numéro est montré avec son propriétaire, qui est éliminé.",
        ),
        end=Text(
            "The last one in wins. At the limit all is shown, and the number with the most lives wins.",
            "Der Letzte im Spiel gewinnt. An der Rundengrenze wird alles gezeigt, und die Zahl mit den meisten Leben "
            "gewinnt.",
            "Le dernier en jeu gagne. À la limite de tours tout est montré, et le numéro qui a le plus de vies gagne.",
        ),
    ),
    seats=range(3, 17),
    rules=Options,
    refuses=refuses,
    own=Own,
    start=lambda state: state.with_scores(1),
    chance=lambda state: None if state.own.numbers else kit.NUMBER_DECK,
    drawn=dealt,
    dart=dart,
    rank=lambda state, side: (state.own.lives[side],),
    targets=targets,
    summed=False,
    show=show,
    disguise=disguise,
    worth=worth,
    matters=matters,
    statistics_of=kit.HITS,
)
