"""Which host a request asks for: nothing but this machine's own names is this machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.network.requests import host_in, is_forwarded
from daemon.system.urls import is_this_machine
from daemon.web.auth import is_same_site

OURS = ["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.10", "[::1]", "[0:0:0:0:0:0:0:1]"]
NOT_OURS = [
    "",
    "[::1].evil.example",
    "[::1]evil",
    "[::1]@evil",
    "evil@localhost",
    "localhost@evil",
    "localhost.",
    "127.0.0.1.",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "[::1",
    "::1",
    "[::1]]",
    "[[::1]]",
    "[::1%lo]",
    "[::1%25lo]",
    "localhost:80:80",
    "localhost:",
    "localhost:x",
    "localhost:123456",
    "localhost/",
    "localhost?",
    "localhost#",
    "localhost\\",
    "localhost ",
    " localhost",
    "local host",
    "localhost,evil",
    "127.1",
    "0x7f.0.0.1",
    "2130706433",
    "[::ffff:7f00:1].",
    "[v1.::1]",
    "localhost\x00",
    "\u217cocalhost",
    "%6cocalhost",
    "[127.0.0.1]evil",
    "localhost:\u0661",
]


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("port", ["", ":80", ":8080"])
def test_names_of_this_machine(name: str, port: str) -> None:
    assert is_this_machine(host_in(name + port))
    assert is_same_site(f"http://{name}{port}", name + port)
    assert is_same_site(f"https://{name}{port}", name + port)


@pytest.mark.parametrize("header", NOT_OURS)
def test_what_looks_like_this_machine_and_is_not(header: str) -> None:
    assert not is_this_machine(host_in(header))


@given(st.sampled_from(OURS), st.text(min_size=1, max_size=12))
def test_nothing_behind_a_name_of_this_machine_but_a_port(name: str, more: str) -> None:
    port = more[0] == ":" and more[1:].isascii() and more[1:].isdecimal() and len(more) <= 6
    if not port and name[0] == "[":
        assert host_in(name + more) == ""
    elif is_this_machine(host_in(name + more)):
        # 127.0.0.1 and a digit can be another address of the loopback.
        assert port or (name.startswith("127.") and more.isascii() and more.replace(":", "").isdecimal())


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("null", ""),
        ("", ""),
        ("http://", ""),
        ("http://localhost", "localhost:8080"),
        ("http://localhost:8080", "localhost"),
        ("http://[::1].evil.example", "[::1].evil.example"),
        ("http://evil@localhost", "localhost"),
        ("file://localhost", "localhost"),
        ("http://localhost.", "localhost"),
        ("http://localhost/", "localhost"),
        ("http://localhost", "127.0.0.1"),
    ],
)
def test_pages_of_other_sites(origin: str, host: str) -> None:
    assert not is_same_site(origin, host)


@pytest.mark.parametrize(
    "name",
    [
        "Forwarded",
        "x-forwarded-for",
        "X-Forwarded-Host",
        "X-Forwarded",
        "Via",
        "X-Real-IP",
        "CF-Connecting-IP",
        "True-Client-IP",
    ],
)
def test_headers_of_proxies(name: str) -> None:
    assert is_forwarded(["Host", name])
    assert not is_forwarded(["Host", "Accept", "Authorization", "Origin", "User-Agent", "X-Requested-With"])
