"""How games ended, in a word or two each: counted by the million without looking at every one."""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from smallchange import fast
from smallchange.game import Game
from smallchange.state import Fields

ASKED = ("winner", "won", "reason")  # the fields of a result which say how a game ended


class Outcomes:
    """The endings of games played in bulk: `counts` by label, and `wins` by player.

    A label comes from the game's own `words.result`. It is asked once for each combination of the
    numbers it reads, be they fields of the state or scores: games equal in all of these end alike.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.counts: Counter[str] = Counter()
        self.wins: Counter[str] = Counter(dict.fromkeys(game.seats, 0))
        self._read: list[str | int] = []  # fields by name, scores by seat
        self._known: dict[tuple[int, ...], tuple[str, str | None]] = {}
        self._result = _brief(game.words.result, self._score)
        self._scores: Any = ()

    def add(self, games: fast.Games) -> None:
        """Count the endings of these games, all of which are over."""
        while not self._add(games):
            self._known.clear()  # more is read than was thought: begin again

    def _add(self, games: fast.Games) -> bool:
        columns = self._columns(games)
        _, first, times = np.unique(_merged(columns, len(games.steps)), return_index=True, return_counts=True)
        found = []
        for i, n in zip(first.tolist(), times.tolist(), strict=True):
            key = tuple(column[i].item() for column in columns)
            if key not in self._known:
                before = len(self._read)
                self._known[key] = self._look(games, i)
                if len(self._read) > before:
                    return False
            found.append((self._known[key], n))
        for (label, winner), n in found:
            self.counts[label] += n
            if winner is not None:
                self.wins[winner] += n
        return True

    def _columns(self, games: fast.Games) -> list[Any]:
        columns = []
        for name in self._read:
            column = games.scores[:, name] if isinstance(name, int) else games.states[name]
            columns += list(column.T) if column.ndim > 1 else [column]
        return columns

    def _look(self, games: fast.Games, i: int) -> tuple[str, str | None]:
        """The label of game i, and who won it."""
        self._scores = games.scores[i].tolist()
        state = fast.to_plain(self.game.state_type, games.states[i])
        return ending(self._result(self.game.board, _Watched(state, self._note)), self.game.seats)

    def _score(self, b: Fields, s: Any, seat: int) -> int:
        """The score that is known already, in place of the game's own function."""
        self._note(seat)
        known: int = self._scores[seat]
        return known

    def _note(self, read: str | int) -> None:
        if read not in self._read:
            self._read.append(read)


def ending(result: dict[str, Any], seats: tuple[str, ...]) -> tuple[str, str | None]:
    """The label of a result, and the player who won, if one did.

    >>> ending({"winner": "draw", "reason": "quiet", "plies": 66}, ("red", "green"))
    ('draw (quiet)', None)
    >>> ending({"won": True, "score": 24}, ("player",))
    ('won', 'player')
    """
    if "winner" in result:
        label = str(result["winner"])
        winner = label if label in seats else None
    else:
        label = "won" if result.get("won") else "lost"
        winner = seats[0] if result.get("won") else None
    return (f"{label} ({result['reason']})" if "reason" in result else label), winner


class _Watched:
    """A state that tells which of its fields are read."""

    def __init__(self, state: Fields, note: Callable[[str], None]) -> None:
        self._state = state
        self._note = note

    def __getattr__(self, name: str) -> Any:
        self._note(name)
        return getattr(self._state, name)


def _brief(result: Callable[..., Any], score: Callable[..., int]) -> Callable[..., dict[str, Any]]:
    """A game's `result`, shortened to the fields ASKED, with another function for `score`.

    The rest of a result (a score in parts, what is left) would be read for nothing, and differs from
    game to game. Where `result` does not end in a plain dict it stays whole, which is only slower.
    """
    tree = ast.parse(inspect.getsource(result))
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Dict):
            pairs = zip(node.value.keys, node.value.values, strict=True)
            kept = [(k, v) for k, v in pairs if not isinstance(k, ast.Constant) or k.value in ASKED]
            node.value = ast.Dict([k for k, _ in kept], [v for _, v in kept])
    names = {**inspect.getmodule(result).__dict__, "score": score}
    exec(compile(ast.fix_missing_locations(tree), inspect.getfile(result), "exec"), names)
    brief: Callable[..., dict[str, Any]] = names[result.__name__]
    return brief


def _merged(columns: list[Any], n: int) -> Any:
    """One whole number a row, equal where the rows of all columns are equal."""
    key, span = np.zeros(n, np.int64), 1
    for column in columns:
        low = int(column.min())
        width = int(column.max()) - low + 1
        if span * width >= 1 << 62:
            key = np.unique(key, return_inverse=True)[1]
            span = int(key.max()) + 1
        if span * width >= 1 << 62:
            column = np.unique(column, return_inverse=True)[1]
            low, width = 0, int(column.max()) + 1
        key = key * width + (column.astype(np.int64) - low)
        span *= width
    return key
