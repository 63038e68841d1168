"""Writes configurations: comments stay, passwords go into the secrets file, everybody may read the rest."""

import contextlib
import grp
import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from daemon.system.address_secrets import without_secret
from daemon.system.config_parser import ConfigFile, parse, split_secrets
from daemon.system.named_file import read_named
from daemon.system.secret_addresses import secrets_path
from daemon.system.secure_files import write_secret
from daemon.system.urls import UsageError


def write_config_file(path: Path, config: ConfigFile) -> None:
    """Writes the configuration, readable for everybody, and its passwords, readable for the service alone.

    The passwords are written first: a power cut between the two files loses none.
    """
    plain, secrets = split_secrets(config)
    text = _public_text(path, plain)
    path.parent.mkdir(parents=True, exist_ok=True)
    if secrets:
        replace_file(secrets_path(path), secrets_text(secrets), 0o640)
    replace_file(path, text, 0o644)
    if not secrets:
        secrets_path(path).unlink(missing_ok=True)


def toml_of(config: ConfigFile, before: str = "") -> str:
    """Returns a configuration as TOML: `before` with the values of `config`. Comments and order of `before` stay.

    TOMLKitError if `before` is not TOML.
    """
    document = tomlkit.parse(before)
    if not before:
        document.add(tomlkit.comment("Written by `oche setup`, which keeps what you change here."))
    values = config.model_dump(mode="json", by_alias=True, exclude_none=True)
    needed = config.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_unset=True, exclude_defaults=True)
    _update(document, values, needed, _unchanged(config, before))
    return tomlkit.dumps(document)


def _unchanged(config: ConfigFile, before: str) -> frozenset[str]:
    """The keys whose values `before` has already: their text stays, also that of tables that `oche setup` never asks
    about."""
    try:
        known = parse(before, "")
    except UsageError:
        return frozenset()
    return frozenset(key for key in known.model_fields_set if getattr(known, key) == getattr(config, key))


def _update(
    table: MutableMapping[str, Any],
    values: Mapping[str, Any],
    needed: Mapping[str, Any],
    same: frozenset[str] = frozenset(),
) -> None:
    """Gives a TOML table the values but those of the keys in `same`. A key is added only if it is `needed`."""
    for key in set(table) - same:
        if values.get(key) in (None, {}):
            del table[key]
    for key, value in values.items():
        if key in same or (key not in table and key not in needed):
            continue
        if isinstance(value, Mapping):
            if key not in table:
                table[key] = tomlkit.table()
            _update(table[key], value, value)
        elif key not in table or table[key] != value:
            table[key] = value


def _public_text(path: Path, plain: ConfigFile) -> str:
    """The new text of the file at `path`, with its comments, unless these cannot be freed of passwords."""
    with contextlib.suppress(FileNotFoundError, UsageError, TOMLKitError):
        text = toml_of(plain, read_named(path).decode("utf-8"))
        if parse(text, str(path)) == plain:
            return without_secret_comments(text, plain)
    return toml_of(plain)


def without_secret_comments(text: str, config: ConfigFile) -> str:
    """Returns the text of `config` with comments that have no secrets. Values stay, also a web hook's with a token."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if without_secret(line) == line:
            continue
        # The sign can also stand in a value, which would change: then the comment begins at a later sign.
        for sign in (at for at, letter in enumerate(line) if letter == "#"):
            lines[number] = line[:sign] + without_secret(line[sign:])
            if lines[number] != line and _means("\n".join(lines), config):
                break
            lines[number] = line
    return "\n".join(lines)


def has_secrets(text: str) -> bool:
    """Whether a configuration has passwords that `write_config_file` would move or drop. In one that is not valid, any
    address with a secret counts."""
    try:
        config = parse(text, "")
    except UsageError:
        return any(without_secret(line) != line for line in text.splitlines())
    return bool(split_secrets(config)[1]) or without_secret_comments(text, config) != text


def _means(text: str, config: ConfigFile) -> bool:
    try:
        return parse(text, "") == config
    except UsageError:
        return False


def secrets_text(secrets: Mapping[str, str]) -> str:
    document = tomlkit.document()
    document.add(tomlkit.comment("The addresses of the configuration with their passwords, for the service alone."))
    document["addresses"] = dict(secrets)
    return tomlkit.dumps(document)


def replace_file(path: Path, text: str, mode: int) -> None:
    """Replaces a file at once, with a mode as in `set_mode`; it is never readable for more users than that."""
    write_secret(path, text)
    set_mode(path, mode)


def set_mode(path: Path, mode: int) -> None:
    """Sets the mode of a file. 0640 is for root and the group `oche`, where these can be had; otherwise it is 0600."""
    group = 0
    if mode == 0o640:
        try:
            group = grp.getgrnam("oche").gr_gid
        except KeyError:
            mode = 0o600  # No service is installed.
    if os.geteuid() == 0:
        os.chown(path, 0, group)
    elif mode == 0o640:
        mode = 0o600
    path.chmod(mode)
