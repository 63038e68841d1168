"""Messages between two houses that arrive twice, the second time late and out of order."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from tests.houses.pair import SharedBroker
from tests.rig import until
from tests.tidy import TidyClient

LATEST_SECONDS: Final = 2.0
"""How much later than the first one a copy arrives at most: after the question was asked again."""
QUESTIONS: Final = "oche/anna/board/lounge/command/bob"
ANSWERS: Final = ("oche/anna/board/lounge/reply/bob", "oche/anna/board/lounge/record/bob")


class Doubler:
    """Clients at the shared broker with the passwords of both houses, which send again what they hear while `on`.

    Each hears what its house may read, and the other sends it again: the broker lets no house read its own questions.
    """

    def __init__(self, shared: SharedBroker, seed: int) -> None:
        self.on, self.copies = False, 0
        self._chance = random.Random(seed)
        self._own: Counter[tuple[str, bytes]] = Counter()
        """Copies on their way, which are not copied again."""
        self._timers: set[threading.Timer] = set()
        self._lock = threading.Lock()
        self._subscribed = 0
        self._anna = self._client(shared, "anna", (QUESTIONS,), lambda: self._bob)
        self._bob = self._client(shared, "bob", ANSWERS, lambda: self._anna)
        until(lambda: self._subscribed == 2, "the subscriptions of the doubler")

    def _client(
        self, shared: SharedBroker, house: str, topics: tuple[str, ...], other: Callable[[], mqtt.Client]
    ) -> mqtt.Client:
        url = urlsplit(shared.url(house))
        client = TidyClient(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv311)
        client.username_pw_set(url.username, url.password)
        client.reconnect_delay_set(0.05, 0.05)  # type: ignore[arg-type]
        client.on_connect = lambda client, *_: client.subscribe([(topic, 0) for topic in topics])
        client.on_subscribe = self._heard_of
        client.on_message = lambda _c, _d, message: self._heard(message.topic, bytes(message.payload), other())
        client.connect_async("127.0.0.1", shared.port)
        client.loop_start()
        return client

    def _heard_of(self, *_: Any) -> None:
        with self._lock:
            self._subscribed += 1

    def _heard(self, topic: str, payload: bytes, sender: mqtt.Client) -> None:
        with self._lock:
            if self._own[topic, payload]:
                self._own -= Counter([(topic, payload)])
                return
            if not self.on:
                return
            self._own[topic, payload] += 1
            self.copies += 1
            timer = threading.Timer(self._chance.uniform(0, LATEST_SECONDS), lambda: sender.publish(topic, payload))
            self._timers = {one for one in self._timers if one.is_alive()} | {timer}
            timer.start()

    def close(self) -> None:
        with self._lock:
            self.on, timers = False, tuple(self._timers)
        for timer in timers:
            timer.cancel()
            timer.join()
        for client in (self._anna, self._bob):
            client.disconnect()
            client.loop_stop()
