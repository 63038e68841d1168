"""The address `mqtt:TOPIC?template=…`: the topic at which a board publishes, and which line its payload is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from daemon.system.template import WHOLE, Template, parse_template

LONGEST_TOPIC: Final = 200
TAKEN: Final = ("oche", "homeassistant")
"""First levels of topics that no board may publish: there the daemon and its displays speak."""


@dataclass(frozen=True, slots=True)
class TopicAddress:
    """Where a board publishes, and how its payloads are read."""

    topic: str
    template: Template


def topic_address(place: str, settings: Mapping[str, str]) -> TopicAddress | list[str]:
    """Returns the address in `mqtt:PLACE?SETTINGS`, or a sentence for each mistake in it."""
    wrong = []
    first = place.partition("/")[0]
    if len(place) > LONGEST_TOPIC or not place.isprintable() or place.startswith(("/", "$")) or place != place.strip():
        wrong.append(f"a topic has at most {LONGEST_TOPIC} printable characters, and does not begin with / or $")
    if set("+#") & set(place):
        wrong.append("one board publishes at one topic: write it without + and #")
    if first in TAKEN:
        wrong.append(f"topics below {first}/ belong to the daemon: let the board publish elsewhere")
    template = parse_template(settings.get("template", WHOLE))
    if isinstance(template, str):
        wrong.append(template)
    wrong += [f"{name!r} is not a setting of it; template is" for name in settings if name != "template"]
    if wrong or isinstance(template, str):
        return wrong
    return TopicAddress(place, template)


def same_topics(topics: Iterable[tuple[str, str]]) -> list[str]:
    """Returns a sentence for each two boards, by name, that publish at one topic."""
    known: dict[str, str] = {}
    return [
        f"The boards {known[topic]} and {name} both publish at {topic}: give each a topic of its own."
        for name, topic in topics
        if known.setdefault(topic, name) != name
    ]
