"""`oche fair GAME`: the handicap with which two players of given hands have the same chance to win."""

import argparse
import json
from collections.abc import Mapping
from random import Random

from daemon.cli.parsing import json_object
from daemon.cli.rules import unknown_game
from daemon.session.chance_process import Chances, as_json
from daemon.system.catalogue import games
from daemon.system.exit_codes import Exit, Failed
from daemon.system.skills import spread_of_text
from daemon.system.urls import UsageError
from engine.match import Header
from engine.matchfile import NEWEST
from engine.refusals import Refusal


def fair(arguments: argparse.Namespace) -> int:
    """Prints the handicap and the chances with it. Failed if the game has none."""
    hands: dict[str, float] = {}
    for text in arguments.hands:
        name, _, skill = text.partition("=")
        try:
            if not name:
                raise ValueError("the name is missing.")
            hands[name] = spread_of_text(skill)
        except ValueError as error:
            raise UsageError(f"{text!r} is not a player's hand, like Ann=12 or Bob=pub: {error}") from error
    if arguments.game not in games():
        raise unknown_game(arguments.game, games())
    header = Header(arguments.game, tuple(hands), json_object("--options", arguments.options or "{}"), NEWEST)
    bots = frozenset(arguments.bot)
    if unknown := sorted(bots - hands.keys()):
        raise UsageError(f"{', '.join(unknown)} does not play; --bot takes the name of a player.")
    answer = Chances(Random(arguments.seed)).fair_handicap(header, hands, bots)
    if isinstance(answer, Refusal):
        raise Failed(str(answer.message))
    if arguments.json:
        print(json.dumps(as_json(answer), ensure_ascii=False))
        return Exit.DONE
    given = _words(answer.handicap) or "none is needed"
    chances = ", ".join(f"{name} {chance:.1%}" for name, chance in answer.chance.items())
    about = "computed" if answer.error == 0.0 else f"± {answer.error:.1%}"
    points = f"points    {_words(answer.points)}\n" if answer.points else ""
    print(f"handicap  {given}\n{points}chance    {chances} ({about})")
    if answer.is_even:
        return Exit.DONE
    if answer.is_vague:
        print("More matches would say better how even this is; they take too long on this machine.")
    else:
        print(f"{arguments.game} allows nothing that is nearer to even.")
    return Exit.DONE


def _words(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in numbers.items())
