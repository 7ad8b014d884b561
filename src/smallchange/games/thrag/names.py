"""What the beasts and the attack coins of One Man: Thrag! are called."""

from functools import cache

from smallchange.draw.words import SUIT, VALUES, tile
from smallchange.text import Text

from .board import SUITS


@cache
def a_coin(x: int) -> Text:
    """An attack coin of a suit, before it is flipped.

    >>> a_coin(0).en, a_coin(2).en
    ('a suns coin', 'an arms coin')
    """
    article = "an" if SUITS[x] == "A" else "a"
    return Text(article + " {suit} coin", "{suit}のコイン").fill(suit=SUIT[SUITS[x]])


def beast(x: int, value: int) -> Text:
    """The name of a beast.

    >>> beast(1, 5).en
    'crowns 5'
    """
    return tile(SUITS[x], VALUES[value])
