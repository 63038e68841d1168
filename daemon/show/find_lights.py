"""Finds the WLED controllers of the local network by multicast DNS, and lists what one can show.

Nothing listens while nobody asks, and then only for the answers: the questions leave from ports of their own, to which
controllers answer directly.
"""

import asyncio
import contextlib
import socket
from collections.abc import Sequence
from typing import Any, Final

from aiohttp import ClientSession

from daemon.show import wled
from daemon.show.outputs import read_json
from daemon.system.hosts import plain_address

SERVICE: Final = "_wled._tcp.local."
"""As which WLED announces itself."""
SECONDS: Final = 3.0
"""How long answers are awaited."""
MOST_LIGHTS: Final = 50
NAME_SECONDS: Final = 2.0
"""How long this machine may take to resolve a host name; then the address is used."""
ANSWER_SECONDS: Final = 4.0
"""How long a controller may take to list its effects: a small chip makes the list while it draws."""


class NoZeroconf(Exception):
    """zeroconf is not installed; the text says what to do."""


async def find_lights(interfaces: Sequence[str] = (), seconds: float = SECONDS) -> list[dict[str, str]]:
    """Returns `{"name", "at"}` of each controller that answers, by name; asks at all addresses of this machine if none
    is named.

    `at` has the host name where this machine can resolve it, else the address. Raises NoZeroconf, or OSError without a
    network.
    """
    try:
        from zeroconf import Error, InterfaceChoice, IPVersion, ServiceStateChange, Zeroconf
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf
    except ImportError as error:
        raise NoZeroconf("This needs zeroconf: pip install 'oche[show]'. Or type the address of the light.") from error

    names: dict[str, None] = {}

    def heard(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is not ServiceStateChange.Removed and len(names) < MOST_LIGHTS:
            names[name] = None

    found = []
    asked = list(interfaces) or InterfaceChoice.All
    zeroconf = AsyncZeroconf(interfaces=asked, ip_version=IPVersion.V4Only, unicast=True)
    try:
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[heard])
        await asyncio.sleep(seconds)
        await browser.async_cancel()
        infos = []
        for name in names:
            with contextlib.suppress(Error):  # Any device may announce a name that zeroconf refuses.
                infos.append(AsyncServiceInfo(SERVICE, name))
        await asyncio.gather(*(info.async_request(zeroconf.zeroconf, seconds * 1000) for info in infos))
        plain = [[at for text in info.parsed_addresses() if (at := plain_address(text)) is not None] for info in infos]
        hosts = await asyncio.gather(*(_host(info.server or "", at) for info, at in zip(infos, plain, strict=True)))
        for info, host in zip(infos, hosts, strict=True):
            if host is not None:
                port = "" if info.port in (None, 80) else f":{info.port}"
                name = info.name.removesuffix(f".{SERVICE}")[: wled.MOST_LETTERS]
                found.append({"name": name, "at": f"http://{host}{port}"})
    finally:
        await zeroconf.async_close()
    return sorted(found, key=lambda light: light["name"])


async def _host(server: str, addresses: Sequence[str]) -> str | None:
    """The name of a host if it leads to one of its addresses, else the first of these, which a router may change.

    None without an address.
    """
    if not addresses:
        return None
    name = server.rstrip(".")
    try:
        async with asyncio.timeout(NAME_SECONDS):  # TimeoutError is an OSError.
            answers = await asyncio.get_running_loop().getaddrinfo(name, None, family=socket.AF_INET)
    except (OSError, UnicodeError):
        answers = []
    return name if any(answer[4][0] in addresses for answer in answers) else addresses[0]


async def what_it_shows(session: ClientSession, at: str) -> dict[str, Any]:
    """Returns the name, presets, effects and palettes of the controller at an address. Raises as `read_json` does."""
    place = at.rstrip("/")
    info, effects, palettes = [
        await read_json(session, f"{place}/json/{leaf}", ANSWER_SECONDS) for leaf in ("info", "eff", "pal")
    ]
    name = info.get("name") if isinstance(info, dict) else None
    return {
        "name": name[: wled.MOST_LETTERS] if isinstance(name, str) else place,
        "presets": wled.presets(await read_json(session, f"{place}/presets.json", ANSWER_SECONDS)),
        "effects": wled.named(effects),
        "palettes": wled.named(palettes),
    }
