"""Who shares turns: each stranger the address, and all connections of a user the user."""

import asyncio
import secrets
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from daemon.network.fair_turns import ClientTurns
from daemon.network.paced_protocol import PacedTransport
from daemon.people.access import GENERATED_ROUNDS, User, secret_of
from daemon.people.users import Users, save
from daemon.system.urls import broker_url
from daemon.web.mqtt_proxy import relay
from daemon.web.passwords import Passwords
from tests.bench.attackers import connect
from tests.rig import LIMIT_SECONDS


class _Client:
    """An MQTT client that reads everything."""

    async def send_bytes(self, data: bytes) -> None:
        pass


def test_a_user_takes_turns_as_one_while_connected_to_the_broker(tmp_path: Path) -> None:
    bar = User("bar", "board", secret_of("drawn", secrets.token_bytes(12), GENERATED_ROUNDS))
    save(tmp_path, {"bar": bar})
    seen: list[object] = []

    async def play(path: str) -> None:
        ours: Any = asyncio.Transport()
        transport = PacedTransport(ours, "192.0.2.1", ClientTurns())

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1)
            seen.append((transport.is_identified, transport.party))
            writer.close()

        async def incoming() -> AsyncIterator[bytes]:
            yield connect("bar", "drawn")
            await asyncio.Event().wait()

        async with await asyncio.start_unix_server(accept, path):
            broker, passwords = broker_url(f"unix://{path}"), Passwords(Users(tmp_path))
            await relay(_Client(), incoming(), broker, passwords, "192.0.2.1", lambda: None, transport)
        seen.append((transport.is_identified, transport.party))

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(asyncio.wait_for(play(f"{folder}/s"), LIMIT_SECONDS))
    assert seen == [(True, ("user", "bar")), (False, "192.0.2.1")]
