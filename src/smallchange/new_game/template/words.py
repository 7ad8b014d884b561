"""Pig in words: the text of each step, and of the end."""

from smallchange.core.state import CHANCE, OVER
from smallchange.i18n.text import Text

from .model import SEATS, Board, State
from .rules import HOLD, ROLL

TITLE = Text("Pig")
TAGLINE = Text("Throw a die as often as you dare: a null takes all that the turn has brought.")
DESIGNER = Text("A folk game, first printed by John Scarne in 1945.")
MINUTES = 5
OPTIONS = {"goal": Text("Points that win")}
CHOICES: dict[str, Text] = {}
PLAYERS = {"sun": Text("Sun"), "moon": Text("Moon")}
WHO = [PLAYERS[seat] for seat in SEATS]
ROLLS, HOLDS = Text("{who} throws the die"), Text("{who} keeps {n} points")
SHOWS, BUSTS = Text("{who} throws {n}"), Text("{who} throws a null and loses {n} points of this turn")
TO_THROW = Text("{who} throws the die.")
TO_BEGIN = Text("{who} to throw the die.")
TO_MOVE = Text("{who} has {n} points this turn. Throw again, or keep them?")
RULE = Text("Throw as often as you like. A null loses the points of this turn; keeping them passes the die.")
WINS = Text("{who} wins with {n} points.")
DRAW = Text("A draw: {n} throws, and nobody has reached the goal.")


def step(b: Board, s: State, a: int) -> Text:
    who = WHO[s.mover]
    if a == ROLL:
        return ROLLS.fill(who=who)
    if a == HOLD:
        return HOLDS.fill(who=who, n=s.pot)
    return SHOWS.fill(who=who, n=a) if a else BUSTS.fill(who=who, n=s.pot)


def asks(b: Board, s: State) -> Text:
    if s.turn == CHANCE:
        return TO_THROW.fill(who=WHO[s.mover])
    return TO_MOVE.fill(who=WHO[s.mover], n=s.pot) if s.pot else TO_BEGIN.fill(who=WHO[s.mover])


def decides(b: Board, s: State) -> Text:
    return RULE


def ending(b: Board, s: State) -> Text:
    if s.winner < 0:
        return DRAW.fill(n=s.throws)
    return WINS.fill(who=WHO[s.winner], n=s.points[s.winner])


def phase(b: Board, s: State) -> str:
    return "end" if s.turn == OVER else "turn"
