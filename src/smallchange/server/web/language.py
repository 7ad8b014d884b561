"""The language of a page, by the header Accept-Language (RFC 9110, 12.5.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_RANGES = 100  # of a header that are read
RANGE = re.compile(
    r"\s*(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*)?",
    re.IGNORECASE | re.ASCII,
)


def preferred_language(header: str, languages: Sequence[str]) -> str:
    """Return the language of `languages` that the header prefers; the first one if it accepts none of them.

    A range stands for the language that it begins with, by whole subtags (RFC 4647, 3.4). `*` stands for the
    first language that no other range names. A weight of 0 excludes a language. A range that cannot be read
    counts for nothing. Of equal weights the first wins.

    >>> preferred_language("ja;q=0.1, en;q=0.9", ("en", "de", "ja")), preferred_language("de-AT", ("en", "de"))
    ('en', 'de')
    >>> preferred_language("en;q=0, *", ("en", "de")), preferred_language("deu, zh-Hant", ("en", "de", "zh-Hans"))
    ('de', 'en')
    """
    weights: dict[str, float] = {}
    for part in header.split(",")[:MAX_RANGES]:
        if read := RANGE.fullmatch(part):
            weights.setdefault(read[1].lower(), 1.0 if read[2] is None else float(read[2]))
    excluded = {_normalize(range) for range, weight in weights.items() if not weight}
    free = [language for language in languages if _normalize(language) not in excluded]
    named = {language for range in weights if (language := _lookup(range, free))}
    for range in sorted((range for range in weights if weights[range]), key=lambda range: -weights[range]):
        if range == "*":
            if unnamed := [language for language in free if language not in named]:
                return unnamed[0]
        elif language := _lookup(range, free):
            return language
    return (free or languages)[0]


def _lookup(range: str, languages: Sequence[str]) -> str | None:
    """Return the language that a range stands for. Its subtags are dropped from the end until one fits."""
    found = {_normalize(language): language for language in languages}
    subtags = range.split("-")
    while subtags:
        if "-".join(subtags) in found:
            return found["-".join(subtags)]
        subtags.pop()
    return None


def _normalize(tag: str) -> str:
    return tag.replace("_", "-").lower()
