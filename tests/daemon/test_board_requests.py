"""What a request puts on the wire, and who may send it, whatever it has in its path, its headers and its body."""

import asyncio
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daemon.links.board_server import message_bytes, request_line, request_name, tokens_of
from daemon.links.link import Disconnected
from daemon.system.call_address import TOKEN, CallAddress, call_address, clashes
from tests.daemon.calling import Ports, ports, read

TOKENS = st.from_regex(TOKEN, fullmatch=True)
PATHS = st.text(max_size=40).map(lambda text: "/" + text)


@given(path=PATHS, token=TOKENS, query=st.text(max_size=20), header=st.text(max_size=20))
def test_any_path_has_a_short_plain_name_and_any_request_three_tokens(
    path: str, token: str, query: str, header: str
) -> None:
    name = request_name(path, token)
    assert len(name) <= 32 and name.isascii() and " " not in name and "/" not in name
    assert len(tokens_of(path, query, header)) == 3


@given(token=TOKENS, name=st.from_regex(r"[a-z0-9_-]{1,32}", fullmatch=True))
def test_a_token_in_the_path_never_gets_on_the_wire(token: str, name: str) -> None:
    for path, expected in ((f"/{token}", ""), (f"/{token}/", ""), (f"/{token}/{name}", name)):
        assert request_name(path, token) == expected
        assert token in tokens_of(path, "", "")
    assert token in tokens_of("/", token, "") and token in tokens_of("/", "", f"Bearer {token}")


@given(name=st.from_regex(r"[a-z0-9_-]{0,32}", fullmatch=True), body=st.binary(max_size=100))
def test_a_request_is_one_line_longer_than_its_body_by_no_more_than_its_name(name: str, body: bytes) -> None:
    line = request_line(name, body, is_binary=False)
    assert line.endswith(b"\n") and len(line) <= len(body) + len(name) + 2
    assert body.strip(b" \r\n") in line and line.startswith(name.encode())
    assert request_line(name, body, is_binary=True) == body


@given(text=st.text(max_size=50), data=st.binary(max_size=50))
def test_a_message_of_text_is_a_line_and_bytes_stay_as_they_are(text: str, data: bytes) -> None:
    assert message_bytes(text).endswith(b"\n")
    assert message_bytes(data) == data


@given(
    place=st.text(max_size=30), settings=st.dictionaries(st.sampled_from(["token", "from", "x"]), st.text(max_size=20))
)
def test_any_address_is_checked_or_refused_in_sentences(place: str, settings: dict[str, str]) -> None:
    found = call_address(place, settings)
    if isinstance(found, CallAddress):
        assert found.port > 0 and settings.keys() <= {"token", "from"}
        assert bool(found.token) == ("token" in settings) and bool(found.allowed) == ("from" in settings)
    else:
        assert all(len(sentence) > 10 for sentence in found) and found


@given(
    boards=st.lists(
        st.builds(CallAddress, st.sampled_from(["a", "b"]), st.sampled_from([1, 2]), st.sampled_from(["", "x", "y"])),
        max_size=5,
    )
)
def test_boards_that_share_a_port_have_tokens_of_their_own_or_are_refused(boards: list[CallAddress]) -> None:
    named = [(str(number), address) for number, address in enumerate(boards)]
    alike = [
        (one, two)
        for number, one in enumerate(boards)
        for two in boards[:number]
        if (one.host, one.port) == (two.host, two.port) and (one.token == two.token or not (one.token and two.token))
    ]
    assert len(clashes(named)) == len(alike)


REQUEST = b"POST /0123456789abcdef/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n20x3"
UPGRADE = b"GET /ws?token=0123456789abcdef HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"


def attacks() -> st.SearchStrategy[bytes]:
    """Requests of strangers and of a board: cut, doubled, with bytes changed."""
    whole = st.sampled_from([REQUEST, UPGRADE + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: \xc3\xa4\r\n\r\n"])
    cut = st.tuples(whole, st.integers(0, 150)).map(lambda pair: pair[0][: pair[1]])
    spoilt = st.tuples(whole, st.integers(0, 60), st.binary(min_size=1, max_size=9)).map(
        lambda found: found[0][: found[1]] + found[2] + found[0][found[1] :]
    )
    return st.one_of(st.binary(max_size=200), cut, spoilt)


@settings(max_examples=10, deadline=None)
@given(garbage=st.lists(attacks(), max_size=8))
def test_whatever_arrives_a_board_is_still_heard(garbage: list[bytes]) -> None:
    async def act(here: Ports) -> None:
        calling = await here.waiting("?token=a-board-with-a-token")
        for data in garbage:
            with socket.create_connection(("127.0.0.1", here.port)) as line:
                line.sendall(data)
        board = await here.socket("/ws?token=a-board-with-a-token")
        await board.send_str("20x3")
        assert [piece.data for piece in await read(await calling, 1)] == [b"20x3\n"]

    async def run() -> None:
        async with ports() as found:
            await act(found)

    asyncio.run(run())


def test_a_port_that_is_taken_is_an_error_that_goes_away() -> None:
    async def act(here: Ports) -> None:
        with socket.create_server(("127.0.0.1", here.port)), pytest.raises(OSError, match="in use"):
            await here.ports.open(here.url())
        with pytest.raises(Disconnected, match="No board has called"):
            await here.ports.open(here.url())

    async def run() -> None:
        async with ports() as found:
            await act(found)

    asyncio.run(run())
