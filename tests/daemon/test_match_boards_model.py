"""Random darts, commands and restarts on two boards lead to the same match as the darts that count on one board."""

import asyncio
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.record.reader import History
from daemon.system.catalogue import faces, games
from engine.actions import Action, action_from_json, action_to_json
from engine.match import Header, Match
from engine.matchfile import NEWEST, open_match
from engine.play import apply
from engine.refusals import Refusal
from tests.daemon.side_by_side import SideBySide, side_by_side

BOARDS: Final = ("lounge", "kitchen")
PLAYERS: Final = ("Ann", "Bob", "Cid")
THEIRS: Final = {"Ann": "lounge", "Bob": "kitchen", "Cid": "kitchen"}
SHORT: Final = {"start": 101, "out": "open"}
LEGS: Final = [{"game": "x01", "options": SHORT}, {"game": "count_up", "options": {"rounds": 1}}, "choice"]
GAMES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "x01": ("x01", SHORT),
    # Ann and Cid play together, each at their own board.
    "x01 in teams": ("x01", SHORT | {"teams": 2}),
    "cricket": ("cricket", {}),
    "count_up": ("count_up", {}),
    "cerberus": ("cerberus", {"manual_chance": True, "order": "listed"}),
    "dart_wars": ("dart_wars", {}),
    "medley": ("medley", {"legs": LEGS}),
}
beds = st.builds(lambda ring, number: f"{ring}{number}", st.sampled_from("SDT"), st.integers(1, 20))
boards = st.sampled_from(BOARDS)
darts = st.tuples(st.just("dart"), boards, beds)
commands = st.tuples(
    st.just("command"),
    boards,
    st.one_of(
        st.sampled_from([{"next": True}, {"next": True}, {"undo": True}, {"bounce": True}, {"roll": [1, 2, 3]}]),
        beds.map(lambda bed: {"throw": bed}),
        st.builds(lambda bed, dart: {"correct": {"dart": dart, "throw": bed}}, beds, st.integers(1, 3)),
    ),
)
legal = st.tuples(st.just("legal"), boards, st.integers(0, 100))
restarts = st.tuples(st.just("restart"), boards, st.none())
steps = st.lists(st.one_of(darts, darts, darts, commands, commands, legal, legal, restarts), max_size=30)


class OneBoard:
    """The same match on one board. `expected` has the hits of each board, also those that do not count."""

    def __init__(self, game: str) -> None:
        name, options = GAMES[game]
        found = open_match(Header(name, PLAYERS, options, NEWEST), games(), faces())
        assert isinstance(found, Match)
        self.match = found
        self.changes = 1
        self.hits = dict.fromkeys(BOARDS, 0)

    def do(self, what: str, board: str, body: Any) -> None:
        turn = self.match.turn
        if what == "dart":
            self.hits[board] += 1
            if turn.awaits == "throw" and THEIRS.get(turn.actor, BOARDS[0]) != board:
                return
            body = {"throw": body}
        action = action_from_json(body)
        assert not isinstance(action, Refusal)
        self._apply(action)

    def _apply(self, action: Action) -> None:
        following = apply(self.match, action)
        if not isinstance(following, Refusal):
            self.match = following
            self.changes += 1


async def play(folder: Path, game: str, script: list[tuple[str, str, Any]]) -> OneBoard:
    one, rest, run = OneBoard(game), list(script), 0
    name, options = GAMES[game]
    start = {"game": name, "players": list(PLAYERS), "options": options, "boards": list(THEIRS.values())}
    begun = False
    while rest or not begun:
        run += 1
        async with side_by_side(folder, *BOARDS, clock_ns=run * 10**15) as both:
            if not begun:
                await both.command("kitchen", {"start": start})
                begun = True
            agree(both, one)
            while rest:
                what, board, body = rest.pop(0)
                if what == "restart":
                    break
                if what == "legal":
                    actions = one.match.legal().actions
                    body = action_to_json(actions[body % len(actions)]) if actions else {"next": True}
                one.do(what, board, body)
                await (both.throw(board, body) if what == "dart" else both.command(board, body))
                agree(both, one)
    return one


def agree(both: SideBySide, one: OneBoard) -> None:
    shown = [both.shown(board) for board in BOARDS]
    assert shown[0] == shown[1]
    assert shown[0] is not None
    assert shown[0]["revision"] == one.changes
    for session in both.sessions.values():
        assert session.recorded is not None
        assert session.recorded.match.view() == one.match.view()
        assert session.darts == one.hits[session.name]


@settings(max_examples=14)
@given(st.sampled_from(sorted(GAMES)), steps)
def test_two_boards_are_one_match(game: str, script: list[tuple[str, str, Any]]) -> None:
    folder = Path(tempfile.mkdtemp(prefix="oche-boards-"))
    try:
        one = asyncio.run(play(folder, game, script))
        history = History(folder)
        [(row, actions)] = history.matches()
        assert actions == one.changes - 1
        record = [json.loads(line) for line in history.actions(row.id)]
        # What any other program plays from the record is the match.
        replayed = OneBoard(game)
        for line in record:
            replayed._apply(action_from_json(line))  # type: ignore[arg-type]
        assert replayed.match.view() == one.match.view()
    finally:
        shutil.rmtree(folder)


def test_darts_that_land_at_once_are_taken_one_after_the_other(tmp_path: Path) -> None:
    """Whatever the order in which they are taken, each is a hit, and those that count are the record."""

    async def both_throw() -> None:
        async with side_by_side(tmp_path, *BOARDS) as both:
            start = {"game": "x01", "players": ["Ann", "Bob"], "options": {"start": 1001}, "boards": list(BOARDS)}
            await both.command("lounge", {"start": start})
            rounds = 12
            for _ in range(rounds):
                commands = (both.command(board, {"next": True}) for board in BOARDS)
                throws = (both.throw(board, "S20", "S1", "S7") for board in BOARDS)
                await asyncio.gather(*throws, *commands)
            assert both.shown("lounge") == both.shown("kitchen")
            recorded = both.sessions["lounge"].recorded
            assert recorded is both.sessions["kitchen"].recorded
            assert [session.darts for session in both.sessions.values()] == [3 * rounds] * 2

    asyncio.run(both_throw())
    history = History(tmp_path)
    [(row, actions)] = history.matches()
    assert actions > 0
    found = open_match(Header("x01", ("Ann", "Bob"), {"start": 1001}, NEWEST), games(), faces())
    assert isinstance(found, Match)
    for line in history.actions(row.id):
        action = json.loads(line)
        thrower = found.turn.actor
        following = apply(found, action_from_json(action))  # type: ignore[arg-type]
        assert isinstance(following, Match), (thrower, action)
        found = following
