"""Dodg'em in words: the text of each step, and of the end."""

from functools import cache

from smallchange.i18n.text import Plural, Text
from smallchange.render.piece_names import place

from .model import SEATS, Board, State
from .notation import goal
from .rules import HOME, OFF, PASS, QUIET, WINS, direction, movable, origin

TITLE = Text("Dodg’em")
TAGLINE = Text("Slip past each other. First to get every coin off the far side wins. No luck at all.")
DESIGNER = Text("By Michael Schoessow, 2004, after Colin Vout’s Dodgem.")
MINUTES = 15
OPTIONS = {
    "size": Text("Squares on a side"),
    "start": Text("Starting position"),
    "blocked": Text("A player who cannot move"),
    "quiet_limit": Text("A draw after this many moves without one forward"),
}
CHOICES = {
    "facing": Text("facing (piecepack)"),
    "crosswise": Text("crosswise"),
    "pass": Text("passes"),
    "wins": Text("wins", "a blocked player"),
    "loses": Text("loses", "a blocked player"),
}
PLAYERS = {"red": Text("Red"), "green": Text("Green")}
BLOCKED_PASSES = Text("{who} has no move and passes")
LEAVES = Text("{who} leaves the board from {start}")
MOVES = Text("{who} moves from {start} to {end}")
BLOCKED_SAID = Text("{who} is blocked and passes.")
HAVE_TO_PASS = [BLOCKED_SAID.fill(who=PLAYERS[seat]) for seat in SEATS]
NEXT = Text("{who} to move. Move a coin forward or sideways.")
MOVEMENT = Text("One square forward or sideways, if it is empty.")
TO_MOVE = [NEXT.fill(who=PLAYERS[seat]) for seat in SEATS]


def step(b: Board, s: State, a: int) -> Text:
    """Describe action `a` in state `s`, before or after it is taken."""
    return describe_move(b.width, s.turn, a)


@cache
def describe_move(width: int, seat: int, a: int) -> Text:
    """Describe an action of this seat on a board of this width."""
    who = PLAYERS[SEATS[seat]]
    if a == PASS:
        return BLOCKED_PASSES.fill(who=who)
    start, end = origin(a), goal(width, a)
    squares = {name: place(i // width, i % width) for name, i in (("start", start), ("end", end))}
    return (LEAVES if direction(a) == OFF else MOVES).fill(who=who, **squares)


def asks(b: Board, s: State) -> Text:
    """Ask the player to move for a move."""
    return (TO_MOVE if movable(b, s, s.turn) else HAVE_TO_PASS)[s.turn]


def decides(b: Board, s: State) -> Text:
    """Name the rule that limits the moves."""
    return MOVEMENT


def ending(b: Board, s: State) -> Text:
    """Say how the game ended, and why."""
    if s.reason == QUIET:
        drawn = Plural("A draw: {n} move that was not forward.", "A draw: {n} moves without one forward.")
        return drawn.fill(n=b.quiet_limit)
    who = PLAYERS[SEATS[s.winner]]
    if s.reason == HOME:
        return Text("{who} wins: every coin is off the board.").fill(who=who)
    loser = PLAYERS[SEATS[1 - s.winner]]
    if b.blocked == WINS:
        return Text("{who} is blocked, and so wins.").fill(who=who)
    return Text("{loser} is blocked, so {who} wins.").fill(loser=loser, who=who)


def phase(b: Board, s: State) -> str:
    """Return the anchor of the rulebook's section about this moment."""
    return "end" if s.reason else "turn"
