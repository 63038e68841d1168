"""Retained topics that a former run left on the broker: of boards, matches, hands and codes that are gone.

With MQTT 5 the subscription sets No Local, so that this run's own states do not come back; before MQTT 5 they do.
"""

import asyncio
from collections.abc import Container
from typing import Final

from aiomqtt import MqttError
from paho.mqtt.subscribeoptions import SubscribeOptions

from daemon.mqtt import home_assistant
from daemon.mqtt.client import Client

SHOWN_SECONDS: Final = 2.0
"""How long the topics stay subscribed: the broker sends what it retains well within this time."""


async def show(client: Client, root: str) -> None:
    """Subscribes for `SHOWN_SECONDS` to the topics that can be left behind."""
    below = (*(f"board/+/{leaf}" for leaf in ("status", "match", "hand/+")), "pairing", "unconfirmed", "tournament")
    topics = (*(f"{root}/{topic}" for topic in below), home_assistant.EVERY_TOPIC)
    try:
        for topic in topics:
            if client.is_5:
                await client.subscribe(topic, options=SubscribeOptions(qos=0, noLocal=True))
            else:
                await client.subscribe(topic, qos=0)
        await asyncio.sleep(SHOWN_SECONDS)
        for topic in topics:
            await client.unsubscribe(topic)
    except MqttError:
        return


def is_left_behind(root: str, topic: str, retained: Container[str]) -> bool:
    """Whether a retained topic belongs to this node, but not to the states that it retains now."""
    if topic.startswith(f"{root}/"):
        return topic.removeprefix(f"{root}/") not in retained
    return home_assistant.of_node(root.removeprefix("oche/"), topic) and topic not in retained
