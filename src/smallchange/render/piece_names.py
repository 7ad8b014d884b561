"""The piecepack in words, and the names of squares."""

from functools import cache, lru_cache

from smallchange.i18n.text import Text, plain

SUITS = "SMCA"
VALUES = "na2345"

SUIT = {
    "S": Text("suns"),
    "M": Text("moons"),
    "C": Text("crowns"),
    "A": Text("arms"),
}
VALUE = {"n": Text("null"), "a": Text("ace")} | {v: plain(v) for v in "2345"}
PAWN = {suit: Text("{suit} pawn").fill(suit=SUIT[suit]) for suit in SUITS}
DIE = {suit: Text("{suit} die").fill(suit=SUIT[suit]) for suit in SUITS}


@cache
def tile(suit: str, value: str) -> Text:
    """Return the name of a tile.

    >>> tile("S", "a").en
    'suns ace'
    """
    return Text("{suit} {value}").fill(suit=SUIT[suit], value=VALUE[value])


@cache
def place(column: int, row: int) -> str:
    """Return the name of a square, columns and rows counted from 0 at the lower left.

    >>> place(0, 0), place(5, 3)
    ('a1', 'f4')
    """
    return f"{chr(ord('a') + column)}{row + 1}"


@lru_cache(maxsize=16384)
def fill_phrase(phrase: Text, **parts: Text | str | int) -> Text:
    """Fill the braces of a phrase, once for the same parts.

    >>> fill_phrase(Text("the {coin}"), coin=VALUE["a"]).en
    'the ace'
    """
    return phrase.fill(**parts)
