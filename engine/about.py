"""What a game says about itself: the pitch, the rules as three short cards, and the class of board that it needs."""

from collections.abc import Container
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, runtime_checkable

from engine.game import Game
from engine.refusals import Refusal
from engine.texts import Language, Text

BoardClass = Literal["P", "A", "B", "R"]
"""What a game needs of a board.

`P`: points are enough. `A`: beds matter, and where points leave it open the table asks. `B`: it needs beds, because
nearly every dart would be asked for. `R`: inner and outer singles differ; a board that does not tell them apart
plays with outer singles.
"""

NEEDS_BEDS: Final[frozenset[BoardClass]] = frozenset({"B", "R"})

CARDS: Final = ("aim", "turn", "end")
"""The rule cards, in the order in which they are read."""


@dataclass(frozen=True, slots=True)
class About:
    """The pitch in a sentence, and the cards: what a player is after, what a turn does, and when the match ends."""

    board: BoardClass
    pitch: Text
    aim: Text
    turn: Text
    end: Text

    def cards(self, language: Language) -> dict[str, str]:
        """The text of each card in one language."""
        texts: dict[str, Text] = {"aim": self.aim, "turn": self.turn, "end": self.end}
        return {card: text.text(language) for card, text in texts.items()}


@runtime_checkable
class HasAbout(Protocol):
    """A game that says what it is about. Every built-in game does; one of another package may."""

    @property
    def about(self) -> About:
        """The pitch, the cards and the class of board."""
        ...


def about(game: Game[Any]) -> About | None:
    """What a game says about itself; None for a game of another package that says nothing."""
    return game.about if isinstance(game, HasAbout) else None


Ability = Literal["ring", "inner_outer"]
"""What a board can report, by the names of `can` in its status: single, double and triple; the two singles."""


def needs(game: Game[Any]) -> tuple[Ability, ...]:
    """What a board must report so that the game can be played on it."""
    return ("ring",) if game.needs_segments else ()


def prefers(game: Game[Any]) -> tuple[Ability, ...]:
    """What a board may lack, but the game then is another one: all singles count as outer ones."""
    found = about(game)
    return ("inner_outer",) if found is not None and found.board == "R" else ()


def unplayable(game: Game[Any], can: Container[str]) -> Refusal | None:
    """Why a game cannot be played on a board that can report only this; None if it can."""
    if all(ability in can for ability in needs(game)):
        return None
    return Refusal("board_cannot", f"{game.title} must know the bed, and this board reports points alone.")
