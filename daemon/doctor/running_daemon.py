"""What can be seen of a running daemon: its lock, its unit, its pages and its status on the bus."""

import asyncio
import contextlib
import fcntl
import json
import shutil
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

import aiomqtt

from daemon.mqtt.connection import command_client
from daemon.system.config import Settings
from daemon.system.error_text import error_text
from daemon.system.lan_address import in_brackets
from daemon.system.urls import BrokerUrl, is_this_machine
from engine import jsontext

WAIT_SECONDS: Final = 5
SYSTEMCTL_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 1.0
"""How long to wait for retained messages."""
SETTLED_SECONDS: Final = 2.0
"""A service that has been active for so long does not fail at its start."""
PROPERTIES: Final = ("LoadState", "ActiveState", "Result", "ActiveEnterTimestampMonotonic")
EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
"""Wildcard addresses of listeners, and where this machine reaches them."""


@dataclass(frozen=True, slots=True)
class Running:
    """What was seen of a daemon."""

    has_lock: bool | None
    """Whether a program holds the lock of the data directory; None if this user may not see it."""
    unit: str | None
    """The state of `oche.service`, like `active` or `failed`; None if there is no such unit."""
    pages: str | None
    """Why the pages do not answer; None if they do."""
    bus: str | None
    """Why the broker does not answer; None if it does."""
    nodes: dict[str, str] = field(default_factory=dict)
    """The version of each daemon that is online at the broker, by node."""
    node: str | None = None
    """The node of the daemon, from its pages; None if they do not answer."""
    waits: str | None = None
    """What its pages say while another daemon at the broker has its node name; None if none has."""
    name_fails: bool = False
    """Whether `oche-name.service`, which announces oche.local, was started and fails again and again."""

    @property
    def runs(self) -> bool:
        """Whether a daemon runs, as far as can be seen."""
        return self.has_lock is True or self.pages is None


@dataclass(frozen=True, slots=True)
class Unit:
    """A service: its state, like `active` or `failed`, how it ended last, like `success` or `exit-code`, and when it
    was active first since then, in seconds of the monotonic clock."""

    state: str
    result: str
    since: float = 0.0


def look(settings: Settings, root: Path) -> Running:
    """Returns what is seen of the daemon of these settings; asks systemd if `root` is this machine."""
    host, port = EVERYWHERE.get(settings.host, settings.host), settings.port
    node, pages = _pages(host, port)
    has_lock = _has_lock(settings.data)
    nodes: dict[str, str] = {}
    bus: str | None = "no daemon runs"
    own = own_socket(settings.data)
    if pages is not None and has_lock and own is None:
        # Another broker is asked through the pages.
        bus = pages
    elif has_lock or pages is None:
        try:
            nodes = asyncio.run(_nodes(own or BrokerUrl("ws", host, port, path="/mqtt")))
            bus = None
        except (aiomqtt.MqttError, OSError) as error:
            bus = error_text(error)
    waits = None if bus is None or pages is not None else _waits(host, port)
    unit = _unit("oche") if root == Path("/") else None
    fails = root == Path("/") and name_fails(lambda: _unit("oche-name"), time.monotonic, time.sleep)
    return Running(has_lock, None if unit is None else unit.state, pages, bus, nodes, node, waits, fails)


def name_fails(unit: Callable[[], Unit | None], monotonic: Callable[[], float], sleep: Callable[[float], None]) -> bool:
    """Whether the service that announces oche.local fails again and again.

    Between two failures it runs for a moment, so one that has just started is looked at again. Every ten minutes it
    ends with `timeout`, for a new address.
    """
    name = unit()
    if name is not None and name.state == "active" and (left := name.since + SETTLED_SECONDS - monotonic()) > 0:
        sleep(left)
        name = unit()
    return name is not None and name.state in ("activating", "failed") and name.result not in ("success", "timeout")


def own_socket(data: Path) -> BrokerUrl | None:
    """Returns the embedded broker's socket in the data directory, or None without one that this user may see."""
    own = data / "broker" / "daemon.sock"
    with contextlib.suppress(OSError):
        if own.exists():
            return BrokerUrl("unix", path=str(own), port=1)
    return None


def ask_pages(address: str, path: str, *, here: bool, send: object = None) -> Any:
    """Returns the JSON that a daemon's pages answer, over HTTP or HTTPS. With `here`, certificates are not checked.
    What is to `send` is posted as JSON.

    HTTPError if they refuse; OSError, HTTPException or ValueError if no daemon answers.
    """
    context = ssl.create_default_context()
    if here:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    # No proxy: it could give the answer of another machine.
    body = None if send is None else jsontext.dump(send).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    try:
        with opener.open(f"http://{address}{path}", body, timeout=WAIT_SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError:
        raise
    except (OSError, HTTPException) as plain:
        try:
            with opener.open(f"https://{address}{path}", body, timeout=WAIT_SECONDS) as answer:
                return json.load(answer)
        except ssl.SSLError:
            raise plain from None
        except urllib.error.URLError as error:
            raise (error if isinstance(error, urllib.error.HTTPError) else plain) from None


def _pages(host: str, port: int) -> tuple[str | None, str | None]:
    """Returns the node of the pages, and why they do not answer: one of the two, or neither behind a login."""
    try:
        answer = ask_pages(f"{in_brackets(host)}:{port}", "/geometry.json", here=is_this_machine(host))
        return str(answer["node"]), None
    except urllib.error.HTTPError as error:
        return None, None if error.code in (401, 403) else f"the answer is {error.code}"
    except (OSError, HTTPException) as error:
        return None, error_text(error)
    except (ValueError, LookupError, TypeError):
        return None, "another program answers there"


def _waits(host: str, port: int) -> str | None:
    """Returns what the pages of a daemon say that waits for its node name."""
    try:
        ask_pages(f"{in_brackets(host)}:{port}", "/", here=is_this_machine(host))
    except urllib.error.HTTPError as error:
        if error.code == 503 and "Retry-After" in error.headers:
            return error.read().decode(errors="replace").strip()
    except (OSError, HTTPException, ValueError):
        pass
    return None


def _has_lock(data: Path) -> bool | None:
    try:
        with (data / "lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except PermissionError:
        return None
    except OSError:
        return False
    return False


def _unit(name: str) -> Unit | None:
    if not Path("/run/systemd/system").is_dir() or shutil.which("systemctl") is None:
        return None
    command = ["systemctl", "show", f"{name}.service", f"--property={','.join(PROPERTIES)}"]
    try:
        output = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SYSTEMCTL_SECONDS).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    about = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    if about.get("LoadState") != "loaded":
        return None
    since = about.get("ActiveEnterTimestampMonotonic", "")
    return Unit(about.get("ActiveState", ""), about.get("Result", ""), int(since) / 1e6 if since.isdecimal() else 0.0)


async def _nodes(url: BrokerUrl) -> dict[str, str]:
    """Returns the versions of the daemons that are online, by node. MqttError if the broker does not answer."""
    found: dict[str, str] = {}
    async with command_client(url) as client:
        await client.subscribe("oche/+/status", qos=1)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                async for message in client.messages:
                    found |= dict(_version(message))
    return found


def _version(message: aiomqtt.Message) -> Iterator[tuple[str, str]]:
    with contextlib.suppress(ValueError, LookupError, TypeError, AttributeError):
        status = json.loads(message.payload) if isinstance(message.payload, bytes) else {}
        if status["state"] == "online":
            yield str(message.topic).split("/")[1], str(status["version"])
