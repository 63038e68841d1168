"""A1 Drill: twenty to thirteen and the bull, one visit at a time, until each has its hits."""

from dataclasses import dataclass, replace
from typing import Final

from engine import kit
from engine.games.practice import _records
from engine.games.seats import with_seat
from engine.kit import About, Goal, Kit, Segment, Show, State, Text


@dataclass(frozen=True, slots=True)
class Options:
    hits: int = kit.number(5, 1, 20, Text("Hits for each target", "Treffer je Ziel", "Touches par cible"))
    count: str = kit.one_of(
        Text("A double or triple counts", "Ein Double oder Triple zählt", "Un double ou triple compte"),
        {"hits": Text("once", "einfach", "une fois"), "marks": Text("2 or 3", "2 oder 3", "2 ou 3")},
    )
    rounds: int = kit.most_rounds(60, 300)


@dataclass(frozen=True, slots=True)
class Own:
    hits: tuple[tuple[int, ...], ...] = ()
    """The hits of each side on each target."""
    at: tuple[int, ...] = ()
    """The target of the last turn of each side, or of the one that goes on; -1: none yet."""
    turns: tuple[int, ...] = ()


S = State[Options, Own]
GOALS: Final[tuple[Goal, ...]] = (20, 19, 18, 17, 16, 15, 14, 13, "bull")


def start(state: S) -> S:
    sides = len(state.sides)
    return state.keep(Own(((0,) * len(GOALS),) * sides, (-1,) * sides, (0,) * sides))


def following(state: S, side: int) -> int:
    """The next open target after that of the last turn."""
    hits, last = state.own.hits[side], state.own.at[side]
    ahead = ((last + step) % len(GOALS) for step in range(1, len(GOALS) + 1))
    return next(at for at in ahead if hits[at] < state.options.hits)


def begin(state: S) -> S:
    return state.keep(replace(state.own, at=with_seat(state.own.at, state.at, following(state, state.at))))


def missing(state: S) -> int:
    """How many hits the target of this turn still needs."""
    return state.options.hits - state.own.hits[state.at][state.own.at[state.at]]


def value(state: S, bed: Segment) -> int:
    """What a bed counts on the target of this turn, up to the hits it still needs."""
    at = state.own.at[state.at]
    if not kit.hits(bed, GOALS[at]):
        return 0
    return min(missing(state), 1 if state.options.count == "hits" else kit.marks(bed))


def dart(state: S, bed: Segment) -> S:
    counted = value(state, bed)
    if not counted:
        return state
    hits, at = state.own.hits[state.at], state.own.at[state.at]
    hits = with_seat(hits, at, hits[at] + counted)
    after = state.keep(replace(state.own, hits=with_seat(state.own.hits, state.at, hits))).brings(counted)
    if min(hits) == state.options.hits:
        return after.gets_there()
    return after.ends() if hits[at] == state.options.hits else after


def close(state: S) -> S:
    turns = state.own.turns
    return state.keep(replace(state.own, turns=with_seat(turns, state.at, turns[state.at] + 1)))


def show(state: S, viewer: str | None) -> Show:
    own, needed = state.own, state.options.hits
    opened = [[goal for goal, hits in zip(GOALS, each, strict=True) if hits < needed] for each in own.hits]
    players = [{"open": goals, "turns": turns} for goals, turns in zip(opened, own.turns, strict=True)]
    at = own.at[state.at]
    return Show(turn={"target": GOALS[at], "need": needed - own.hits[state.at][at]}, players=players)


GAME: Final[Kit[Options, Own]] = Kit(
    name="a1_drill",
    title="A1 Drill",
    about=About(
        "A",
        Text(
            "Five hits on nine targets, one visit each.",
            "Fünf Treffer auf neun Ziele, je eine Aufnahme.",
            "Cinq touches sur neuf cibles, une volée chacune.",
        ),
        aim=Text(
            "Hit 20 to 13 and the bull five times each in as few turns as you can.",
            "Triff 20 bis 13 und das Bull je fünfmal, in möglichst wenigen Aufnahmen.",
            "Touchez 20 à 13 et le bull cinq fois chacun, en aussi peu de volées que possible.",
        ),
        turn=Text(
            "Three darts at one target, in the next turn at the next open one. Every bed of it counts 1. The fifth hit "
            "closes it and ends the turn.",
            "Drei Darts auf ein Ziel, in der nächsten Aufnahme auf das nächste offene. Jedes Feld davon zählt 1. Der "
            "fünfte Treffer schließt es und beendet die Aufnahme.",
            "Trois fléchettes sur une cible, à la volée suivante sur la prochaine ouverte. Chaque zone compte 1. La "
            "cinquième touche la ferme et finit la volée.",
        ),
        end=Text(
            "The round in which somebody closes the last target is played to its end; those who are done win. At the "
            "limit the most hits win.",
            "Die Runde, in der jemand das letzte Ziel schließt, wird zu Ende gespielt; wer fertig ist, gewinnt. An der "
            "Rundengrenze gewinnen die meisten Treffer.",
            "Le tour où quelqu’un ferme la dernière cible est joué jusqu’au bout ; qui a fini gagne. À la limite de "
            "tours, le plus de touches gagne.",
        ),
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    start=start,
    begin=begin,
    dart=dart,
    close=close,
    finish="round",
    targets=lambda state: [GOALS[state.own.at[state.at]]],
    show=show,
    worth=value,
    matters=lambda state: (state.own.at[state.at], missing(state)),
    statistics_of=_records.hit_records(
        min,
        lambda state, side: state.own.turns[side] if min(state.own.hits[side]) == state.options.hits else None,
        "turns",
    ),
)
