"""CONNECT as an MQTT library writes it is read; whatever else comes never raises."""

import socket
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from daemon.web.connect_packet import MAX_BYTES, Connect, read_connect
from engine.refusals import Refusal

TEXT = st.text(max_size=300).filter(lambda text: "\0" not in text)


def written(version: int, client_id: str, user: str | None, password: str, will: bytes | None) -> bytes:
    """What paho sends as its first packet."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id, protocol=MQTTProtocolVersion(version), reconnect_on_failure=False
        )
        if user is not None:
            client.username_pw_set(user, password)
        properties: dict[str, Any] = {}
        if version == 5:
            found = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
            found.UserProperty = ("a", "b" * 200)
            properties["properties"] = found
        if will is not None:
            client.will_set("a/b", will)
        client._create_socket = lambda: theirs  # type: ignore[method-assign]
        client.connect("localhost", **properties)
        client.loop_write()
        theirs.shutdown(socket.SHUT_WR)
        data = b""
        while piece := ours.recv(65536):
            data += piece
    return data


@given(
    version=st.sampled_from([3, 4, 5]),
    client_id=TEXT.filter(bool),
    user=st.none() | TEXT,
    password=TEXT,
    will=st.none() | st.binary(min_size=1, max_size=500),
    more=st.binary(max_size=20),
    data=st.data(),
)
def test_what_a_library_writes_is_read_also_in_pieces(
    version: int, client_id: str, user: str | None, password: str, will: bytes | None, more: bytes, data: st.DataObject
) -> None:
    packet = written(version, client_id, user, password, will)
    expected = Connect(version, user, None if user is None else password)
    assert read_connect(packet + more) == expected
    assert read_connect(packet[: data.draw(st.integers(0, len(packet) - 1))]) is None


@given(st.binary(max_size=200) | st.binary(max_size=200).map(lambda rest: b"\x10" + bytes([len(rest) & 127]) + rest))
def test_bytes_that_are_no_connect_never_raise(data: bytes) -> None:
    assert isinstance(read_connect(data), Connect | Refusal | None)


@pytest.mark.parametrize(
    "data",
    [
        b"\x82\x05\x00\x01",
        b"\x10\xff\xff\xff\xff\x01",
        b"\x10\xff\xff\x7f",
        b"\x10\x00",
        b"\x10\x0c\x00\x04MQTT\x06\x02\x00\x3c\x00\x00",
        b"\x10\x0c\x00\x04MQTX\x04\x02\x00\x3c\x00\x00",
        b"\x10\x0f\x00\x04MQTT\x04\x82\x00\x3c\x00\x00\x00\x01\xff",
    ],
    ids=["another packet", "no length", "too large", "empty", "version", "name", "no text"],
)
def test_what_is_no_connect_is_refused_at_once(data: bytes) -> None:
    assert isinstance(read_connect(data), Refusal)


@pytest.mark.parametrize(("size", "is_refused"), [(MAX_BYTES - 4, False), (MAX_BYTES, True)])
def test_one_beyond_the_limit_is_refused_before_it_comes(size: int, is_refused: bool) -> None:
    head = b"\x10" + bytes([0x80 | size & 0x7F, 0x80 | size >> 7 & 0x7F, size >> 14])
    assert isinstance(read_connect(head), Refusal) == is_refused
