"""The public interface for code from outside: `oche.kit` and `oche.game` for games, `oche.driver` for dialects.

Names in these modules keep their meaning. Everything else in this distribution may change in any release.
"""

from typing import Final

API_VERSION: Final = 1
"""Rises when a name of these modules is removed, or code that was right with it no longer is. New names
and new fields with a default do not change it."""
