"""What a game says that its worths depend on is all of it: states that are equal in it have equal worths and advice."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any, Final

import pytest

from daemon.session.rollouts import next_action
from engine.actions import Throw
from engine.aiming import BEDS
from engine.games import GAMES
from engine.kit import Kit, advice, advised_aim
from engine.kit.usual import none
from engine.match import Match
from engine.options import Flag, Number, OneOf, Option, PerPlayer
from engine.random_play import start
from engine.refusals import Refusal
from engine.segments import Segment

NAMES: Final = ("Ann", "Bob", "Cid", "Dee")
GAMES_THAT_SAY: Final = {
    name: game for name, game in GAMES.items() if isinstance(game, Kit) and game.matters is not none
}
SETS_OF_OPTIONS: Final = 6
MATCHES: Final = 4
"""How many matches are played with each set of options, by different numbers of players."""
LONGEST: Final = 200
SKILLS_MM: Final = (6.0, 30.0)


def value(option: Option, choose: Random) -> Any:
    """A value of an option; a number is near the low end or the default, so that limits are met."""
    match option.kind:
        case Number(low, high):
            return choose.choice((option.default, choose.randint(low, min(high, low + 4))))
        case OneOf(words):
            return choose.choice(words)
        case Flag():
            return choose.choice((False, True))
        case PerPlayer(low, high, True):
            return {name: choose.randint(low, high) for name in NAMES[:2] if choose.random() < 0.5}
        case _:
            return option.default


def opened(game: Kit[Any, Any], options: dict[str, Any], choose: Random) -> Match:
    """A match of random players. Options that they cannot play with are left out."""
    players = NAMES[: choose.randint(game.seats.start, min(len(NAMES), game.seats.stop - 1))]
    for without in ((), ("handicap",), ("handicap", "teams"), tuple(options)):
        match = start(game, players, {name: value for name, value in options.items() if name not in without})
        if not isinstance(match, Refusal):
            return match
    match = start(game, NAMES[: game.sides or 1], {})
    assert isinstance(match, Match), match
    return match


def played(match: Match, chance: Random | int) -> Iterator[Any]:
    """The states of a match in which a dart is awaited. Many darts are advised, the rest are random.

    With a number for `chance` all who throw the same dart of a round throw alike.
    """
    game, state = match.game, match.state
    hands = dict.fromkeys(NAMES, 5.0)
    for _ in range(LONGEST):
        if state.finished:
            return
        choose = Random(f"{chance} {state.round} {len(state.darts)}") if isinstance(chance, int) else chance
        action = None
        if game.turn(state).awaits == "throw":
            yield state
            action = Throw(choose.choice(BEDS)) if choose.random() < 0.4 else None
        step = game.apply(state, action or next_action(game, state, hands, choose))
        assert not isinstance(step, Refusal), step
        state = step.state


def states(name: str) -> Iterator[Any]:
    """States of random matches of a game. In some of them all throw alike, so that they are equal and play on."""
    game = GAMES_THAT_SAY[name]
    for seed in range(SETS_OF_OPTIONS):
        choose = Random(f"{name} {seed}")
        options = {option.name: value(option, choose) for option in game.options} if seed else {}
        for number in range(MATCHES):
            yield from played(opened(game, options, choose), number if number % 2 else choose)


@pytest.mark.parametrize("name", GAMES_THAT_SAY)
def test_equal_in_what_matters_are_equal_in_worth(name: str) -> None:
    game, found = GAMES_THAT_SAY[name], dict[Any, tuple[float, ...]]()
    for state in states(name):
        worths = tuple(game.worth(state, bed) for bed in BEDS)
        matters = game.matters(state)
        assert matters is not None
        assert found.setdefault((state.options, matters), worths) == worths, matters
        skill_mm = SKILLS_MM[len(found) % len(SKILLS_MM)]
        assert game.best_aim(state, skill_mm) == advised_aim(skill_mm, partial(game.worth, state))


def is_number(number: int, bed: Segment) -> bool:
    return bed.number == number


def test_only_so_many_aims_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "_aims", {})
    monkeypatch.setattr(advice, "_KEPT", 3)
    for number in (*range(1, 8), *range(1, 8)):
        assert advised_aim(20.0, partial(is_number, number), (is_number, number)).value > 0.3
        assert len(advice._aims) <= 3
