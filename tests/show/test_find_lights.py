"""Lights are found by multicast DNS, and say what they can show."""

import asyncio
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, Final

import pytest
from aiohttp import ClientSession, web
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from zeroconf import ServiceInfo
from zeroconf._dns import DNSPointer
from zeroconf._protocol.incoming import DNSIncoming
from zeroconf._protocol.outgoing import DNSOutgoing

from daemon.show import outputs
from daemon.show.find_lights import SERVICE, find_lights, what_it_shows
from daemon.show.outputs import Refused
from daemon.show.wled import named, presets, restored
from tests.rig import LIMIT_SECONDS
from tests.show.strip import EFFECTS, strip

GROUP: Final = "224.0.0.251"
LOOPBACK: Final = "127.0.0.1"
ANSWER: Final = 0x8400
POINTER: Final = 12
INTERNET: Final = 1
_MEMBERSHIP: Final = struct.pack("4s4s", *map(socket.inet_aton, (GROUP, LOOPBACK)))


def _has_multicast() -> bool:
    """Whether a packet to the group comes back on loopback: some containers have no multicast."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as heard,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asks,
    ):
        try:
            heard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            heard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            heard.bind((GROUP, 5353))
            heard.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, _MEMBERSHIP)
            heard.settimeout(LIMIT_SECONDS / 10)
            asks.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK))
            asks.sendto(b"?", (GROUP, 5353))
            return bool(heard.recv(9000))
        except OSError:
            return False


needs_multicast = pytest.mark.skipif(not _has_multicast(), reason="no multicast on the loopback of this machine")


@contextmanager
def announced(*lights: ServiceInfo, odd: tuple[str, ...] = ()) -> Iterator[None]:
    """Answers questions about lights, on loopback alone, also with `odd` names, which are of no light."""
    heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    heard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    heard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    heard.bind((GROUP, 5353))  # what is sent to the group, and nothing else
    heard.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, _MEMBERSHIP)
    heard.settimeout(0.1)
    over = False

    def answer() -> None:
        while not over:
            try:
                question, sender = heard.recvfrom(9000)
            except TimeoutError:
                continue
            asked = DNSIncoming(question)
            if asked.is_query() and any("_wled" in one.name for one in asked.questions):
                reply = DNSOutgoing(ANSWER, multicast=False, id_=asked.id)
                for name in odd:
                    reply.add_answer_at_time(DNSPointer(SERVICE, POINTER, INTERNET, 120, name), 0)
                for light in lights:
                    for record in (light.dns_pointer(), light.dns_service(), light.dns_text(), *light.dns_addresses()):
                        reply.add_answer_at_time(record, 0)
                for packet in reply.packets():
                    heard.sendto(packet, sender)

    thread = Thread(target=answer)
    thread.start()
    try:
        yield
    finally:
        over = True
        thread.join()
        heard.close()


def light(name: str, port: int, server: str) -> ServiceInfo:
    addresses = [socket.inet_aton(LOOPBACK)]
    return ServiceInfo(SERVICE, f"{name}.{SERVICE}", addresses=addresses, port=port, server=server)


@needs_multicast
def test_lights_are_found_with_an_address_that_this_machine_can_use() -> None:
    ring, bar = light("Ring", 80, "no-such-host.local."), light("Bar", 8123, "localhost.")
    found: list[dict[str, str]] = []

    async def look() -> None:
        async with asyncio.timeout(LIMIT_SECONDS):
            while len(found) < 2:
                found[:] = await find_lights([LOOPBACK], 0.5)

    with announced(ring, bar, odd=(f"a\x01b.{SERVICE}", "x._http._tcp.local.")):
        asyncio.run(look())
    assert found == [{"name": "Bar", "at": "http://localhost:8123"}, {"name": "Ring", "at": "http://127.0.0.1"}]


def test_nobody_answers() -> None:
    assert asyncio.run(find_lights([LOOPBACK], 0.01)) == []


def test_a_light_says_what_it_shows() -> None:
    async def ask() -> dict[str, Any]:
        async with strip() as at, ClientSession() as session:
            return await what_it_shows(session, at.at + "/")

    assert asyncio.run(ask()) == {
        "name": "Ring",
        "presets": [{"id": 1, "name": "Red all over"}, {"id": 7, "name": "7"}],
        "effects": [{"id": number, "name": EFFECTS[number]} for number in (0, 1, 3, 5)],
        "palettes": [{"id": 0, "name": "Default"}, {"id": 1, "name": "Party"}],
    }


@pytest.mark.parametrize(
    "answer",
    [
        web.Response(status=500),
        web.Response(body=b"x" * 2000),
        web.Response(body=b"[" * 900),
        web.Response(body=b"\xff"),
    ],
    ids=["an error", "too long", "nested", "no text"],
)
def test_what_answers_otherwise_is_refused(answer: web.Response, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "JSON_BYTES", 1000)

    async def ask() -> None:
        async with strip() as at, ClientSession() as session:
            at.broken = answer
            await what_it_shows(session, at.at)

    with pytest.raises((Refused, ValueError)):
        asyncio.run(ask())


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.just("1"), inner, max_size=4),
    max_leaves=6,
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no fault
@given(value=JSON)
def test_whatever_a_light_says_is_read(value: Any) -> None:
    for found in (named(value), presets(value)):
        assert all(isinstance(one["id"], int) and 0 < len(one["name"]) <= 64 for one in found)
    assert restored(value) is None or isinstance(restored(value), dict)
    assert restored({"on": True, "seg": value}) is not None
