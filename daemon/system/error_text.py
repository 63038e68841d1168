"""Exceptions as text for people: the file and the reason, without error numbers."""

import errno
import os
import re
from typing import Final

_NUMBER: Final = re.compile(r"\[Errno -?\d+\] ?")


def error_text(error: BaseException) -> str:
    """Returns the file and the reason of an exception, without a full stop: `/dev/ttyUSB0: Permission denied`."""
    inner = getattr(error, "reason", None)
    if isinstance(error, OSError) and isinstance(inner, BaseException):
        # urllib wraps the error.
        return error_text(inner)
    if isinstance(error, OSError) and error.strerror:
        text = reason(error) if error.filename is None else f"{error.filename}: {reason(error)}"
    else:
        text = reason(error)
    return text.rstrip(".") or type(error).__name__


def reason(error: BaseException) -> str:
    """Returns the reason of an exception, without its file."""
    if not isinstance(error, OSError) or not error.strerror:
        return _NUMBER.sub("", str(error))
    # `strerror` is an address in errors of asyncio; in those of pyserial and the resolver it is the reason.
    if type(error).__module__ == "builtins" and error.errno is not None and error.errno in errno.errorcode:
        return os.strerror(error.errno)
    return _NUMBER.sub("", error.strerror)
