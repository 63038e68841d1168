"""The MQTT library's client, with bounds for what comes in and one system call for what goes out together.

aiomqtt's own `publish` costs a coroutine, a timeout and two wake-ups for each message, and each packet costs a system
call. A dart is three to five packets. Privates of aiomqtt and paho that are used here are pinned by
`tests/daemon/test_mqtt_library.py`.
"""

import asyncio
import os
import socket
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, TypeVar

import aiomqtt
from aiomqtt.exceptions import MqttCodeError
from paho.mqtt import client as mqtt
from paho.mqtt.enums import MessageType, MQTTErrorCode

from daemon.mqtt.incoming import Incoming
from daemon.mqtt.packets import BufferedSocket, publish_packet

T = TypeVar("T")

NO_SUBSCRIBERS: Final = 16
"""Reason code of an acknowledgement: nobody subscribes to the topic; MQTT 5.0, 3.4.2.1."""
REFUSED: Final = 0x80
"""From this reason code on the broker has not taken the message; MQTT 5.0, 3.4.2.1."""
LONGEST_WRITE: Final = 64 * 1024
"""Packets are joined up to about this many bytes: a write that the system takes in part copies the rest."""
NO_MAXIMUM: Final = 65_535
"""Messages that may be on their way to a broker that names no Receive Maximum; MQTT 5.0, 3.2.2.3.3."""
GRACE_SECONDS = 2.0
"""Time after a deadline to read an acknowledgement that has arrived. Where a busy machine pauses this process, the
deadline passes before that, and even before the message is written."""

Acknowledged = Callable[[bool | None], None]
"""Called once for each message: False if nobody subscribes to its topic (MQTT 5 only), `None` if the connection ended
before the broker acknowledged it, else True."""


class Client(aiomqtt.Client):
    """A client that sends without a task per message, and writes what one round of the event loop sends at once.

    aiomqtt asks the loop to watch the socket one round later; by then the socket can be closed, its number reused, and
    another watcher overwritten. Here the loop watches the socket only if the system does not take everything.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._unacknowledged: dict[int, tuple[float, Acknowledged]] = {}
        """By message id, in the order of their deadlines."""
        self._held: deque[tuple[int, bytes, Acknowledged]] = deque()
        """The messages after them, which the broker does not take yet."""
        self._most = NO_MAXIMUM
        """How many messages the broker takes before it has acknowledged the first."""
        self._deadline: asyncio.TimerHandle | None = None
        self.on_late: Callable[[], None] = lambda: None
        """Called when an acknowledgement is late. That of a message which is sent now counts for the late one too."""
        self.on_refused: Callable[[int], None] = lambda _reason: None
        """Called with the reason code when the broker has refused a message (MQTT 5 only)."""
        self._watched = False
        self._round_ends = self._flushed = False
        """Whether what this round of the event loop sends is written at its end, and whether `flush` wrote in it."""
        self._arrived = asyncio.Event()
        """Set when a message has arrived, or the connection has ended."""
        # asyncio would log an exception that nobody asks for, also of a connection that was never made.
        self._disconnected.add_done_callback(lambda end: end.cancelled() or end.exception())
        self._acknowledge_theirs = self._client._handle_pubackcomp
        self._client._handle_pubackcomp = self._acknowledge  # type: ignore[method-assign, assignment]

    @property
    def is_5(self) -> bool:
        """Whether this connection speaks MQTT 5, and not 3.1.1."""
        return self._client.protocol == mqtt.MQTTv5

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        """Ends the connection. What ended the block is raised, not what then went wrong with the connection."""
        try:
            await super().__aexit__(exc_type, exc, tb)
        except (aiomqtt.MqttError, asyncio.CancelledError) as error:
            if exc is None and isinstance(error, aiomqtt.MqttError):
                raise
            self.hang_up()
            # What waits to be written fails now, and the library closes the socket: the loop may have no other turn.
            self._client.loop_write()
            # An MqttError in place of a cancellation would be an error that callers try to mend: a daemon would never
            # end. Up to Python 3.11.2 a timeout in a task that is cancelled ends with CancelledError.
            if isinstance(error, asyncio.CancelledError):
                raise

    def send(
        self,
        topic: str,
        text: str,
        *,
        retain: bool,
        acknowledged: Acknowledged,
        correlation: bytes | None = None,
    ) -> None:
        """Publishes at QoS 1; it is written at the end of this round of the event loop, or by `flush`.

        Where the broker takes no more messages yet (its Receive Maximum; MQTT 5.0, 4.9), it is written when one is
        acknowledged.
        Without an acknowledgement within `timeout` and GRACE_SECONDS the connection is ended. MqttError if it has ended
        already, ValueError for an invalid topic. `correlation` is left out before MQTT 5.
        """
        client = self._client
        if client.socket() is None:
            raise MqttCodeError(MQTTErrorCode.MQTT_ERR_NO_CONN, "Could not publish message")
        number = client._mid_generate()
        packet = publish_packet(topic, text, number, retain=retain, properties=self.is_5, correlation=correlation)
        if len(self._unacknowledged) < self._most:
            self._pass_on(number, packet, acknowledged)
        else:
            self._held.append((number, packet, acknowledged))

    def flush(self) -> None:
        """Writes what was sent now: what the caller does next takes time. Only the first call in a round of the event
        loop does: when the darts of many boards are published together, they go out in few writes."""
        if self._round_ends and not self._flushed and not self._watched:
            self._flushed = True
            self._write()

    def _pass_on(self, number: int, packet: bytes, acknowledged: Acknowledged) -> None:
        self._unacknowledged[number] = (self._loop.time() + self.timeout, acknowledged)
        if self._deadline is None:
            self._deadline = self._loop.call_later(self.timeout, self._check_deadline)
        self._queue_packet(packet, number)

    def _queue_packet(self, packet: bytes, number: int) -> None:
        """Adds a packet to the last one that waits, for one system call: nothing separates packets on the line."""
        packets = self._client._out_packet
        last = packets[-1] if packets else None
        if (
            last is not None
            # paho does something of its own after it wrote a DISCONNECT or a PUBLISH at QoS 0.
            and (last["command"], last["qos"], last["pos"]) == (MessageType.PUBLISH, 1, 0)
            and len(last["packet"]) < LONGEST_WRITE
        ):
            last["packet"] += packet
            last["to_process"] += len(packet)
        else:
            self._client._packet_queue(MessageType.PUBLISH, packet, number, 1)

    def hang_up(self) -> None:
        """Ends the connection as if the line were cut; the next connection publishes every state again."""
        line = self._client.socket()
        if line is not None:
            # A copy: the library closes its own when it sees the end. It may be wrapped, and have no shutdown.
            with suppress(OSError), socket.socket(fileno=os.dup(line.fileno())) as end:
                end.shutdown(socket.SHUT_RDWR)

    def abandon(self) -> None:
        """Calls back for everything that was sent and not acknowledged. For a connection that has ended."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        unacknowledged, self._unacknowledged = self._unacknowledged, {}
        held, self._held = self._held, deque()
        for _, acknowledged in unacknowledged.values():
            acknowledged(None)
        for _, _, acknowledged in held:
            acknowledged(None)

    async def received(self) -> AsyncIterator[aiomqtt.Message]:
        """Yields each message that arrives. MqttError after the last one, when the connection has ended.

        The library's iterator makes a task for each message, which then waits for four turns of the event loop.
        """
        self._disconnected.add_done_callback(lambda _: self._arrived.set())
        while not (self._queue.empty() and self._disconnected.done()):
            if self._queue.empty():
                self._arrived.clear()
                await self._arrived.wait()
            else:
                yield self._queue.get_nowait()
                if not self._queue.empty():
                    # A flood leaves turns to others.
                    await asyncio.sleep(0)
        raise aiomqtt.MqttError("The connection has ended") from self._disconnected.exception()

    def take_lost(self) -> int:
        """Returns how many messages arrived faster than they were read, since the last call."""
        lost = 0
        if isinstance(self._queue, Incoming):
            lost, self._queue.lost = self._queue.lost, 0
        return lost

    def _check_deadline(self) -> None:
        # The oldest message has the first deadline, so one timer is enough for all of them.
        self._deadline = None
        for number, (due, _) in self._unacknowledged.items():
            if due <= self._loop.time():
                self._deadline = self._loop.call_later(GRACE_SECONDS, self._check_again, number)
                self.on_late()
                if self._held:
                    # If the acknowledgement was dropped, none would come for it any more.
                    self._pass_on(*self._held.popleft())
            else:
                self._deadline = self._loop.call_at(due, self._check_deadline)
            break

    def _check_again(self, number: int) -> None:
        if number in self._unacknowledged:
            # A broker in a flood drops acknowledgements too; a hundred of them would block every message.
            self._deadline = None
            self.hang_up()
        else:
            self._check_deadline()

    async def _wait_for(self, fut: Awaitable[T], timeout: float | None) -> T:  # noqa: ASYNC109
        # The library's own uses asyncio.wait_for. Up to Python 3.11 that loses a cancellation which comes in the same
        # round of the event loop as the answer, and a daemon that is stopped then never ends.
        try:
            async with asyncio.timeout(self.timeout if timeout is None else timeout):
                return await fut
        except TimeoutError:
            raise aiomqtt.MqttError("Operation timed out") from None

    def _acknowledge(self, kind: Any) -> MQTTErrorCode:
        """Handles an acknowledgement in place of the library, which takes five times as long."""
        is_ours = self._handle_puback(self._client._in_packet["packet"])
        return MQTTErrorCode.MQTT_ERR_SUCCESS if is_ours else self._acknowledge_theirs(kind)

    def _handle_puback(self, header: bytes | bytearray) -> bool:
        """Handles the variable header of a PUBACK; false if it is about no message of `send`."""
        number = int.from_bytes(header[:2], "big")
        if len(header) < 2 or number not in self._unacknowledged:
            return False
        # A broker acknowledges in the order of the messages (MQTT 5.0, 4.6.0-2). A flooded one drops acknowledgements,
        # and those of later messages come.
        while (earlier := next(iter(self._unacknowledged))) != number:
            _, acknowledged = self._unacknowledged.pop(earlier)
            acknowledged(True)
        _, acknowledged = self._unacknowledged.pop(number)
        reason = header[2] if len(header) > 2 else 0
        if reason >= REFUSED:
            self.on_refused(reason)
        acknowledged(reason != NO_SUBSCRIBERS)
        while self._held and len(self._unacknowledged) < self._most:
            self._pass_on(*self._held.popleft())
        return True

    def _on_socket_open(self, client: mqtt.Client, userdata: Any, sock: Any) -> None:
        super()._on_socket_open(client, userdata, sock)
        if type(sock) is socket.socket:
            # Not one for TLS or WebSockets: those have buffers of their own.
            client._sock = line = BufferedSocket(sock)
            self._loop.call_soon_threadsafe(self._loop.add_reader, sock.fileno(), self._read, line)

    def _read(self, line: BufferedSocket) -> None:
        try:
            line.may_read()
            self._client.loop_read()
            while line.pending() and self._client.socket() is line:
                if not self._read_acknowledgement(line):
                    self._client.loop_read()
        except Exception as error:
            if not self._disconnected.done():
                self._disconnected.set_exception(error)

    def _read_acknowledgement(self, line: BufferedSocket) -> bool:
        """Handles the next packet if it is an acknowledgement: nearly all packets of a busy hour are."""
        is_between = self._client._in_packet["command"] == 0
        header = line.next_puback() if is_between else None
        if header is None or not self._handle_puback(header):
            return False
        line.skip_puback(header)
        return True

    def _on_message(self, client: mqtt.Client, userdata: Any, message: mqtt.MQTTMessage) -> None:
        super()._on_message(client, userdata, message)
        self._arrived.set()

    def _on_connect(
        self, client: mqtt.Client, userdata: Any, flags: Any, reason_code: Any, properties: Any = None
    ) -> None:
        # Left out by a broker without a maximum, and before MQTT 5.
        self._most = getattr(properties, "ReceiveMaximum", NO_MAXIMUM)
        super()._on_connect(client, userdata, flags, reason_code, properties)

    def _on_disconnect(
        self, client: mqtt.Client, userdata: Any, flags: Any, reason_code: Any, properties: Any = None
    ) -> None:
        # Of a connection that was given up while it was made the library would ask for a result.
        if not self._connected.cancelled():
            super()._on_disconnect(client, userdata, flags, reason_code, properties)

    # The library logs an error with a traceback for an answer whose caller was cancelled, or no longer waits.

    def _on_subscribe(
        self, client: mqtt.Client, userdata: Any, mid: int, reason_codes: Any, properties: Any = None
    ) -> None:
        if mid in self._pending_subscribes:
            super()._on_subscribe(client, userdata, mid, reason_codes, properties)

    def _on_unsubscribe(
        self, client: mqtt.Client, userdata: Any, mid: int, reason_codes: Any, properties: Any = None
    ) -> None:
        if mid in self._pending_unsubscribes:
            super()._on_unsubscribe(client, userdata, mid, reason_codes, properties)

    def _on_socket_register_write(self, client: mqtt.Client, userdata: Any, sock: Any) -> None:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            # The connection is made in another thread, which must not touch the loop.
            self._watched = True
            super()._on_socket_register_write(client, userdata, sock)
        else:
            if not self._round_ends:
                self._round_ends = True
                self._loop.call_soon(self._end_round)

    def _on_socket_unregister_write(self, client: mqtt.Client, userdata: Any, sock: Any) -> None:
        if self._watched:
            self._watched = False
            super()._on_socket_unregister_write(client, userdata, sock)

    def _end_round(self) -> None:
        self._round_ends = self._flushed = False
        self._write()

    def _write(self) -> None:
        try:
            self._client.loop_write()
        except Exception as error:
            if not self._disconnected.done():
                self._disconnected.set_exception(error)
        line = self._client.socket()
        if line is not None and self._client.want_write() and not self._watched:
            self._watched = True
            self._loop.add_writer(line.fileno(), self._write)
