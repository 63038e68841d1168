"""A whole day of tournament in simulated time: the daemon's own director, on boards whose bots need as long as people.

A kill ends the director and its boards in the middle of whatever they do, and leaves half a line in the file.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, Literal, cast

from daemon.cli.simulation import bot_action
from daemon.mqtt.bus import Bus
from daemon.session.board_session import BoardSession
from daemon.session.chance import draw
from daemon.session.commands import Start
from daemon.system.catalogue import faces, games
from daemon.tournament import tournament_file
from daemon.tournament.director import TOPIC, Director
from daemon.tournament.fixture_match import ABILITIES
from engine.match import Match
from engine.matchfile import open_match
from engine.play import apply
from engine.random_play import LONGEST
from tests.daemon.simulated_clock import SimulatedLoop

MORNING: Final = datetime(2026, 10, 3, 10, tzinfo=UTC).timestamp()
LASTING: Final[tuple[Literal["fixtures", "tables", "entrants"], ...]] = ("fixtures", "tables", "entrants")
"""What a kill must not change."""
DOWN_SECONDS: Final = 40.0
"""How long a killed daemon is away."""
TURN_SECONDS: Final = (14.0, 30.0)
"""Three darts and the way to the board and back."""
WALK_SECONDS: Final = (20.0, 120.0)
"""From the call to the first dart."""
LATE: Final = 0.05
"""The share of matches whose players come `LATE_SECONDS` late."""
LATE_SECONDS: Final = (330.0, 900.0)


@dataclass(eq=False)
class SimulatedBoard:
    """What the director sees of a board. Bots play on it turn by turn; what they have played outlives a kill."""

    name: str
    random: Random
    paces: dict[str, float]
    played: list[tuple[float, float, Match, str]] = field(default_factory=list)
    """The beginning and the end of each finished match, with its id."""
    recorded: Any = None
    revision: int = 0
    link: object = field(default_factory=object)
    restored: asyncio.Event = field(default_factory=asyncio.Event)
    inbox: asyncio.Queue[object] = field(default_factory=asyncio.Queue)
    news: Callable[[], None] = lambda: None

    @property
    def board(self) -> SimpleNamespace:
        return SimpleNamespace(can_json=lambda: dict.fromkeys(ABILITIES, True))

    def on_change(self, news: Callable[[], None]) -> None:
        self.news = news

    async def run(self) -> None:
        """Plays whatever is started, until it is cancelled."""
        while True:
            start = await self.inbox.get()
            if isinstance(start, Start):
                await self._play(start)

    async def _play(self, start: Start) -> None:
        match, now = open_match(start.header, games(), faces()), asyncio.get_running_loop().time
        assert isinstance(match, Match)
        begun, number = now(), f"{self.name}-{len(self.played)}-{self.revision}"
        row = SimpleNamespace(id=number, started=datetime.fromtimestamp(begun, UTC).isoformat())
        self._show(row, match)
        await asyncio.sleep(self.random.uniform(*(LATE_SECONDS if self.random.random() < LATE else WALK_SECONDS)))
        while not match.finished:
            assert len(match.played) < LONGEST
            player = match.turn.actor
            match = self._turn(match, start.bots)
            await asyncio.sleep(self.paces[player])
            await self.restored.wait()
            self._show(row, match)
        self.played.append((begun, now(), match, number))

    def _turn(self, match: Match, bots: dict[str, float]) -> Match:
        """The match after the darts of one turn."""
        turn = match.turn.number
        while not match.finished and match.turn.number == turn:
            action = draw(match, self.random) or bot_action(match, bots[match.turn.actor], self.random)
            after = apply(match, action)
            assert isinstance(after, Match), after
            match = after
        return match

    def _show(self, row: SimpleNamespace, match: Match) -> None:
        self.revision += 1
        self.recorded = SimpleNamespace(row=row, match=match, kept=True, actions=len(match.played))
        self.news()


@dataclass
class Heard:
    """What a display has heard: each state with its time."""

    states: list[tuple[float, dict[str, Any]]] = field(default_factory=list)

    def retain(self, topic: str, state: dict[str, Any]) -> None:
        assert topic == TOPIC
        self.states.append((asyncio.get_running_loop().time(), state))

    def clear(self, _topic: str) -> None:
        """There is no tournament yet."""

    def send(self, _topic: str, _event: dict[str, Any]) -> None:
        """Calls and results are checked elsewhere."""


@dataclass(frozen=True)
class Day:
    """What came of a day."""

    states: list[tuple[float, dict[str, Any]]]
    boards: list[SimulatedBoard]

    @property
    def last(self) -> dict[str, Any]:
        """The state at the end."""
        return self.states[-1][1]

    @property
    def seconds(self) -> float:
        """From the draw to the end."""
        return max(end for board in self.boards for _, end, _, _ in board.played) - MORNING

    def forecasts(self) -> list[tuple[float, float]]:
        """The share of the day that is over, and by how much of the whole day the forecast is wrong then."""
        end = MORNING + self.seconds
        said = [(at, datetime.fromisoformat(state["ends"]).timestamp()) for at, state in self.states if "ends" in state]
        return [((at - MORNING) / self.seconds, (forecast - end) / self.seconds) for at, forecast in said if at < end]


def simulated_day(folder: Path, players: int, boards: int, kills: int, seed: int = 1, **setup: Any) -> Day:
    """Plays a day; a tenth of the players leave during it, and some results are corrected."""
    loop = SimulatedLoop(MORNING)
    try:
        return loop.run_until_complete(_day(loop, folder, players, boards, kills, seed, setup))
    finally:
        loop.close()


async def _day(
    loop: SimulatedLoop, folder: Path, players: int, boards: int, kills: int, seed: int, setup: dict[str, Any]
) -> Day:
    random, heard = Random(seed), Heard()
    names = [f"Bot {number}" for number in range(1, players + 1)]
    paces = {name: random.uniform(*TURN_SECONDS) for name in names}
    places = [SimulatedBoard(f"board-{number}", Random(f"{seed}/{number}"), paces) for number in range(1, boards + 1)]
    tasks = [asyncio.ensure_future(place.run()) for place in places]

    async def start() -> tuple[Director, asyncio.Task[None]]:
        sessions = {place.name: cast(BoardSession, place) for place in places}
        made = Director(folder, sessions, cast(Bus, heard), games(), faces(), loop.time)
        task = asyncio.ensure_future(made.run())
        for place in places:
            place.restored.set()
        await made.loaded.wait()
        return made, task

    async def do(**command: Any) -> bool:
        return isinstance(await director.command(command), int)

    director, directing = await start()
    assert await do(**{"tournament": 1, "name": "Day", "format": "double", "best_of": 3} | setup)
    for number, name in enumerate(names):
        assert await do(enter={"name": name, "bot": 14 + number % 24})
    assert await do(draw=str(seed))
    total = len(director.tournament.fixtures) if director.tournament else 0
    moments = sorted(random.randrange(1, total) for _ in range(kills))
    leaving = {random.randrange(1, total): name for name in random.sample(names, players // 10)}
    corrected = {random.randrange(1, total) for _ in range(3)}
    while (tournament := director.tournament) is not None and not tournament.over:
        await asyncio.sleep(random.uniform(1, 30))
        for task in tasks:
            assert not task.done() or task.result()  # A board that fails says why.
        results = len(tournament.results)
        for moment in [moment for moment in leaving if moment <= results]:
            await do(withdraw=leaving.pop(moment))
        for moment in [moment for moment in corrected if moment <= results]:
            corrected.discard(moment)
            result = random.choice([r for r in tournament.results.values() if r.match])
            await do(
                correct={
                    "fixture": result.fixture,
                    "score": result.score[::-1],
                    "then": random.choice(["again", "keep"]),
                }
            )
        if moments and moments[0] <= results:
            moments.pop(0)
            for place in places:
                place.restored.clear()
            directing.cancel()
            await asyncio.gather(directing, return_exceptions=True)
            path = tournament_file.newest(folder)
            assert path is not None
            before = director.state()
            with path.open("ab") as file:
                file.write(b'{"at": 1.0, "event": {"re')
            await asyncio.sleep(DOWN_SECONDS)
            director, directing = await start()
            after = director.state()
            assert before is not None
            assert after is not None
            assert [after[key] for key in LASTING] == [before[key] for key in LASTING]
    assert not moments
    for task in (*tasks, directing):
        task.cancel()
    await asyncio.gather(*tasks, directing, return_exceptions=True)
    return Day(heard.states, places)


def check_day(day: Day) -> None:
    """Every result is that of one match on a board, between the same two; nobody is called to two boards at once."""
    names = {entrant["number"]: entrant["name"] for entrant in day.last["entrants"]}
    played = {number: match for board in day.boards for _, _, match, number in board.played}
    done = [fixture for fixture in day.last["fixtures"] if fixture["state"] == "done"]
    assert max(Counter(fixture["match"] for fixture in done).values()) == 1
    for fixture in done:
        match = played[fixture["match"]]
        assert set(match.header.players) == {names[fixture["home"]], names[fixture["away"]]}
    for _, state in day.states:
        called = [fixture for fixture in state["fixtures"] if "board" in fixture]
        playing = [fixture[side] for fixture in called for side in ("home", "away")]
        assert len(playing) == len(set(playing)), "somebody is called to two boards"
        assert len({fixture["board"] for fixture in called}) == len(called)
