"""Puzzles checked by code that shares nothing with the search for them.

Exact odds are worked out again by plain Python over the rules: every line of play, without tables of symmetry, bounds
or compiled code. On a solved board a proof is sought that the best move is as good as the puzzle says, against every
defence, and no other is better than it says. Measured odds are measured again with fresh throws, and more of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from smallchange.bots.engines.evaluation import outcome_points
from smallchange.bots.engines.tablebase import get_or_make_table, value_after
from smallchange.core.game import Game, Position
from smallchange.core.puzzle import MIN_MARGIN, Puzzle
from smallchange.core.state import CHANCE, OVER
from smallchange.tablebase import Table

from .search import state_values, whole_games

MAX_LINE_POSITIONS = 1_000_000  # looked at for one puzzle of a game for one; each takes some 75 us
MAX_PROOF_POSITIONS = 40_000  # on a solved board
FRESH_GAMES, FRESH_SEED = 4096, 1  # after each move, where the margin was measured
TOLERANCE = 1e-5  # odds in a file are rounded


class Verdict(NamedTuple):
    """A check of a puzzle: `false` if another move is as good or better, `close` if the margin is too small.

    `done` is False where too many positions follow. `odds` are those found for each move; on a solved board
    they are proved from below for the best, from above for the others.
    """

    puzzle: Puzzle
    done: bool
    odds: dict[str, float]

    @property
    def false(self) -> bool:
        """Return whether another move is at least as good."""
        return self.done and self.best_rival >= self.odds[self.puzzle.best] - TOLERANCE

    @property
    def close(self) -> bool:
        """Return whether the margin is less than a puzzle's."""
        return self.done and self.odds[self.puzzle.best] - self.best_rival < MIN_MARGIN - TOLERANCE

    @property
    def best_rival(self) -> float:
        """The odds of the best other move."""
        return max(odds for token, odds in self.odds.items() if token != self.puzzle.best)


def check_puzzle(puzzle: Puzzle) -> Verdict:
    """Work the odds of a puzzle's moves out another way."""
    position = puzzle.position
    if not puzzle.exact:
        seat_games = {t: whole_games(position, t, FRESH_SEED, FRESH_GAMES) for t in position.legal()}
        return Verdict(puzzle, True, {token: float(found.mean()) for token, found in seat_games.items()})
    try:
        odds = _all_lines(position) if len(puzzle.game.seats) == 1 else _prove(position, puzzle.best)
    except _TooMany:
        return Verdict(puzzle, False, {})
    return Verdict(puzzle, True, odds)


class _TooMany(Exception):
    """More positions follow than are looked at."""


def _all_lines(position: Position) -> dict[str, float]:
    """Return the odds of each move of a game for one: the best of all choices, the mean of all throws."""
    known = dict[object, float]()
    return {token: _value(position.game, position.played(token).s, known) for token in position.legal()}


def _value(game: Game, s: Any, known: dict[object, float]) -> float:
    if s.turn == OVER:
        return outcome_points(Position(game, s), game.seats[0]) or 0.0
    key = state_values(s)
    if key not in known:
        if len(known) >= MAX_LINE_POSITIONS:
            raise _TooMany
        here = Position(game, s)
        tokens, weights = here.outcome_actions() if s.turn == CHANCE else (here.legal_actions(), [])
        values = []
        for action in tokens:
            after = here.copy()
            after.play_unchecked(action)
            values.append(_value(game, after.s, known))
        known[key] = (
            sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights)
            if weights
            else max(values)
        )
    return known[key]


def _prove(position: Position, best: str) -> dict[str, float]:
    """Prove how good the moves on a solved board are: the best one at least, all others at most.

    One side makes the move that the table names, the other every move. The rules alone tell what follows, and play
    that never ends is a draw. So a fault of the table can spoil a proof, but none can rest on it.
    """
    game, seat = position.game, position.s.turn
    table = get_or_make_table(game)
    if table is None:
        raise _TooMany
    others = [token for token in position.legal() if token != best]
    points = _work_back(position, [best], seat, table) | _work_back(position, others, 1 - seat, table)
    return {token: found if seat == 0 else 1 - found for token, found in points.items()}


def _work_back(position: Position, tokens: list[str], led: int, table: Table) -> dict[str, float]:
    """Return the result of each move for the first player, where the table leads one seat: back from all ends."""
    game = position.game
    afters = {token: _node(position.played(token)) for token in tokens}
    followers, leading = _all_that_follow(game, list(afters.values()), led, table)
    points = {
        node: outcome_points(node.position(game), game.seats[0]) or 0.0
        for node in leading
        if node.turn == OVER
    }
    left, todo = {node: len(nodes) for node, nodes in followers.items()}, list(points)
    while todo:
        node = todo.pop()
        for before in leading[node]:
            if before in points:
                continue
            left[before] -= 1
            goal = 1.0 if before.turn == 0 else 0.0
            if points[node] == goal or left[before] == 0:  # the best that there is, or the best of all
                found = [points[after] for after in followers[before] if after in points]
                points[before] = max(found) if before.turn == 0 else min(found)
                todo.append(before)
    return {token: points.get(node, 0.5) for token, node in afters.items()}


class _Node(NamedTuple):
    """A position without its counters of plies: its number in the game's ranking, or the state at an end."""

    turn: int
    place: int
    ended: Any = None

    def position(self, game: Game) -> Position:
        """Return the position, its counters as at the start."""
        s = game.state_type()
        if self.ended is None:
            assert game.ranking is not None
            game.ranking.position(game.board, s, self.place, self.turn)
            return Position(game, s)
        for name, value in zip(s.ranges, self.ended, strict=True):
            setattr(s, name, list(value) if isinstance(value, tuple) else value)
        return Position(game, s)


def _node(position: Position) -> _Node:
    game, s = position.game, position.s
    if s.turn == OVER:
        return _Node(OVER, 0, state_values(s))
    assert game.ranking is not None
    return _Node(s.turn, game.ranking.place(game.board, s))


def _all_that_follow(
    game: Game, first: list[_Node], led: int, table: Table
) -> tuple[dict[_Node, list[_Node]], dict[_Node, list[_Node]]]:
    """Return the positions that follow each position, and those that lead to each; one seat is led by the table."""
    followers, leading = dict[_Node, list[_Node]](), {node: list[_Node]() for node in first}
    todo = list(leading)
    while todo:
        node = todo.pop()
        if node.turn == OVER:
            continue
        here = node.position(game)
        followers[node] = []
        for after in [_follow_table(here, table)] if node.turn == led else _each_move(here):
            following = _node(after)
            if following not in leading:
                leading[following] = []
                todo.append(following)
            followers[node].append(following)
            leading[following].append(node)
        if len(leading) > MAX_PROOF_POSITIONS:
            raise _TooMany
    return followers, leading


def _each_move(here: Position) -> Iterator[Position]:
    for action in here.legal_actions():
        after = here.copy()
        after.play_unchecked(action)
        yield after


def _follow_table(here: Position, table: Table) -> Position:
    """Return the position after the move that the table names: one that keeps the value, the fastest win."""
    value, wins = table.value(here), dict[int, Position]()
    for after in _each_move(here):
        found = value_after(table, after, here.s.turn)
        if found is None or found.outcome != value.outcome:
            continue
        if value.outcome != "win":
            return after
        wins.setdefault(found.plies or 0, after)
    return wins[min(wins)]
