"""What a game of the kit imports. `docs/games.md` builds a whole game with these names.

The names are listed once, in `engine/kit/__init__.py`; a test pins them.
"""

from engine.kit import *  # noqa: F403
from engine.kit import __all__ as __all__
