"""Questions about an invitation, which a host answers over the shared broker."""

import asyncio
import secrets
from typing import Any, Final

from daemon.houses.guest_line import ASK_SECONDS
from daemon.mqtt.shared_broker import SharedBroker

ANSWER_TRIES: Final = 8
"""How often a question is asked, a second apart, before the host counts as away."""


class Questions:
    """The questions of one node that wait for their answers."""

    def __init__(self, node: str, shared: SharedBroker) -> None:
        self._node, self._shared = node, shared
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def ask(self, host: str, body: dict[str, Any]) -> dict[str, Any]:
        """Asks a host, as `node/board`, until it answers. TimeoutError if it does not."""
        node, _, board = host.partition("/")
        number = f"{self._node}-{body['board']}-{secrets.token_hex(8)}"
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[number] = future
        try:
            for _ in range(ANSWER_TRIES):
                self._shared.send(f"oche/{node}/board/{board}/command/{self._node}", {"id": number, **body})
                done, _pending = await asyncio.wait([future], timeout=ASK_SECONDS)
                if done:
                    return future.result()
        finally:
            self._answers.pop(number, None)
        raise TimeoutError

    def answered(self, value: dict[str, Any]) -> bool:
        """Takes a message of a host; false if it is not the answer to a question here."""
        future = self._answers.pop(str(value.get("id")), None)
        if future is None or future.done():
            return False
        future.set_result(value)
        return True
