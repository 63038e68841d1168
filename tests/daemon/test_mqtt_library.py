"""What the daemon uses of aiomqtt's and paho's privates is where it was, and behaves as it did.

`daemon/mqtt/client.py` overrides nine private methods and uses a private queue. A version that moves them would not
fail by itself: acknowledgements would be lost, or each packet would be written alone.
"""

import asyncio
import inspect
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import aiomqtt
import pytest
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from daemon.mqtt.bus import Bus
from daemon.mqtt.client import Client
from daemon.mqtt.connection import command_client
from daemon.system.urls import broker_url
from tests.mqtt_clients import watching
from tests.rig import Mosquitto

OVERRIDDEN: Final = (
    "_on_connect",
    "_on_disconnect",
    "_on_message",
    "_on_socket_open",
    "_on_socket_register_write",
    "_on_socket_unregister_write",
    "_on_subscribe",
    "_on_unsubscribe",
    "_wait_for",
)


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_overridden_methods_have_the_same_parameters(name: str) -> None:
    ours, theirs = getattr(Client, name), getattr(aiomqtt.Client, name)
    assert ours is not theirs
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)


def test_no_other_private_method_is_overridden() -> None:
    shared = {name for name in vars(Client) if hasattr(aiomqtt.Client, name) and not name.startswith("__")}
    assert shared == set(OVERRIDDEN)


def test_new_attributes_do_not_hide_those_of_the_library() -> None:
    async def play() -> None:
        theirs = vars(aiomqtt.Client("127.0.0.1"))
        ours = vars(command_client(broker_url("mqtt://127.0.0.1")))
        new = {"_unacknowledged", "_deadline", "_watched", "on_late", "_arrived", "_acknowledge_theirs"}
        new |= {"_round_ends", "_flushed", "_held", "_most", "on_refused"}
        assert ours.keys() - theirs.keys() == new
        assert isinstance(theirs["_client"], mqtt.Client)
        assert isinstance(theirs["_disconnected"], asyncio.Future)
        assert isinstance(theirs["_queue"], asyncio.Queue)

    asyncio.run(play())


def test_a_cancellation_is_not_lost_when_the_answer_comes_with_it() -> None:
    """A daemon that waits for the node name acknowledges and is stopped in one round of the loop, and must end."""

    async def play() -> None:
        client = command_client(broker_url("mqtt://127.0.0.1"))
        answer = asyncio.get_running_loop().create_future()
        waiting = asyncio.create_task(client._wait_for(answer, timeout=60))
        await asyncio.sleep(0)
        answer.set_result(None)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(play())


def test_acknowledgements_are_handled_by_one_method_of_the_library() -> None:
    """The client replaces it; that it is called for each is tested in `test_mqtt_packets.py`."""
    ours, theirs = Client._acknowledge, mqtt.Client._handle_pubackcomp
    assert len(inspect.signature(ours).parameters) == len(inspect.signature(theirs).parameters)


def test_between_packets_the_library_has_read_none_of_the_next() -> None:
    """There the client itself takes an acknowledgement from the line."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours, theirs:
        client._sock = ours
        begins = []
        for byte in (b"\xd0", b"\x00", b"\x40", b"\x02", b"\x00", b"\x01"):
            begins.append(client._in_packet["command"] == 0)
            theirs.sendall(byte)
            client.loop_read()
        begins.append(client._in_packet["command"] == 0)
        client._sock = None
    assert begins == [True, False, True, False, False, False, True]


def test_the_queue_of_packets_has_the_fields_that_are_joined() -> None:
    client = mqtt.Client(CallbackAPIVersion.VERSION2)
    client.on_socket_register_write = lambda *_: None
    client._packet_queue(0x30, bytearray(b"abc"), 7, 1)
    packet = client._out_packet[0]
    assert packet == {
        "command": 0x30,
        "mid": 7,
        "qos": 1,
        "pos": 0,
        "to_process": 3,
        "packet": bytearray(b"abc"),
        "info": None,
    }


class _Tap:
    """Passes a connection on to a broker and keeps the pieces that arrive; the sender's writes, on a Unix socket."""

    def __init__(self, path: str, broker: int) -> None:
        self.pieces: list[bytes] = []
        self._broker = broker
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._server.bind(path)
        self._server.listen()
        self._lines: list[socket.socket] = [self._server]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            near, _ = self._server.accept()
            far = socket.create_connection(("127.0.0.1", self._broker))
            self._lines += [near, far]
            threading.Thread(target=self._back, args=(far, near), daemon=True).start()
            while piece := near.recv(1 << 20):
                self.pieces.append(piece)
                far.sendall(piece)

    def _back(self, far: socket.socket, near: socket.socket) -> None:
        with suppress(OSError):
            while piece := far.recv(1 << 16):
                near.sendall(piece)

    def close(self) -> None:
        for line in self._lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()


@contextmanager
def _tap(path: str, broker: Mosquitto) -> Iterator[_Tap]:
    tap = _Tap(path, broker.port)
    try:
        yield tap
    finally:
        tap.close()


def test_what_is_sent_together_is_written_at_once(tmp_path_factory: pytest.TempPathFactory, broker: Mosquitto) -> None:
    """A dart's hit, state and event arrive in one piece, and `taken` is called after it."""
    path = str(tmp_path_factory.mktemp("tap") / "s")

    async def play(tap: _Tap) -> None:
        bus = Bus("test", lambda _: None)
        running = asyncio.create_task(bus.run(broker_url(f"unix://{path}"), {"state": "online"}))
        await bus.connected.wait()
        taken = asyncio.Event()
        bus.send_text("board/lounge/hit", "the hit", taken=taken.set)
        bus.retain("board/lounge/match", "the state")
        bus.send("board/lounge/event", "the event")
        assert not taken.is_set()
        await taken.wait()
        await asyncio.to_thread(watcher.wait, lambda m: m.topic.endswith("/event"), "the event")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        [dart] = [piece for piece in tap.pieces if b"the hit" in piece]
        assert dart.index(b"the hit") < dart.index(b"the state") < dart.index(b"the event")

    with watching(broker.port, "oche/test/board/#") as watcher, _tap(path, broker) as tap:
        asyncio.run(play(tap))


def test_a_flush_writes_at_once(broker: Mosquitto) -> None:
    """A state does not wait for what its sender does next in the same round."""

    async def play() -> None:
        async with command_client(broker_url(broker.url)) as client:
            client.send("t", "the state", retain=False, acknowledged=lambda _: None)
            assert client._client.want_write()
            client.flush()
            assert not client._client.want_write()

    asyncio.run(play())


def test_only_the_first_flush_of_a_round_writes(broker: Mosquitto) -> None:
    """What many boards publish at once goes out in few writes, and all of it before the next round."""

    async def play() -> None:
        async with command_client(broker_url(broker.url)) as client:
            written = list[bool]()
            for _ in range(2):
                for topic in ("a", "b", "c"):
                    client.send(topic, "the state", retain=False, acknowledged=lambda _: None)
                    client.flush()
                    written.append(not client._client.want_write())
                await asyncio.sleep(0)
                written.append(not client._client.want_write())
            assert written == [True, False, False, True] * 2

    asyncio.run(play())


@pytest.mark.parametrize("size", [10, 3_000_000])
def test_a_message_that_is_not_written_is_done_with_when_the_connection_ends(
    tmp_path_factory: pytest.TempPathFactory, size: int
) -> None:
    """A broker that reads nothing after the handshake: the system takes the short message, not the long one."""
    path = str(tmp_path_factory.mktemp("mute") / "s")

    def serve(server: socket.socket, lines: list[socket.socket]) -> None:
        lines.append(server.accept()[0])
        lines[0].recv(1000)
        lines[0].sendall(b"\x20\x02\x00\x00")  # the CONNACK of MQTT 3.1.1, which `command_client` speaks

    async def play() -> None:
        acknowledged = list[bool | None]()
        async with command_client(broker_url(f"unix://{path}")) as client:
            client.send("t", "x" * size, retain=False, acknowledged=acknowledged.append)
            for _ in range(10):
                await asyncio.sleep(0)
            assert client._client.want_write() is (size > 1000)
            assert acknowledged == []
            client.hang_up()
            with suppress(aiomqtt.MqttError):
                async for _ in client.messages:
                    pass
        client.abandon()
        assert acknowledged == [None]

    lines: list[socket.socket] = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(path)
        server.listen()
        threading.Thread(target=serve, args=(server, lines), daemon=True).start()
        asyncio.run(asyncio.wait_for(play(), 30))
    lines[0].close()


@pytest.mark.parametrize("call", ["subscribe", "unsubscribe"])
def test_an_answer_that_nobody_waits_for_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, call: str
) -> None:
    """A reconnect cancels the search for topics that a former run left."""

    async def play(broker: Mosquitto) -> None:
        async with command_client(broker_url(broker.url)) as client:
            asked = asyncio.create_task(getattr(client, call)("a"))
            await asyncio.sleep(0)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
            # Answers come in order.
            await client.subscribe("b")

    with Mosquitto(tmp_path) as broker:
        asyncio.run(play(broker))
    assert caplog.records == []


def test_a_connection_that_is_given_up_while_it_is_made_is_no_error(
    tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    """A daemon that ends at once does so: the broker has accepted its line, and then closes it unanswered."""
    path = str(tmp_path_factory.mktemp("mute") / "s")

    async def play(server: socket.socket) -> None:
        client = command_client(broker_url(f"unix://{path}"))

        async def connect() -> None:
            async with client:
                pass

        connecting = asyncio.create_task(connect())
        line, _ = await asyncio.to_thread(server.accept)
        assert await asyncio.to_thread(line.recv, 1000)
        connecting.cancel()
        await asyncio.gather(connecting, return_exceptions=True)
        line.close()
        while client._client.socket() is not None:  # noqa: ASYNC110
            await asyncio.sleep(0)

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(path)
        server.listen()
        asyncio.run(play(server))
    assert caplog.records == []
