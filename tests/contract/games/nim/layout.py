"""Nim on the table: three heaps of coins."""

from smallchange.i18n.text import Text
from smallchange.render.scene import Area, Badge, Mark, Scene, Spot, Touch

from .model import HEAPS, HIGHEST, Board, State

HEAP = Text("Heap {name}")
NAMES = [HEAP.fill(name=name) for name in "abc"]
BOARD = Area(
    "board", Text("The heaps"), tuple(Spot("abc"[i], 100 * i, 0, NAMES[i], "slot") for i in range(HEAPS))
)


def scene(b: Board, s: State) -> Scene:
    marks = tuple(Badge("abc"[i], NAMES[i], (Mark(str(s.heaps[i])),)) for i in range(HEAPS))
    return Scene((BOARD,), (), (), marks)


def touch(b: Board, s: State, a: int) -> Touch:
    return Touch() if s.heaps[a // HIGHEST] > 1 else Touch(("abc"[a // HIGHEST],))
