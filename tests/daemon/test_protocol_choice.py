"""Which version of MQTT is spoken: 5, unless the address or the broker says otherwise."""

import pytest
from aiomqtt import MqttError, ProtocolVersion

from daemon.mqtt.connection import ProtocolChoice, refusal_text
from daemon.system.urls import broker_url

SILENT = MqttError("Operation timed out")
REFUSED = MqttError("[code:132] Unsupported protocol version")


@pytest.mark.parametrize("error", [SILENT, REFUSED])
def test_an_old_broker_is_found(error: MqttError) -> None:
    choice = ProtocolChoice(broker_url("mqtt://127.0.0.1"))
    tried = [(choice.now, choice.failed(error)), (choice.now, choice.failed(error))]
    assert tried == [(ProtocolVersion.V5, False), (ProtocolVersion.V311, True)], "shown when 3.1.1 fails too"


def test_a_broker_that_hangs_for_a_while_is_spoken_to_as_before() -> None:
    choice = ProtocolChoice(broker_url("mqtt://127.0.0.1"))
    choice.accepted()
    tried = [(choice.now, choice.failed(SILENT)) for _ in range(3)]
    assert tried == [(ProtocolVersion.V5, True)] * 3
    assert not choice.failed(REFUSED), "another broker is there now"
    assert {choice.now} == {ProtocolVersion.V311}


def test_every_reason_has_words() -> None:
    assert refusal_text(0x87) == "not authorized"
    assert all(refusal_text(reason) for reason in range(0x80, 0x100))
