"""Writes recordings: raw bytes with the times of their arrival, taken below the decoders.

A recording is for bug reports; `replay:FILE` plays it.
"""

import json
import logging
from io import FileIO
from pathlib import Path

from daemon.links.link import Chunk, utc_text
from daemon.system.urls import BoardUrl, UsageError

log = logging.getLogger(__name__)


class Recorder:
    """One board's recording. The file starts with the first bytes; each piece is written before it is decoded."""

    def __init__(self, path: Path, model: str, url: BoardUrl) -> None:
        self._path, self._model, self._url = path, model, url
        # Unbuffered: nothing is left to be written when it is closed.
        self._stream: FileIO | None = path.open("wb", buffering=0)
        self._start_ns: int | None = None

    def write(self, arrival: Chunk) -> None:
        """Adds a piece. A full disk ends the recording and nothing else."""
        if self._stream is None:
            return
        lines = []
        if self._start_ns is None:
            self._start_ns = arrival.at_ns
            header = {"recording": 1, "model": self._model, "source": _source(self._url)}
            lines.append(header | {"started": utc_text(arrival.time)})
        at_ms = round((arrival.at_ns - self._start_ns) / 1e6, 3)
        lines.append({"at_ms": at_ms, "hex": arrival.data.hex()})
        try:
            self._stream.write("".join(json.dumps(line) + "\n" for line in lines).encode())
        except OSError as error:
            log.warning("the recording %s ends here: %s", self._path, error)
            self._stream.close()
            self._stream = None

    def close(self) -> None:
        """Closes the file, which is complete without this too."""
        if self._stream is not None:
            self._stream.close()


def recorder(path: Path, model: str, url: BoardUrl) -> Recorder:
    """Returns a recorder to this file. Raises UsageError if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return Recorder(path, model, url)
    except OSError as error:
        raise UsageError(f"The recording {path} cannot be written: {error.strerror}.") from error


def _source(url: BoardUrl) -> str:
    return {"sim": "virtual", "replay": "replay"}.get(url.scheme, "hardware")
