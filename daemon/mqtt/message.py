"""A message that another client published."""

from dataclasses import dataclass
from typing import Self

import aiomqtt


@dataclass(frozen=True, slots=True)
class Message:
    """A message with the response topic and the correlation data of its sender, `None` where it gave none."""

    topic: str
    payload: bytes
    retained: bool
    answer_to: str | None = None
    correlation: bytes | None = None

    @classmethod
    def received(cls, message: aiomqtt.Message) -> Self:
        """Returns what the library received as a message."""
        payload = message.payload if isinstance(message.payload, bytes) else b""
        topic = getattr(message.properties, "ResponseTopic", None)
        correlation = getattr(message.properties, "CorrelationData", None)
        return cls(
            str(message.topic),
            payload,
            bool(message.retain),
            topic if isinstance(topic, str) else None,
            correlation if isinstance(correlation, bytes) else None,
        )
