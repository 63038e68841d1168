"""121: finish it in nine darts, and climb when you do."""

from dataclasses import dataclass, replace
from typing import Final

from engine import kit
from engine.games.practice import _checkout, _records
from engine.games.seats import with_seat
from engine.kit import About, Kit, Refusal, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    start: int = kit.number(121, 41, 301, Text("First target", "Erstes Ziel", "Première cible"))
    top: int = kit.number(170, 41, 301, Text("Last target", "Letztes Ziel", "Dernière cible"))
    turns: int = _checkout.turns()
    fail: str = kit.one_of(
        Text("After a failure", "Nach einem Fehlversuch", "Après un échec"),
        {
            "down": Text("one down", "eins tiefer", "un de moins"),
            "stay": Text("the same again", "noch einmal dasselbe", "la même cible"),
            "reset": Text("back to the start", "zurück an den Anfang", "retour au départ"),
        },
    )
    attempts: int = kit.number(10, 1, 100, Text("Attempts", "Versuche", "Essais"))


@dataclass(frozen=True, slots=True)
class Own(_checkout.Left):
    turns: tuple[int, ...] = ()
    """The turns of each side in its attempt."""
    attempts: tuple[int, ...] = ()
    """The attempts that each side has ended."""


S = State[Options, Own]


def refuses(options: Options, _players: tuple[str, ...]) -> Refusal | None:
    if options.top < options.start:
        return Refusal("bad_option", f"The last target is {options.top}; it must be at least {options.start}.")
    return None


def start(state: S) -> S:
    sides, target = len(state.sides), state.options.start
    own = Own((target,) * sides, turns=(0,) * sides, attempts=(0,) * sides)
    return state.with_scores(target).keep(own)


def rests(state: S, side: int) -> bool:
    """Whether a side has had all its attempts, or done the last target."""
    return state.own.attempts[side] == state.options.attempts or state.scores[side] > state.options.top


def failed(state: S) -> int:
    """The target after a failure."""
    match state.options.fail:
        case "down":
            return max(state.options.start, state.score - 1)
        case "stay":
            return state.score
        case _:
            return state.options.start


def close(state: S) -> S:
    own, at, done = state.own, state.at, _checkout.done(state)
    turns = own.turns[at] + 1
    if not done and turns < state.options.turns:
        return state.keep(replace(own, turns=with_seat(own.turns, at, turns)))
    attempts = with_seat(own.attempts, at, own.attempts[at] + 1)
    after = state.keep(replace(own, turns=with_seat(own.turns, at, 0), attempts=attempts))
    after = after if done else after.with_score(failed(state))
    return after if rests(after, at) else _checkout.leaves(after, after.score)


def show(state: S, viewer: str | None) -> Show:
    own, top = state.own, state.options.top
    turn = {"attempt": min(state.options.attempts, own.attempts[state.at] + 1)} | _checkout.shown(state)
    completed = [{"completed": score > top} if state.finished else {} for score in state.scores]
    attempts = [{"attempts": attempts} for attempts in own.attempts]
    entries = zip(_checkout.lefts(state), attempts, completed, strict=True)
    return Show({"attempts": state.options.attempts}, turn, [left | tried | done for left, tried, done in entries])


GAME: Final[Kit[Options, Own]] = Kit(
    name="checkout_121",
    title="121",
    about=About(
        "A",
        Text(
            "Finish 121 in nine darts, then 122, and so on.",
            "Checke 121 mit neun Darts aus, dann 122, und so weiter.",
            "Finissez 121 en neuf fléchettes, puis 122, et ainsi de suite.",
        ),
        aim=Text(
            "Climb as high as you can in ten attempts.",
            "Klettere in zehn Versuchen so hoch wie möglich.",
            "Grimpez le plus haut possible en dix essais.",
        ),
        turn=Text(
            "You have three turns to bring your target to exactly 0 with a double. If you do, it rises by one; if "
            "not, it falls by one, but never below 121. After a bust the turn does not count.",
            "Du hast drei Aufnahmen, um dein Ziel mit einem Double genau auf 0 zu bringen. Schaffst du es, steigt "
            "es um eins; sonst sinkt es um eins, nie unter 121. Eine überworfene Aufnahme zählt nicht.",
            "Vous avez trois volées pour ramener votre cible à 0 exactement, par un double. Réussi, elle monte d’un ; "
            "sinon elle descend d’un, jamais sous 121. Une volée qui dépasse ne compte pas.",
        ),
        end=Text(
            "After ten attempts the highest target wins, then the fewest attempts. A player who finishes 170 is "
            "through at once.",
            "Nach zehn Versuchen gewinnt das höchste Ziel, dann die wenigsten Versuche. Wer 170 auscheckt, ist sofort "
            "fertig.",
            "Après dix essais, la plus haute cible gagne, puis le moins d’essais. Qui finit 170 a aussitôt terminé.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    refuses=refuses,
    start=start,
    dart=_checkout.finished_scores,
    close=close,
    rests=rests,
    rounds=_checkout.rounds,
    rank=lambda state, side: (state.scores[side], -state.own.attempts[side]),
    left=_checkout.left,
    targets=_checkout.targets,
    show=show,
    aims=_checkout.aims,
    statistics_of=_records.CHECKOUTS,
)
