"""The steps of the first run: the questions, and what each answer does.

Terminal and browser may ask at the same time; the first answer counts. Nothing is written before the last question.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Literal

from boards.board import Board
from daemon.doctor.broker_checks import unanswered
from daemon.links.bluetooth_discovery import boards_in_reach
from daemon.links.bluetooth_radio import ASLEEP
from daemon.links.discovery import JudgedDevice, judge, look
from daemon.links.hid_discovery import devices_without_port
from daemon.links.link import Disconnected
from daemon.setup.config_file import Ending, answered, boards_at
from daemon.setup.first_dart import listen_for_darts
from daemon.system.catalogue import model, models
from daemon.system.config_parser import ConfigFile
from daemon.system.urls import BoardSpec, UsageError, board_spec, board_url, broker_url, check_name
from daemon.teach.teacher import BY_HAND, Teacher

LEARN: Final[Literal["learn"]] = "learn"
OWN: Final = "own"
LOOK_SECONDS: Final = 1.0
SCAN: Final = "scan"
"""The answer that looks for Bluetooth boards."""
SCAN_SECONDS: Final = 8.0

Step = Literal["board", "model", "name", "learn", "dart", "broker", "network", "done"]


class FirstRun:
    """The state of the first run. Calls `changed` when there is something new to show."""

    def __init__(self, path: Path, before: ConfigFile, seconds: float, finish: Callable[[ConfigFile], Ending]) -> None:
        self.step: Step = "board"
        self.devices: tuple[JudgedDevice, ...] = ()
        self.port = self.model = self.name = ""
        self.darts: tuple[str, ...] = ()
        """The last three darts that arrived in this step."""
        self.trouble = ""
        """Why no dart arrives, or why the lesson ended; empty if nothing is wrong."""
        self.teacher: Teacher | None = None
        self.broker: str | None = before.broker
        self.learnt: Path | None = None
        """The board's file, if the board was learned."""
        self.ending: Ending | None = None
        self.ended = asyncio.Event()
        self.changed: Callable[[], None] = lambda: None
        self.seconds = seconds
        self._folder = path.absolute().parent / "boards"
        self._before = before
        self._finish = finish
        self._learns = False
        self._past: list[Step] = []
        self._reached: tuple[JudgedDevice, ...] = ()
        """The Bluetooth boards that were in reach when the owner had it look for them."""
        self._task: asyncio.Task[None] | None = None
        self._answering = asyncio.Lock()

    async def begin(self) -> None:
        """Enters the first step. Set `changed` before."""
        await self._go("board")

    async def end(self) -> None:
        """Closes the board that is listened to."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    @property
    def default(self) -> str:
        """The answer that an empty one stands for."""
        shared = self._before.http is not None and not self._before.http.startswith("localhost")
        defaults: dict[Step, str] = {
            "name": self.name or "board",
            "dart": "yes",
            "broker": self.broker or OWN,
            "network": "yes" if shared else "no",
        }
        return defaults.get(self.step, "")

    @property
    def offered(self) -> list[Board]:
        """The models to choose from: all but the virtual board."""
        return [board for board in models().values() if board.name != "virtual"]

    async def answer(self, text: str, step: str | None = None) -> str | None:
        """Takes an answer. Returns a sentence if it is not valid. An answer to a `step` that is over does nothing."""
        async with self._answering:
            if self.ending is not None or (step is not None and step != self.step):
                return None
            text = text.strip() or self.default
            answers: dict[Step, Callable[[str], Awaitable[Step | None]]] = {
                "board": self._board,
                "model": self._model,
                "name": self._name,
                "learn": self._lesson,
                "dart": self._dart,
                "broker": self._broker,
                "network": self._network,
            }
            try:
                if text == "back":
                    await self._back()
                elif (following := await answers[self.step](text)) is not None:
                    await self._go(following)
            except UsageError as error:
                return str(error)
            return None

    # An answer leads to the step that the method returns; None stays. UsageError: the answer is not valid.

    async def _board(self, text: str) -> Step | None:
        if not text:
            self._look()
            self.changed()
            return None
        self.port = self.model = ""
        if text == "none":
            return "broker"
        if text == SCAN:
            await self._scan()
            return None
        if text.isdecimal() and 1 <= int(text) <= len(self.devices):
            text = self.devices[int(text) - 1].device.device
        self.port, self.name = text, next(iter(boards_at(self._before, board_url(text).place)), "")
        judged = next((one for one in self.devices if one.device.device == text), None)
        self.model = (judged.model if judged else None) or ""
        self._learns = judged is not None and judged.learn
        return "name" if self.model or self._learns else "model"

    async def _model(self, text: str) -> Step:
        known = models()
        if text.endswith(".toml"):
            text = str(Path(text).expanduser().absolute())
            model(text)
        elif text != LEARN and text not in known:
            raise UsageError(f"{text!r} is not in the list." if text else "Type a name in the list, or learn.")
        learns = text == LEARN or (text in known and known[text].learn)
        if learns and board_url(self.port).scheme == "usb":
            raise UsageError(BY_HAND)
        self._learns, self.model = learns, text
        return "name"

    async def _name(self, text: str) -> Step:
        check_name("board", text)
        self.name = text
        return LEARN if self._learns else "dart"

    async def _lesson(self, text: str) -> Step | None:
        if self._task is None or self._task.done():
            return LEARN
        if self.teacher is not None:
            self.teacher.handle_input(text)
        return None

    async def _dart(self, text: str) -> Step:
        match text.lower():
            case "y" | "yes":
                return "broker"
            case "a" | "again":
                return "dart"
            case "n" | "no":
                self._past, self.step = [], "board"
                return "model"
        raise UsageError("Type yes, no or again.")

    async def _broker(self, text: str) -> Step:
        if text != OWN and (why := await asyncio.to_thread(unanswered, broker_url(text))) is not None:
            raise UsageError(f"{why} `{OWN}` has oche start its own.")
        self.broker = None if text == OWN else text
        return "network"

    async def _network(self, text: str) -> Step:
        if text.lower() not in ("y", "yes", "n", "no"):
            raise UsageError("Type yes or no.")
        config = answered(self._before, self.spec, self.broker, is_shared=text.lower().startswith("y"))
        try:
            self.ending = await asyncio.to_thread(self._finish, config)
        except OSError as error:
            raise UsageError(f"{error.filename or 'The file'} cannot be written: {error.strerror}.") from error
        return "done"

    @property
    def spec(self) -> BoardSpec | None:
        """The board, once its port, name and model are known."""
        return board_spec(f"{self.name}={self.model}@{self.port}") if self.port and self.name and self.model else None

    async def _go(self, step: Step) -> None:
        if step != self.step:
            self._past.append(self.step)
        await self._enter(step)

    async def _back(self) -> None:
        # A finished lesson is not repeated: the step before the dart is then the name.
        while self._past and self._past[-1] == LEARN:
            self._past.pop()
        await self._enter(self._past.pop() if self._past else "board")

    async def _enter(self, step: Step) -> None:
        await self.end()
        self.step, self.trouble, self.darts, self.teacher = step, "", (), None
        work: dict[Step, Callable[[], Awaitable[None]]] = {
            "board": self._watch,
            LEARN: self._learn,
            "dart": self._listen,
        }
        if step == "board":
            self._look()
        if step in work:
            self._task = asyncio.ensure_future(work[step]())
        self.changed()
        if step == "done":
            self.ended.set()

    def _look(self) -> bool:
        """Looks at what is plugged in. Returns whether that has changed."""
        found = tuple(judge(device, models()) for device in (*look(), *devices_without_port()))
        found = (*found, *self._reached)
        is_new, self.devices = found != self.devices, found
        return is_new

    async def _scan(self) -> None:
        """Adds the Bluetooth boards in reach to the devices. UsageError if there is none, or no Bluetooth."""
        try:
            self._reached = await boards_in_reach(SCAN_SECONDS, models().values())
        except Disconnected as why:
            raise UsageError(str(why)) from why
        if not self._reached:
            raise UsageError(f"No Bluetooth board is in reach. {ASLEEP}")
        self._look()
        self.changed()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self._look():
                self.changed()

    async def _learn(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self.teacher = Teacher(board_url(self.port), self._fresh_file(), models().get(self.model))
            # For the page; the terminal prints the lesson itself.
            self.changed()
            code = await self.teacher.run()
        except (UsageError, Disconnected, OSError) as error:
            self.trouble = str(error)
        else:
            if code == 0:
                self.learnt, self._learns = self.teacher.files.board, False
                self.model = str(self.learnt)
                async with self._answering:
                    self._task = None
                    await self._go("dart")
                return
            self.trouble = "\n".join(self.teacher.problems)
        self.changed()

    def _fresh_file(self) -> Path:
        """Returns a path for the board's file that does not exist yet."""
        names = [self.name, *(f"{self.name}-{n}" for n in range(2, 100))]
        return next(file for name in names if not (file := self._folder / f"{name}.toml").exists())

    async def _listen(self) -> None:
        spec = self.spec
        assert spec is not None
        listening = asyncio.create_task(listen_for_darts(spec, self._landed, self._lost))
        try:
            done, _ = await asyncio.wait([listening], timeout=self.seconds)
            if not done and not self.darts and not self.trouble:
                self._lost(f"Nothing came within {self.seconds:.0f} seconds. `oche doctor` looks for the reason.")
            await listening
        except UsageError as error:
            self._lost(str(error))
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    def _landed(self, dart: str) -> None:
        self.darts, self.trouble = (*self.darts[-2:], dart), ""
        self.changed()

    def _lost(self, why: str) -> None:
        if why != self.trouble:
            self.trouble = why
            self.changed()
