"""My Game in words: the text of each step, and of the end."""

from smallchange.core.state import OVER
from smallchange.i18n.text import Plural, Text

from .model import SEATS, Board, State

TITLE = Text("My Game")
TAGLINE = Text("Take one to three coins of a heap, and be the one who takes the last.")
DESIGNER = Text("By you, this year.")
MINUTES = 2
OPTIONS = {"coins": Text("Coins in the heap")}
CHOICES: dict[str, Text] = {}
PLAYERS = {"first": Text("First"), "second": Text("Second")}
WHO = [PLAYERS[seat] for seat in SEATS]
TAKES = Plural("{who} takes {n} coin", "{who} takes {n} coins")
YOUR_TURN = Text("{who} to take one to three coins.")
RULE = Text("A player takes one, two or three coins of the heap.")
WINS = Text("{who} wins by taking the last coin.")


def step(b: Board, s: State, a: int) -> Text:
    return TAKES.fill(n=a + 1, who=WHO[s.turn])


def asks(b: Board, s: State) -> Text:
    return YOUR_TURN.fill(who=WHO[s.turn])


def decides(b: Board, s: State) -> Text:
    return RULE


def ending(b: Board, s: State) -> Text:
    return WINS.fill(who=WHO[s.winner])


def phase(b: Board, s: State) -> str:
    return "end" if s.turn == OVER else "turn"
