"""The figures of a player as text, as `figures.db` stores them."""

import json

from daemon.history import career
from daemon.history.statistics import Figures


def dump(figures: Figures) -> str:
    """The figures as a JSON object; what a game counts has the name of the game as its key."""
    about = {"matches": figures.matches, "won": figures.won, "games": figures.games, "beds": figures.beds}
    alone = {"alone": figures.alone} if figures.alone else {}
    awards = {"awards": dict(figures.awards)} if figures.awards else {}
    grown = {} if figures.career == career.NONE else {"career": career.dump(figures.career)}
    return json.dumps({**about, **alone, **awards, **grown, **figures.by_game})


def load(text: str) -> Figures:
    """The figures that `dump` wrote."""
    value = json.loads(text)
    matches, won, games, beds = (value.pop(key) for key in ("matches", "won", "games", "beds"))
    awards, alone = value.pop("awards", {}), value.pop("alone", 0)
    grown = career.load(value.pop("career")) if "career" in value else career.NONE
    return Figures(matches, won, games, beds, value, awards, grown, alone)
