"""My Game on the table: the heap as a row of coins."""

from smallchange.i18n.text import Text
from smallchange.render.scene import Area, Piece, Scene, Spot, Tally, Touch

from .model import Board, State

PLACE, COIN, LEFT = Text("place {n} of the heap"), Text("coin {n}"), Text("Coins left")
ROW = 5  # coins


def scene(b: Board, s: State) -> Scene:
    spots = [spot(i) for i in range(b.coins)]
    coins = [Piece(f"coin-{i:02}", spots[i].id, "coin", COIN.fill(n=i + 1)) for i in range(s.left)]
    heap = Area("board", Text("The heap"), tuple(spots))
    return Scene((heap,), tuple(coins), (Tally("left", LEFT, s.left, b.coins),))


def spot(i: int) -> Spot:
    return Spot(f"place-{i:02}", 100 * (i % ROW), 100 * (i // ROW), PLACE.fill(n=i + 1), "slot")


def touch(b: Board, s: State, a: int) -> Touch:
    """Return the coin to touch: it is taken with all those after it."""
    return Touch((f"coin-{s.left - 1 - a:02}",))
