"""Every game in every format that it allows: the matches that the conformance suite plays, and what it checks of them.

`scripts/formats` plays all pairs of a game and a format; `test_formats_conformance.py` draws some of them.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.conformance import check_match
from engine.faces import Face
from engine.formats.plan import own_options
from engine.formats.series import Series
from engine.game import Game
from engine.games import GAMES
from engine.match import Header, Match
from engine.matchfile import NEWEST, Games, open_match
from engine.options import Number, PerPlayer
from engine.play import apply
from engine.random_play import random_action, some_darts
from engine.refusals import Refusal
from tests.games.setups import FACES

NAMES: Final = ("Ann", "Bob", "Cid", "Dee")
FORMATS: Final = ("best_of", "bull_off", "medley", "handicap", "freeze")
STARTS: Final = ("alternate", "loser", "winner", "bull")
NICE: Final = 19

SHORT: Final[Mapping[str, dict[str, Any]]] = {
    "x01": {"start": 101},
    "cerberus": {"cerberus_points": 9},
    "dart_wars": {"order": "listed"},
}
"""Options that make a match of a game short; of the others `rounds` is small."""
ROUNDS: Final = 3


@dataclass(frozen=True, slots=True)
class Setup:
    """A match in a format: its header, and the games that it needs."""

    header: Header
    games: Games


def short(game: Game[Any]) -> dict[str, Any]:
    """Options with which a match of a game is over soon."""
    rounds = next((option for option in game.options if option.name == "rounds"), None)
    few = {} if rounds is None or not isinstance(rounds.kind, Number) else {"rounds": max(ROUNDS, rounds.kind.low)}
    return few | SHORT.get(game.name, {})


def allowed(game: Game[Any]) -> tuple[str, ...]:
    """The formats that a game can be played in."""
    options, more = {option.name for option in game.options}, {option.name for option in own_options(game)}
    has = {
        "best_of": "best_of" in more,
        "bull_off": "order" in more,
        "medley": True,
        "handicap": "handicap" in options,
        "freeze": "freeze" in options,
    }
    return tuple(name for name in FORMATS if has[name])


def setup(game: Game[Any], form: str, choose: Random) -> Setup:
    """A short match of a game in a format, with options drawn at random."""
    options = short(game)
    players = NAMES[: choose.randint(game.seats.start, min(len(NAMES), game.seats.stop - 1))]
    if sides := getattr(game, "sides", 0):
        # Sides start legs in turn, so that they are of one size.
        players = NAMES[: sides if form == "medley" else choose.choice((sides, 2 * sides))]
    games = {**GAMES, game.name: game}
    best = {
        "legs": choose.choice((1, 2)),
        "start": choose.choice(STARTS),
        "mode": choose.choice(("first_to", "best_of")),
    }
    match form:
        case "best_of":
            options["best_of"] = choose.choice((2, 3, best, best | {"clear": 2}, {"sets": 2, "start": best["start"]}))
        case "bull_off":
            decides, again = choose.choice(("first", "all")), choose.choice(("listed", "reversed"))
            options |= {"order": "bull", "compare": choose.choice(("auto", "rings", "halls"))}
            options |= {name: value for name, value in (("decides", decides), ("again", again)) if _is_free(game, name)}
        case "handicap":
            kind = next(option.kind for option in game.options if option.name == "handicap")
            assert isinstance(kind, PerPlayer)
            options["handicap"] = {players[0]: choose.randint(kind.low, min(kind.high, kind.low + 12))}
            if "best_of" in allowed(game):
                options["best_of"] = 2
        case "freeze":
            players = NAMES
            options |= {"freeze": True, "frozen": choose.choice(("bust", "loses")), "best_of": choose.choice((1, 2))}
        case _:
            other = choose.choice([each for each in GAMES if _fits(GAMES[each], len(players))])
            legs: list[Any] = [
                _leg(game),
                choose.choice(("choice", _leg(GAMES[other]))),
                choose.choice(("choice", _leg(game))),
            ]
            offers = [_leg(game)] if choose.random() < 0.5 or other == game.name else [_leg(game), _leg(GAMES[other])]
            options = {"legs": legs, "games": offers, "chooser": choose.choice(("cork", "loser", "winner"))}
            options |= {"order": choose.choice(("listed", "bull")), "play": choose.choice(("decided", "all"))}
            return Setup(Header("medley", players, options, NEWEST), games)
    return Setup(Header(game.name, players, options, NEWEST), games)


def _fits(game: Game[Any], players: int) -> bool:
    """Whether a game can be a leg of a medley in which everyone plays alone."""
    return players in game.seats and getattr(game, "sides", players) in (0, players) and game.name != "dart_wars"


def _leg(game: Game[Any]) -> dict[str, Any]:
    return {"game": game.name, "options": short(game)}


def _is_free(game: Game[Any], option: str) -> bool:
    return any(each.name == option for each in own_options(game))


def faults(made: Setup, choose: Random) -> Iterator[str]:
    """Plays the match of a setup and yields a message for each requirement that is not met."""
    match = open_match(made.header, made.games, FACES)
    if isinstance(match, Refusal):
        yield f"it cannot begin: {match}"
        return
    face = face_of(match)
    yield from check_match(match, face, choose)
    if isinstance(match.game, Series):
        yield from _check_results(match, face, choose)


def face_of(match: Match) -> Face | None:
    """The face of a game of the match."""
    legs = match.game.plan.legs if isinstance(match.game, Series) else ()
    return next((leg.face for leg in legs if leg.face is not None), None)


def _check_results(match: Match, face: Face | None, choose: Random) -> Iterator[str]:
    """Whoever wins a leg is named by a result, before the leg is over or right after; at the end the match is."""
    darts, before = some_darts(face), match.view()
    while not match.finished:
        outcome = apply(match, random_action(match, darts, choose, aimed=0.9))
        assert isinstance(outcome, Match)
        match, after = outcome, outcome.view()
        if after["leg"] != before["leg"]:
            found = before.get("result") or after.get("result")
            won = [event.data["player"] for event in match.events if event.kind == "leg"]
            if found is None or (found["of"] == "leg" and not set(won) <= set(found["winners"])):
                yield f"{won} won leg {before['leg']}, and the result is {found}"
            elif any(side["legs"] == 0 for side in found["players"] if side["name"] in won):
                yield f"{won} won leg {before['leg']}, and have none in {found}"
        before = after
    found = before.get("result")
    if found is None or found["of"] != "match" or found["winners"] != before["winners"]:
        yield f"{before['winners']} have won the match, and the result is {found}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/formats", description=__doc__)
    parser.add_argument("games", nargs="*", help="the games to play; by default all")
    parser.add_argument("--seeds", type=int, default=2, help="matches of each pair")
    arguments = parser.parse_args()
    os.nice(max(0, NICE - os.nice(0)))
    played, found = 0, 0
    for name in arguments.games or GAMES:
        game, began = GAMES[name], time.process_time()
        for form in allowed(game):
            for seed in range(arguments.seeds):
                made = setup(game, form, Random(seed))
                played += 1
                for fault in faults(made, Random(seed)):
                    found += 1
                    print(
                        f"{name}, {form}, seed {seed}, {made.header.players}, {made.header.options}: {fault}",
                        flush=True,
                    )
        print(f"{name}: {', '.join(allowed(game))}; {time.process_time() - began:.1f} s", flush=True)
    print(f"{played} matches, {found} faults")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
