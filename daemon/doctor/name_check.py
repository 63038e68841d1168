"""What `oche doctor` finds out about a second daemon with the same node name: what the broker retains of the name."""

import asyncio
from typing import Any, Final

import aiomqtt

from daemon.doctor.machine import Machine
from daemon.mqtt.connection import visit
from daemon.mqtt.name_conflict import name_taken
from daemon.mqtt.node_name import read_instance
from daemon.system.urls import BROKER_PORTS, BrokerUrl
from engine import jsontext

RETAINED_SECONDS: Final = 2.0
"""How long the retained status is waited for; a name that nobody uses has none."""
RENAME: Final = (
    'On one of the two machines: `node = "NAME"` in /etc/oche/oche.toml, then sudo systemctl restart oche. '
    "Displays find the boards of that machine under the new name."
)


def name_conflict(machine: Machine) -> str | None:
    """Returns the sentence for the daemon that waits, or for the holder of the name; `None` if there is only one."""
    url, node = machine.settings.broker, machine.settings.node
    if url.scheme not in BROKER_PORTS and url.scheme != "unix":
        return None
    try:
        status = asyncio.run(_status(url, node))
        ours = read_instance(machine.settings.data)
    except (aiomqtt.MqttError, OSError):
        return None  # What is wrong with the broker is another check's to say.
    match status:
        case {"state": "online", "instance": str() as instance} if instance != ours and machine.daemon_runs():
            at = f"{url.scheme}://{url.host}:{url.port}" if url.host else f"{url.scheme}://{url.path}"
            return name_taken(node, at)
        case {"state": "online", "conflict": True}:
            return f"Another oche is called {node} too; it publishes nothing as long as this one runs."
        case _:
            return None


async def _status(url: BrokerUrl, node: str) -> Any:
    async with visit(url) as client:
        await client.subscribe(f"oche/{node}/status")
        try:
            async with asyncio.timeout(RETAINED_SECONDS):
                async for message in client.messages:
                    if isinstance(message.payload, bytes):
                        return jsontext.parse(message.payload)
        except TimeoutError:
            return None
    return None
