"""Checks of phrases that several tests make."""

import smallchange
from smallchange.i18n.text import LANGUAGES, Text

from .variants import GAMES

SPEAK_JAPANESE = all((smallchange.game(id).folder / "locale" / "ja.po").exists() for id in GAMES)


def is_complete(text: Text) -> bool:
    """Return whether the phrase has text in each language, with nothing left to fill in."""
    return isinstance(text, Text) and all(
        text[lang] == text[lang].strip() != "" and not set("{}\n") & set(text[lang]) for lang in LANGUAGES
    )


def has_japanese(text: Text) -> bool:
    """Return whether the Japanese text has kana, or the games under test are not translated."""
    return not SPEAK_JAPANESE or any("\u3040" <= letter <= "\u9fff" for letter in text["ja"])
