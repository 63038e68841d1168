"""An HTTP server with bounds on time, and without a log of its clients' mistakes."""

import contextlib
import errno
import logging
from collections.abc import AsyncIterator
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.log import server_logger

HEADERS_SECONDS = 15.0
"""Time allowed for the headers of a request, and for the next request on the same connection."""
LINGER_SECONDS = 2.0
"""How long the server discards further input after a response. Closing at once could lose the response."""
DISCONNECTED: Final = (errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ENETDOWN)
"""Errors of a lost connection that are not a ConnectionError."""


@contextlib.asynccontextmanager
async def http_server(app: web.Application) -> AsyncIterator[web.Server]:
    """Yields what makes the protocol of a connection to `app`; ends the connections at the end of the block."""
    server_logger.addFilter(_is_our_fault)
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=0.2,
        keepalive_timeout=HEADERS_SECONDS,
        lingering_time=LINGER_SECONDS,
        auto_decompress=False,
    )
    await runner.setup()
    server = runner.server
    assert server is not None  # set by setup()
    try:
        yield server
    finally:
        await runner.cleanup()


def _is_our_fault(record: logging.LogRecord) -> bool:
    """False for log records of client errors: the client gets a status, and must not be able to fill the log."""
    error = record.exc_info[1] if record.exc_info else None
    gone = isinstance(error, ConnectionError) or (isinstance(error, OSError) and error.errno in DISCONNECTED)
    return not gone and not isinstance(error, HttpProcessingError)
