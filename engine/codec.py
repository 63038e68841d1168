"""States of games to JSON and back, by their type hints.

States consist of frozen dataclasses, enums, tuples, frozen sets, mappings, plain
values and None; nothing else is read. `pickle` was not chosen: it ties the journal
to class names and runs code from a file. The engine may not import pydantic.
"""

import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_json(value: object) -> Any:
    """The JSON form of a state. TypeError for a value that a state cannot hold."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        # Pairs, not an object: JSON would turn number keys into text.
        return [[to_json(k), to_json(v)] for k, v in value.items()]
    if isinstance(value, frozenset):
        return [to_json(v) for v in sorted(value)]
    if isinstance(value, tuple | list):
        return [to_json(v) for v in value]
    raise TypeError(f"a state cannot hold a {type(value).__name__}")


def from_json(kind: type[T], value: Any) -> T:
    """The state of this type that `to_json` wrote. ValueError, TypeError or KeyError if it is not one."""
    result: T = _reader(cast(Hashable, kind))(value)
    return result


@cache
def _reader(hint: Hashable) -> Callable[[Any], Any]:
    kind: Any = hint
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union(args)
    if origin is Literal or kind in (bool, int, float, str, Any):
        return lambda value: value
    if kind is type(None):
        return _none
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if origin is tuple:
        return _tuple(args)
    if origin is frozenset:
        item = _reader(args[0])
        return lambda value: frozenset(item(v) for v in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, item = _reader(args[0]), _reader(args[1])
        return lambda value: {key(k): item(v) for k, v in value}
    if is_dataclass(kind):
        return _dataclass(kind, {})
    if is_dataclass(origin):
        return _dataclass(origin, dict(zip(cast(Any, origin).__parameters__, args, strict=True)))
    raise TypeError(f"a state cannot hold a {kind}")


def _none(value: Any) -> None:
    if value is not None:
        raise ValueError("this must be null")


def _union(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    readers = [_reader(arg) for arg in args if arg is not type(None)]
    if len(readers) > 1 and any(is_dataclass(arg) for arg in args):
        # The JSON does not say which. A state can have a separate field for each.
        raise TypeError("a state cannot hold one of several dataclasses")
    return lambda value: None if value is None else readers[0](value)


def _tuple(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    if len(args) == 2 and args[1] is ...:
        item = _reader(args[0])
        return lambda value: tuple(item(v) for v in value)
    readers = [_reader(arg) for arg in args]
    return lambda value: tuple(read(v) for read, v in zip(readers, value, strict=True))


def _dataclass(kind: Any, arguments: Mapping[Any, Any]) -> Callable[[Any], Any]:
    """The reader of a dataclass; `arguments` are the types that a generic one is used with, by type variable."""
    hints = {name: arguments.get(hint, hint) for name, hint in get_type_hints(kind).items()}
    names = [f.name for f in fields(kind)]
    readers: dict[str, Callable[[Any], Any]] = {}

    def read(value: Any) -> Any:
        if not readers:
            readers.update({name: _reader(hints[name]) for name in names})
        return kind(**{name: readers[name](value[name]) for name in names})

    return read
