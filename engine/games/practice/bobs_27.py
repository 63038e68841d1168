"""Bob's 27: every double of the board gives or takes its points."""

from dataclasses import dataclass
from typing import Final

from engine import kit
from engine.games.practice import _doubles, _records, _survival
from engine.kit import About, Kit, Segment, Show, State, Text
from engine.segments import SEGMENTS


@dataclass(frozen=True, slots=True)
class Options:
    bull: bool = _doubles.bull()
    sudden: bool = kit.flag(True, Text("Out at 0 or less", "Bei 0 oder weniger raus", "Éliminé à 0 ou moins"))


S = State[Options, None]
START: Final = 27


def goals(state: S) -> tuple[str, ...]:
    return _doubles.doubles(1, state.options.bull, clockwise=False)


def goal(state: S) -> str:
    return goals(state)[state.round - 1]


def dart(state: S, bed: Segment) -> S:
    return state.brings(bed.points) if bed.text == goal(state) else state


def close(state: S) -> S:
    if state.scored:
        return state
    after = state.gains(-SEGMENTS[goal(state)].points)
    return after.goes_out() if state.options.sudden and after.score <= 0 else after


def show(state: S, viewer: str | None) -> Show:
    return Show(turn={"target": goal(state)}, players=_survival.completed(state))


GAME: Final[Kit[Options, None]] = Kit(
    name="bobs_27",
    title="Bob’s 27",
    about=About(
        "A",
        Text(
            "Start with 27 points and survive every double.",
            "Starte mit 27 Punkten und überlebe alle Doubles.",
            "Partez avec 27 points et survivez à tous les doubles.",
        ),
        aim=Text(
            "Get through all doubles with as many points as you can.",
            "Komm mit möglichst vielen Punkten durch alle Doubles.",
            "Passez tous les doubles avec le plus de points possible.",
        ),
        turn=Text(
            "Three darts at one double: D1 in the first round, D2 in the second, the inner bull last. Each hit "
            "adds its points. A turn without a hit takes them off once.",
            "Drei Darts auf ein Double: in der ersten Runde die D1, in der zweiten die D2, zuletzt das Bullseye. Jeder "
            "Treffer zählt seine Punkte dazu. Eine Aufnahme ohne Treffer kostet sie einmal.",
            "Trois fléchettes sur un double : D1 au premier tour, D2 au deuxième, le bull en dernier. Chaque touche "
            "ajoute ses points. Une volée sans touche les retire une fois.",
        ),
        end=Text(
            "At 0 or less you are out. A player who gets through beats one who is out; then the later round counts, "
            "then the points.",
            "Bei 0 oder weniger bist du raus. Wer durchkommt, schlägt, wer raus ist; dann zählt die spätere Runde, "
            "dann die Punkte.",
            "À 0 ou moins, vous êtes éliminé. Finir bat être éliminé ; ensuite compte le tour le plus tardif, puis les "
            "points.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    start=lambda state: state.with_scores(START),
    dart=dart,
    close=close,
    rounds=lambda state: len(goals(state)),
    rank=_survival.rank,
    last_one_in=False,
    targets=lambda state: [goal(state)],
    show=show,
    worth=lambda state, bed: bed.text == goal(state),
    matters=goal,
    statistics_of=_records.HITS,
)
