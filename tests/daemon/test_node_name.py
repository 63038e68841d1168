"""The rules by which daemons with one node name agree: a broker in memory, daemons on it, and every order of events."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.mqtt.node_name import CLAIM_SECONDS, NodeName, Outcome, Phase, new_node_name, read_instance

ROUNDS = 60
"""More than the longest wait, in steps of `CLAIM_SECONDS`."""


@dataclass
class Broker:
    """Two topics in the order in which the broker takes them; the status is retained."""

    status: dict[str, str] | None = None
    clients: "list[Client]" = field(default_factory=list)
    split: bool = False
    """Whether messages were lost, so that two can believe that they hold the name."""

    def publish(self, topic: str, payload: dict[str, str]) -> None:
        if topic == "status":
            self.status = payload
        for client in self.clients:
            client.queue.append((topic, payload, False))


@dataclass
class Client:
    """A daemon: what it would do with each outcome, one message at a time."""

    broker: Broker
    name: NodeName
    connected: bool = False
    queue: list[tuple[str, Any, bool]] = field(default_factory=list)
    second_to: frozenset[str] = frozenset()
    """Who held the name when this one connected."""

    def connect(self, now: float) -> None:
        self.name.connected(now)
        self.connected = True
        self.second_to = frozenset(client.name.instance for client in self.broker.clients if client.holds)
        self.queue = [("status", self.broker.status, True)] if self.broker.status else []
        self.broker.clients.append(self)
        self.claim("waiting" if self.name.phase is Phase.WAITING else "asking")

    def disconnect(self) -> None:
        if self.connected:
            self.connected = False
            self.broker.clients.remove(self)
            self.queue.clear()

    def cut(self) -> None:
        """The connection ends without a goodbye: the broker sends the will, which only a daemon that waits has not."""
        status = self.name.phase is not Phase.WAITING
        if self.connected:
            self.disconnect()
            if status:
                self.broker.publish("status", {"state": "offline", "instance": self.name.instance})
            else:
                self.claim("gone")

    def claim(self, state: str) -> None:
        self.broker.publish("claim", {"instance": self.name.instance, "state": state})

    def announce(self) -> None:
        holders = {client.name.instance for client in self.broker.clients if client.holds}
        assert self.broker.split or not holders & self.second_to
        self.broker.publish("status", {"state": "online", "instance": self.name.instance})

    def take_one(self, now: float) -> None:
        topic, payload, retained = self.queue.pop(0)
        before = self.name.phase
        outcome = (
            self.name.heard_claim(payload, now)
            if topic == "claim"
            else self.name.heard_status(payload, now, retained=retained)
        )
        match outcome:
            case Outcome.ANNOUNCE | Outcome.REPAIR:
                self.announce()
            case Outcome.REPAIR_ALL:
                self.claim("held")
                self.announce()
            case Outcome.ANSWER:
                self.claim("held")
            case Outcome.LOST:
                assert before is not Phase.WAITING
                self.disconnect()
                self.connect(now)

    def tick(self, now: float) -> None:
        if self.name.phase is not Phase.WAITING:
            return
        if self.name.may_ask_again(now):
            self.name.ask_again()
            self.disconnect()
            self.connect(now)
        else:
            self.claim("waiting")

    @property
    def holds(self) -> bool:
        return self.connected and self.name.phase is Phase.HOLDING


def _deliver(clients: list[Client], now: float) -> None:
    """Until there is nothing more to say; a talk without an end fails."""
    for _ in range(10_000):
        waiting = [client for client in clients if client.queue]
        if not waiting:
            return
        waiting[0].take_one(now)
    raise AssertionError("they talk forever")


def _come_to_rest(broker: Broker, clients: list[Client], now: float) -> None:
    for client in clients:
        if not client.connected:
            client.connect(now)
    for _ in range(ROUNDS):
        _deliver(clients, now)
        now += CLAIM_SECONDS
        for client in clients:
            client.tick(now)
    _deliver(clients, now)
    assert sorted(client.name.phase.name for client in clients) == ["HOLDING"] + ["WAITING"] * (len(clients) - 1)
    (holder,) = [client for client in clients if client.holds]
    assert broker.status == {"state": "online", "instance": holder.name.instance}
    assert holder.name.conflict(now) is (len(clients) > 1)


STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["take", "take", "take", "start", "cut", "restart", "wait"])),
    max_size=60,
)


@settings(max_examples=400)
@given(STEPS)
def test_there_is_never_more_than_one_and_in_the_end_there_is_one(steps: list[tuple[int, str]]) -> None:
    """While every message arrives and every will is sent."""
    broker, now = Broker(), 0.0
    clients = [Client(broker, NodeName(f"{n}-0")) for n in range(3)]
    for count, (who, what) in enumerate(steps):
        client = clients[who]
        match what:
            case "take" if client.queue:
                client.take_one(now)
            case "start" if not client.connected:
                client.connect(now)
            case "cut":
                client.cut()
                # The will of one that had only asked: the holder repairs it sooner than anybody connects again.
                _deliver(clients, now)
            case "restart":
                client.cut()
                _deliver(clients, now)
                client.name = NodeName(f"{who}-{count + 1}", former=client.name.instance)
                client.connect(now)
            case "wait":
                _deliver(clients, now)
                now += CLAIM_SECONDS
                for each in clients:
                    if each.connected:
                        each.tick(now)
        assert sum(client.holds for client in clients) <= 1
    _come_to_rest(broker, clients, now)


@settings(max_examples=200)
@given(st.permutations([0, 1, 2]), st.sampled_from(["none", "online", "offline", "of no version"]))
def test_two_that_both_believe_to_hold_it_agree(order: list[int], left: str) -> None:
    """After a network was split, or with copies of one data directory."""
    broker, now = Broker(split=True), 0.0
    clients = [Client(broker, NodeName(f"{n}")) for n in order]
    broker.status = {
        "none": None,
        "online": {"state": "online", "instance": "1"},
        "offline": {"state": "offline", "instance": "0"},
        "of no version": {"state": "offline"},
    }[left]
    for client in clients[:2]:
        client.connect(now)
        client.queue.clear()
        client.name.phase = Phase.HOLDING
        client.announce()
    clients[2].connect(now)
    _come_to_rest(broker, clients, now)


def test_of_two_that_ask_at_once_the_second_publishes_nothing() -> None:
    broker = Broker()
    one, two = Client(broker, NodeName("2")), Client(broker, NodeName("1"))
    one.connect(0.0)
    two.connect(0.0)
    two.queue.insert(0, ("claim", {"instance": "2", "state": "asking"}, False))
    while two.queue:
        two.take_one(0.0)
    assert broker.status is None
    _deliver([one, two], 0.0)
    assert one.holds


@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.booleans(),
            st.recursive(
                st.none()
                | st.booleans()
                | st.text()
                | st.sampled_from(["online", "offline", "held", "asking", "waiting", "gone"]),
                lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["state", "instance", "x"]), inner),
            ),
        )
    )
)
def test_nothing_that_anybody_publishes_raises(messages: list[tuple[bool, bool, Any]]) -> None:
    name = NodeName("1")
    name.connected(0.0)
    for claim, retained, payload in messages:
        outcome = name.heard_claim(payload, 0.0) if claim else name.heard_status(payload, 0.0, retained=retained)
        assert isinstance(outcome, Outcome)


def test_a_holder_that_the_broker_still_shows_is_given_up_for_silence_alone() -> None:
    """A broker that was restarted shows those as online who were, and sends no will for them."""
    broker = Broker(status={"state": "online", "instance": "of another time"})
    client = Client(broker, NodeName("1"))
    _come_to_rest(broker, [client], 0.0)


def test_ones_own_last_run_is_not_waited_for(tmp_path: Any) -> None:
    first = new_node_name(tmp_path)
    again = new_node_name(tmp_path)
    assert read_instance(tmp_path) == again.instance != first.instance
    broker = Broker(status={"state": "online", "instance": first.instance})
    client = Client(broker, again)
    client.connect(0.0)
    _deliver([client], 0.0)
    assert client.holds


def test_where_claims_cannot_be_read_the_status_decides() -> None:
    """An access list from before they were there."""
    for status, phase in (({"state": "online", "instance": "0"}, Phase.WAITING), ({"state": "offline"}, Phase.HOLDING)):
        name = NodeName("1")
        name.connected(0.0)
        name.heard_status(status, 0.0, retained=True)
        name.unanswered(5.0)
        assert name.phase is phase
        assert not (phase is Phase.WAITING and name.may_ask_again(1e6))
