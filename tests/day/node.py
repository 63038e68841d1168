"""One life of a node on a simulated day: `python -m tests.day.node FOLDER PLAN`. It ends with the day, or by a SIGKILL.

Everything between a board's bytes and what is published is the daemon's own: links, pipelines, sessions, bots, the
journal and the director. The clock is simulated (`tests/day/clock.py`), so hours pass in seconds. In place of the
broker is a list of what it was told, and what the daemon gives to threads and processes is done at once: the same plan
gives the same day.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from random import Random
from typing import Any, Final, cast

from daemon.links.link import Link
from daemon.links.simulator import Simulator
from daemon.links.supervisor import supervise
from daemon.mqtt.bus import Bus
from daemon.people.users import Users
from daemon.session.board_session import BoardSession
from daemon.session.bot_advice import BotAdvice, thinker
from daemon.session.bots import Bots
from daemon.session.inbox import InternalAction
from daemon.session.node_boards import NodeBoards
from daemon.session.scorer import Scorer
from daemon.session.x01_plans import X01Plans
from daemon.system.catalogue import dialects, faces, games, model
from daemon.system.urls import board_url
from daemon.tournament import tournament_file
from daemon.tournament.director import Director
from engine.actions import Undo
from engine.game import Advice
from engine.match import Match
from engine.refusals import Refusal
from league.state import Tournament
from tests.day.clock import LastTime, SimulatedLoop, follow
from tests.day.life import InlineJournal, Life, Plan
from tests.day.referee import Deed, commands, deeds
from tests.day.shown import Seen

PACE_SECONDS: Final = 3.0
"""From dart to dart; pulling them takes twice as long."""
WALK_SECONDS: Final = (15.0, 90.0)
"""From the call to the first dart."""
LATE_SECONDS: Final = (330.0, 900.0)
STALLED_SECONDS: Final = 7200.0
"""A day without a result for so long has stalled."""
STALLED: Final = 3
"""The exit code then."""


class Players(BotAdvice):
    """Bots that walk to the board first, some of them late."""

    def __init__(self, folder: Path, seed: str, late: float) -> None:
        super().__init__(thinker(), X01Plans(folder))
        self._random, self._late = Random(seed), late

    async def of(self, match: Match, skill: float, bots: Any) -> Advice:
        if not match.played:
            late = self._random.random() < self._late
            await asyncio.sleep(self._random.uniform(*(LATE_SECONDS if late else WALK_SECONDS)))
        found: Advice = match.game.advice(match.state, skill)
        return found


class Node:
    """The boards and the director of a life."""

    def __init__(self, folder: Path, plan: Plan, loop: SimulatedLoop, life: Life) -> None:
        self.folder, self.plan, self.loop, self.life = folder, plan, loop, life
        self.seen = Seen(folder / "seen.jsonl", loop)
        self.journal = InlineJournal(folder / "data")
        self.journal.watch(life)
        self.sessions: dict[str, BoardSession] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.boards = NodeBoards()
        self.advice = Players(folder / "data", f"{plan.seed}/{plan.life}", plan.late)
        self.users = Users(folder / "data")
        for number in range(1, plan.boards + 1):
            self._add(f"board-{number}", number)
        bus = cast(Bus, self.seen)
        self.director = Director(folder / "data", self.sessions, bus, games(), faces(), lambda: loop.now)
        self.tasks.append(loop.create_task(self.director.run()))

    def _add(self, name: str, number: int) -> None:
        board = model("virtual")
        driver, bus = dialects()[board.dialect], cast(Bus, self.seen)
        scorer = Scorer(name, board, self.journal, games(), faces(), "day")
        session = BoardSession(scorer, driver, self.journal, bus, self.users, thinker(), self.boards)
        Bots(session, self.advice)
        seed = Random(f"{self.plan.seed}/{self.plan.life}/{number}").randrange(1 << 30)
        url = board_url(f"sim:?pace={PACE_SECONDS}&seed={seed}")

        async def opened() -> Link:
            return Simulator(url)

        self.sessions[name] = session
        self.tasks += [
            self.loop.create_task(session.run()),
            self.loop.create_task(supervise(opened, driver, session.inbox.put)),
        ]

    async def play(self) -> int:
        """Plays until the tournament is over, and returns the exit code."""
        await self.director.loaded.wait()
        self.seen.note("life", number=self.plan.life)
        if self.plan.life == 0:
            await self._draw()
        tournament = self._tournament()
        todo = [deed for deed in self._deeds(tournament) if deed.number not in self._done()]
        last, since = -1, self.loop.now
        while not tournament.over or any(deed.results <= self.life.results for deed in todo):
            await asyncio.sleep(5.0)
            tournament = self._tournament()
            self.life.results = len(tournament.results)
            for task in self.tasks:
                if task.done():
                    task.result()
                    raise AssertionError("a part of the node has ended")
            for deed in [deed for deed in todo if deed.results <= self.life.results]:
                todo.remove(deed)
                await self._do(deed)
            await self._call_again(self._tournament())
            if (progress := sum(len(match.played) for match in self._matches())) + self.life.results != last:
                last, since = progress + self.life.results, self.loop.now
            elif self.loop.now - since > STALLED_SECONDS:
                print(f"Stalled: {self._stalled(tournament)}", file=sys.stderr)
                return STALLED
        return 0

    def _tournament(self) -> Tournament:
        found = self.director.tournament
        assert found is not None
        return found

    def _matches(self) -> list[Match]:
        recorded = [session.recorded for session in self.sessions.values()]
        return [match.match for match in recorded if match is not None]

    async def _draw(self) -> None:
        setup: dict[str, Any] = {"tournament": 1, "name": "Day", "format": "double"} | self.plan.setup
        assert isinstance(await self.director.command(setup), int)
        for number in range(1, self.plan.players + 1):
            entry = {"name": f"Bot {number}", "bot": self.plan.skills[number % len(self.plan.skills)]}
            assert isinstance(await self.director.command({"enter": entry}), int)
        assert isinstance(await self.director.command({"draw": str(self.plan.seed)}), int)

    # ------------------------------------------------------------------ the referee

    def _deeds(self, tournament: Tournament) -> tuple[Deed, ...]:
        matches = sum(p.state not in ("bye", "void") for p in tournament.standing.pairings.values())
        if self.plan.life == 0:
            (self.folder / "matches").write_text(str(matches))
        matches = int((self.folder / "matches").read_text())
        return deeds(Random(f"{self.plan.seed}/referee"), matches, self.plan.each)

    def _done(self) -> set[int]:
        path = self.folder / "done"
        return set(map(int, path.read_text().split())) if path.exists() else set()

    async def _do(self, deed: Deed) -> None:
        with (self.folder / "done").open("a") as file:
            file.write(f"{deed.number}\n")
        if deed.kind == "undo_dart":
            over = [s for s in self.sessions.values() if s.recorded is not None and s.recorded.match.finished]
            if over:
                session = over[int(deed.choice * len(over))]
                self.seen.note("deed", deed=deed.kind, command=session.name)
                await session.inbox.put(InternalAction(session.revision, Undo(), "referee"))
            return
        tournament = self._tournament()
        taken = set(tournament.calls.values())
        free = [name for name in self.sessions if name not in taken]
        for number, command in enumerate(commands(deed, tournament, free)):
            answer = await self.director.command({"id": f"referee-{deed.number}-{number}"} | command)
            refused = answer.message if isinstance(answer, Refusal) else None
            self.seen.note("deed", deed=deed.kind, command=command, refused=refused)
            if deed.kind == "take_back":
                with (self.folder / "taken").open("a") as file:
                    file.write(f"{command['call']['fixture']}\n")
            await asyncio.sleep(20.0)

    async def _call_again(self, tournament: Tournament) -> None:
        """Calls what the referee has taken back; whatever else is held has to be called by the director."""
        path, boards = self.folder / "taken", set(self.sessions) - set(tournament.calls.values())
        if tournament.held and boards and path.exists():
            for fixture in tournament.held & set(path.read_text().split()):
                await self.director.command({"call": {"fixture": fixture, "board": min(boards)}})

    def _stalled(self, tournament: Tournament) -> str:
        boards = {
            name: session.recorded and [session.recorded.match.header.players, session.recorded.match.turn]
            for name, session in self.sessions.items()
        }
        return f"calls {tournament.calls}, held {sorted(tournament.held)}, left {tournament.left}, boards {boards}"


def main(folder: Path, plan: Plan) -> int:
    """Lives, and returns the exit code."""
    life, clock = Life(plan), LastTime(folder / "clock")
    loop: SimulatedLoop

    def moved() -> None:
        clock.write(loop.now)
        life.step()

    loop = SimulatedLoop(plan.begins, moved)
    asyncio.set_event_loop(loop)
    follow(loop)
    tournament_file.append = life.append
    return loop.run_until_complete(_play(folder, plan, loop, life))


async def _play(folder: Path, plan: Plan, loop: SimulatedLoop, life: Life) -> int:
    return await Node(folder, plan, loop, life).play()


if __name__ == "__main__":
    code = main(Path(sys.argv[1]), Plan(**json.loads(sys.argv[2])))
    sys.stderr.flush()
    os._exit(code)
