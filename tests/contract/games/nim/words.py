"""Nim in words."""

from smallchange.core.state import OVER
from smallchange.i18n.text import Text

from .model import HIGHEST, SEATS, Board, State

TITLE = Text("Nim")
TAGLINE = Text("Take coins from one heap, as many as you like.")
DESIGNER = Text("An old game, solved by Charles Bouton in 1901.")
MINUTES = 2
OPTIONS = {
    "heap_a": Text("Coins in heap a"),
    "heap_b": Text("Coins in heap b"),
    "heap_c": Text("Coins in heap c"),
    "misere": Text("The last coin loses"),
}
CHOICES: dict[str, Text] = {}
PLAYERS = {"first": Text("First"), "second": Text("Second")}
TAKES, ASKS, WINS = (
    Text("{who} takes {n} from heap {heap}"),
    Text("{who} to take coins."),
    Text("{who} wins."),
)
RULE = Text("Take one coin or more from one heap.")


def step(b: Board, s: State, a: int) -> Text:
    return TAKES.fill(who=PLAYERS[SEATS[s.turn]], n=a % HIGHEST + 1, heap="abc"[a // HIGHEST])


def asks(b: Board, s: State) -> Text:
    return ASKS.fill(who=PLAYERS[SEATS[s.turn]])


def decides(b: Board, s: State) -> Text:
    return RULE


def ending(b: Board, s: State) -> Text:
    return WINS.fill(who=PLAYERS[SEATS[s.winner]])


def phase(b: Board, s: State) -> str:
    return "end" if s.turn == OVER else "turn"
