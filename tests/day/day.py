"""A whole day of tournament in simulated time, through SIGKILLs: what the test and `scripts/tournament-day` play.

Two ways to simulate a day were sketched.

- **Processes with a simulated clock** (kept): each life is a process of its own with the real boards, bots, sessions,
  journal and director, on an event loop that jumps to its next timer. It kills itself with SIGKILL at a step that the
  seed chooses: between two statements of a transaction, in the middle of a line, in a pause. What has come to the files
  is what the next life finds. The same seed gives the same day.
- **The daemon as it is, with boards that throw without pauses** (lost here; `tests/daemon/tournament_evening.py` has
  it): nothing is replaced, but nothing takes the time that it takes on an evening either. Pauses, late players, matches
  that are void for a minute and the forecast never come into play, and no seed repeats what went wrong.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Final

from daemon.record.reader import History
from daemon.tournament import tournament_file
from league.state import Tournament
from tests.daemon.tournament_evening import played
from tests.day.clock import LastTime
from tests.day.life import Plan
from tests.day.node import STALLED

ROOT: Final = Path(__file__).parent.parent.parent
MORNING: Final = datetime(2026, 10, 3, 10, tzinfo=UTC).timestamp()
SKILLS: Final = (16, 20, 24, 28, 34, 40)
"""From a good player of a league to a beginner."""
DOWN_SECONDS: Final = (2.0, 120.0)
"""How long a killed node is away."""
STEPS: Final = 4000
"""A life ends within so many steps after the result that the plan names: within about five minutes on eight boards."""
SHARE: Final = 0.9
"""The share of the day in which kills are."""


@dataclass(frozen=True)
class Day:
    """What came of a day."""

    folder: Path
    lives: int

    @cached_property
    def seen(self) -> list[dict[str, Any]]:
        """What displays have seen, in order."""
        return [json.loads(line) for line in (self.folder / "seen.jsonl").read_text().splitlines()]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """What they have seen of a kind."""
        return [line for line in self.seen if line["kind"] == kind]

    @cached_property
    def tournament(self) -> Tournament:
        """The tournament at the end, read from its file."""
        path = tournament_file.newest(self.folder / "data")
        assert path is not None
        loaded = tournament_file.load(path)
        assert loaded.damaged == ()
        assert loaded.record.tournament is not None
        return loaded.record.tournament

    @property
    def history(self) -> History:
        """The journal."""
        return History(self.folder / "data")

    @property
    def seconds(self) -> float:
        """How long the day was."""
        return float(self.seen[-1]["at"]) - MORNING

    @property
    def darts(self) -> int:
        """The darts that the boards have counted."""
        return sum(self.history.board(name).seq for name in {line["board"] for line in self.of("hit")})

    @property
    def digest(self) -> str:
        """The same for the same seed: all that was seen but the ids of matches, which are random."""
        names: dict[str, str] = {}
        text = "\n".join(map(json.dumps, self.seen))
        for line in self.of("match"):
            if (number := line.get("match")) and number not in names:
                names[number] = f"match-{len(names)}"
        for number, name in names.items():
            text = text.replace(f'"{number}"', f'"{name}"')
        return hashlib.sha256(text.encode()).hexdigest()

    def forecasts(self) -> list[tuple[float, float]]:
        """The share of the day that is over, and by how much of the whole day the forecast is wrong then."""
        end = max(self.tournament.ended.values())
        said = [(line["at"], line["ends"]) for line in self.of("tournament") if line["ends"] and line["at"] < end]
        whole = end - MORNING
        return [((at - MORNING) / whole, (datetime.fromisoformat(ends).timestamp() - end) / whole) for at, ends in said]


def simulated_day(
    folder: Path,
    players: int,
    boards: int,
    kills: int,
    seed: int = 1,
    say: Callable[[str], None] = lambda _: None,
    *,
    skills: Sequence[int] = SKILLS,
    late: float = 0.05,
    each: int = 1,
    steps: int = STEPS,
    **setup: Any,
) -> Day:
    """Plays a day to its end (`Plan` has what is played)."""
    random, matches = Random(f"{seed}/kills"), 2 * players - 2
    moments = sorted(random.randrange(1, max(2, int(SHARE * matches) - 2)) for _ in range(kills))
    begins = MORNING
    for life, dies_at in enumerate([*moments, None]):
        plan = Plan(
            *(seed, players, boards, setup, skills, late, each),
            *(begins, life, dies_at, random.randrange(1, steps)),
        )
        command = [sys.executable, "-m", "tests.day.node", str(folder), plan.dump()]
        # Sets of names have the same order in each life of each run.
        done = subprocess.run(
            command, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=False
        )
        expected = 0 if dies_at is None else -9
        assert done.returncode != STALLED, done.stderr
        assert done.returncode == expected, f"life {life} ended with {done.returncode}\n{done.stderr}"
        say(f"life {life} ended at {(LastTime(folder / 'clock').read() - MORNING) / 3600:.2f} h")
        begins = LastTime(folder / "clock").read() + random.uniform(*DOWN_SECONDS)
    return Day(folder, kills + 1)


def check_day(day: Day) -> None:
    """Checks that nothing that was shown is lost or doubled, and that nobody was on two boards at once."""
    assert day.tournament.over
    assert not day.tournament.held
    check_boards(day)
    check_kills(day)
    check_hits(day)
    check_results(day)


def check_boards(day: Day) -> None:
    """At no moment is somebody called to two boards, and no match begins with somebody who still plays on another one.

    Whoever takes back the last dart of a match that is over plays it again, wherever its players are by then.
    """
    playing: dict[str, list[str]] = {}
    begun: set[str] = set()
    for line in day.seen:
        if line["kind"] == "tournament":
            boards = Counter(board for _, board, _, _ in line["calls"])
            called = Counter(name for _, _, *names in line["calls"] for name in names)
            assert max([*boards.values(), *called.values()], default=1) == 1, line
        elif line["kind"] == "match":
            ended = line.get("finished", False)
            playing[line["board"]] = [] if ended else line["players"]
            if ended or line.get("match", "") in {*begun, ""}:
                continue
            begun.add(line["match"])
            others = {name for board, names in playing.items() if board != line["board"] for name in names}
            assert not others & set(line["players"]), f"on two boards at {line['at']}: {playing}"


def check_kills(day: Day) -> None:
    """After each kill the tournament is what was shown before it, or a step ahead of that."""
    shown: dict[str, Any] = {"revision": 0, "results": {}}
    for line in day.of("tournament"):
        assert line["damaged"] == 0
        assert line["revision"] in (shown["revision"], shown["revision"] + 1), line
        if line["revision"] == shown["revision"]:
            assert line["results"] == shown["results"]
        shown = line
    revisions: dict[str, int] = {}
    for line in day.of("match"):
        if "revision" in line:
            assert line["revision"] >= revisions.get(line["board"], 0), line
            revisions[line["board"]] = line["revision"]


def check_hits(day: Day) -> None:
    """Each number is one dart, every dart that was shown is in the journal, and none counts twice."""
    shown: dict[tuple[str, int], str] = {}
    for line in day.of("hit"):
        assert shown.setdefault((line["board"], line["seq"]), line["segment"]) == line["segment"], line
    boards = {board for board, _ in shown}
    for board in boards:
        numbers = sorted(seq for name, seq in shown if name == board)
        assert numbers == list(range(1, day.history.board(board).seq + 1))
    records = [day.history.record(row.id) for row, _ in day.history.matches()]
    actions = [json.loads(line) for record in records if record is not None for line in record.lines]
    thrown = sum("throw" in action and action.get("by") == "board" for action in actions)
    # A dart that no match waited for is shown and does not count. Of one at a kill, only the hit is shown.
    ignored = len(shown) - thrown
    assert 0 <= ignored - len(day.of("ignored")) < day.lives, (len(shown), thrown, len(day.of("ignored")))


def check_results(day: Day) -> None:
    """Each result is that of one match in the history, between the same two, unless the referee has changed it."""
    tournament, names = day.tournament, {entrant.number: entrant.name for entrant in day.tournament.entrants}
    matches = [result.match for result in tournament.results.values() if result.match is not None]
    assert len(set(matches)) == len(matches)
    corrected = {line["command"]["correct"]["fixture"] for line in day.of("deed") if line["deed"] == "correct"}
    for fixture, result in tournament.results.items():
        if result.match is None:
            continue
        record = day.history.record(result.match)
        assert record is not None
        assert record.bad is None
        match = played([record.stored.row.header.encode(), *(line.encode() for line in record.lines)])
        assert set(match.header.players) == {names[result.home], names[result.away]}
        assert match.finished
        winners = match.game.winners(match.state)
        assert fixture in corrected or winners == (names[result.winner or 0],)


def report(day: Day) -> str:
    """The figures of a day, a line each."""
    tournament = day.tournament
    winner = "nobody" if tournament.winner is None else tournament.by_number(tournament.winner).name
    deeds = Counter(line["deed"] for line in day.of("deed"))
    forecasts = [abs(wrong) for share, wrong in day.forecasts() if share > 0.5]
    lines = [
        f"{len(tournament.results)} matches in {day.seconds / 3600:.1f} simulated hours, {day.darts} darts",
        f"{winner} has won; every result is that of a match in the history, or the referee's",
        "the referee: " + ", ".join(f"{kind} {times}" for kind, times in sorted(deeds.items())),
        f"forecast in the second half: {max(forecasts, default=0):.0%} of the day wrong at most",
        f"digest {day.digest[:16]}",
    ]
    return "\n".join(lines)
