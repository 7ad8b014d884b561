"""What a turn of Solo did, in short."""

from smallchange.text import Text

from .board import Board, State
from .rules import DONE, FLIP, TO, play
from .words import step


def told(b: Board, s: State, actions: list[int]) -> list[Text]:
    """These steps from `s` on; where a pawn enters is told by the coin that it flips next."""
    now, said = s.copy(), list[Text]()
    for a, then in zip(actions, [*actions, -1][1:], strict=True):
        phrase = step(b, now, a, FLIP <= then < TO)
        said.append(Text("The free moves are over", phrase.ja) if a == DONE else phrase)
        if then >= 0:
            play(b, now, a)
    return said
