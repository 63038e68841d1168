"""Inside the machine, on a network card of its own: another device that asks its network for a name and opens the page.

Knows nothing of avahi: one question by multicast, from a port of its own (RFC 6762, 5.1 and 6.7), and the answer's
address in the browser's place. Prints JSON.
"""

import http.client
import json
import socket
import struct
import sys
import time
from collections.abc import Iterator

GROUP = ("224.0.0.251", 5353)
A, PTR = 1, 12
SECONDS = 60.0


def ask(name: str, kind: int) -> Iterator[bytes]:
    """The data of the records of this kind that come back, each time that it is asked."""
    question = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    wanted = struct.pack(">6H", 7, 0, 1, 0, 0, 0) + question + b"\0" + struct.pack(">HH", kind, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        wire.settimeout(1)
        wire.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            wire.sendto(wanted, GROUP)
            try:
                yield from records(wire.recv(9000), kind)
            except TimeoutError:
                continue


def records(message: bytes, kind: int) -> Iterator[bytes]:
    _id, _flags, questions, answers = struct.unpack_from(">4H", message)
    at = 12
    for _ in range(questions):
        at = after_name(message, at) + 4
    for _ in range(answers):
        at = after_name(message, at)
        found, _class, _ttl, length = struct.unpack_from(">HHIH", message, at)
        if found == kind:
            yield message[at + 10 : at + 10 + length]
        at += 10 + length


def after_name(message: bytes, at: int) -> int:
    while message[at]:
        if message[at] & 0xC0:
            return at + 2
        at += 1 + message[at]
    return at + 1


def open_page(name: str, port: int) -> dict[str, object]:
    address = next((socket.inet_ntoa(data) for data in ask(name, A)), None)
    if address is None:
        return {"address": None}
    page = http.client.HTTPConnection(address, port, timeout=60)
    page.request("GET", "/", headers={"Host": f"{name}:{port}"})
    answer = page.getresponse()
    return {"address": address, "status": answer.status, "page": answer.read().decode()}


def web_sites() -> list[str]:
    """What a browser of web sites on the network would list; the first label of each."""
    found = next(ask("_http._tcp.local", PTR), b"\0")
    return [found[1 : 1 + found[0]].decode()]


print(json.dumps(open_page(sys.argv[1], int(sys.argv[2])) | {"sites": web_sites()}))
