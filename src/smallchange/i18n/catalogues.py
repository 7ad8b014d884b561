"""Catalogues of translations, one file for each language, found by looking.

English stands in the code. Every other language has `i18n/locale/<lang>.po` for the program and
`games/<id>/locale/<lang>.po` for each game. A language exists when the first of these does.
"""

from __future__ import annotations

import warnings
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

SOURCE = "en"
OWN_NAMES = {
    "en": "English",
    "de": "Deutsch",
    "ja": "日本語",
}  # as Babel has them, which takes 40 ms to say it
_PACKAGE = Path(__file__).parents[1]
LANGUAGES = (SOURCE, *sorted(file.stem for file in (_PACKAGE / "i18n" / "locale").glob("*.[mp]o")))


@cache
def own_name(lang: str) -> str:
    """Return the name of a language in that language.

    >>> own_name("de"), own_name("fr")
    ('Deutsch', 'français')
    """
    if lang in OWN_NAMES:
        return OWN_NAMES[lang]
    from babel import Locale

    name: str | None = Locale.parse(lang).display_name
    assert name is not None
    return name


_foreign: list[Path] = []  # folders of catalogues outside this package


def add_folder(folder: Path) -> None:
    """Use the catalogues of another game too, `<lang>.po` in this folder."""
    if folder not in _foreign:
        _foreign.append(folder)
        catalogue.cache_clear()


def folders() -> list[Path]:
    """Return the folders that have catalogues: the program's own first, then that of each game."""
    games = sorted(file.parent for file in (_PACKAGE / "games").glob("*/words.py"))
    return [folder / "locale" for folder in (_PACKAGE / "i18n", *games)]


@cache
def catalogue(lang: str) -> NullTranslations:
    """Return all translations to a language of LANGUAGES; a phrase without one stays English."""
    if lang not in LANGUAGES:
        raise ValueError(f"no language {lang!r}; the languages are: {', '.join(LANGUAGES)}")
    translations = NullTranslations()
    if lang == SOURCE:
        return translations
    for folder in reversed([*folders(), *_foreign]):
        compiled, file = folder / f"{lang}.mo", folder / f"{lang}.po"
        if compiled.exists() or file.exists():
            try:
                own = read_catalogue(compiled if compiled.exists() else file)
            except Exception as wrong:  # whatever the file of somebody else holds
                if folder not in _foreign:
                    raise
                warnings.warn(f"{file} is not read: {wrong}", stacklevel=2)
                continue
            own.add_fallback(translations)
            translations = own
    return translations


def read_catalogue(file: Path) -> GNUTranslations:
    """Read a .po or .mo file. Babel is imported here, so that English starts without it."""
    if file.suffix == ".mo":
        return GNUTranslations(file.open("rb"))
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with file.open("rb") as source:
        write_mo(compiled, read_po(source, locale=file.stem, abort_invalid=True))
    compiled.seek(0)
    return GNUTranslations(compiled)
