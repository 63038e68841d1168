"""Hare and Hounds: the hare runs once round the board, the hounds start just behind."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.kit import About, Kit, Refusal, Segment, Show, State, Text

RING: Final = kit.in_ring_order(20)
HARE: Final = 0
HOME: Final = len(RING)
"""The hare's last place, the 20 again."""


@dataclass(frozen=True, slots=True)
class Options:
    start: int = kit.number(1, 1, 10, Text("Fields between them", "Felder Abstand", "Cases d’écart"))
    jump: bool = kit.flag(
        False,
        Text("Doubles and triples go farther", "Doubles und Triples gehen weiter", "Doubles et triples vont plus loin"),
    )
    rounds: int = kit.most_rounds(50)


S = State[Options, None]


def start(state: S) -> S:
    return state.with_scores(-state.options.start).with_score(0, HARE)


def refuses_head_start(state: S) -> Refusal | None:
    if max(state.scores[1:]) < state.scores[HARE]:
        return None
    return Refusal("bad_option", "A hound must begin behind the hare; give it a smaller head start, or more fields.")


def following(state: S, side: int) -> int:
    """The number after the place of a side."""
    return RING[(state.scores[side] + 1) % len(RING)]


def steps(state: S, bed: Segment) -> int:
    if bed.number != following(state, state.at):
        return 0
    farther = bed.multiplier if state.options.jump else 1
    return min(farther, HOME - state.score) if state.at == HARE else farther


def dart(state: S, bed: Segment) -> S:
    after = state.brings(steps(state, bed))
    if after.scores[HARE] == HOME:
        return after.is_won(HARE)
    return after.is_won(*after.sides[1:]) if after.at != HARE and after.score >= after.scores[HARE] else after


GAME: Final[Kit[Options, None]] = Kit(
    name="hare_and_hounds",
    title="Hare and Hounds",
    about=About(
        "A",
        Text(
            "One runs round the board, the others hunt them.",
            "Einer läuft um das Board, die anderen jagen ihn.",
            "L’un fait le tour de la cible, les autres le chassent.",
        ),
        aim=Text(
            "The first player is the hare and must get round the board to the 20 again. The others are hounds and must "
            "catch the hare.",
            "Der erste Spieler ist der Hase und muss einmal um das Board bis wieder zur 20. Die anderen sind Hunde und "
            "müssen ihn fangen.",
            "Le premier joueur est le lièvre et doit faire le tour jusqu’au 20. Les autres sont les chiens et doivent "
            "l’attraper.",
        ),
        turn=Text(
            "A dart in the number after yours, clockwise, takes you one place on. The hare starts on the 20, the "
            "hounds behind it.",
            "Ein Dart in die nächste Zahl im Uhrzeigersinn bringt dich ein Feld weiter. Der Hase startet auf der 20, "
            "die Hunde dahinter.",
            "Une fléchette dans le numéro suivant, dans le sens horaire, vous avance d’une case. Le lièvre part du 20, "
            "les chiens de derrière.",
        ),
        end=Text(
            "The hare wins on the 20. If a hound reaches its place, all hounds win. At the limit the hare wins.",
            "Auf der 20 gewinnt der Hase. Erreicht ein Hund seinen Platz, gewinnen alle Hunde. An der Rundengrenze "
            "gewinnt der Hase.",
            "Le lièvre gagne au 20. Si un chien arrive à sa place, tous les chiens gagnent. À la limite de tours, le "
            "lièvre gagne.",
        ),
    ),
    seats=range(2, 9),
    rules=Options,
    start=start,
    dart=dart,
    head_start=HOME - 1,
    refuses_head_start=refuses_head_start,
    rank=lambda state, side: (int(side == HARE),),
    targets=lambda state: [following(state, state.at)],
    show=lambda state, viewer: Show(
        {"track": HOME},
        players=[{"next": following(state, side), "role": "hare" if side == HARE else "hound"} for side in state.sides],
    ),
    worth=steps,
    matters=lambda state: (state.at == HARE, state.score),
    statistics_of=kit.HITS,
)
