"""A phrase in every language we speak: it lives once, all languages side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TypeGuard

LANGUAGES = ("en", "ja")
JOINERS = "\u200c\u200d"  # zero-width: between letters in Persian, and in signs made of several


@dataclass(frozen=True, slots=True)
class Text:
    """One phrase in English and Japanese; braces are filled by `fill`.

    >>> took = Text("You took the {coin}.", "{coin}を取りました。")
    >>> took.fill(coin=Text("ace", "エース")).ja
    'エースを取りました。'
    >>> took.fill(coin=3)["en"]
    'You took the 3.'
    """

    en: str
    ja: str

    def __hash__(self) -> int:  # quick: texts are keys of what was said
        return hash(self.en)

    def __getitem__(self, lang: str) -> str:
        return self.ja if lang == "ja" else self.en

    def fill(self, **parts: Text | str | int) -> Text:
        """The phrase with its braces filled; a part may itself be a Text."""
        en, ja = dict(parts), dict(parts)
        for name, part in parts.items():
            if isinstance(part, Text):
                en[name], ja[name] = part.en, part.ja
        return Text(self.en.format_map(en), self.ja.format_map(ja))

    def __add__(self, other: Text) -> Text:
        """Two sentences after one another.

        >>> (Text("You won.", "あなたの勝ちです。") + Text("All 24.", "24枚すべて。")).en
        'You won. All 24.'
        """
        return Text(f"{self.en} {other.en}".strip(), self.ja + other.ja)


assert tuple(f.name for f in fields(Text)) == LANGUAGES


def printable(said: object) -> TypeGuard[str]:
    """Is this text that can stand on a line, with what joins letters and signs?

    >>> printable("Ann"), printable("a\\nb"), printable("\\U0001f468\\u200d\\U0001f469"), printable(5)
    (True, False, True, False)
    """
    return isinstance(said, str) and said.translate(dict.fromkeys(map(ord, JOINERS))).isprintable()


def plain(phrase: str | int) -> Text:
    """A phrase that is the same in every language: a square, a number, a name."""
    return Text(str(phrase), str(phrase))


def listed(parts: Iterable[Text], comma: str = ", ") -> Text:
    """Several phrases in a row. In English the `comma` stands between them.

    >>> listed([plain("a1"), plain("b2")])
    Text(en='a1, b2', ja='a1、b2')
    """
    row = list(parts)
    return Text(comma.join(p.en for p in row), "、".join(p.ja for p in row))


def together(parts: Iterable[Text]) -> Text:
    """Several phrases in a row, in English with an "and" before the last.

    >>> together([plain("a1"), plain("b2"), plain("c3")])
    Text(en='a1, b2 and c3', ja='a1、b2、c3')
    """
    row = list(parts)
    en = " and ".join(filter(None, (listed(row[:-1]).en, listed(row[-1:]).en)))
    return Text(en, listed(row).ja)
