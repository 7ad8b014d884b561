"""The dialect: which texts keep to it, and what is said of those that do not."""

from itertools import chain

import pytest

from smallchange.core.state import Range
from smallchange.engine.compile.dialect import find_faults

GOOD = '''"""Rules."""

from smallchange.core.state import CHANCE, bit, lowest

from .model import Board, State

FIRST, SECOND = range(2)
WORTH = ((0, 1), (2, -3))


def play(b: Board, s: State, a: int) -> None:
    """One step."""
    for i in range(2, 0, -1):
        if s.coins[i] & ~bit(a) != 0 and not spent(s, i):
            s.coins[i] ^= bit(a)
            continue
    n = WORTH[FIRST][SECOND] if s.turn == CHANCE else max(a // 2, lowest(a % 3))
    while n > 0:
        n -= 1
    play_on(b, s)


def play_on(b: Board, s: State) -> None:
    s.turn = -1


def spent(s: State, i: int) -> bool:
    return s.coins[i] == 0
'''

BAD = {
    "floats": ["x = 0.5", "x = s.turn / 2", "x = s.turn ** 2"],
    "texts": ['x = "a"', 'x = f"{s.turn}"'],
    "lists, dicts, sets and tuples": ["x = [0]", "x = {}", "x = {1}", "x = (1, 2)", "x, y = 1, 2"],
    "comprehensions": ["x = [i for i in range(3)]", "x = sum(i for i in range(3))"],
    "membership and identity": ["x = 1 in s.coins", "x = s is b"],
    "slices and negative indexes": ["x = s.coins[1:2]", "x = s.coins[-1]"],
    "exceptions": [
        "raise ValueError",
        "assert s.turn == 0",
        "try:\n        pass\n    finally:\n        pass",
    ],
    "other calls": ["x = len(s.coins)", "x = int(s.turn)", "s.coins.append(1)", "x = print()", "x = s.f(1)"],
    "arguments by name": ["x = play(b=b, s=s, a=0)", "x = max(*s.coins)"],
    "other loops": [
        "for x in s.coins:\n        pass",
        "for i in range(2):\n        pass\n    else:\n        pass",
    ],
    "ranges kept": ["x = range(2)"],
    "global variables": ["global N", "N = 3", "import os", "from .model import Board"],
    "unknown names": ["x = y"],
    "functions inside": ["x = lambda: 0", "def g() -> None:\n        pass"],
    "deeper attributes": ["x = s.board.size", "x = State.turn"],
    "changing the board": ["b.size = 1", "b.ways[0] = 1", "b.size += 1"],
    "lone expressions": ["s.turn", "s.turn == 1"],
    "several variables at a time": ["x = y = 0"],
    "truths that become numbers": ["x = 0\n    x = s.turn == 1", "x = True\n    x = s.turn + 1"],
    "walrus, await, yield, with": ["x = (y := 1)", "yield 1", "with s:\n        pass", "del s.turn"],
}
HEAD = "from .model import Board, State\n\nN = 1\n\n\n"
BAD_MODULES = [
    "import random\n",
    "from numpy import array\n",
    "from smallchange.core.state import Fields\n",
    "from smallchange.core.state import bit as b\n",
    "from .notation import token\n",
    "from .model import *\n",
    "steps = 1\n",
    "if True:\n    N = 1\n",
    "class Rules:\n    pass\n",
    "def f(a):\n    return a\n",
    "def f(a: int):\n    return a\n",
    "def f(a: int = 0) -> int:\n    return a\n",
    "def f(*a: int) -> int:\n    return 0\n",
    "def f(a: int, /) -> int:\n    return 0\n",
    "@staticmethod\ndef f(a: int) -> int:\n    return a\n",
    "async def f(a: int) -> int:\n    return a\n",
    "def f(a: int) -> int:\n    return f(a - 1)\n",
    "def f(a: int) -> int:\n    return g(a)\n\n\ndef g(a: int) -> int:\n    return f(a)\n",
    "def f(a: int) -> int:\n    g = 0\n    return g\n\n\ndef g() -> None:\n    pass\n",
]


def test_the_dialect_accepts_what_rules_need() -> None:
    assert find_faults(GOOD) == []


@pytest.mark.parametrize("line", list(chain.from_iterable(BAD.values())))
def test_the_dialect_rejects_what_a_compiler_may_take_otherwise(line: str) -> None:
    source = f"{HEAD}def play(b: Board, s: State, a: int) -> None:\n    {line}\n"
    compile(source, "rules.py", "exec")
    assert find_faults(source)


@pytest.mark.parametrize("source", BAD_MODULES)
def test_the_dialect_rejects_modules_of_another_shape(source: str) -> None:
    compile(source, "rules.py", "exec")
    assert find_faults(source)


def test_a_fault_names_its_line() -> None:
    assert find_faults("N = 1\nM = 0.5\n") == [(2, "the constant 0.5 is neither an integer nor a bool")]


def test_a_text_that_is_not_python_is_a_fault_too() -> None:
    assert find_faults("N = 1\nM = = 2\n") == [(2, "not Python: invalid syntax")]


FIELDS = {"Board": {"ways": Range(0, 9, 4)}, "State": {"turn": Range(-2, 0, 0), "coins": Range(0, 9, 6)}}
MISUSED = {
    "s.cions[0] = 1": "State has no field 'cions'; did you mean 'coins'?",
    "s.turn = b.way[1]": "Board has no field 'way'; did you mean 'ways'?",
    "s.zzz = 1": "State has no field 'zzz'",
    "s.coins[6] = 1": "the index 6 is outside s.coins, which has 6 numbers",
    "s.turn[0] = 1": "s.turn is a single number and has no index",
    "s.turn = NN": "NN is not defined; did you mean N?",
    "s.turn = pley(b, s, a)": "pley cannot be called; did you mean play?",
    "s.turn = a / 2": "/ gives a float; use //",
}


@pytest.mark.parametrize("line", list(MISUSED))
def test_a_fault_says_what_was_probably_meant(line: str) -> None:
    source = f"{HEAD}def play(b: Board, s: State, a: int) -> None:\n    {line}\n"
    assert (7, MISUSED[line]) in find_faults(source, FIELDS)
