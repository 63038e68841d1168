"""Boss Fight: all together against the boss."""

from dataclasses import dataclass, replace
from typing import Final

from engine import kit
from engine.game import AnyRoll
from engine.kit import About, Kit, Segment, Show, State, Text

DIE: Final = AnyRoll(1, 20)


@dataclass(frozen=True, slots=True)
class Options:
    strength: int = kit.number(250, 50, 2000, Text("Strength per player", "Stärke je Spieler", "Force par joueur"))
    rounds: int = kit.rounds(8)


@dataclass(frozen=True, slots=True)
class Own:
    left: int = 0
    """The strength that the boss has left."""
    weak: int = 0
    """The number in which darts count twice."""
    round: int = 0
    """The round for which it was rolled."""


S = State[Options, Own]


def damage(state: S, bed: Segment) -> int:
    own = state.own
    return min(own.left, bed.points * (2 if bed.number == own.weak else 1))


def dart(state: S, bed: Segment) -> S:
    dealt = damage(state, bed)
    after = state.brings(dealt).keep(replace(state.own, left=state.own.left - dealt))
    return after if after.own.left else after.is_won(*after.sides)


GAME: Final[Kit[Options, Own]] = Kit(
    name="boss_fight",
    title="Boss Fight",
    about=About(
        "A",
        Text("All together against the boss.", "Alle zusammen gegen den Boss.", "Tous ensemble contre le boss."),
        aim=Text(
            "Bring the boss down to 0 together. He starts with 250 for each player.",
            "Bringt den Boss zusammen auf 0. Er beginnt mit 250 für jeden Spieler.",
            "Faites tomber le boss à 0 ensemble. Il commence avec 250 par joueur.",
        ),
        turn=Text(
            "Every dart takes its points from the boss. In each round a die names his weak number: there they count "
            "twice.",
            "Jeder Dart zieht dem Boss seine Punkte ab. In jeder Runde nennt ein Würfel seine schwache Zahl: dort "
            "zählen sie doppelt.",
            "Chaque fléchette retire ses points au boss. À chaque tour, un dé donne son point faible : les points y "
            "comptent double.",
        ),
        end=Text(
            "At 0 all players win. If he has anything left after the last round, the boss wins.",
            "Bei 0 gewinnen alle Spieler. Hat er nach der letzten Runde noch etwas übrig, gewinnt der Boss.",
            "À 0, tous les joueurs gagnent. S’il lui reste quelque chose après le dernier tour, le boss gagne.",
        ),
    ),
    seats=range(1, 17),
    house="Boss",
    rules=Options,
    own=Own,
    start=lambda state: state.keep(Own(state.options.strength * len(state.players))),
    chance=lambda state: None if state.own.round == state.round else DIE,
    drawn=lambda state, dice: state.keep(replace(state.own, weak=dice[0], round=state.round)),
    dart=dart,
    end_round=lambda state: state.is_won(kit.HOUSE) if state.round == state.options.rounds else state,
    targets=lambda state: [state.own.weak],
    show=lambda state, viewer: Show(
        {"weak": state.own.weak} if state.own.round == state.round else {}, house={"score": state.own.left}
    ),
    worth=damage,
    matters=lambda state: (min(120, state.own.left), state.own.weak),
)
