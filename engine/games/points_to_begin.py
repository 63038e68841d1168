"""The option `handicap` of games of their own whose score is points: some players begin with a few."""

from engine.options import Option, PerPlayer
from engine.texts import Text


def points_to_begin(most: int, since: int) -> Option:
    """The option `handicap`: up to `most` points for each player. `since` is the version of the rules that adds it."""
    label = Text("Score to begin with", "Stand zu Beginn", "Score au départ")
    about = "points that some players begin with"
    return Option("handicap", PerPlayer(1, most), {}, about, since=since, before={}, label=label)
