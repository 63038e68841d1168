"""Bluetooth for the virtual machine: adapter and boards are in this process, BlueZ and the kernel in the machine.

The machine's second serial port is an adapter that speaks HCI (H4). Behind it is a controller of bumble, on a radio
with the emulated boards of `tests/ble_board.py`.
"""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Self, TypeVar

from bumble.transport import open_transport

from boards.board import Gatt
from tests import rig
from tests.ble_board import Air, BleBoard, controller
from tests.vm.machine import Machine

T = TypeVar("T")

PLUG_IN = "systemd-run --quiet --collect --unit=oche-adapter btattach -B /dev/ttyS1 -P h4 -S 115200"
PULL = "systemctl stop oche-adapter"


class Bluetooth:
    """A thread with the adapter of a machine and boards in its reach, for the length of a block."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._socket: Path = machine.bluetooth
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._air = Air()
        self._adapter: Any = None
        self._boards: list[BleBoard] = []

    def __enter__(self) -> Self:
        self._thread.start()
        self.wait(self._open())
        self._machine.run("modprobe hci_uart; systemctl start bluetooth")
        self.plug_in()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.pull()
            self.wait(self._close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def plug_in(self) -> None:
        """Gives the machine its adapter."""
        self._machine.run(PLUG_IN)

    def pull(self) -> None:
        """Takes the adapter away."""
        self._machine.run(PULL)
        self.lose_boards()

    def lose_boards(self) -> None:
        """Ends the connections of the boards. A real one notices that nobody answers it; bumble's waits for ever."""
        for board in self._boards:
            self.wait(board.drop())

    def board(self, gatt: Gatt, name: str, address: str = "F0:F1:F2:F3:F4:F5", battery: int | None = None) -> BleBoard:
        """A board that is switched on. Its methods are for `wait`."""

        async def made() -> BleBoard:
            board = BleBoard(self._air, gatt, name, address, battery)
            await board.power_on()
            self._boards.append(board)
            return board

        return self.wait(made())

    def wait(self, act: Coroutine[Any, Any, T]) -> T:
        """Does something on the thread of the boards."""
        future: Future[T] = asyncio.run_coroutine_threadsafe(act, self._loop)
        return future.result(rig.LIMIT_SECONDS)

    async def _open(self) -> None:
        self._adapter = await open_transport(f"unix-client:{self._socket}")
        controller(
            "adapter",
            self._air,
            host_source=self._adapter.source,
            host_sink=self._adapter.sink,
            public_address="F0:F1:F2:F3:F4:F0",
        )

    async def _close(self) -> None:
        await self._adapter.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
