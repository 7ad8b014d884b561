"""Pig on the table: the die between the two sides, and the pot to keep."""

from smallchange.i18n.text import Text
from smallchange.render.scene import Area, Badge, Mark, Piece, Scene, Spot, Tally, Touch

from .model import SEATS, Board, State
from .rules import ROLL
from .words import WHO

SIGNS = dict(zip(WHO, "SM", strict=True))
CUP, DIE, POT = Text("The place of the die"), Text("the die"), Text("Points of this turn")
POINTS = [Text("{side} points").fill(side=who) for who in WHO]
BOARD = Area("board", Text("The table"), (Spot("cup", 0, 0, CUP, "cell"), Spot("pot", 150, 0, POT, "slot")))
VALUES = "na2345"


def scene(b: Board, s: State) -> Scene:
    value = VALUES[max(s.face, 0)]
    die = Piece(
        "die", "cup", "die", DIE, suit="SM"[s.mover], value=value, state="spent" if s.face < 0 else ""
    )
    tallies = [Tally(SEATS[i], POINTS[i], s.points[i]) for i in (0, 1)]
    pot = Badge("pot", POT, (Mark(str(s.pot)),))
    return Scene((BOARD,), (die,), (*tallies, Tally("turn", POT, s.pot)), (pot,))


def touch(b: Board, s: State, a: int) -> Touch:
    """Return the die, to throw it and where its face shows, or the pot, to keep it."""
    return Touch(("die",)) if a <= ROLL else Touch(("pot",))
