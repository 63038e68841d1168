"""What an exception says, for people: the file and the reason, without the numbers of the system."""

import errno
import os
import re
from typing import Final

_NUMBER: Final = re.compile(r"\[Errno -?\d+\] ?")


def error_text(error: BaseException) -> str:
    """The exception in words, without a full stop: `/dev/ttyUSB0: Permission denied`."""
    inner = getattr(error, "reason", None)
    if isinstance(error, OSError) and isinstance(inner, BaseException):
        # urllib wraps what happened.
        return error_text(inner)
    if isinstance(error, OSError) and error.strerror:
        why = _why(error)
        text = why if error.filename is None else f"{error.filename}: {why}"
    else:
        text = _NUMBER.sub("", str(error))
    return text.rstrip(".") or type(error).__name__


def _why(error: OSError) -> str:
    # asyncio writes an address in the place of the reason; pyserial and the resolver have words of their own there.
    if type(error).__module__ == "builtins" and error.errno is not None and error.errno in errno.errorcode:
        return os.strerror(error.errno)
    return _NUMBER.sub("", str(error.strerror))
