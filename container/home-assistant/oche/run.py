"""Starts oche as an add-on of Home Assistant: its options become a configuration, its broker is Home Assistant's.

Usage: run.py [FOLDER [SUPERVISOR]]. FOLDER is the add-on's volume: the Supervisor writes `options.json` there, and the
matches are in it. SUPERVISOR is a host, with its port if that is not 80.
"""

import json
import os
import sys
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

PORT: Final = 8080
ANSWER_SECONDS: Final = 10.0
"""Time allowed for the Supervisor's answer. Without one the add-on ends, and is started again."""


def broker_of(service: dict[str, Any]) -> str:
    """Returns the address of the broker that the Supervisor describes."""
    user, password = (quote(str(service.get(key) or ""), safe="") for key in ("username", "password"))
    scheme = "mqtts" if service.get("ssl") else "mqtt"
    return f"{scheme}://{f'{user}:{password}@' if user else ''}{service['host']}:{service['port']}"


def configuration(options: dict[str, Any], service: dict[str, Any] | None, data: Path) -> str:
    """Returns the text of the configuration. `service`: Home Assistant's broker; None if it has none."""
    broker = options.get("broker") or ("embedded:" if service is None else broker_of(service))
    host = "0.0.0.0" if options["network"] else "127.0.0.1"  # noqa: S104
    boards = {board["name"]: board["board"] for board in options.get("boards", [])}
    lines = [
        f"http = {_text(f'{host}:{PORT}')}",
        f"broker = {_text(broker)}",
        f"data = {_text(str(data))}",
        "[boards]",
        *(f"{_text(name)} = {_text(board)}" for name, board in boards.items()),
    ]
    return "".join(f"{line}\n" for line in lines)


def _text(value: str) -> str:
    # A string of JSON is one of TOML, but for DEL.
    return json.dumps(value).replace("\x7f", "\\u007f")


def home_assistants_broker(supervisor: str) -> dict[str, Any] | None:
    """Asks the Supervisor for the broker of Home Assistant; None if it has none."""
    connection = HTTPConnection(supervisor, timeout=ANSWER_SECONDS)
    token = os.environ.get("SUPERVISOR_TOKEN", "")
    connection.request("GET", "/services/mqtt", headers={"Authorization": f"Bearer {token}"})
    with connection.getresponse() as answer:
        if answer.status == HTTPStatus.BAD_REQUEST:
            return None  # No add-on offers a broker.
        if answer.status != HTTPStatus.OK:
            raise ValueError(f"it answers {answer.status} {answer.reason}.")
        found: dict[str, Any] = json.load(answer)["data"]
    return found


def main(folder: str = "/data", supervisor: str = "supervisor") -> None:
    """Writes the configuration, and becomes `oche run`."""
    place = Path(folder)
    options = json.loads((place / "options.json").read_text(encoding="utf-8"))
    try:
        service = None if options.get("broker") else home_assistants_broker(supervisor)
    except (OSError, HTTPException, ValueError, KeyError) as error:
        sys.exit(f"The Supervisor does not say which broker Home Assistant has: {error}")
    config = place / "oche.toml"
    config.touch(mode=0o600)
    config.write_text(configuration(options, service, place / "oche"), encoding="utf-8")
    os.execvp("oche", ["oche", "run", "--config", str(config)])  # noqa: S606


if __name__ == "__main__":
    main(*sys.argv[1:])
