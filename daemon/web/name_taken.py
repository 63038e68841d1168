"""The page of a daemon that waits because another one has its node name.

Its other pages would show the boards of the other daemon, for their topics are the same.
"""

import html
from collections.abc import Callable, Collection
from typing import Any, Final

from aiohttp import web

from daemon.web.auth import Handler

REFRESH_SECONDS: Final = 3
PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="{seconds}">
<title>oche: this name is taken</title>
<style>body {{ font: 1.5rem/1.5 system-ui, sans-serif; max-width: 40em; margin: 15vh auto; padding: 0 1em }}</style>
<p role="alert">{message}</p>
"""


def unless_waiting(waiting: Callable[[], str | None], *handlers: Handler) -> Any:
    """Returns a middleware that answers for these handlers with status 503 and a page while there is a sentence.

    The other handlers go on: they serve what this daemon has on its own disk.
    """
    instead: Collection[Handler] = frozenset(handlers)

    @web.middleware
    async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
        message = waiting()
        if message is None or request.match_info.handler not in instead:
            return await handler(request)
        text = PAGE.format(seconds=REFRESH_SECONDS, message=html.escape(message, quote=False))
        return web.Response(status=503, text=text, content_type="text/html")

    return answer
