"""Works out the chance to win: `python -m daemon.session.chance_process NICE`, a question per line and an answer each.

The daemon starts it as a process of the lowest priority (`chance_work.py`). A question is a match with the hands of its
players, as JSON; the answer is `{"chance": {…}}`, or `{}` where there is none. Whatever comes before the answer is
written means that the question is void, because the match has moved on.
"""

import contextlib
import json
import os
import select
import sys
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from random import Random
from typing import Any, Final

from daemon.session.rollouts import Stuck, can_be_counted, count, counting
from daemon.system.catalogue import faces, games
from engine import codec
from engine.games.x01_state import State as X01State
from engine.match import Match
from engine.matchfile import header_from_json, open_match
from engine.refusals import Refusal

MOST: Final = 400
"""How many matches are played out for an answer: the chance is then right within 5 % nineteen times in twenty."""
FEWEST: Final = 30
"""Below it there is no answer."""
SECONDS: Final = 1.5
"""The processor time in which at most MOST are played."""
LONGEST_SECONDS: Final = 8.0
"""The processor time in which FEWEST must be played."""


def enough(began: float, clock: Callable[[], float] = time.process_time) -> Callable[[int], bool]:
    """Returns whether more matches are to be played, by the number of those played, from the processor time on."""

    def more(played: int) -> bool:
        seconds = clock() - began
        return played < MOST and seconds < (SECONDS if played >= FEWEST else LONGEST_SECONDS)

    return more


class Chances:
    """Answers questions. X01 is computed where numpy is installed; other matches are played out."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._x01: Any = None

    def answer(self, question: Mapping[str, Any], void: Callable[[], bool] = lambda: False) -> dict[str, Any]:
        """Returns the chances as `{"chance": …}`, and nothing if there are none or the question is `void` meanwhile."""
        match, hands = _opened(question), question["hands"]
        if match is None:
            return {}
        if isinstance(match.state, X01State) and find_spec("numpy") is not None:
            computed = self._computed(match.state, hands)
            if computed is not None:
                return {"chance": rounded(computed)}
        if not can_be_counted(match.game):
            return {}
        more, found = enough(time.process_time()), counting(match.view())
        count(match.game, match.state, hands, found, self._random, lambda played: more(played) and not void())
        return {"chance": rounded(found.chances())} if found.matches >= FEWEST else {}

    def _computed(self, state: X01State, hands: Mapping[str, float]) -> dict[str, float] | None:
        if self._x01 is None:
            # numpy takes memory, and is there only with `oche[twin]`.
            from twin.x01_match import X01Chances

            self._x01 = X01Chances()
        found: dict[str, float] | None = self._x01.of(state, hands)
        return found


def rounded(chances: Mapping[str, float]) -> dict[str, float]:
    """The chances as they are published: with three digits."""
    return {name: min(1.0, max(0.0, round(chance, 3))) for name, chance in chances.items()}


def _opened(question: Mapping[str, Any]) -> Match | None:
    """The match of a question, in a form that undo cannot cross."""
    header = header_from_json(question["header"])
    opened = header if isinstance(header, Refusal) else open_match(header, games(), faces())
    if isinstance(opened, Refusal):
        return None
    state = codec.from_json(opened.game.state_type, question["state"])
    return Match(opened.header, opened.game, state, opened.game.turn(state), opened.turns)


def main() -> None:
    """Answers until stdin ends."""
    chances = Chances(Random())
    waiting = b""
    while chunk := os.read(0, 1 << 16):
        waiting += chunk
        # An empty line came too late: its question was answered.
        *lines, waiting = waiting.split(b"\n")
        for line in lines:
            if line:
                _reply(chances, line)


def _reply(chances: Chances, line: bytes) -> None:
    try:
        found = chances.answer(json.loads(line), lambda: bool(select.select([0], [], [], 0)[0]))
    except (Stuck, ValueError, TypeError, KeyError) as error:
        print(f"oche: The chance to win cannot be worked out: {error}", file=sys.stderr)
        found = {}
    os.write(1, json.dumps(found).encode() + b"\n")


if __name__ == "__main__":
    with contextlib.suppress(OSError):  # A service may not be allowed to.
        os.nice(int(sys.argv[1]))
    main()
