"""`oche setup`: the first run, by questions. Finds the board, names it, hears a dart, writes the configuration.

Nothing is written before the last question. Asked again, it begins with what
was answered the last time.
"""

import argparse
import asyncio
import grp
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import segno

from boards.identity import Port
from daemon import wire
from daemon.config import SYSTEM_FILE, ConfigFile, read_config
from daemon.finding import judge, look
from daemon.link import Chunk, Link, chunk
from daemon.links import open_link
from daemon.shelf import model, models
from daemon.udev import own_rules
from daemon.urls import BoardSpec, UsageError, board_spec, broker_url, check_name
from daemon.wire import Arrival, Lost, Opened
from drivers import DRIVERS
from drivers.heard import Dart
from drivers.reading import Reading
from engine.match import dart_text

HTTP_PORT: Final = 8080
OWN_RULES: Final = Path("/etc/udev/rules.d/71-oche-boards.rules")


class GaveUp(Exception):
    """Whoever was asked went away, or did not want to go on."""


def setup(arguments: argparse.Namespace) -> int:
    """Asks, writes the configuration, starts the service where there is one."""
    path = Path(arguments.config or SYSTEM_FILE)
    try:
        if arguments.config is None and not os.access(path if path.exists() else path.parent, os.W_OK):
            print(f"This writes {path}: type sudo oche setup, or name a file of yours with --config.", file=sys.stderr)
            return 1
        before = read_config(path) if path.exists() else ConfigFile()
        settled = _settle(before, arguments.seconds)
        _write(path, settled)
        if arguments.config is None:
            _let_in(settled)
    except GaveUp:
        print("\nNothing was written.", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{path} cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"Written: {path}")
    _start(path, is_system=arguments.config is None)
    _show_address(settled)
    return 0


def _settle(before: ConfigFile, seconds: float) -> ConfigFile:
    boards = dict(before.boards)
    print("1. The board")
    spec = _board(before)
    if spec is not None:
        boards = {n: text for n, text in boards.items() if board_spec(f"{n}={text}").url.place != spec.url.place}
        boards[spec.name] = f"{spec.model}@{spec.url.text}"
        _test_dart(spec, seconds)
    print("\n2. The broker, for other programs such as Home Assistant")
    broker = _ask(
        "Its address, like mqtt://homeassistant.local; Enter for one of oche's own", _is_broker, before.broker
    )
    print("\n3. Who sees the pages")
    shared = before.http is not None and not before.http.startswith("localhost")
    wants = _ask("Show them to other devices on your network too? yes or no", _yes_or_no, "yes" if shared else "no")
    http = f"0.0.0.0:{HTTP_PORT}" if wants.startswith("y") else None
    return before.model_copy(update={"boards": boards, "broker": broker or None, "http": http})


# ---------------------------------------------------------------------- the board


def _board(before: ConfigFile) -> BoardSpec | None:
    known, verdicts = models(), []
    while True:
        verdicts = [judge(device, known) for device in look()]
        for number, verdict in enumerate(verdicts, 1):
            print(f"  {number}  {verdict.device.device}  {_about(verdict.device)}")
            if verdict.model is not None:
                print(f"     {verdict.sentence}")
        words = (
            "its number, "
            if verdicts
            else "Nothing is plugged in that could be one. Plug it in and press Enter, or type "
        )
        chosen = _ask(f"Which is the board? {words}a port or address, or none", lambda _text: None, "")
        if chosen == "none":
            return None
        if chosen.isdecimal() and 1 <= int(chosen) <= len(verdicts):
            verdict = verdicts[int(chosen) - 1]
            return _named(verdict.model or _model(verdict.device.device), verdict.device.device)
        if chosen:
            try:
                return _named(_model(chosen), chosen)
            except UsageError as error:
                print(f"  {error}")


def _about(device: Port) -> str:
    return " ".join(filter(None, (device.manufacturer, device.product, device.serial))) or device.ids


def _model(port: str) -> str:
    known = models()
    for board in known.values():
        if board.name != "virtual":
            print(f"  {board.name:<16} {board.title}{' (has to be learned)' if board.learn else ''}")
    print(f"  {'learn':<16} none of these: oche asks you to press its beds, and learns it")

    def check(text: str) -> str | None:
        if text == "learn" or Path(text).suffix == ".toml":
            return None if text == "learn" else _no_model(text)
        return None if text in known else f"{text!r} is none of them."

    chosen = _ask("Which model is it? A name of the list, or a board file", check, "")
    if chosen != "learn" and not (chosen in known and known[chosen].learn):
        return chosen
    print(f"This is what `oche learn {port}` does:\n", flush=True)
    program = shutil.which("oche") or sys.argv[0]
    if subprocess.run([program, "learn", port], check=False).returncode:
        raise GaveUp
    return _ask("The file that it wrote", _no_model, "")


def _no_model(name: str) -> str | None:
    try:
        model(name)
    except UsageError as error:
        return str(error)
    return None


def _named(model_name: str, port: str) -> BoardSpec:
    def check(text: str) -> str | None:
        try:
            check_name("board", text)
        except UsageError as error:
            return str(error)
        return None

    name = _ask("What shall it be called? It is part of addresses; a to z, 0 to 9 and -", check, "board")
    return board_spec(f"{name}={model_name}@{port}")


def _test_dart(spec: BoardSpec, seconds: float) -> None:
    print("Throw a dart, or press a bed.", flush=True)
    found = asyncio.run(_hear_dart(spec, seconds))
    print(f"  {found}", flush=True)


async def _hear_dart(spec: BoardSpec, seconds: float) -> str:
    """The first dart, or why there was none."""
    board = model(spec.model)
    driver = DRIVERS[board.dialect]
    reading = Reading(board, driver)
    landed: asyncio.Queue[str] = asyncio.Queue()
    link: Link | None = None
    why = f"Nothing came within {seconds:.0f} seconds. `oche doctor` looks for the reason; you can go on all the same."

    async def open_it() -> Link:
        return await open_link(spec.url, board.baud or driver.baud, board.report)

    async def arrived(arrival: Arrival) -> None:
        nonlocal link, why
        match arrival:
            case Opened():
                link = arrival.link
                heard = reading.opened(arrival.at.at_ns)
            case Lost():
                link, why = None, f"{arrival.why} You can go on all the same."
                heard = reading.lost(arrival.at.at_ns)
            case Chunk():
                heard = reading.feed(arrival.data, arrival.at_ns)
                if link is not None and (answer := reading.answers()):
                    link.write(answer)
        for what in heard:
            if isinstance(what, Dart):
                landed.put_nowait(dart_text(what.dart))

    keeper = asyncio.create_task(wire.keep(open_it, driver, arrived))
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            try:
                async with asyncio.timeout(0.1):
                    return f"{await landed.get()}. It works."
            except TimeoutError:
                for what in reading.tick(chunk(b"").at_ns):
                    if isinstance(what, Dart):
                        landed.put_nowait(dart_text(what.dart))
        return why
    finally:
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)


# ---------------------------------------------------------------------- asking and writing


def _ask(question: str, wrong: Callable[[str], str | None], default: str | None) -> str:
    """An answer that `wrong` has nothing to say against; Enter takes the default."""
    while True:
        print(f"{question}{f' [{default}]' if default else ''}: ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise GaveUp
        text = line.strip() or default or ""
        problem = wrong(text)
        if problem is None:
            return text
        print(f"  {problem}")


def _is_broker(text: str) -> str | None:
    if not text:
        return None
    try:
        url = broker_url(text)
    except UsageError as error:
        return str(error)
    if url.host and url.scheme in ("mqtt", "mqtts", "ws", "wss"):
        try:
            socket.create_connection((url.host, url.port), timeout=3).close()
        except OSError as error:
            return (
                f"Nothing answers at {url.host}:{url.port}: {error.strerror or error}. Enter takes one of oche's own."
            )
    return None


def _yes_or_no(text: str) -> str | None:
    return None if text.lower() in ("y", "yes", "n", "no") else "Type yes or no."


def toml_of(config: ConfigFile) -> str:
    """The text of a configuration file: strings of JSON are strings of TOML."""
    settled = config.model_dump(exclude_defaults=True)
    lines = ["# Written by `oche setup`; asked again, it keeps what you change here."]
    lines += [f"{key} = {json.dumps(value)}" for key, value in settled.items() if not isinstance(value, dict)]
    for table, values in settled.items():
        if isinstance(values, dict) and values:
            lines += ["", f"[{table}]", *(f"{name} = {json.dumps(text)}" for name, text in values.items())]
    return "\n".join(lines) + "\n"


def _write(path: Path, config: ConfigFile) -> None:
    """Puts the new file in the place of the old one at once, readable for the service: it may hold a password."""
    fresh = path.with_suffix(".new")
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh.write_text(toml_of(config), encoding="utf-8")
    fresh.chmod(0o640)
    if os.geteuid() == 0:
        try:
            os.chown(fresh, 0, grp.getgrnam("oche").gr_gid)
        except KeyError:
            fresh.chmod(0o600)
    fresh.replace(path)


def _let_in(config: ConfigFile) -> None:
    """The service may open the boards that are USB devices, and is started by them, also when they come again."""
    text = own_rules(board_spec(f"{name}={url}") for name, url in config.boards.items())
    if text is None:
        OWN_RULES.unlink(missing_ok=True)
        return
    OWN_RULES.parent.mkdir(parents=True, exist_ok=True)
    OWN_RULES.write_text(text, encoding="utf-8")
    OWN_RULES.chmod(0o644)
    for words in (("control", "--reload"), ("trigger", "--action=change", "--subsystem-match=usb")):
        if shutil.which("udevadm"):
            subprocess.run(["udevadm", *words], check=False)


def _start(path: Path, *, is_system: bool) -> None:
    if is_system and Path("/run/systemd/system").is_dir() and Path("/usr/bin/systemctl").exists():
        subprocess.run(["systemctl", "restart", "oche.service"], check=False)
        print("The service was started anew with it.")
    else:
        print(f"Start it with: oche run --config {path}")


def _show_address(config: ConfigFile) -> None:
    if config.http is None:
        print(f"The display is at http://localhost:{HTTP_PORT} on this machine.")
        return
    if Path("/run/systemd/system").is_dir() and shutil.which("avahi-publish-address"):
        subprocess.run(["systemctl", "enable", "--now", "--quiet", "oche-name.service"], check=False)
        url = f"http://oche.local:{HTTP_PORT}"
    else:
        url = f"http://{socket.gethostname().split('.')[0]}.local:{HTTP_PORT}"
    print(f"The display is at {url} for every device on your network; point a phone at this:\n")
    segno.make(url, error="l").terminal(compact=True)
