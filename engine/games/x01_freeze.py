"""The options of freeze: X01 for teams of two in which everyone has a score."""

from typing import Final

from engine.options import Flag, Option, word_option
from engine.texts import Text

HIGHEST_DART: Final = 60
"""Up to this score a frozen player could finish with one dart, and is better off without throwing."""

FREEZE: Final = (
    Option(
        "freeze",
        Flag(),
        False,
        "two teams of two with a score each; who has a partner with more left than both opponents cannot finish",
        label=Text("Freeze (teams of two)", "Freeze (Zweierteams)", "Freeze (équipes de deux)"),
    ),
    word_option(
        "frozen",
        Text("To finish while frozen", "Beenden im Freeze", "Finir en étant gelé"),
        "what finishing does while frozen",
        {
            "bust": Text("is a bust", "ist überworfen", "est un dépassement"),
            "loses": Text("loses the match", "verliert das Spiel", "perd la partie"),
        },
    ),
)
