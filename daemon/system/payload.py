"""What every JSON payload of the daemon has in common, and the JSON Schema of each.

The code that makes a payload returns a TypedDict, which mypy checks. pydantic reads the same TypedDict to write
`docs/schemas/` and `docs/asyncapi.yaml`. At run time neither validates anything: a dart must not wait for it.
"""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

Name = Annotated[str, Field(pattern="^[a-z0-9-]{1,32}$")]
"""The name of a node, a board or a user."""


@with_config(ConfigDict(extra="allow", strict=True))
class Payload(TypedDict):
    """Fields that do not apply are left out, never null; readers ignore fields that they do not know."""


def schema(payload: type[Any]) -> dict[str, Any]:
    """Returns the JSON Schema of a payload."""
    return TypeAdapter(payload).json_schema()
