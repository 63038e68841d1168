"""What a game remembers, with other values: `dataclasses.replace` in half of its time, a tenth of that of a dart."""

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    # The type checker knows what this one may be given, and does so for no other function.
    from dataclasses import replace as replaced
else:
    T = TypeVar("T")
    _new, _set = object.__new__, object.__setattr__

    def replaced(own: T, **fields: Any) -> T:
        """The same frozen dataclass with other values of some fields. TypeError for a field that it has not."""
        after = _new(own.__class__)
        for name in own.__match_args__:
            _set(after, name, fields.pop(name) if name in fields else getattr(own, name))
        if fields:
            raise TypeError(f"{own.__class__.__name__} has no field {', '.join(fields)}")
        return after


__all__ = ["replaced"]
