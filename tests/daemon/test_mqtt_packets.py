"""Our own PUBLISH packets are those of the library, and a socket that is read in large pieces loses nothing."""

import asyncio
import socket
from typing import Any, Final

import aiomqtt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from daemon.mqtt.connection import command_client
from daemon.mqtt.packets import PUBACK, READ_BYTES, BufferedSocket, publish_packet
from daemon.system.urls import broker_url
from tests.rig import Mosquitto

TOPICS: Final = st.text(st.characters(codec="utf-8", exclude_characters="+#\0"), min_size=1, max_size=200)
TEXTS: Final = st.text(max_size=300)


def _of_the_library(
    version: MQTTProtocolVersion, topic: str, text: str, number: int, retain: bool, correlation: bytes | None
) -> bytes:
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=version)
    client.on_socket_register_write = lambda *_: None
    properties: Any = None
    if correlation is not None:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.CorrelationData = correlation
    ours, theirs = socket.socketpair()
    with ours, theirs:
        client._sock = ours
        client._send_publish(number, topic.encode(), text.encode(), 1, retain, False, None, properties)
        client._sock = None
    return bytes(client._out_packet[0]["packet"])


@given(TOPICS, TEXTS, st.integers(1, 65535), st.booleans(), st.none() | st.binary(max_size=300))
@example("t", "x" * 125, 1, False, None)
@example("t", "x" * 20_000, 1, False, b"")
@example("t", "x" * 3_000_000, 1, True, b"c" * 512)
def test_packets_are_those_of_the_library(
    topic: str, text: str, number: int, retain: bool, correlation: bytes | None
) -> None:
    assert publish_packet(
        topic, text, number, retain=retain, properties=True, correlation=correlation
    ) == _of_the_library(mqtt.MQTTv5, topic, text, number, retain, correlation)
    assert publish_packet(
        topic, text, number, retain=retain, properties=False, correlation=correlation
    ) == _of_the_library(mqtt.MQTTv311, topic, text, number, retain, None)


@pytest.mark.parametrize("topic", ["", "a/+/b", "a/#", "nul\0", "é" * 40_000])
def test_a_topic_that_cannot_be_published_to_is_refused(topic: str) -> None:
    with pytest.raises(ValueError, match="published to"):
        publish_packet(topic, "{}", 1, retain=False, properties=True)


def test_correlation_data_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        publish_packet("t", "{}", 1, retain=False, properties=True, correlation=b"x" * 70_000)


@given(st.lists(st.tuples(st.binary(max_size=50), st.lists(st.integers(1, 20), max_size=10)), max_size=10))
def test_a_buffered_socket_gives_every_byte_once(pieces: list[tuple[bytes, list[int]]]) -> None:
    """`pieces` are sent; after each the lengths are read, then what is pending, as the client does it."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        buffered, sent, read = BufferedSocket(ours), b"", b""
        for piece, lengths in pieces:
            theirs.sendall(piece)
            sent += piece
            with pytest.raises(BlockingIOError):
                buffered.recv(1)  # Nothing is read before it may be.
            buffered.may_read()
            for length in (1, *lengths):
                if len(read) < len(sent):
                    before = buffered.pending()
                    part = buffered.recv(length)
                    assert 0 < len(part) <= length
                    assert not before or buffered.pending() == before - len(part)
                    read += part
                else:
                    assert buffered.pending() == 0
                    with pytest.raises(BlockingIOError):
                        buffered.recv(length)
            while buffered.pending():
                read += buffered.recv(7)
        theirs.shutdown(socket.SHUT_WR)
        while len(read) < len(sent):
            buffered.may_read()
            read += buffered.recv(1000)
        buffered.may_read()
        assert buffered.recv(7) == b""
    assert read == sent


KINDS: Final = st.sampled_from([PUBACK, PUBACK | 1, 0x30, 0xD0])


@given(st.lists(st.tuples(KINDS, st.binary(max_size=200)), max_size=8), st.lists(st.integers(1, 60), max_size=12))
@example([(0xD0, b""), (PUBACK, b"\0\1")], [4])
@example([(0xD0, b""), (PUBACK, b"\0\1\x10\0"), (PUBACK, b"x" * 128)], [])
def test_only_whole_short_acknowledgements_are_taken(packets: list[tuple[int, bytes]], cuts: list[int]) -> None:
    """However the line cuts them: what is taken and what is read byte by byte are together what was sent."""
    line = b"".join(bytes([kind, *_length(len(body))]) + body for kind, body in packets)
    seen, taken = b"", list[bytes]()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        buffered, at = BufferedSocket(ours), 0
        begins, starts = _begins(packets), set[int]()
        for size in (*cuts, len(line)):
            if not (piece := line[at : at + size]):
                break
            starts.add(at)
            theirs.sendall(piece)
            at += len(piece)
            buffered.may_read()
            while len(seen) < at:
                header = buffered.next_puback() if len(seen) in begins else None
                if header is None:
                    seen += buffered.recv(1)
                else:
                    buffered.skip_puback(header)
                    seen += bytes([PUBACK, len(header)]) + header
                    taken.append(header)
    assert seen == line
    # The first byte of a piece is read before anything can be taken, and a packet that the line cuts is not whole.
    whole = [at for at, (_, body) in begins.items() if not starts & {*range(at, at + 2 + len(body))}]
    assert taken == [body for kind, body in map(begins.__getitem__, whole) if kind == PUBACK and len(body) < 128]


def _length(size: int) -> bytes:
    return bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])


def _begins(packets: list[tuple[int, bytes]]) -> dict[int, tuple[int, bytes]]:
    """The packets by where they begin on the line."""
    at, found = 0, dict[int, tuple[int, bytes]]()
    for kind, body in packets:
        found[at] = kind, body
        at += 1 + len(_length(len(body))) + len(body)
    return found


def test_one_piece_is_read_at_a_time() -> None:
    """A flood of commands does not keep the event loop from everything else."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.sendall(bytes(3 * READ_BYTES))
        buffered = BufferedSocket(ours)
        buffered.may_read()
        assert len(buffered.recv(10 * READ_BYTES)) == READ_BYTES
        with pytest.raises(BlockingIOError):
            buffered.recv(1)


def test_messages_and_acknowledgements_cross(broker: Mosquitto) -> None:
    """Many acknowledgements and messages arrive in one piece, and none waits in the buffer for the next piece."""

    async def play() -> list[bool | None]:
        heard: list[bool | None] = []
        done = asyncio.Event()

        def acknowledged(taken: bool | None) -> None:
            heard.append(taken)
            if len(heard) == 300:
                done.set()

        async with command_client(broker_url(broker.url)) as client, asyncio.timeout(30):
            await client.subscribe("crossing/#", qos=1)
            for n in range(300):
                client.send(f"crossing/{n % 3}", f"{n}", retain=False, acknowledged=acknowledged)
            back = client.received()
            for n in range(300):
                message = await anext(back)
                assert message.payload == f"{n}".encode()
            await done.wait()
        return heard

    assert asyncio.run(play()) == [True] * 300


def test_what_has_arrived_is_received_before_the_end_of_the_connection(broker: Mosquitto) -> None:
    async def play() -> list[object]:
        async with command_client(broker_url(broker.url)) as client, asyncio.timeout(30):
            await client.subscribe("end/#", qos=1)
            for n in range(5):
                await client.publish("end/of", f"{n}", qos=1)
            while client._queue.qsize() < 5:  # noqa: ASYNC110 -- nothing else reads it.
                await asyncio.sleep(0)
            client.hang_up()
            with pytest.raises(aiomqtt.MqttError):
                await client._disconnected
            heard: list[object] = []
            with pytest.raises(aiomqtt.MqttError):
                async for message in client.received():
                    heard.append(message.payload)  # noqa: PERF401 -- what is heard before the error counts.
            return heard

    assert asyncio.run(play()) == [b"0", b"1", b"2", b"3", b"4"]


def test_messages_that_wait_leave_turns_to_others(broker: Mosquitto) -> None:
    """A reader that never waits itself does not keep the event loop while a flood is in the queue."""

    async def play() -> list[str]:
        order: list[str] = []
        async with command_client(broker_url(broker.url)) as client, asyncio.timeout(30):
            await client.subscribe("flood")
            for n in range(3):
                await client.publish("flood", f"{n}", qos=1)
            while client._queue.qsize() < 3:  # noqa: ASYNC110
                await asyncio.sleep(0)

            async def other() -> None:
                for _ in range(3):
                    order.append("other")
                    await asyncio.sleep(0)

            task = asyncio.create_task(other())
            async for _ in client.received():
                order.append("message")
                if order.count("message") == 3:
                    break
            await task
        return order

    order = asyncio.run(play())
    assert order[:4] == ["message", "other", "message", "other"]
