"""Checks of the broker: whether it answers, and whether another daemon there has the same node name."""

import asyncio
import socket
from collections.abc import Iterator
from typing import Any, Final

import aiomqtt

from daemon.doctor.findings import Finding, Trouble, Unseen
from daemon.doctor.machine import Machine
from daemon.mqtt.broker import find_mosquitto
from daemon.mqtt.connection import command_client
from daemon.mqtt.name_conflict import name_taken
from daemon.mqtt.node_name import read_instance
from daemon.system.error_text import error_text
from daemon.system.urls import BROKER_PORTS, DEMO, EMBEDDED, BrokerUrl
from engine import jsontext

ANSWER_SECONDS: Final = 3.0
"""How long a broker may take to accept a connection."""
RETAINED_SECONDS: Final = 2.0
"""How long to wait for the retained status; a name that nobody uses has none."""
RENAME: Final = (
    'On one of the two machines: `node = "NAME"` in /etc/oche/oche.toml, then sudo systemctl restart oche. '
    "Displays find the boards of that machine under the new name."
)


def broker(machine: Machine) -> Iterator[Finding]:
    """A broker that does not answer or refuses the connection."""
    url = machine.settings.broker
    if url.scheme in (EMBEDDED, DEMO):
        if url.scheme == EMBEDDED and find_mosquitto() is None:
            yield Trouble(
                "broker", "mosquitto, the broker that oche starts, is not installed.", "sudo apt install mosquitto"
            )
        elif not machine.running.runs:
            yield Unseen("the daemon starts its own broker, and no daemon runs.")
        elif machine.running.bus is not None:
            yield Unseen(f"the daemon's own broker: {machine.running.bus}.")
        return
    why = unanswered(url)
    if why is None and machine.settings.unread:
        yield Unseen(f"{url.host} accepts connections, and you may not read oche's password for it: sudo oche doctor.")
        return
    if (why := why or asyncio.run(_refused(url))) is not None:
        yield Trouble(
            "broker",
            why,
            "Is that machine on, and does its broker listen on the network (`listener 1883` in mosquitto.conf)? "
            "Without a broker line in /etc/oche/oche.toml, oche starts its own.",
        )


def same_node_name(machine: Machine) -> Iterator[Finding]:
    """Two daemons with one node name at one broker."""
    url = machine.settings.broker
    if machine.running.waits is not None:
        yield Trouble("name", machine.running.waits, RENAME)
        return
    if url.scheme not in BROKER_PORTS and url.scheme != "unix":
        yield Unseen("the daemon starts its own broker.")
        return
    try:
        message = _name_conflict(machine)
    except (aiomqtt.MqttError, OSError) as error:
        yield Unseen(f"the broker cannot be asked: {error_text(error)}.")
        return
    if message is not None:
        yield Trouble("name", message, RENAME)


def unanswered(broker: BrokerUrl) -> str | None:
    """Returns why nothing accepts connections at a broker's address, as a sentence.

    None if something does, or if the broker has no address.
    """
    if broker.scheme not in BROKER_PORTS or not broker.host:
        return None
    try:
        socket.create_connection((broker.host, broker.port), timeout=ANSWER_SECONDS).close()
    except OSError as error:
        return f"Nothing answers at {broker.host}:{broker.port}: {error_text(error)}."
    return None


async def _refused(url: BrokerUrl) -> str | None:
    """Returns why a broker that accepts connections refuses ours; None if it does not."""
    try:
        async with command_client(url):
            return None
    except (aiomqtt.MqttError, OSError) as error:
        return f"The broker at {url.host or url.path} refuses oche's connection: {error_text(error)}."


def _name_conflict(machine: Machine) -> str | None:
    """Returns a sentence for the daemon that waits, or for the one that holds the name; None if there is only one.

    MqttError or OSError if the broker or the data directory cannot be asked.
    """
    url, node = machine.settings.broker, machine.running.node or machine.settings.node
    status = asyncio.run(_retained_status(url, node))
    ours = read_instance(machine.settings.data)
    match status:
        case {"state": "online", "instance": str() as instance} if instance != ours and machine.daemon_runs():
            at = f"{url.scheme}://{url.host}:{url.port}" if url.host else f"{url.scheme}://{url.path}"
            return name_taken(node, at)
        case {"state": "online", "conflict": True}:
            return f"Another oche is called {node} too; it publishes nothing as long as this one runs."
        case _:
            return None


async def _retained_status(url: BrokerUrl, node: str) -> Any:
    async with command_client(url) as client:
        await client.subscribe(f"oche/{node}/status")
        try:
            async with asyncio.timeout(RETAINED_SECONDS):
                async for message in client.messages:
                    if isinstance(message.payload, bytes):
                        return jsontext.parse(message.payload)
        except TimeoutError:
            return None
    return None
