"""Keep the catalogues in step with the phrases in the code; for those who write phrases or translate.

Phrases are extracted by Babel from calls of `Text` and `Plural` in Python files and templates, and of `say` in these.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import IO, Any

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.frontend import parse_keywords
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po, write_po

from .catalogues import SOURCE, folders

PACKAGE = Path(__file__).parents[1]
KEYWORDS: Any = parse_keywords(["Text:1,1t", "Text:1,2c,2t", "Plural:1,2,2t", "Plural:1,2,3c,3t"])
IN_TEMPLATES: Any = KEYWORDS | parse_keywords(["say:1"])
EXTRACTORS: dict[str, tuple[str, Any]] = {
    ".py": ("python", KEYWORDS),
    ".html": ("jinja2.ext:babel_extract", IN_TEMPLATES),
}
TERMS = Path(__file__).with_name("terms.toml")
LINE_LENGTH = 110
HEADER = """\
msgid ""
msgstr ""
"Language: {lang}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals={forms}; plural={rule};\\n"

"""


@cache
def template(folder: Path) -> Catalog:
    """Return every phrase of the code beside a folder of catalogues, as the code has them."""
    catalog = Catalog()
    for file in _sources(folder.parent):
        name = file.relative_to(PACKAGE).as_posix()
        method, keywords = EXTRACTORS[file.suffix]
        for _, message, comments, context in extract_from_file(
            method,
            file,
            keywords=keywords,
            comment_tags=["Translators:"],
            options={"silent": "false"},
            strip_comment_tags=True,
        ):
            catalog.add(message, locations=[(name, 0)], auto_comments=comments, context=context)
    return catalog


def update(lang: str) -> Iterator[Path]:
    """Write the catalogues of a language anew: new phrases are empty, similar ones fuzzy, stale ones gone."""
    try:
        Locale.parse(lang)
    except (ValueError, UnknownLocaleError):
        raise ValueError(
            f"{lang!r} is not the code of a language that CLDR knows, such as de or pt_BR"
        ) from None
    for folder in folders():
        file, found = folder / f"{lang}.po", template(folder)
        catalog = _read(file) if file.exists() else Catalog(locale=lang)
        catalog.update(found)
        folder.mkdir(exist_ok=True)
        with file.open("wb") as out:
            _write(out, catalog, lang)
        yield file


def problems(lang: str) -> list[str]:
    """Return a line for whatever is missing, stale, fuzzy or wrongly filled in the catalogues of a language."""
    return [line for folder in folders() for line in compare(folder / f"{lang}.po", template(folder))]


def compare(file: Path, wanted: Catalog) -> list[str]:
    """Return a line for each difference of a catalogue from the phrases that it should have, and each fault."""
    if not file.exists():
        return [f"{file.name}: missing in {file.parent.parent.name}"] if len(wanted) else []
    name = "/".join(file.parts[-3:])
    phrases = {_id(message): message for message in _messages(wanted)}
    there = {_id(message): message for message in _messages(_read(file))}
    lines = [f"{name}: missing: {_label(phrases[id])}" for id in phrases.keys() - there.keys()]
    lines += [f"{name}: stale: {_label(there[id])}" for id in there.keys() - phrases.keys()]
    for id in phrases.keys() & there.keys():
        lines += [f"{name}: {wrong}: {_label(there[id])}" for wrong in _faults(there[id])]
    return sorted(lines)


def conflicts(lang: str) -> list[str]:
    """Return a line for each phrase that two catalogues translate differently: a context tells them apart."""
    known: dict[tuple[object, ...], tuple[object, str]] = {}
    lines = []
    for folder in folders():
        file = folder / f"{lang}.po"
        name = file.relative_to(PACKAGE).as_posix()
        for message in _messages(_read(file)) if file.exists() else ():
            text, first = known.setdefault(_id(message), (message.string, name))
            if text != message.string:
                lines.append(f"{first} and {name} differ: {_label(message)}")
    return sorted(lines)


def strange_terms(lang: str) -> list[str]:
    """Return a line for each phrase or rulebook that calls a thing otherwise than `terms.toml` has it."""
    lines = []
    for term in tomllib.loads(TERMS.read_text(encoding="utf-8")).get(lang, []):
        english, word = re.compile(term["english"]), re.compile(term.get("word", ""))
        never = re.compile(term.get("never", "(?!)"))
        for folder in folders():
            file, rulebook = folder / f"{lang}.po", folder.parent / f"rulebook.{lang}.md"
            for message in _messages(_read(file)) if file.exists() else ():
                meant, said = (
                    pattern.search(re.sub(r"\{\w+\}", "{}", str(text)))
                    for pattern, text in ((english, message.id), (word, message.string))
                )
                is_strange = said is None if meant else term.get("only") and said
                if is_strange or never.search(str(message.string)):
                    lines.append(
                        f"{file.relative_to(PACKAGE)}: another word for {english.pattern}: {_label(message)}"
                    )
            if rulebook.exists() and (found := never.search(rulebook.read_text(encoding="utf-8"))):
                lines.append(
                    f"{rulebook.relative_to(PACKAGE)}: another word for {english.pattern}: {found[0]}"
                )
    return sorted(lines)


def _sources(folder: Path) -> Iterator[Path]:
    """Yield the code and the templates whose phrases a catalogue has: a game's, or all that are no game's."""
    games = PACKAGE / "games"
    for file in sorted((folder if folder.parent == games else PACKAGE).rglob("*.*")):
        if file.suffix not in EXTRACTORS:
            continue
        of_game = games in file.parents and file.parent != games
        if not {"tests", "template"} & {*file.parts} and (of_game == (folder.parent == games)):
            yield file


def _read(file: Path) -> Catalog:
    with file.open("rb") as source:
        return read_po(source, locale=file.stem, abort_invalid=True)


def _write(out: IO[bytes], catalog: Catalog, lang: str) -> None:
    plural = get_plural(lang)
    out.write(HEADER.format(lang=lang, forms=plural.num_plurals, rule=plural.plural_expr).encode())
    for message in _messages(catalog):
        message.flags &= {"fuzzy"}  # Babel takes "5 % of" for a placeholder
    write_po(
        out,
        catalog,
        omit_header=True,
        width=LINE_LENGTH,
        no_location=True,
        sort_output=True,
        ignore_obsolete=True,
    )


def _messages(catalog: Catalog) -> list[Message]:
    """Return the phrases of a catalogue, without its header."""
    return [message for message in catalog if message.id]


def _id(message: Message) -> tuple[object, ...]:
    return message.id, message.context


def _label(message: Message) -> str:
    first = message.id if isinstance(message.id, str) else message.id[0]
    return repr(first) + (f" ({message.context})" if message.context else "")


def _faults(message: Message) -> Iterator[str]:
    """Yield the faults of one translation."""
    if message.fuzzy:
        yield "fuzzy"
    ids = (message.id,) if isinstance(message.id, str) else message.id
    strings = (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))
    if not all(strings):
        yield "not translated"
        return
    wanted = {part for id in ids for part in _parts(id)}
    for string in strings:
        if _parts(string) != wanted and not (len(ids) > 1 and _parts(string) == wanted - {"n"}):
            yield f"not filled with {', '.join(sorted(wanted)) or 'nothing'}"


def _parts(phrase: str) -> set[str]:
    """Return the names in braces.

    >>> sorted(_parts("{who} takes {n}"))
    ['n', 'who']
    """
    return {name for _, name, _, _ in Formatter().parse(phrase) if name is not None}


def languages() -> list[str]:
    """Return every language with a catalogue anywhere, complete or not."""
    return sorted({file.stem for folder in folders() for file in folder.glob("*.po")} - {SOURCE})
