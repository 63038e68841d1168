"""A line between a house and the shared broker that can be slow, or cut."""

import queue
import socket
import threading
import time
from contextlib import suppress
from typing import Final

CHUNK: Final = 65536


class Line:
    """A TCP proxy to a loopback port. `delay` is the time in seconds that bytes take in each direction."""

    def __init__(self, port: int) -> None:
        self.delay = 0.0
        self._to, self._cut = port, False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        """Held while connections are added or ended, so that none outlives a cut during which it is made."""
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def cut(self) -> None:
        """Ends the connections, and refuses new ones until `mend`."""
        with self._lock:
            self._cut = True
            self._end()

    def mend(self) -> None:
        self._cut = False

    def close(self) -> None:
        self.cut()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._threads[0].join()
        for thread in self._threads:
            thread.join()

    def _end(self) -> None:
        for end in tuple(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = None if self._cut else socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                far = None
            if far is None:
                near.close()
                continue
            with self._lock:
                self._open |= {near, far}
                if self._cut:
                    self._end()
            pair = threading.Thread(target=self._join, args=(near, far))
            self._threads.append(pair)
            pair.start()

    def _join(self, near: socket.socket, far: socket.socket) -> None:
        """Passes bytes on both ways until one end closes."""
        threads = []
        for source, sink in ((near, far), (far, near)):
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            late: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
            threads.append(threading.Thread(target=self._read, args=(source, late)))
            threads.append(threading.Thread(target=self._write, args=(late, sink, source)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with self._lock:
            self._open -= {near, far}
        near.close()
        far.close()

    def _read(self, source: socket.socket, late: "queue.SimpleQueue[tuple[float, bytes]]") -> None:
        data = b" "
        while data:
            try:
                data = source.recv(CHUNK)
            except OSError:
                data = b""
            late.put((time.monotonic() + self.delay, data))

    def _write(
        self, late: "queue.SimpleQueue[tuple[float, bytes]]", sink: socket.socket, source: socket.socket
    ) -> None:
        while True:
            due, data = late.get()
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                if data:
                    sink.sendall(data)
                    continue
            except OSError:
                pass
            for end in (sink, source):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            return
