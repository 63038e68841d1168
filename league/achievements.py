"""Achievements: what a player has reached for good, as a table of conditions over their figures.

A condition is a path into the figures of a player as `/players.json` has them: `x01.tons.180` is the key `180` in
`tons` in `x01`, `games.*` the number of keys of `games`. Only figures that never become worse are used: an average can
fall again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.texts import Text


@dataclass(frozen=True, slots=True)
class Achievement:
    """Reached when the figure is `least` or more or, if that is None, `most` or less."""

    key: str
    figure: str
    title: Text
    least: float | None = None
    most: float | None = None


def _matches(n: int) -> Text:
    return Text(f"{n} matches", f"{n} Spiele", f"{n} parties")


def _wins(n: int) -> Text:
    return Text(f"{n} wins", f"{n} Siege", f"{n} victoires")


def _maximums(n: int) -> Text:
    return Text(f"{n} times 180", f"{n}-mal 180", f"{n} fois 180")


def _games(n: int) -> Text:
    return Text(f"{n} different games", f"{n} verschiedene Spiele", f"{n} jeux différents")


def _darts(n: int) -> Text:
    return Text(f"A leg of 501 in {n} darts", f"Ein Leg 501 mit {n} Darts", f"Une manche de 501 en {n} fléchettes")


ACHIEVEMENTS: Final = (
    Achievement("first_match", "matches", Text("First match", "Erstes Spiel", "Première partie"), 1),
    *(Achievement(f"matches_{n}", "matches", _matches(n), n) for n in (10, 100, 1000)),
    Achievement("first_win", "won", Text("First win", "Erster Sieg", "Première victoire"), 1),
    *(Achievement(f"wins_{n}", "won", _wins(n), n) for n in (10, 100, 1000)),
    *(Achievement(f"games_{n}", "games.*", _games(n), n) for n in (5, 20)),
    Achievement("maximum", "x01.tons.180", Text("The first 180", "Die erste 180", "Le premier 180"), 1),
    *(Achievement(f"maximums_{n}", "x01.tons.180", _maximums(n), n) for n in (10, 100)),
    Achievement(
        "checkout_100",
        "x01.best_checkout",
        Text("A checkout of 100 or more", "Ein Checkout ab 100", "Un finish de 100 ou plus"),
        100,
    ),
    Achievement("big_fish", "x01.best_checkout", Text("Big fish: 170", "Big Fish: 170", "Big fish : 170"), 170),
    *(Achievement(f"leg_{n}", "x01.best_leg", _darts(n), most=n) for n in (21, 15)),
    Achievement("nine_darter", "x01.best_leg", Text("A nine-darter", "Ein Neundarter", "Un neuf fléchettes"), most=9),
    Achievement(
        "mpr_3",
        "cricket.best_mpr",
        Text("3 marks per round in a match", "3 Marks pro Runde in einem Spiel", "3 marques par tour dans une partie"),
        3,
    ),
    Achievement("hat_trick", "awards.hat_trick", Text("A hat trick", "Ein Hattrick", "Un coup du chapeau"), 1),
    Achievement(
        "three_in_the_black",
        "awards.three_in_the_black",
        Text("Three in the black", "Drei ins Schwarze", "Trois dans le noir"),
        1,
    ),
    Achievement("white_horse", "awards.white_horse", Text("A white horse", "Ein White Horse", "Un white horse"), 1),
    Achievement("bulls_100", "beds.DB", Text("100 bull’s-eyes", "100 Bull’s Eyes", "100 fois le centre"), 100),
)
"""Every achievement, in the order in which they are shown."""

BY_KEY: Final = {achievement.key: achievement for achievement in ACHIEVEMENTS}


def reached(figures: Mapping[str, Any]) -> list[str]:
    """The keys of the achievements that these figures of a player meet."""
    return [achievement.key for achievement in ACHIEVEMENTS if _is_met(achievement, figures)]


def _is_met(achievement: Achievement, figures: Mapping[str, Any]) -> bool:
    at: Any = figures
    for part in achievement.figure.split("."):
        at = (len(at) if part == "*" else at.get(part)) if isinstance(at, Mapping) else None
    if not isinstance(at, int | float):
        return False
    return at >= achievement.least if achievement.least is not None else at <= (achievement.most or 0)
