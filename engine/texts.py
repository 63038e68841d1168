"""Texts in the languages of the pages: names, rule cards, the words of options."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

Language = Literal["en", "de", "fr"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


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
        return found
