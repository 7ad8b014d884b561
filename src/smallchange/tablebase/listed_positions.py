"""Any game for two without chance solved from its rules alone: every position that comes up, its value and its proof.

Values spread from the ends: a position is won where a step leads to one that its mover wins, soonest by the quickest;
it is lost where every step leads to one that the other wins. The others are draws, play without end among them.

The solution is a text file. Its first line is JSON, with `game`, `options`, `version` and `positions`. Each other line
is the key of a position, the player who wins or `draw`, and the plies to the end of the best play, with tabs between.
The start is the first of them. `check_solution.py` proves such a file by the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from smallchange.core.atomic_files import replacing
from smallchange.core.errors import BadOption, BadTable
from smallchange.core.game import Game, Position, game_of
from smallchange.core.json_text import read_json
from smallchange.core.state import OVER

MOST_POSITIONS = 2_000_000
SHOWN = 1 << 12  # positions between two reports of progress
OPEN = -1  # the winner of a position that is not decided yet


class Solution(NamedTuple):
    """The positions of a game: who wins, or "draw", and in how many plies."""

    game: Game
    values: dict[str, tuple[str, int]]  # by the key of the position, the start first


def is_listable(game: Game) -> bool:
    """Return whether a game is for two, without chance."""
    return len(game.seats) == 2 and not game.sources


def solve(game: Game | str, progress: Callable[[int, int], None] = lambda done, of: None) -> Solution:
    """Solve a game. BadOption where it is not for two without chance, or too many positions come up."""
    game = game_of(game)
    if not is_listable(game):
        raise BadOption(f"{game.id} is no game for two without chance")
    states, before = _reach(game, progress)
    winners, plies = [OPEN] * len(states), [0] * len(states)
    steps = [0] * len(states)  # that do not lose yet
    for rows in before:
        for i in rows:
            steps[i] += 1
    decided = []
    for i, s in enumerate(states):
        if s.turn == OVER:
            lead = game.rules.score(game.board, s, 0) - game.rules.score(game.board, s, 1)
            if lead:
                winners[i] = 0 if lead > 0 else 1
                decided.append(i)
    for i in decided:  # which grows, by plies
        for j in before[i]:
            if winners[j] != OPEN:
                continue
            steps[j] -= 1
            if states[j].turn == winners[i] or not steps[j]:
                winners[j], plies[j] = winners[i], plies[i] + 1
                decided.append(j)
    names = [*game.seats, "draw"]
    keys = [Position(game, s).key() for s in states]
    return Solution(
        game,
        {key: (names[winner], n) for key, winner, n in zip(keys, winners, plies, strict=True)},
    )


def _reach(game: Game, progress: Callable[[int, int], None]) -> tuple[list[Any], list[list[int]]]:
    """Return the states that come up, and for each the numbers of those one step earlier."""
    states = [game.start().s]
    known, before = {states[0]: 0}, list[list[int]]([[]])
    rules, board, out = game.rules, game.board, [0] * (game.rules.MOST + 1)
    for i, s in enumerate(states):  # which grows
        actions = [] if s.turn == OVER else out[: rules.legal(board, s, out)]
        for j in {_number(game, s, a, states, known, before) for a in actions}:
            before[j].append(i)
        if len(states) > MOST_POSITIONS:
            raise BadOption(f"more than {MOST_POSITIONS:,} positions come up in {game!r}, too many to list")
        if not i % SHOWN:
            progress(i, len(states))
    return states, before


def _number(
    game: Game, s: Any, a: int, states: list[Any], known: dict[Any, int], before: list[list[int]]
) -> int:
    """Return the number of the state after an action, which may be new."""
    after = s.copy()
    game.rules.play(game.board, after, a)
    number = known.setdefault(after, len(states))
    if number == len(states):
        states.append(after)
        before.append([])
    return number


def text_of(solution: Solution) -> str:
    """Return the text of a file: a line of JSON, then a line a position: its key, the winner or "draw", the plies."""
    game = solution.game
    head = {
        "game": game.id,
        "options": game.non_default_options,
        "version": game.version,
        "digest": game.foreign_digest,
        "positions": len(solution.values),
    }
    rows = (f"{key}\t{winner}\t{plies}\n" for key, (winner, plies) in solution.values.items())
    return "".join([json.dumps(head) + "\n", *rows])


def write_solution(solution: Solution, file: Path) -> None:
    """Write a solution, whole or not at all."""
    with replacing(file) as out:
        out.write(text_of(solution).encode())


def read_solution(file: Path) -> Solution:
    """Read a solution. BadTable where the file is none, is cut, or follows other rules."""
    try:
        text = file.read_bytes().decode()
        line, *lines = text.splitlines()
        head = read_json(line)
        game = Game(head["game"], head["options"])
        rows = [line.split("\t") for line in lines]
        solution = Solution(game, {key: (winner, int(plies)) for key, winner, plies in rows})
        follows = (head["version"], head["digest"]) == (game.version, game.foreign_digest)
        if follows and (text != text_of(solution) or game.start().key() not in solution.values):
            raise ValueError(line)
    except (ValueError, LookupError, TypeError, AttributeError) as wrong:
        raise BadTable(f"{file} is no solution of a game, or damaged") from wrong
    if not follows:
        raise BadTable(f"{file} follows other rules of {game.id}")
    return solution
