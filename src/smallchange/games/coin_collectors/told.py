"""What a turn of Coin Collectors did, in short."""

from functools import cache

from smallchange.draw.words import SUIT, SUITS, VALUE, VALUES, filled
from smallchange.text import Text, listed, together

from .board import Board, State
from .notation import dice
from .rules import DIE, GIVE_UP, ROLL, TILE, play
from .words import rolling, step


def told(b: Board, s: State, actions: list[int]) -> list[Text]:
    """These steps from `s` on: dice that were chosen and what they show in one phrase."""
    now, said, faces = s.copy(), list[Text](), list[int]()
    for a, then in zip(actions, [*actions, -1][1:], strict=True):
        if DIE <= a < TILE and len(actions) > 1:
            faces.append(a - DIE)
            if not DIE <= then < TILE:
                said.append(fallen(*faces))
                faces = []
        elif not ROLL <= a < GIVE_UP:
            said.append(step(b, now, a))
        elif not DIE <= then < TILE:
            said.append(rolled(a - ROLL))
        if then >= 0:
            play(b, now, a)
    return said


@cache
def rolled(mask: int) -> Text:
    """The choice of dice once it was made.

    >>> rolled(0).en, rolled(0b11).en, rolled(0b1111).en
    ('Kept all the dice', 'Rolled suns and moons', 'Rolled all four dice')
    """
    if mask == 0:
        return Text("Kept all the dice", rolling(mask).ja)
    if mask == 15:
        return Text("Rolled all four dice", rolling(mask).ja)
    names = together(SUIT[suit] for suit in dice(mask))
    return Text("Rolled {names}", "{names}のサイコロを振る").fill(names=names)


@cache
def fallen(*faces: int) -> Text:
    """What dice show that were rolled, as 6 * suit + value.

    >>> fallen(5, 18).en
    'Rolled suns 5, arms null'
    """
    shown = Text("{suit} {value}", "{suit}が{value}")
    row = [filled(shown, suit=SUIT[SUITS[i // 6]], value=VALUE[VALUES[i % 6]]) for i in faces]
    return Text("Rolled {faces}", "出た目: {faces}").fill(faces=listed(row))
