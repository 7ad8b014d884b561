"""A game of a few lines, written into a folder: throw a die until you stop, or until it shows 0."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from smallchange.core.state import CHANCE, Fields, number, numbers

BOARD = """
from smallchange.core.state import Fields, number, numbers

class Board(Fields):
    faces: int = number(2, 6)

class State(Fields):
    turn: int = number(-2, 0)
    total: int = number(0, 30000)
    row: list[int] = numbers(3, 0, 1)
"""

RULES = """
from smallchange.core.state import CHANCE, OVER
from .model import Board, State

VERSION = 1
ACTIONS = 8
MOST = 6
WORTH = (0, 1, 2, 3, 4, 5)
STOP, GO = 6, 7

def setup(b: Board, s: State) -> None:
    s.turn = CHANCE

def legal(b: Board, s: State, out: list[int]) -> int:
    out[0] = STOP
    out[1] = GO
    return 2

def odds(b: Board, s: State, out: list[int], weights: list[int]) -> int:
    for i in range(b.faces):
        out[i] = i
        weights[i] = 1
    return b.faces

def source(b: Board, s: State) -> int:
    return 0

def worth(a: int) -> int:
    return WORTH[a]

def play(b: Board, s: State, a: int) -> None:
    if a == STOP or a == 0:
        s.turn = OVER
    elif a == GO:
        s.turn = CHANCE
    else:
        s.total += worth(a)
        s.turn = 0

def score(b: Board, s: State, seat: int) -> int:
    return s.total
"""

DEAR = RULES.replace("return WORTH[a]", "return 10 * WORTH[a]")

GREEDY = """
from ..model import Board, State

def move_score(b: Board, s: State, a: int, t: State) -> int:
    return a
"""

EVALUATION = """
from ..model import Board, State
from ..rules import GO

def evaluate(b: Board, s: State, seat: int) -> int:
    return {value}

def plies_to_draw(b: Board, s: State) -> int:
    return 0

def clear_history(b: Board, s: State) -> None:
    pass
"""


class Board(Fields):
    faces: int = number(2, 6)


class State(Fields):
    turn: int = number(-2, 0)
    total: int = number(0, 30000)
    row: list[int] = numbers(3, 0, 1)


def toy(
    folder: Path, patch: pytest.MonkeyPatch, rules: str = RULES, id: str = "toy", digest: str | None = None
) -> Any:
    """Return the game with these rules: the part of Game that the engine needs."""
    package = folder / id
    (package / "ai").mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("__init__", ""),
        ("model", BOARD),
        ("rules", rules),
        ("ai/__init__", ""),
        ("ai/heuristic", GREEDY),
    ):
        (package / f"{name}.py").write_text(text)
    patch.syspath_prepend(str(folder))
    for name in (id, f"{id}.model", f"{id}.ai", f"{id}.ai.heuristic"):
        sys.modules.pop(name, None)
    board, first = Board(), State()
    board.faces = 6
    first.turn = CHANCE
    return SimpleNamespace(
        id=id, package=id, folder=package, board=board, state_type=State, seats=("player",), sources=("die",),
        rules=SimpleNamespace(__package__=id, MOST=6, ACTIONS=8),
        foreign_digest=digest, start=lambda: SimpleNamespace(s=first),
    )  # fmt: skip


def totals(way: Any, n: int = 50) -> list[int]:
    """Return the totals of the first games of a seed."""
    scores: list[int] = way.play_games([0], 1, 0, n).scores[:, 0].tolist()
    return scores
