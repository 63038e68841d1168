"""aiohttp's private methods that `PageFile` overrides and calls are the ones that it was written for."""

import inspect

from aiohttp import web

from daemon.web.pages import PageFile


def test_the_library_has_the_methods_of_page_files() -> None:
    theirs = inspect.signature(web.FileResponse._sendfile)
    assert list(inspect.signature(PageFile._sendfile).parameters) == list(theirs.parameters)
    fallback = inspect.signature(web.FileResponse._sendfile_fallback)
    assert list(fallback.parameters) == ["self", "writer", "fobj", "offset", "count"]
