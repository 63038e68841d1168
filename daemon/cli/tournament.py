"""`oche tournament`: makes and runs a tournament, over the pages of a running daemon."""

import argparse
import json
import secrets
import urllib.error
from datetime import datetime
from http.client import HTTPException
from pathlib import Path
from typing import Any

from daemon.cli.parsing import json_object
from daemon.doctor.running_daemon import ask_pages
from daemon.system.error_text import error_text
from daemon.system.exit_codes import Failed
from daemon.system.lan_address import in_brackets
from daemon.system.named_file import named_text
from daemon.system.urls import UsageError, http_address, is_this_machine
from daemon.tournament.csv_text import entrants_from_csv, results_csv
from engine.refusals import Refusal

PATH = "/tournament.json"


def tournament(arguments: argparse.Namespace) -> int:
    """Sends the commands in order, and stops at the first that is refused; or prints the state."""
    if arguments.what == "show":
        _show(_ask(arguments.http), as_json=arguments.json)
    elif arguments.what == "export":
        print(results_csv(_ask(arguments.http)), end="")
    else:
        commands = _commands(arguments)
        for number, command in enumerate(commands):
            try:
                _ask(arguments.http, {"id": f"cli-{secrets.token_hex(8)}"} | command)
            except Failed as error:
                raise Failed(f"{error} {number} of {len(commands)} done." if number else str(error)) from error
        if not commands:
            raise UsageError("Name at least one player, or a file with --csv.")
    return 0


def _commands(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    match arguments.what:
        case "new":
            return [_new(arguments)]
        case "enter":
            return _entries(arguments)
        case "withdraw":
            return [{"withdraw": arguments.name}]
        case "draw":
            return [{"draw": arguments.seed or secrets.token_hex(8)}]
        case "call":
            board = {} if arguments.board is None else {"board": arguments.board}
            return [{"call": {"fixture": arguments.fixture} | board}]
        case "result":
            walkover = {"walkover": True} if arguments.walkover else {}
            return [{"result": {"fixture": arguments.fixture, "score": _score(arguments.score)} | walkover}]
        case "correct":
            then = "keep" if arguments.keep else "again"
            return [{"correct": {"fixture": arguments.fixture, "score": _score(arguments.score), "then": then}}]
        case what:
            return [{what: True}]


def _new(arguments: argparse.Namespace) -> dict[str, Any]:
    found = {"tournament": 1, "name": arguments.name, "format": arguments.format, "game": arguments.game}
    found |= {"best_of": arguments.best_of}
    if arguments.nodes is not None:
        found["nodes"] = arguments.nodes
    if arguments.options is not None:
        found["options"] = json_object("--options", arguments.options)
    return found | ({} if arguments.set is None else json_object("--set", arguments.set))


def _entries(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for name in arguments.names:
        players = [player.strip() for player in name.split("/")]
        found.append({"enter": {"name": name} | ({"players": players} if len(players) > 1 else {})})
    if arguments.csv is not None:
        text = named_text(None if arguments.csv == "-" else Path(arguments.csv))
        listed = entrants_from_csv(text)
        if isinstance(listed, Refusal):
            raise UsageError(f"{arguments.csv}: {listed.message}")
        found += listed
    if arguments.bot is not None:
        for command in found:
            command["enter"]["bot"] = arguments.bot
    return found


def _score(text: str) -> list[int]:
    parts = text.split(":")
    if len(parts) != 2 or not all(part.isdecimal() and part.isascii() for part in parts):
        raise UsageError(f"{text!r} is not a score: write the legs of both sides, like 2:1.")
    return [int(part) for part in parts]


def _ask(http: str, send: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the daemon answers. Failed with its refusal, or if no daemon answers."""
    host, port = http_address(http)
    address = f"{in_brackets(host)}:{port}"
    try:
        answer = ask_pages(address, PATH, here=is_this_machine(host), send=send)
    except urllib.error.HTTPError as error:
        raise Failed(_message(error)) from error
    except (OSError, HTTPException, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Failed(f"No daemon answers at {address} ({error_text(error)}); name its address with --http.") from error
    if not isinstance(answer, dict):
        raise Failed(f"Another program answers at {address}; name the daemon's address with --http.")
    return answer


def _message(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["message"])
    except (ValueError, LookupError, TypeError, OSError):
        return f"The daemon's answer is {error.code}."


def _show(state: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(state, ensure_ascii=False))
        return
    names = {entrant["number"]: entrant["name"] for entrant in state["entrants"]}
    print(f"{state['name']}: {state['format']}, {state['state']}, {len(names)} entrants")
    if "ends" in state:
        print(f"It ends at about {datetime.fromisoformat(state['ends']).astimezone():%H:%M}.")
    if not state["fixtures"]:
        print("\n".join(names.values()))
    for fixture in state["fixtures"]:
        sides = [names.get(fixture[side], "-") if side in fixture else "?" for side in ("home", "away")]
        score = ":".join(map(str, fixture["score"])) if "score" in fixture else fixture["state"]
        board = f"  on {fixture['board']}" if "board" in fixture else ""
        print(f"{fixture['id']:<8} {sides[0]} - {sides[1]}  {score}{board}")
    for group, rows in state["tables"].items():
        print(f"\n{group}")
        for row in rows:
            legs = f"{row['legs']}:{row['against']}"
            print(f"{row['place']:>3} {names[row['entrant']]:<24} {row['played']:>3} {legs:>7} {row['points']:>4}")
    if "winner" in state:
        print(f"Winner: {names[state['winner']]}")
    if "order" in state:
        print("\nFinal order")
        place = 1
        for level in state["order"]:
            print(f"{place:>3} {', '.join(names[entrant] for entrant in level)}")
            place += len(level)
