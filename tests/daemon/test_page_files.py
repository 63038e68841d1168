"""The files of the pages are written as aiohttp allows; fixed answers are compressed."""

import asyncio
import gzip
import inspect
import json

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from daemon.web.pages import PageFile
from daemon.web.server import fixed


def test_the_library_has_the_methods_of_page_files() -> None:
    theirs = inspect.signature(web.FileResponse._sendfile)
    assert list(inspect.signature(PageFile._sendfile).parameters) == list(theirs.parameters)
    fallback = inspect.signature(web.FileResponse._sendfile_fallback)
    assert list(fallback.parameters) == ["self", "writer", "fobj", "offset", "count"]


@pytest.mark.parametrize("accepted", ["gzip, deflate, br", "identity", None])
def test_fixed_answers_are_compressed_for_who_takes_it(accepted: str | None) -> None:
    value = {"games": ["Hi-Lo"] * 100}
    request = make_mocked_request("GET", "/games.json", {} if accepted is None else {"Accept-Encoding": accepted})

    async def asked() -> web.StreamResponse:
        return await fixed(value)(request)

    answer = asyncio.run(asked())
    assert isinstance(answer, web.Response)
    assert isinstance(answer.body, bytes)
    packed = answer.headers.get("Content-Encoding") == "gzip"
    assert packed == (accepted is not None and "gzip" in accepted)
    assert json.loads(gzip.decompress(answer.body) if packed else answer.body) == value
    assert answer.headers["Vary"] == "Accept-Encoding"
