"""The names of the beasts and of the attack coins of One Man: Thrag!."""

from functools import cache

from smallchange.i18n.text import Text
from smallchange.render.piece_names import SUIT, VALUES, tile

from .model import SUITS


@cache
def a_coin(x: int) -> Text:
    """Return the name of an attack coin of a suit, before it is flipped.

    >>> a_coin(0).en, a_coin(2).en
    ('a suns coin', 'an arms coin')
    """
    if SUITS[x] == "A":
        return Text("an {suit} coin").fill(suit=SUIT["A"])
    return Text("a {suit} coin").fill(suit=SUIT[SUITS[x]])


def beast(x: int, value: int) -> Text:
    """Return the name of a beast.

    >>> beast(1, 5).en
    'crowns 5'
    """
    return tile(SUITS[x], VALUES[value])
