"""The rules that the page `/show` makes: `show.toml` in the data directory, with the same `[[show]]` tables.

A rule with mistakes disables itself alone: it is listed with them, and the others act. Comments that somebody wrote
into the file stay: a change on the page rewrites the table of one rule, and in it only the keys that differ.
"""

import hashlib
import re
import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from daemon.system.named_file import TEXT_BYTES, read_named
from daemon.system.secure_files import sync, write_secret
from daemon.system.show_config import ShowRule
from engine.refusals import Refusal

FILE: Final = "show.toml"
MOST_RULES: Final = 200
"""Rules of the file; another one is refused."""
HEADER: Final = re.compile(r"^[ \t]*\[\[[ \t]*show[ \t]*\]\][ \t]*(?:#.*)?$")
"""The first line of a rule."""
HEAD: Final = "# Rules that the page /show has made. It keeps what you change here, also comments.\n"
NO_TOML: Final = Refusal("bad_value", "TOML has no null, and no lists this deep: write the rule without them.")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a rule: the keys and indices that lead to the value, as in `("wled", 0, "color")`."""

    path: tuple[str | int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule as it is written; `rule` is None if it has mistakes."""

    values: Mapping[str, Any]
    rule: ShowRule | None
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The content of the file. `version` changes with every change; `problem` says what cannot be read."""

    version: str
    rules: tuple[WrittenRule, ...] = ()
    problem: str | None = None

    @property
    def valid(self) -> tuple[ShowRule, ...]:
        """The rules that act."""
        return tuple(written.rule for written in self.rules if written.rule is not None)

    @property
    def messages(self) -> list[str]:
        """Everything that is wrong, for a terminal."""
        said = [] if self.problem is None else [self.problem]
        for number, written in enumerate(self.rules, 1):
            for mistake in written.mistakes:
                place = ".".join(map(str, mistake.path)) or "the rule"
                said.append(f"Rule {number} of {FILE} does nothing: {place}: {mistake.message}")
        return said


def check_rule(values: object) -> ShowRule | tuple[Mistake, ...]:
    """Returns a rule, or all its mistakes."""
    try:
        return ShowRule.model_validate(values)
    except ValidationError as error:
        return tuple(Mistake(tuple(e["loc"]), e["msg"].removeprefix("Value error, ")) for e in error.errors())


def read_rules(folder: Path) -> RuleFile:
    """Returns the rules of a data directory; none if the file is missing. Never raises for what is in the file."""
    try:
        return _parsed(_read(folder))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        return RuleFile("", problem=f"{folder / FILE} cannot be read: {why}.")


def change_rules(folder: Path, version: str, at: int | None, values: Mapping[str, Any] | None) -> RuleFile | Refusal:
    """Replaces the rule `at` with `values`, adds it if `at` is None, or removes it if `values` is None.

    `values` is a valid rule. Refuses what cannot be done, also if the file is not the one of `version` any more.
    OSError if it cannot be written.
    """
    try:
        text = _read(folder)
    except UnicodeDecodeError:
        return Refusal("bad_value", f"{folder / FILE} is not UTF-8. Correct it or remove it.")
    before = _parsed(text)
    if before.problem is not None:
        return Refusal("bad_value", f"{before.problem} Correct the file first.")
    if before.version != version:
        return Refusal("stale_revision", "The rules have changed meanwhile. Load the page again.")
    if at is None and len(before.rules) >= MOST_RULES:
        return Refusal("too_large", f"There are {MOST_RULES} rules already. Remove one first.")
    if at is not None and at >= len(before.rules):
        return Refusal("bad_value", f"There is no rule {at}.")
    from tomlkit.exceptions import ConvertError

    try:
        changed = edited(text, at, values)
    except (ConvertError, RecursionError):
        return NO_TOML
    if changed is None:
        return Refusal(
            "bad_value", f"{folder / FILE} is written in a way that cannot be changed here: edit it by hand."
        )
    if len(changed.encode()) > TEXT_BYTES:
        return Refusal("too_large", f"The rules would be larger than {TEXT_BYTES // 1024} KiB.")
    made = _parsed(changed)
    if made.problem is not None:
        return NO_TOML  # tomllib reads no lists as deep as tomlkit writes.
    write_secret(folder / FILE, changed, folder)
    sync(folder)
    return made


def edited(text: str, at: int | None, values: Mapping[str, Any] | None) -> str | None:
    """Returns the text of a file with one rule changed, as `change_rules` does; None if the text does not allow it."""
    head, blocks = _blocks(text)
    rules = tomllib.loads(text).get("show", [])
    if len(blocks) != len(rules) or any(_rule_of(block) != rule for block, rule in zip(blocks, rules, strict=True)):
        return None
    wanted = None if values is None else simplified(values)
    if wanted is None and at is not None:
        del blocks[at]
    elif wanted is not None and at is not None:
        blocks[at] = _changed_block(blocks[at], wanted)
    elif wanted is not None:
        before = head + "".join(blocks) or HEAD
        return f"{before.rstrip()}\n\n{_new_block(wanted)}"
    return head + "".join(blocks)


def simplified(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of a rule in their shortest form: one value in place of a list of one, no empty lists."""
    rule = {key: _single(value) for key, value in values.items() if value not in ([], None)}
    if isinstance(rule.get("when"), Mapping):
        rule["when"] = {key: _short(key, value) for key, value in rule["when"].items() if value is not None}
    return rule


def _short(key: str, value: Any) -> Any:
    if key == "combination":
        return value  # a list, also of one dart
    return _span(value) if key in ("range", "marks", "need") else _single(value)


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _span(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 2 and value[0] == value[1] else value


def _read(folder: Path) -> str:
    try:
        return read_named(folder / FILE).decode("utf-8")
    except FileNotFoundError:
        return ""


def _parsed(text: str) -> RuleFile:
    version = hashlib.sha256(text.encode()).hexdigest()[:16]
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return RuleFile(version, problem=f"{FILE} is not TOML: {error}.")
    rules = values.pop("show", [])
    if not isinstance(rules, list):
        return RuleFile(version, problem=f"{FILE}: write each rule as [[show]].")
    problem = f"{FILE} is for [[show]] alone, and has {', '.join(values)} as well." if values else None
    return RuleFile(version, tuple(map(_written, rules)), problem)


def _written(values: Any) -> WrittenRule:
    checked = check_rule(values)
    shown = values if isinstance(values, dict) else {}
    return WrittenRule(shown, checked) if isinstance(checked, ShowRule) else WrittenRule(shown, None, checked)


def _blocks(text: str) -> tuple[str, list[str]]:
    """The text before the first rule, and the text of each rule with the comment right above it."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)  # unlike `splitlines`, which cuts at signs that a text can have
    starts = []
    for number, line in enumerate(lines):
        if HEADER.match(line.rstrip("\r\n")):
            while number > 0 and lines[number - 1].lstrip().startswith("#"):
                number -= 1
            starts.append(number)
    blocks = ["".join(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]
    return "".join(lines[: starts[0]] if starts else lines), blocks


def _rule_of(block: str) -> Any:
    """The rule that a block has by itself; None if it is not exactly one."""
    try:
        values = tomllib.loads(block)
    except ValueError:
        return None
    rules = values.get("show")
    return rules[0] if len(values) == 1 and isinstance(rules, list) and len(rules) == 1 else None


def _new_block(values: Mapping[str, Any]) -> str:
    import tomlkit

    document = tomlkit.document()
    table = tomlkit.table()
    for key, value in values.items():
        table[key] = _toml(value)
    rules = tomlkit.aot()
    rules.append(table)
    document["show"] = rules
    return f"{tomlkit.dumps(document).strip()}\n"


def _changed_block(block: str, values: Mapping[str, Any]) -> str:
    """The block with the values; its comments stay unless the way in which it is written does not allow that."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document: Any = tomlkit.parse(block)
        _update(document["show"][0], values)
        found: str = tomlkit.dumps(document)
    except (TOMLKitError, TypeError, KeyError):
        found = ""
    if simplified(_rule_of(found) or {}) == values:
        return found
    return _new_block(values) + ("\n" if block.endswith("\n\n") else "")


def _update(table: MutableMapping[str, Any], values: Mapping[str, Any]) -> None:
    for key in [key for key in table if key not in values]:
        del table[key]
    for key, value in values.items():
        known = table.get(key)
        inner = _single(known)
        if isinstance(value, Mapping) and isinstance(inner, MutableMapping):
            _update(inner, value)
        elif known is None or _plain(known) != value:
            table[key] = _toml(value)


def _plain(value: Any) -> Any:
    plain = value.unwrap() if hasattr(value, "unwrap") else value
    return _single(_span(plain))


def _toml(value: Any) -> Any:
    """A value of JSON as an item of TOML, its tables in one line."""
    import tomlkit

    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for key, part in value.items():
            table[key] = _toml(part)
        return table
    if isinstance(value, Sequence) and not isinstance(value, str):
        array = tomlkit.array()
        for part in value:
            array.append(_toml(part))
        return array
    return tomlkit.item(value)
