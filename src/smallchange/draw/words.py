"""The piecepack in words, and the names of squares."""

from functools import cache, lru_cache

from smallchange.text import Text, plain

SUITS = "SMCA"
VALUES = "na2345"

SUIT = {
    "S": Text("suns", "太陽"),
    "M": Text("moons", "月"),
    "C": Text("crowns", "王冠"),
    "A": Text("arms", "紋章"),
}
VALUE = {"n": Text("null", "ヌル"), "a": Text("ace", "エース")} | {v: plain(v) for v in "2345"}
PAWN = {suit: Text("{suit} pawn", "{suit}のポーン").fill(suit=SUIT[suit]) for suit in SUITS}
DIE = {suit: Text("{suit} die", "{suit}のサイコロ").fill(suit=SUIT[suit]) for suit in SUITS}


@cache
def tile(suit: str, value: str) -> Text:
    """The name of a tile.

    >>> tile("S", "a").en
    'suns ace'
    """
    return Text("{suit} {value}", "{suit}の{value}").fill(suit=SUIT[suit], value=VALUE[value])


@cache
def place(column: int, row: int) -> str:
    """The name of a square, columns and rows counted from 0 at the lower left.

    >>> place(0, 0), place(5, 3)
    ('a1', 'f4')
    """
    return f"{chr(ord('a') + column)}{row + 1}"


@lru_cache(maxsize=4096)
def capital(phrase: Text) -> Text:
    """The phrase as the start of a sentence.

    >>> capital(PAWN["S"]).en
    'Suns pawn'
    """
    return Text(phrase.en[:1].upper() + phrase.en[1:], phrase.ja)


@lru_cache(maxsize=16384)
def filled(phrase: Text, **parts: Text | str | int) -> Text:
    """The phrase with its braces filled, which is made once for the same parts.

    >>> filled(Text("the {coin}", "{coin}"), coin=VALUE["a"]).en
    'the ace'
    """
    return phrase.fill(**parts)
