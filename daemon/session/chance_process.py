"""Works out the chance to win: `python -m daemon.session.chance_process NICE`, a question per line and an answer each.

The daemon starts it as a process of the lowest priority (`chance_work.py`). A question is a match with the hands of its
players, and which of them are `bots`, as JSON; the answer is `{"chance": {…}}`, or `{}` where there is none. Whatever
comes before the answer is written means that the question is void, because the match has moved on. A question with
`"fair": true` is about a match that has not begun; the answer is a handicap, `{"fair": {…}}`, or why there is none,
`{"refused": {…}}`.
"""

import contextlib
import json
import os
import select
import sys
import time
from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from random import Random
from typing import Any, Final

from daemon.session.cricket_chance import Asked, cricket_chance
from daemon.session.fair_handicap import POINTS, FairHandicap, FairSearch
from daemon.session.rollouts import Computed, can_be_counted, count, counting
from daemon.session.yatzy_chance import YatzyChance
from daemon.system.catalogue import faces, games
from daemon.system.numpy_package import has_numpy
from engine import codec
from engine.games.x01_state import State as X01State
from engine.match import Header, Match
from engine.matchfile import NEWEST, header_from_json, open_match
from engine.refusals import Refusal

MOST: Final = 400
"""How many matches are played out for an answer: the chance is then right within 5 % nineteen times in twenty."""
FEWEST: Final = 30
"""Below it there is no answer."""
SECONDS: Final = 1.5
"""The processor time in which at most MOST are played."""
LONGEST_SECONDS: Final = 8.0
"""The processor time in which FEWEST must be played."""
MOST_AT_ONCE: Final = 4_000
"""The same for Cricket where numpy is installed: right within 1.6 % nineteen times in twenty."""
MOST_FAIR_AT_ONCE: Final = 20_000
"""How many matches of Cricket are played at once for one handicap that may be fair."""
MOST_FAIR_WITH_BOTS: Final = 10_000
"""The same with a bot, whose choice takes five times as long as the game's advice."""
BATCH_AT_ONCE: Final = 2_000
"""How many are played at least."""
MOST_FAIR: Final = 2_500
"""How many matches tell of one handicap that may be fair: its chance has a standard error of 1 %."""
FAIR_SECONDS: Final = 120.0
"""The processor time after which the best handicap found so far is the answer, if its chance is known."""
PLAYING_PART: Final = 0.98
"""In which part of it sheets of Yatzy-Dart are filled."""


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
        if (computed := self.computed(match, hands, _bots(question), MOST_AT_ONCE)) is not None:
            return {"chance": rounded(computed.chance)}
        if not can_be_counted(match.game):
            return {}
        more, found = enough(time.process_time()), counting(match.view())
        count(match.game, match.state, hands, found, self._random, lambda played: more(played) and not void())
        return {"chance": rounded(found.chances())} if found.matches >= FEWEST else {}

    def fair(self, question: Mapping[str, Any], void: Callable[[], bool] = lambda: False) -> dict[str, Any]:
        """Returns the handicap that makes a match fair as `{"fair": …}`, or `{"refused": …}`."""
        header = header_from_json(question["header"])
        if not isinstance(header, Refusal) and "rules" not in question["header"]:
            header = replace(header, rules=NEWEST)
        if not isinstance(header, Refusal):
            found = self.fair_handicap(header, question["hands"], _bots(question), void)
        else:
            found = header
        if isinstance(found, Refusal):
            return {"refused": {"reason": found.reason, "message": found.message}}
        return {"fair": as_json(found)}

    def fair_handicap(
        self,
        header: Header,
        hands: Mapping[str, float],
        bots: Set[str] = frozenset(),
        void: Callable[[], bool] = lambda: False,
    ) -> FairHandicap | Refusal:
        """Returns the handicap that makes a match fair, or why there is none. `bots` are those of the players."""
        began = time.process_time()

        def is_over(part: float = 1.0) -> bool:
            return void() or time.process_time() > began + part * FAIR_SECONDS

        # When the sheets are filled, the search still has to compare them.
        yatzy = YatzyChance(self._random, MOST_FAIR, lambda part: is_over(part * PLAYING_PART))
        most = MOST_FAIR_WITH_BOTS if bots else MOST_FAIR_AT_ONCE
        return FairSearch(
            games(),
            faces(),
            header,
            hands,
            random=self._random,
            most=MOST_FAIR,
            computed=lambda match, hands: (
                yatzy.of(match, hands) or self.computed(match, hands, bots, most, BATCH_AT_ONCE)
            ),
            stop=is_over,
        ).find()

    def computed(
        self, match: Match, hands: Mapping[str, float], bots: Set[str], most: int, fewest: int | None = None
    ) -> Computed | None:
        """Returns the chances in X01 and in Cricket, where numpy is installed; None if the match must be played out.

        In Cricket `bots` aim as they have learned; the chances come from `most` matches, and if `fewest` is given, from
        as few as show that they differ.
        """
        # numpy takes memory, and is not always there.
        if not has_numpy():
            return None
        state = match.state
        if not isinstance(state, X01State):
            return cricket_chance(match, Asked(hands, bots, most, most if fewest is None else fewest))
        if self._x01 is None:
            from twin.x01_match import X01Chances

            self._x01 = X01Chances()
        found: dict[str, float] | None = self._x01.of(state, hands)
        return None if found is None else Computed(found)


def _bots(question: Mapping[str, Any]) -> Set[str]:
    return frozenset(question.get("bots", ()))


def as_json(fair: FairHandicap) -> dict[str, Any]:
    """A handicap as JSON: by player, with the chances and their standard error."""
    return {
        "handicap": fair.handicap,
        **({POINTS: fair.points} if fair.points else {}),
        "chance": rounded(fair.chance),
        "error": round(fair.error, 4),
        "even": fair.is_even,
        **({"vague": True} if fair.is_vague else {}),
    }


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
        for at, line in enumerate(lines):
            if line and (at + 1 < len(lines) or waiting):
                os.write(1, b"{}\n")  # Void already: what followed came before this was read.
            elif line:
                _reply(chances, line)


def _reply(chances: Chances, line: bytes) -> None:
    try:
        question = json.loads(line)
        answer = chances.fair if "fair" in question else chances.answer
        found = answer(question, lambda: bool(select.select([0], [], [], 0)[0]))
    except Exception as error:
        # A game of another package can raise anything, and must not end the chance on other boards.
        print(f"oche: The chance to win cannot be worked out: {error!r}", file=sys.stderr)
        found = {}
    os.write(1, json.dumps(found).encode() + b"\n")


if __name__ == "__main__":
    with contextlib.suppress(OSError):  # A service may not be allowed to.
        os.nice(int(sys.argv[1]))
    main()
