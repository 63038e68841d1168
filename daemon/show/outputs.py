"""Sends what rules bring to lights and web hooks. Nobody waits for them, and what they do not take is dropped."""

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import ClientError, ClientSession, ClientTimeout

from daemon.show.wled import Look, restored
from daemon.system.address_secrets import without_secret
from daemon.system.console import TroublePrinter
from daemon.system.error_text import error_text
from daemon.system.show_config import Http, Wled
from engine import jsontext

log = logging.getLogger(__name__)

ANSWER_SECONDS: Final = 2.0
"""How long a light or a web hook may take to answer."""
ASKED_SECONDS: Final = 0.5
"""How long a light may take to say what it shows: a maximum must not wait for longer."""
JSON_BYTES: Final = 512 * 1024
"""The longest answer that is read. The presets of a large controller have a tenth of it."""
REQUESTS: Final = 20
"""Requests that wait for one host; the oldest is dropped when another one comes."""
TRIES: Final = (0.0, 1.0, 4.0)
"""Seconds before each try of a request."""
OUTDATED_SECONDS: Final = 30.0
"""Age at which a request is dropped: nobody wants the lights of the leg before."""

Publish = Callable[[str, str, bool], Awaitable[None]]
"""Publishes a text on a topic, retained or not."""


class Light:
    """One WLED controller: it shows the newest rule, one with `seconds` for that long and then what was there before.

    That is the last rule without `seconds`. Before there is one, a controller at an address is asked what it shows.
    """

    def __init__(self, at: str, session: ClientSession, publish: Publish) -> None:
        """`at` is its address, or `mqtt:` and its topic."""
        self._at, self._session, self._publish = at, session, publish
        self._lasting: Look | None = None
        self._brief: Look | None = None
        self._frozen: tuple[int, ...] = ()
        """Segments whose LEDs were set one by one."""
        self._told: asyncio.Future[str | None] | None = None
        """Resolved with what came of the next thing that is shown."""
        self._news = asyncio.Event()
        self._trouble = TroublePrinter(f"Light {without_secret(at)}")

    def show(self, light: Wled | Look) -> None:
        """Takes what the light shows next, in place of what it has not shown yet."""
        look = light if isinstance(light, Look) else Look.of(light)
        if look.seconds is None:
            self._lasting = look
        else:
            self._brief = look
        self._news.set()

    async def try_out(self, light: Wled, seconds: float) -> str | None:
        """Shows a light for some seconds, and returns why it cannot; None if it was told."""
        if self._told is not None and not self._told.done():
            self._told.set_result("something else was tried at once")
        told: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._told = told
        self.show(light.model_copy(update={"seconds": light.seconds or seconds}))
        return await told

    async def run(self) -> None:
        """Tells the light whatever is new, for ever."""
        shown: Look | None = None
        while True:
            await self._news.wait()
            self._news.clear()
            before = await self._shown() if self._brief is not None and self._lasting is None else None
            while (brief := self._brief) is not None:
                self._brief = None
                shown = brief
                problem = await self._tell(brief)
                if self._told is not None and not self._told.done():
                    self._told.set_result(problem)
                # A lasting rule that comes meanwhile waits; another brief one does not.
                await self._brief_or(brief.seconds)
            if self._lasting is not None and self._lasting is not shown:
                shown = self._lasting
                await self._tell(shown)
            elif before is not None:
                await self._tell(Look(before))

    async def _shown(self) -> dict[str, Any] | None:
        """The state that the controller shows, as it takes it back; None if it cannot be had in time."""
        if self._at.startswith("mqtt:"):
            return None
        try:
            return restored(await read_json(self._session, f"{self._at.rstrip('/')}/json/state", ASKED_SECONDS))
        except (ClientError, OSError, ValueError, Refused):
            return None  # The light is told all the same, and what is wrong is said then.

    async def _brief_or(self, seconds: float | None) -> None:
        """Returns when another brief rule is there, or after some seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._brief is None:
                    self._news.clear()
                    await self._news.wait()

    async def _tell(self, look: Look) -> str | None:
        frozen, self._frozen = self._frozen, look.frozen
        if frozen and not look.frozen:
            # By itself and first: a preset stands alone, and an effect of a rule names no segment.
            await self._send({"seg": [{"id": segment, "frz": False} for segment in frozen]})
        return await self._send(look.state)

    async def _send(self, state: dict[str, Any]) -> str | None:
        try:
            if self._at.startswith("mqtt:"):
                await self._publish(f"{self._at.removeprefix('mqtt:')}/api", jsontext.dump(state), False)
            else:
                await request(self._session, "POST", f"{self._at.rstrip('/')}/json/state", state, {})
        except (ClientError, OSError, ValueError, Refused) as error:  # ValueError: a host that cannot be one.
            problem = error_text(error)
            self._trouble.now(f"it cannot be told: {problem}. Is it on, and is its address right?")
            return problem
        self._trouble.now(None)
        return None


class Refused(Exception):
    """The other side answered that it does not take the request; the text has the number of the answer."""


class Hook:
    """The web hooks of one host: requests are sent one after the other, and tried again while they are new."""

    def __init__(self, host: str, session: ClientSession) -> None:
        self._session = session
        self._waiting: deque[tuple[float, Http]] = deque(maxlen=REQUESTS)
        self._news = asyncio.Event()
        self._trouble = TroublePrinter(f"Web hook at {host}")

    def send(self, what: Http) -> None:
        """Takes a request; the oldest one that waits is dropped if there are too many."""
        self._waiting.append((asyncio.get_running_loop().time(), what))
        self._news.set()

    async def run(self) -> None:
        """Sends the requests in their order, for ever."""
        while True:
            while not self._waiting:
                self._news.clear()
                await self._news.wait()
            since, what = self._waiting.popleft()
            await self._try(since, what)

    async def _try(self, since: float, what: Http) -> None:
        for pause in TRIES:
            await asyncio.sleep(pause)
            if asyncio.get_running_loop().time() - since > OUTDATED_SECONDS:
                return
            try:
                await request(self._session, what.method, what.url, what.body, what.headers)
            except (ClientError, OSError, ValueError, Refused) as error:  # ValueError: a host that cannot be one.
                self._trouble.now(f"it does not take what a rule sends: {error_text(error)}.")
            else:
                self._trouble.now(None)
                return


async def request(session: ClientSession, method: str, url: str, body: Any, headers: dict[str, str]) -> None:
    """Sends a request; a body that is not text is JSON. ClientError, TimeoutError or Refused if it was not taken."""
    text = body if isinstance(body, str) or body is None else jsontext.dump(body)
    if text is not None and not isinstance(body, str):
        headers = {"Content-Type": "application/json"} | headers
    async with session.request(
        method, url, data=text, headers=headers, timeout=ClientTimeout(ANSWER_SECONDS), allow_redirects=False
    ) as answer:
        if answer.status >= 400:
            raise Refused(f"it answers {answer.status}")


async def read_json(session: ClientSession, url: str, seconds: float = ANSWER_SECONDS) -> Any:
    """Returns the JSON at an address. ClientError, TimeoutError, ValueError or Refused if there is none.

    At most JSON_BYTES are read.
    """
    async with session.get(url, timeout=ClientTimeout(seconds), allow_redirects=False) as answer:
        if answer.status != 200:
            raise Refused(f"it answers {answer.status}")
        found = bytearray()
        async for piece in answer.content.iter_any():
            found += piece
            if len(found) > JSON_BYTES:
                raise Refused(f"it answers with more than {JSON_BYTES // 1024} KiB")
    try:
        return json.loads(found)
    except RecursionError as error:
        raise ValueError("it answers with JSON that is nested too deeply") from error


def host_of(url: str) -> str:
    """Returns the host and the port of an address, without a user or a password."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
