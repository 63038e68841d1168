"""Texts in the languages of the pages: names, rule cards, the words of options."""

import re
from dataclasses import dataclass
from typing import Final, Literal, get_args

Language = Literal["en", "de", "fr"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
_NO_BREAK: Final = (
    (re.compile("(?<=\\S) (?=[:»])|(?<=«) "), "\N{NO-BREAK SPACE}"),
    (re.compile("(?<=\\S) (?=[;!?])"), "\N{NARROW NO-BREAK SPACE}"),
)


@dataclass(frozen=True, slots=True)
class Text:
    """One text in English, German and French."""

    en: str
    de: str
    fr: str

    def to_json(self) -> dict[str, str]:
        """The text of each language by its code."""
        return {language: self.text(language) for language in LANGUAGES}

    def text(self, language: Language) -> str:
        """The text in one language."""
        found: str = getattr(self, language)
        return with_french_spaces(found) if language == "fr" else found


def with_french_spaces(text: str) -> str:
    """The text with spaces that do not break before a colon and the like, as French has them."""
    for pattern, space in _NO_BREAK:
        text = pattern.sub(space, text)
    return text
