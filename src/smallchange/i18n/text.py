"""Phrases in every language: English in the code, translations in the catalogues.

`Text("You took the {coin}.")` is a phrase; `text[lang]` is the phrase in a language. Where one English
phrase needs two translations, a second argument says which is meant: `Text("wins", "a blocked player")`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeGuard

from .catalogues import LANGUAGES, catalogue

__all__ = ["LANGUAGES", "Plural", "Text", "capital", "join_texts", "plain", "printable", "together"]

JOINERS = "\u200c\u200d"  # zero-width: between letters in Persian, and in signs made of several


class Text:
    """One phrase; braces are filled by `fill`. Equal if made alike.

    >>> took = Text("You took the {coin}.")
    >>> took.fill(coin=Text("ace"))
    Text('You took the ace.')
    >>> took.fill(coin=3)["en"]
    'You took the 3.'
    >>> Text("ace")["ja"]
    'エース'
    """

    __slots__ = ("_spoken", "context", "message")

    def __init__(self, message: str, context: str = "") -> None:
        self.message: str = message
        self.context: str = context
        self._spoken: dict[str, str] = {}

    def __getitem__(self, lang: str) -> str:
        """Return the phrase in one of LANGUAGES."""
        spoken = self._spoken.get(lang)
        if spoken is None:
            spoken = self._spoken[lang] = self._speak(lang)
        return spoken

    @property
    def en(self) -> str:
        """The English."""
        return self["en"]

    def fill(self, **parts: Text | str | int) -> Text:
        """Return the phrase with its braces filled; a part may itself be a Text."""
        return _FilledText(self, parts)

    def __add__(self, other: Text) -> Text:
        """Return two sentences, one after the other.

        >>> Text("You won.") + Text("All 24.")
        Text('You won. All 24.')
        """
        if not self.en:
            return other
        return join_texts((self, other), SENTENCES) if other.en else self

    def _speak(self, lang: str) -> str:
        translations = catalogue(lang)
        if self.context:
            return translations.pgettext(self.context, self.message)
        return translations.gettext(self.message)

    def _key(self) -> Hashable:
        return self.message, self.context

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Text) and type(self) is type(other) and self._key() == other._key()

    def __hash__(self) -> int:
        # texts are keys of many caches, so without a call of Python; a str keeps its hash
        return hash(self._spoken.get("en") or self.en)

    def in_(self, lang: str) -> str:
        """Return the phrase in one of LANGUAGES, as `self[lang]` does."""
        return self[lang]

    def __str__(self) -> str:
        return self.en

    def __repr__(self) -> str:
        return f"Text({self.en!r})"


class Plural(Text):
    """A phrase with a form for each grammatical number, chosen by the part `n`.

    >>> coins = Plural("{n} coin", "{n} coins")
    >>> coins.fill(n=1), coins.fill(n=2)
    (Text('1 coin'), Text('2 coins'))
    """

    __slots__ = ("many", "n")

    def __init__(self, one: str, many: str, context: str = "", n: int = 2) -> None:
        super().__init__(one, context)
        self.many: str = many
        self.n: int = n

    def fill(self, **parts: Text | str | int) -> Text:
        n = parts["n"]
        assert isinstance(n, int)
        return _FilledText(Plural(self.message, self.many, self.context, n), parts)

    def _speak(self, lang: str) -> str:
        translations = catalogue(lang)
        if self.context:
            return translations.npgettext(self.context, self.message, self.many, self.n)
        return translations.ngettext(self.message, self.many, self.n)

    def _key(self) -> Hashable:
        return self.message, self.many, self.context, self.n


class _FilledText(Text):
    """A phrase and the parts that fill its braces."""

    __slots__ = ("_parts", "_phrase")

    def __init__(self, phrase: Text, parts: dict[str, Text | str | int]) -> None:
        super().__init__("")
        self._phrase, self._parts = phrase, parts

    def _speak(self, lang: str) -> str:
        parts = {name: part[lang] if isinstance(part, Text) else part for name, part in self._parts.items()}
        return self._phrase[lang].format_map(parts)

    def _key(self) -> Hashable:
        return self._phrase, tuple(self._parts.items())


class _Plain(Text):
    """A text that is the same in every language."""

    __slots__ = ()

    def _speak(self, lang: str) -> str:
        return self.message


class _Row(Text):
    """Several texts, one joined to the next by a phrase with {first} and {next}."""

    __slots__ = ("_before_last", "_between", "_texts")

    def __init__(self, texts: tuple[Text, ...], between: Text, before_last: Text) -> None:
        super().__init__("")
        self._texts, self._between, self._before_last = texts, between, before_last

    def _speak(self, lang: str) -> str:
        row = [text[lang] for text in self._texts]
        spoken = row[0]
        for text in row[1:-1]:
            spoken = self._between[lang].format(first=spoken, next=text)
        return self._before_last[lang].format(first=spoken, next=row[-1]) if len(row) > 1 else spoken

    def _key(self) -> Hashable:
        return self._texts, self._between, self._before_last


class _Capital(Text):
    """A text with a capital letter first, unless that is the letter of a square such as a1."""

    __slots__ = ("_phrase",)

    def __init__(self, phrase: Text) -> None:
        super().__init__("")
        self._phrase = phrase

    def _speak(self, lang: str) -> str:
        spoken = self._phrase[lang]
        return spoken if spoken[1:2].isdigit() else spoken[:1].upper() + spoken[1:]

    def _key(self) -> Hashable:
        return self._phrase


SENTENCES = Text("{first} {next}", "two sentences")
COMMA = Text("{first}, {next}", "a list")
SEMICOLON = Text("{first}; {next}", "a list")
AND = Text("{first} and {next}", "the end of a list")


def printable(value: object) -> TypeGuard[str]:
    r"""Return whether this is text that can stand on a line, with the characters that join letters and signs.

    >>> printable("Ann"), printable("a\nb"), printable("\U0001f468\u200d\U0001f469"), printable(5)
    (True, False, True, False)
    """
    return isinstance(value, str) and value.translate(dict.fromkeys(map(ord, JOINERS))).isprintable()


def plain(phrase: str | int) -> Text:
    """Return a phrase that is the same in every language: a square, a number, a name."""
    return _Plain(str(phrase))


def capital(phrase: Text) -> Text:
    """Return the phrase as the start of a sentence.

    >>> capital(Text("suns"))
    Text('Suns')
    """
    return _Capital(phrase)


def join_texts(parts: Iterable[Text], between: Text = COMMA, before_last: Text | None = None) -> Text:
    """Return several phrases in a row, with the text between them.

    >>> row = join_texts([plain("a1"), plain("b2")])
    >>> row["en"], row["ja"]
    ('a1, b2', 'a1、b2')
    """
    texts = tuple(parts)
    return _Row(texts, between, before_last or between) if texts else plain("")


def together(parts: Iterable[Text]) -> Text:
    """Return several phrases in a row, in English with an "and" before the last.

    >>> row = together([plain("a1"), plain("b2"), plain("c3")])
    >>> row["en"], row["ja"]
    ('a1, b2 and c3', 'a1、b2、c3')
    """
    return join_texts(parts, before_last=AND)
