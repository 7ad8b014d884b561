"""The Royal Game of Ur in words: the text of each step, and of the end."""

from functools import cache

from smallchange.core.state import CHANCE, OVER, bit
from smallchange.i18n.text import Plural, Text

from .model import SEATS, WAITING, Board, State
from .notation import square
from .rules import MOVE, THROWN_OUT, across, movable, step_at

TITLE = Text("The Royal Game of Ur")
TAGLINE = Text(
    "Throw four coins and race across the oldest board there is: land on rosettes, and send coins back."
)
DESIGNER = Text("From about 2600 BC; the rules are Irving Finkel’s reconstruction.")
MINUTES = 15
OPTIONS = {
    "coins": Text("Coins of each side"),
    "safe": Text("A coin on a rosette cannot be captured"),
    "path": Text("Path of the coins"),
    "dice": Text("Coins of a throw"),
    "capture_again": Text("A capture gives another throw"),
}
WITHOUT = {"safe": Text("A coin on a rosette can be captured too")}
CHOICES = {
    "bell": Text("14 squares"),
    "masters": Text("16 squares, around the far end"),
    "aseb": Text("16 squares, on Aseb’s board"),
    "four": Text("four"),
    "three": Text("three; no heads is worth four"),
}
PLAYERS = {"sun": Text("Sun"), "moon": Text("Moon")}
WHO = [PLAYERS[seat] for seat in SEATS]
THROWS = Text("{who} throws {n}")
STUCK = Text("{who} throws {n}, and no coin can move")
ENTERS = Text("{who} enters on {end}")
MOVES = Text("{who} moves from {start} to {end}")
BRINGS_HOME = Text("{who} brings the coin on {start} home")
CAPTURES = Text("{move} and captures a coin")
ON_ROSETTE = Text("{move}, a rosette")
FOUR, THREE = Text("{who} to throw the four coins."), Text("{who} to throw the three coins.")
TO_THROW = [[said.fill(who=who) for who in WHO] for said in (FOUR, THREE)]  # by dice
TO_MOVE = Plural("{who}: move a coin {n} square.", "{who}: move a coin {n} squares.")
FREE = Text("To any square on your path that has no coin of yours. Home takes an exact throw.")
SAFE = Text(
    "To any square on your path that has no coin of yours, nor one on a rosette. Home takes an exact throw."
)


def step(b: Board, s: State, a: int) -> Text:
    """Describe action `a` in state `s`."""
    if a < MOVE:
        thrown = s.copy()
        thrown.heads = a
        return describe_throw(s.mover, a, movable(b, thrown) == 0)
    start = step_at(b, s.mover, a - MOVE)
    end = start + s.heads
    captures = s.coins[1 - s.mover] & across(b, bit(end)) != 0
    squares = tuple(square(b, s.mover, at) if WAITING < at < b.goal else "" for at in (start, end))
    return describe_move(s.mover, squares, captures, b.rosettes & bit(end) != 0)


@cache
def describe_throw(seat: int, heads: int, stuck: bool) -> Text:
    return (STUCK if stuck else THROWS).fill(who=WHO[seat], n=heads)


@cache
def describe_move(seat: int, squares: tuple[str, ...], captures: bool, on_rosette: bool) -> Text:
    """Describe a move from a square to another; "" is beside the board."""
    start, end = squares
    said = BRINGS_HOME if not end else ENTERS if not start else MOVES
    said = said.fill(who=WHO[seat], **{name: at for name, at in (("start", start), ("end", end)) if at})
    if captures:
        said = CAPTURES.fill(move=said)
    return ON_ROSETTE.fill(move=said) if on_rosette else said


def asks(b: Board, s: State) -> Text:
    """Ask the player to move for a move, or announce the throw."""
    return TO_THROW[b.dice][s.mover] if s.turn == CHANCE else to_move(s.mover, s.heads)


@cache
def to_move(seat: int, heads: int) -> Text:
    return TO_MOVE.fill(who=WHO[seat], n=heads)


def decides(b: Board, s: State) -> Text:
    """Name the rule that limits the moves."""
    return SAFE if b.safe else FREE


def ending(b: Board, s: State) -> Text:
    """Say how the game ended, and why."""
    if s.reason == THROWN_OUT:
        return Plural(
            "A draw: {n} throw, and nobody has every coin home.",
            "A draw: {n} throws, and nobody has every coin home.",
        ).fill(n=s.throws)
    return Text("{who} wins: every coin is home.").fill(who=WHO[s.mover])


def phase(b: Board, s: State) -> str:
    """Return the anchor of the rulebook's section about this moment."""
    return {CHANCE: "throw", OVER: "end"}.get(s.turn, "move")
