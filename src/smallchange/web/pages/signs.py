"""Words with the signs of what they name: the suits, and the sides of a game for two."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from smallchange.draw.words import SUIT
from smallchange.game import Game

from .frame import escape

SUITS = {name: suit for suit, name in SUIT.items()}


@lru_cache(maxsize=16384)
def signed(words: str, game: str, lang: str) -> str:
    """Words of a game as markup, with a sign before the first mention of each thing that has one."""
    signs = _signs(game, lang)
    left = set(signs.values())

    def sign(found: re.Match[str]) -> str:
        id = signs[found[0].lower()]
        if id not in left:
            return found[0]
        left.remove(id)
        drawn = f'<use href="#s-{id}"/>'
        svg = f'<svg class="ig suit-{id}" viewBox="0 0 24 24" aria-hidden="true">{drawn}</svg>'
        return f'<span class="named">{svg}{found[0]}</span>'

    return _mentions(game, lang).sub(sign, escape(words))


@cache
def _signs(game: str, lang: str) -> dict[str, str]:
    """By what it is called: the name of its sign, which is the shape `s-NAME`."""
    signs = getattr(Game(game).face, "SIGNS", SUITS)
    return {text[lang].lower(): id for text, id in signs.items()}


@cache
def _mentions(game: str, lang: str) -> re.Pattern[str]:
    named = "|".join(map(re.escape, _signs(game, lang)))
    return re.compile(rf"\b(?:{named})\b" if lang == "en" else named, re.IGNORECASE)
