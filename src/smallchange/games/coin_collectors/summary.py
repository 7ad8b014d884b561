"""A turn of Coin Collectors in short."""

from functools import cache

from smallchange.i18n.text import Text, join_texts, together
from smallchange.render.piece_names import SUIT, SUITS, VALUE, VALUES, fill_phrase

from .model import Board, State
from .notation import dice
from .rules import DIE, GIVE_UP, ROLL, TILE, play
from .words import step


def summarize(b: Board, s: State, actions: list[int]) -> list[Text]:
    """Summarize these steps from `s` on; the chosen dice and the faces they show go in one phrase."""
    now, sentences, faces = s.copy(), list[Text](), list[int]()
    for a, then in zip(actions, [*actions, -1][1:], strict=True):
        if DIE <= a < TILE and len(actions) > 1:
            faces.append(a - DIE)
            if not DIE <= then < TILE:
                sentences.append(describe_faces(*faces))
                faces = []
        elif not ROLL <= a < GIVE_UP:
            sentences.append(step(b, now, a))
        elif not DIE <= then < TILE:
            sentences.append(describe_roll(a - ROLL))
        if then >= 0:
            play(b, now, a)
    return sentences


@cache
def describe_roll(mask: int) -> Text:
    """Describe the choice of dice once it was made.

    >>> describe_roll(0).en, describe_roll(0b11).en, describe_roll(0b1111).en
    ('Kept all the dice', 'Rolled suns and moons', 'Rolled all four dice')
    """
    if mask == 0:
        return Text("Kept all the dice")
    if mask == 15:
        return Text("Rolled all four dice")
    names = together(SUIT[suit] for suit in dice(mask))
    return Text("Rolled {names}").fill(names=names)


@cache
def describe_faces(*faces: int) -> Text:
    """List the faces of the dice that were rolled, as 6 * suit + value.

    >>> describe_faces(5, 18).en
    'Rolled suns 5, arms null'
    """
    shown = Text("{suit} {value}", "a roll")
    row = [fill_phrase(shown, suit=SUIT[SUITS[i // 6]], value=VALUE[VALUES[i % 6]]) for i in faces]
    return Text("Rolled {faces}").fill(faces=join_texts(row))
