"""What `oche run` asks of its `oche show`: a line of JSON for each request on stdin, and for each answer on stdout.

So the daemon itself sends nothing to lights, and what does not answer delays no dart.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientError, ClientSession

from daemon.show.example import example
from daemon.show.find_lights import NoZeroconf, find_lights, what_it_shows
from daemon.show.outputs import Refused, request
from daemon.show.rules import sent
from daemon.system.error_text import error_text
from daemon.system.show_config import FOLDER, Http, ShowRule, Wled
from engine import jsontext

log = logging.getLogger(__name__)

TRIED_SECONDS: Final = 5.0
"""How long a light shows what is tried, unless the rule says so itself."""
MOST_AT_ONCE: Final = 8
"""Requests that are worked on at the same time; others wait."""
LINE_BYTES: Final = 16 * jsontext.MAX_BYTES
"""The longest request: a rule has at most `MAX_BYTES`, but its numbers may be written longer than they came."""

Answer = dict[str, Any]


class Stage:
    """What a trial needs of the process; `daemon.show.app` gives its own."""

    def __init__(
        self,
        session: ClientSession,
        data: Path,
        light: Callable[[Wled, float], Awaitable[str | None]],
        publish: Callable[[str, str, bool], str | None],
        shout: Callable[[str, Any], str | None],
        reload: Callable[[], None],
        ready: Callable[[], Awaitable[None]],
    ) -> None:
        """`publish` and `shout`, which takes a board, return why something cannot be sent.

        `ready` waits for the broker, not for ever.
        """
        self.session, self.data, self.reload, self.ready = session, data, reload, ready
        self.light, self.publish, self.shout = light, publish, shout


async def answer_requests(stage: Stage) -> None:
    """Answers the requests of stdin until it ends."""
    reader = asyncio.StreamReader(limit=LINE_BYTES)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    room, working = asyncio.Semaphore(MOST_AT_ONCE), set()

    async def work(asked: dict[str, Any]) -> None:
        async with room:
            try:
                found = await answer(stage, asked)
            except Exception:
                log.exception("a request is not answered")
                found = {"ok": False, "message": "oche show failed; its log has the cause."}
        sys.stdout.write(json.dumps({"id": asked.get("id")} | found) + "\n")
        sys.stdout.flush()

    try:
        while True:
            try:
                if not (line := await reader.readline()):
                    return
                asked = json.loads(line)
            except (ValueError, RecursionError):  # ValueError: a line that is too long, or what is left of it.
                log.warning("a request that cannot be read is dropped")
                continue
            task = asyncio.create_task(work(asked))
            working.add(task)
            task.add_done_callback(working.discard)
    finally:
        for task in working:
            task.cancel()


async def answer(stage: Stage, asked: dict[str, Any]) -> Answer:
    """Returns the answer to one request, `{"ok": False, "message"}` if it cannot be done."""
    try:
        match asked:
            case {"do": "reload"}:
                stage.reload()
                return {"ok": True}
            case {"do": "find"}:
                return {"ok": True, "lights": await find_lights()}
            case {"do": "light", "at": str() as at}:
                return {"ok": True} | await what_it_shows(stage.session, at)
            case {"do": "try", "rule": dict() as values, "boards": list() as boards}:
                return {"ok": True, "results": await try_rule(stage, ShowRule.model_validate(values), boards)}
    except (NoZeroconf, Refused) as error:
        return {"ok": False, "message": str(error)}
    except (
        ClientError,
        OSError,
        ValueError,
    ) as error:  # ValueError: no possible host, or no JSON.
        return {"ok": False, "message": f"It does not answer as WLED does: {error_text(error)}."}
    return {"ok": False, "message": "This request is not known."}


async def try_rule(stage: Stage, rule: ShowRule, boards: list[str]) -> list[Answer]:
    """Does what a rule says, with a made-up event. Returns `{"output", "at"?, "message"?}` for each output.

    A `message` says why it was not done. Words, sounds and pictures come to all `boards` that the rule is about.
    """
    chosen = [board for board in boards if rule.when.board is None or board in rule.when.board]
    await stage.ready()
    due = sent([rule], example(rule.when, chosen[0] if chosen else "board"))
    outcomes = await asyncio.gather(
        *(_outcome("wled", number, stage.light(light, TRIED_SECONDS)) for number, light in enumerate(due.wled)),
        *(_outcome("http", number, _request(stage.session, http)) for number, http in enumerate(due.http)),
    )
    for number, message in enumerate(due.mqtt):
        text = message.payload if isinstance(message.payload, str) else jsontext.dump(message.payload)
        outcomes.append(_result("mqtt", number, stage.publish(message.topic, text, message.retain)))
    said = [stage.shout(board, due.shout) for board in chosen if due.shout]
    for output, shown in due.shout.items():
        problem = next((problem for problem in said if problem), None) if chosen else "There is no board to show it on."
        if output != "words" and not (stage.data / FOLDER / str(shown)).is_file():
            problem = f"There is no file {shown} in {stage.data / FOLDER}."
        outcomes.append(_result(output, None, problem))
    return outcomes


async def _outcome(output: str, number: int, work: Awaitable[str | None]) -> Answer:
    return _result(output, number, await work)


def _result(output: str, number: int | None, problem: str | None) -> Answer:
    result: Answer = {"output": output}
    if number is not None:
        result["number"] = number
    return result if problem is None else result | {"message": problem}


async def _request(session: ClientSession, http: Http) -> str | None:
    try:
        await request(session, http.method, http.url, http.body, http.headers)
    except (ClientError, OSError, ValueError, Refused) as error:
        return error_text(error)
    return None
