"""Who asks for a node name at a broker that stalls learns nothing from its silence."""

import asyncio

import pytest
from aiomqtt import MqttError, ProtocolVersion

from daemon.mqtt import namesakes
from daemon.mqtt.connection import connection
from daemon.mqtt.namesakes import Namesakes
from daemon.mqtt.node_name import NodeName
from daemon.system.urls import broker_url
from tests.rig import Mosquitto


def test_a_question_that_is_not_acknowledged_decides_nothing(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection ends, and the name is asked for again: the holder's status may lie unread."""
    monkeypatch.setattr(namesakes, "ANSWER_SECONDS", 0.02)
    told = list[bool]()

    async def unacknowledged(*_: object, **__: object) -> None:
        await asyncio.sleep(0.1)
        raise MqttError("Operation timed out")

    async def play() -> None:
        async with connection(broker_url(broker.url), ProtocolVersion.V5, None, "c") as client:
            monkeypatch.setattr(client, "publish", unacknowledged)
            await Namesakes("oche/test", NodeName("a"), told.append).ask(client, lambda: "{}")

    with pytest.raises(MqttError, match="timed out"):
        asyncio.run(play())
    assert told == []
