"""The tables `[[show]]` and `[caller_door]` of a configuration: when a rule acts, and what it sends where.

```toml
[[show]]
when = { total = 180 }
wled = { at = "http://wled.local", preset = 7, seconds = 4 }
words = "$player: one hundred and eighty!"
```
"""

import re
from collections.abc import Iterator
from string import Template
from typing import Annotated, Any, Final, Literal, NotRequired, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from daemon.system.hosts import plain_address
from daemon.system.payload import Payload
from daemon.system.urls import UsageError, http_address
from engine import jsontext
from engine.game import EventKind
from engine.segments import SEGMENTS

FIELDS: Final = ("player", "board", "game", "event", "segment", "dart", "total", "left", "award", "winners")
"""What a text of a rule can contain, as `$player`."""
SHOUT: Final = ("sound", "picture", "words")
"""What the pages of the board show and play, by its name on the bus."""
FOLDER: Final = "show"
"""Folder of the sounds and pictures, in the data directory."""
BUS: Final = "oche/"
BROKER_VARIABLE: Final = "OCHE_BROKER"
"""The variable that gives `oche show` its broker: the address may have a password, and a command line is public."""
REQUESTS_VARIABLE: Final = "OCHE_SHOW_REQUESTS"
"""The variable that tells `oche show` that `oche run` has started it, and asks it over stdin."""
MOST_SECONDS: Final = 600.0


def _one_or_more(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _both_ends(value: Any) -> Any:
    # TOML has lists, and strict pydantic takes tuples alone.
    return tuple(value) if isinstance(value, list) else (value, value)


def _json(value: Any) -> None:
    try:
        jsontext.dump(value)
    except (TypeError, ValueError):
        raise ValueError(
            "it must be JSON: texts, numbers, true, false, lists and tables; write a date as text"
        ) from None


def _allowed(text: str) -> str:
    if (found := plain_address(text)) is None:
        raise ValueError(f"{text!r} is not an IP address, like 192.168.1.20")
    return found


def _in_order(span: tuple[int, int]) -> tuple[int, int]:
    if span[0] > span[1]:
        raise ValueError(f"write the lower number first: [{span[1]}, {span[0]}]")
    return span


def _template(text: str) -> str:
    template = Template(text)
    if not template.is_valid():
        raise ValueError("a $ stands before the name of a field, like $player; write $$ for the sign itself")
    if unknown := [name for name in template.get_identifiers() if name not in FIELDS]:
        raise ValueError(f"there is no ${unknown[0]}; the fields are {', '.join('$' + name for name in FIELDS)}")
    return text


def _web_address(text: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good:
        raise ValueError("write an address like http://wled.local")
    return text


def _topic(text: str) -> str:
    if not text or "#" in text or "+" in text or "\0" in text:
        raise ValueError("a topic to publish on has no + and no #")
    if text.startswith((BUS, "$")):
        raise ValueError("topics of oche and of the broker itself are not for rules")
    return text


def light_address(text: str) -> str:
    """Returns the address or the topic of a WLED controller as it was written. ValueError if it cannot be one."""
    if text.startswith("mqtt:"):
        _topic(text.removeprefix("mqtt:"))
        return text
    return _web_address(text)


def _bed(text: str) -> str:
    if text not in SEGMENTS:
        raise ValueError(f"{text!r} is no bed: write T20, D16, S5, SB, DB or MISS")
    return text


def _address(text: str) -> str:
    try:
        http_address(text)
    except UsageError as error:
        raise ValueError(str(error)) from error
    return text


Texts = Annotated[list[str], BeforeValidator(_one_or_more), Field(min_length=1)]
Events = Annotated[list[EventKind], BeforeValidator(_one_or_more), Field(min_length=1)]
Bed = Annotated[str, AfterValidator(_bed)]
Beds = Annotated[list[Bed], BeforeValidator(_one_or_more), Field(min_length=1)]
Span = Annotated[tuple[int, int], BeforeValidator(_both_ends), AfterValidator(_in_order)]
"""A number, or the lowest and the highest one."""
FilledText = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_template)]
HeaderPart = Annotated[str, StringConstraints(pattern=r"^[\x20-\x7e]*$")]
Allowed = Annotated[str, AfterValidator(_allowed)]
Seconds = Annotated[float, Field(gt=0, le=MOST_SECONDS)]
FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}")
FileName = Annotated[str, StringConstraints(pattern=f"^{FILE_NAME.pattern}$")]
"""The name of a file in the folder `show` of the data directory."""


class Table(BaseModel):
    """A table of the configuration: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class When(Table):
    """What must be true of an event. A rule without `event` is about the one that has what it asks for."""

    event: Events | None = None
    board: Texts | None = None
    game: Texts | None = None
    player: Texts | None = None
    bot: bool | None = None
    segment: Beds | None = None
    dart: Annotated[int, Field(ge=1, le=3)] | None = None
    """Which dart of the turn."""
    combination: Annotated[list[Bed], Field(min_length=1, max_length=3)] | None = None
    """The darts of a turn, in any order."""
    total: int | None = None
    range: Span | None = None
    marks: Span | None = None
    award: Texts | None = None
    need: Span | None = None
    """What the player has left as their turn begins."""

    @property
    def events(self) -> frozenset[str]:
        """The kinds of events that the rule is about; empty: every kind."""
        if self.event is not None:
            return frozenset(self.event)
        if self.award is not None:
            return frozenset({"award"})
        if self.need is not None:
            return frozenset({"turn"})
        if any(part is not None for part in (self.total, self.range, self.marks, self.combination)):
            return frozenset({"score", "checkout"})
        return frozenset({"dart"} if self.segment is not None or self.dart is not None else ())

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("name at least one condition, like event or total")
        return self


class Wled(Table):
    """A WLED controller, at its address or at its topic, `mqtt:wled/oche`, and what it shows."""

    at: Annotated[str, AfterValidator(light_address)]
    preset: Annotated[int, Field(ge=1, le=250)] | None = None
    effect: Annotated[int, Field(ge=0, le=255)] | None = None
    palette: Annotated[int, Field(ge=0, le=255)] | None = None
    color: Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")] | None = None
    brightness: Annotated[int, Field(ge=1, le=255)] | None = None
    off: bool = False
    seconds: Seconds | None = None
    """For how long; then the last one without `seconds` is back. None: until another rule."""

    @model_validator(mode="after")
    def _shows_something(self) -> Self:
        if not self.off and not any((self.preset, self.effect is not None, self.color, self.brightness)):
            raise ValueError("name what it shows: preset, effect, color, brightness or off")
        return self


class Mqtt(Table):
    """A message that is published. A payload that is not text is written as JSON, with the fields filled in."""

    topic: Annotated[str, AfterValidator(_topic)]
    payload: Any = ""
    retain: bool = False

    @model_validator(mode="after")
    def _has_known_fields(self) -> Self:
        _json(self.payload)
        for text in texts(self.payload):
            _template(text)
        return self


class Http(Table):
    """A request that is sent. A body that is not text is written as JSON, with the fields filled in."""

    url: Annotated[str, AfterValidator(_web_address), AfterValidator(_template)]
    method: Literal["GET", "POST", "PUT"] = "POST"
    headers: dict[HeaderPart, HeaderPart] = Field(default_factory=dict)
    body: Any = None

    @model_validator(mode="after")
    def _has_known_fields(self) -> Self:
        _json(self.body)
        for text in texts(self.body):
            _template(text)
        return self


class ShowRule(Table):
    """One rule: when it acts, and what it does. Of several that use the same output the highest `priority` acts."""

    when: When
    priority: Annotated[int, Field(ge=-100, le=100)] = 0
    wled: Annotated[list[Wled], BeforeValidator(_one_or_more)] = Field(default_factory=list)
    mqtt: Annotated[list[Mqtt], BeforeValidator(_one_or_more)] = Field(default_factory=list)
    http: Annotated[list[Http], BeforeValidator(_one_or_more)] = Field(default_factory=list)
    sound: FileName | None = None
    picture: FileName | None = None
    words: FilledText | None = None

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not (self.wled or self.mqtt or self.http or self.sound or self.picture or self.words):
            raise ValueError("name what it does: wled, mqtt, http, sound, picture or words")
        return self


class CallerDoor(Table):
    """The port for programs that listen to darts-caller."""

    address: Annotated[str, AfterValidator(_address)] = "localhost:8079"
    board: str | None = None
    """The board that is told. None: the only one."""
    token: Annotated[str, Field(min_length=16)] | None = None
    sources: Annotated[list[Allowed], Field(alias="from")] = Field(default_factory=list)
    """IP addresses whose programs need no token."""


class Shown(Payload):
    """What the pages of a board play and show: the names of files in the folder `show`, and words."""

    sound: NotRequired[str]
    picture: NotRequired[str]
    words: NotRequired[str]


class Shout(Shown):
    """The same as it is published; pages ignore an `id` that they have seen."""

    id: str


def texts(value: Any) -> Iterator[str]:
    """Yields every text in a value of JSON, its keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
