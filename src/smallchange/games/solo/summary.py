"""A turn of Solo in short."""

from smallchange.i18n.text import Text

from .model import Board, State
from .rules import DONE, FLIP, TO, play
from .words import step


def summarize(b: Board, s: State, actions: list[int]) -> list[Text]:
    """Summarize these steps from `s` on; the coin flipped next tells where a pawn enters."""
    now, sentences = s.copy(), list[Text]()
    for a, then in zip(actions, [*actions, -1][1:], strict=True):
        phrase = step(b, now, a, FLIP <= then < TO)
        sentences.append(Text("The free moves are over") if a == DONE else phrase)
        if then >= 0:
            play(b, now, a)
    return sentences
