"""In the browser: `smallchange.i18n.catalogues`. `CATALOGUES` has the phrases that are needed, by language."""

from __future__ import annotations

from typing import Any

SOURCE = "en"
CONTEXT_END = "\x04"  # as in the files of gettext
CATALOGUES: dict[str, dict[str, Any]] = {}
LANGUAGES: tuple[str, ...] = (SOURCE, *sorted(CATALOGUES))


class Catalogue:
    """The translations to a language; a phrase without one stays English."""

    def __init__(self, phrases: dict[str, str], plurals: dict[str, list[str]], forms: list[int]) -> None:
        self._phrases, self._plurals, self._forms = phrases, plurals, forms

    def gettext(self, message: str) -> str:
        """Return the translation of a phrase."""
        return self._phrases.get(message, message)

    def pgettext(self, context: str, message: str) -> str:
        """Return the translation of a phrase in this context."""
        return self._phrases.get(context + CONTEXT_END + message, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Return the translation of a phrase with a number."""
        return self._plural(one, one, many, n)

    def npgettext(self, context: str, one: str, many: str, n: int) -> str:
        """Return the translation of a phrase with a number in this context."""
        return self._plural(context + CONTEXT_END + one, one, many, n)

    def _plural(self, key: str, one: str, many: str, n: int) -> str:
        if key not in self._plurals:
            return one if n == 1 else many
        last = len(self._forms) - 100
        return self._plurals[key][self._forms[n if n < len(self._forms) else last + n % 100]]


ENGLISH = Catalogue({}, {}, [])
_read = {
    lang: Catalogue(kept["phrases"], kept["plurals"], kept["forms"]) for lang, kept in CATALOGUES.items()
}


def catalogue(lang: str) -> Catalogue:
    """Return all translations to a language."""
    return _read.get(lang, ENGLISH)
