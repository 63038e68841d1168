"""Another daemon at the broker has this node name: the message on stderr and on the pages."""

import sys

from daemon.system.console import say


class NameConflict:
    """`message` says why this daemon publishes nothing and what to do; `None` while it holds the name."""

    def __init__(self, node: str, broker: str) -> None:
        """`broker` is its address as people type it."""
        self.message: str | None = None
        self._node, self._broker = node, broker

    def tell(self, waiting: bool) -> None:
        """Prints on stderr that waiting begins or ends."""
        if waiting:
            self.message = name_taken(self._node, self._broker)
            say(self.message, sys.stderr)
        elif self.message is not None:
            self.message = None
            say(f"The other oche is gone; this one is {self._node} now.", sys.stderr)


def name_taken(node: str, broker: str) -> str:
    """Returns the message about a daemon that waits."""
    return (
        f"Another oche is called {node} at the broker {broker}. This one publishes nothing, and waits until the other "
        'has gone. Give one of the two another name: --node NAME, or node = "NAME" in its configuration.'
    )
