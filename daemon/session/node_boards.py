"""The boards of a node: which there are, and which of them one change of a match must have for itself."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable

from daemon.session.inbox import Inbox
from daemon.session.match_board import BoardGroup, MatchBoard
from engine.refusals import Refusal


class NodeBoards:
    """The boards of a node by name."""

    def __init__(self) -> None:
        self._boards: dict[str, MatchBoard] = {}
        self._waiting: Counter[Inbox] = Counter()

    def add(self, board: MatchBoard) -> None:
        """Adds a board."""
        self._boards[board.name] = board

    async def remove(self, name: str, end: Callable[[], Awaitable[None]]) -> None:
        """Removes a board; the others of its group play on.

        `end` ends its session. It is called between two changes of the match: the others know what is committed.
        """
        board = self._boards[name]
        async with self.alone(board):
            del self._boards[name]
            await end()
            self._leave(board)

    def _leave(self, board: MatchBoard) -> None:
        others = board.group.members = tuple(member for member in board.group.members if member is not board)
        board.group = BoardGroup((board,), board.group.recorded)
        # The bots of another board act from now on for this one, and for a missing one for which this one acted.
        for other in others:
            other.notify()

    def named(self, names: Iterable[str]) -> tuple[MatchBoard, ...] | Refusal:
        """The boards of these names, each once; `bad_boards` if there is no such board."""
        found: dict[MatchBoard, None] = {}
        for name in names:
            if name not in self._boards:
                known = ", ".join(sorted(self._boards))
                return Refusal("bad_boards", f"There is no board {name[:32]!r} here; there are: {known}.")
            found[self._boards[name]] = None
        return tuple(found)

    def playing(self, match_id: str | None) -> BoardGroup | None:
        """The boards on which a match is played now; `None` for no match."""
        groups = (board.group for board in self._boards.values())
        return next((group for group in groups if group.recorded and group.recorded.row.id == match_id), None)

    def waiting(self) -> tuple[Inbox, ...]:
        """The inboxes of boards that wait until another board has committed a change."""
        return tuple(+self._waiting)

    def alone(self, board: MatchBoard, *others: MatchBoard) -> "_Alone":
        """Lets `board` change its match, and those of `others`, with nobody else changing them meanwhile."""
        return _Alone(board, (board, *others), self._waiting)


class _Alone:
    """Holds the locks of the groups of some boards. A class: a generator would take longer for every dart."""

    def __init__(self, board: MatchBoard, boards: tuple[MatchBoard, ...], waiting: Counter[Inbox]) -> None:
        self._board, self._boards, self._waiting = board, boards, waiting
        self._taken: list[asyncio.Lock] = []

    async def __aenter__(self) -> BoardGroup:
        while True:
            groups = sorted({each.group for each in self._boards}, key=lambda group: group.number)
            self._waiting[self._board.inbox] += 1
            try:
                for group in groups:
                    await group.lock.acquire()
                    self._taken.append(group.lock)
            except BaseException:
                self._release()
                raise
            finally:
                self._waiting[self._board.inbox] -= 1
            # While this waited, a match may have begun on other boards.
            if all(each.group in groups for each in self._boards):
                return self._board.group
            self._release()

    async def __aexit__(self, *error: object) -> None:
        self._release()

    def _release(self) -> None:
        for lock in self._taken:
            lock.release()
        self._taken.clear()
