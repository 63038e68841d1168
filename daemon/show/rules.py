"""Which rules a cue fulfils, and what is sent then. Pure."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any
from urllib.parse import quote

from daemon.show.cues import Cue, plain
from daemon.system.show_config import SHOUT, Http, Mqtt, Shown, ShowRule, When, Wled

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be sent for one cue. `shout` is for the pages of the board: `sound`, `picture`, `words`."""

    wled: tuple[Wled, ...] = ()
    mqtt: tuple[Mqtt, ...] = ()
    http: tuple[Http, ...] = ()
    shout: Shown = field(default_factory=Shown)


def fulfils(cue: Cue, when: When) -> bool:
    """Whether a cue has everything that a rule asks for."""
    return (
        (not when.events or cue.kind in when.events)
        and (when.board is None or cue.board in when.board)
        and (when.game is None or cue.game in when.game)
        and (when.player is None or cue.player in when.player)
        and (when.bot is None or cue.is_bot is when.bot)
        and (when.segment is None or cue.segment in [plain(bed) for bed in when.segment])
        and (when.dart is None or cue.dart == when.dart)
        and (when.combination is None or _same_beds(cue.darts, when.combination))
        and (when.total is None or cue.total == when.total)
        and _within(cue.total, when.range)
        and _within(cue.marks, when.marks)
        and (when.award is None or cue.award in when.award)
        and _within(cue.left, when.need)
    )


def due(rules: Sequence[ShowRule], cue: Cue) -> Due:
    """Returns what the rules send for a cue. Of several that use one output, only the highest priority does."""
    return sent([rule for rule in rules if fulfils(cue, rule.when)], cue)


def sent(fulfilled: Sequence[ShowRule], cue: Cue) -> Due:
    """Returns what these rules send, whatever they ask for."""
    highest: dict[str, int] = {}
    for rule in fulfilled:
        for output in _outputs(rule):
            highest[output] = max(rule.priority, highest.get(output, rule.priority))

    def acts(rule: ShowRule, output: str) -> bool:
        return rule.priority == highest[output]

    return Due(
        tuple(light for rule in fulfilled for light in rule.wled if acts(rule, light.at)),
        tuple(_filled_mqtt(one, cue) for rule in fulfilled for one in rule.mqtt if acts(rule, f"mqtt:{one.topic}")),
        tuple(_filled_http(one, cue) for rule in fulfilled for one in rule.http if acts(rule, one.url)),
        _shown(fulfilled, cue, acts),
    )


def _shown(rules: Sequence[ShowRule], cue: Cue, acts: Callable[[ShowRule, str], bool]) -> Shown:
    shown = Shown()
    for rule in rules:
        if rule.sound is not None and acts(rule, "sound"):
            shown["sound"] = rule.sound
        if rule.picture is not None and acts(rule, "picture"):
            shown["picture"] = rule.picture
        if rule.words is not None and acts(rule, "words"):
            shown["words"] = fill(rule.words, cue)
    return shown


def fill(value: Any, cue: Cue) -> Any:
    """Returns a value of JSON with the fields of the cue in place of `$player` and the like."""
    if isinstance(value, str):
        return Template(value).substitute(cue.fields)
    if isinstance(value, dict):
        return {key: fill(part, cue) for key, part in value.items()}
    return [fill(part, cue) for part in value] if isinstance(value, list) else value


def _outputs(rule: ShowRule) -> Iterator[str]:
    yield from (light.at for light in rule.wled)
    yield from (f"mqtt:{message.topic}" for message in rule.mqtt)
    yield from (request.url for request in rule.http)
    yield from (name for name in SHOUT if getattr(rule, name) is not None)


def _filled_mqtt(message: Mqtt, cue: Cue) -> Mqtt:
    return message.model_copy(update={"payload": fill(message.payload, cue)})


def _filled_http(request: Http, cue: Cue) -> Http:
    # Dots alone would be another folder.
    quoted = {name: quote(text, safe="") if text.strip(".") else "_" * len(text) for name, text in cue.fields.items()}
    url = Template(request.url).substitute(quoted)
    return request.model_copy(update={"url": url, "body": fill(request.body, cue)})


def _within(number: int | None, span: Span | None) -> bool:
    return span is None or (number is not None and span[0] <= number <= span[1])


def _same_beds(darts: Sequence[str], beds: Sequence[str]) -> bool:
    return Counter(map(plain, darts)) == Counter(map(plain, beds))
