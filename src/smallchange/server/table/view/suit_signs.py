"""Words with the signs of the things they name: suits, and the sides of a game for two."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from smallchange.core.game import Game
from smallchange.render.piece_names import SUIT
from smallchange.server.web.frame import escape

SUITS = {name: suit for suit, name in SUIT.items()}


@lru_cache(maxsize=16384)
def with_signs(words: str, game: str, lang: str) -> str:
    """Return words of a game as markup, with a sign before the first mention of each thing that has one."""
    signs = _signs(game, lang)
    left = set(signs.values())

    def sign(found: re.Match[str]) -> str:
        id = signs[found[0].lower()]
        if id not in left:
            return found[0]
        left.remove(id)
        drawn = f'<use href="#s-{id}"/>'
        svg = f'<svg class="inline-sign suit-{id}" viewBox="0 0 24 24" aria-hidden="true">{drawn}</svg>'
        return f'<span class="named">{svg}{found[0]}</span>'

    return _mention_pattern(game, lang).sub(sign, escape(words))


@cache
def _signs(game: str, lang: str) -> dict[str, str]:
    """Return the signs of a game by the words for them. Sign NAME is the shape `s-NAME`."""
    signs = getattr(Game(game).layout, "SIGNS", SUITS)
    return {text[lang].lower(): id for text, id in signs.items()}


@cache
def _mention_pattern(game: str, lang: str) -> re.Pattern[str]:
    named = "|".join(map(re.escape, _signs(game, lang)))
    words = named.upper() != named.lower()  # without capitals, as in Japanese, nothing stands between words
    return re.compile(rf"\b(?:{named})\b" if words else named, re.IGNORECASE)
