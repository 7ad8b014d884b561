"""Moves from a tablebase (`smallchange solve`), which is asked before any search.

A bot that plays only `safe_moves` never loses from a position that the table does not call lost: the limits
on long play, which the table ignores, only turn wins into draws. It wins every won position in the fewest
plies, if those are fewer than the plies left until a draw for lack of progress. A longer win is played in the
same way; among equally short ones a move to a lower layer goes first, because it counts as progress. Where
the line of best moves would reach the limit before it leaves its layer, the next best win is taken whose line
does not. That is a heuristic, not a proof.

A bot that plays only `held_moves` never loses from a start that a certificate of a blockade holds.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from smallchange.core.errors import BadPosition
from smallchange.core.game import Game, Position
from smallchange.core.options import Whole
from smallchange.tablebase import Table, Value, find_table, open_table, tables_folder
from smallchange.tablebase.opening_book import shipped_book
from smallchange.tablebase.ranked_games import all_positions, has_ranking, smaller, solvable
from smallchange.tablebase.table_files import certificate_file, file_name, fitting_files

if TYPE_CHECKING:
    from smallchange.tablebase.certificate import Held

SMALL_TABLE_POSITIONS = 1 << 27  # solved within seconds
MAX_KEPT_BYTES = 1 << 30  # of tables, from which on none is made by the way


@lru_cache(maxsize=16)
def existing_table(game: Game) -> Table | None:
    """Return the table for a game, or else its opening book, or None. The files are looked for once."""
    return find_table(game) or shipped_book(game) if has_ranking(game) else None


@lru_cache(maxsize=16)
def get_or_make_table(game: Game) -> Table | None:
    """Return the table for a game; that of a small game is made if there is none."""
    return existing_table(game) or make_small_table(game)


def make_small_table(game: Game) -> Table | None:
    """Solve a small game on all cores, and keep its table where tables are looked for.

    One process solves at a time; others wait. Return None for a larger game. Warn and return None if the
    table cannot be kept.
    """
    if not has_ranking(game) or all_positions(game) > SMALL_TABLE_POSITIONS:
        return None
    from filelock import FileLock

    from smallchange.tablebase.make_table import make_table

    file = tables_folder() / file_name(game)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if sum(kept.stat().st_size for kept in file.parent.glob("*.table")) > MAX_KEPT_BYTES:
            raise OSError(f"{file.parent} has more than {MAX_KEPT_BYTES >> 20} MB already")
        before = _version(file)
        with FileLock(file.parent.with_suffix(".lock")):
            if _version(file) != before:  # another process has made it meanwhile
                return open_table(file)
            with TemporaryDirectory(dir=file.parent) as folder:
                draft = Path(folder) / file.name
                make_table(draft, game, os.cpu_count() or 1)
                draft.replace(file)
            return open_table(file)
    except OSError as error:
        warnings.warn(f"a table is not kept, bots play without it: {error}", RuntimeWarning, stacklevel=2)
        return None


def unsolved_boards() -> list[Game]:
    """Return the boards below the usual size that are solved within seconds and have no table yet, smallest first."""
    usual = [Game(id) for id in solvable()]
    sizes = [
        (game.id, o)
        for game in usual
        for o in game.offered
        if isinstance(o, Whole) and o.name in smaller(game)
    ]
    boards = [Game(id, {o.name: n}) for id, o in sizes for n in range(o.low, o.default)]
    small = [game for game in boards if all_positions(game) <= SMALL_TABLE_POSITIONS]
    return [game for game in small if not (tables_folder() / file_name(game)).exists()]


def _version(file: Path) -> tuple[int, int] | None:
    """Return the inode of a file and when it was written, or None if there is no file."""
    try:
        about = file.stat()
    except FileNotFoundError:
        return None
    return about.st_ino, about.st_mtime_ns


def instant_table(game: Game) -> Table | None:
    """Return the table for a game where it can be opened at once: that of a small game.

    Of larger ones, warn of files that are no good.
    """
    if not has_ranking(game):
        return None
    if all_positions(game) <= SMALL_TABLE_POSITIONS:
        return existing_table(game)
    fitting_files(game)
    return None


def safe_moves(position: Position, legal: Sequence[str], table: Table | None = None) -> list[str]:
    """Return the best moves by the table; where it knows no win, all moves not known to lose.

    Without `table` the one for the game is looked for; where there is none, return all legal moves.
    """
    table = table or existing_table(position.game)
    if table is None:
        return list(legal)
    after = {token: position.played(token) for token in legal}
    values = {token: value_after(table, there, position.s.turn) for token, there in after.items()}
    wins = {token: value.plies for token, value in values.items() if value and value.outcome == "win"}
    if wins and None in wins.values():
        return win_by_layers(table, position, after, list(wins))
    if wins:
        return [fastest_win(table, after, {token: plies or 0 for token, plies in wins.items()})]
    safe = [token for token, value in values.items() if not value or value.outcome != "loss"]
    if safe:
        return safe
    latest = max(value.plies or 0 for value in values.values() if value)
    return [token for token, value in values.items() if value and value.plies == latest]


@lru_cache(maxsize=16)
def existing_certificate(game: Game) -> Held | None:
    """Return the certificate of a blockade for a game, or None. The file is looked for once."""
    if game.ranking is None or not certificate_file(game).exists():
        return None
    from smallchange.tablebase.certificate import find_certificate  # it imports Numba, as another thread may

    return find_certificate(game)


def held_moves(position: Position, moves: Sequence[str]) -> list[str]:
    """Return the moves after which a certificate of a blockade says that the player cannot lose; none without one."""
    held = existing_certificate(position.game)
    if held is None:
        return []
    found = []
    for token in moves:
        after = position.copy()
        after.play_unchecked(position.game.actions[token])
        if held.holds_after(after, position.s.turn):
            found.append(token)
    return found


def win_by_layers(table: Table, position: Position, after: dict[str, Position], wins: list[str]) -> list[str]:
    """Return the win that leads to a lower layer soonest, where the table does not know the plies to the end."""
    if position in table:
        return table.best(position)[:1]
    return [min(wins, key=lambda token: layer(table, after[token]))]


def value_after(table: Table, after: Position, mover: int) -> Value | None:
    """Return the value of the position after a move to the seat that moved, or None if the table has none."""
    try:
        return table.value_after(after, mover)
    except BadPosition:
        return None


def fastest_win(table: Table, after: dict[str, Position], wins: dict[str, int]) -> str:
    """Return the fastest win that is no draw for lack of progress; of equals the one to the lowest layer."""
    fewest = min(wins.values())
    tied = [token for token, plies in wins.items() if plies == fewest]
    if len(tied) == 1 and before_no_progress_draw(after[tied[0]], fewest - 1):
        return tied[0]
    order = sorted(wins, key=lambda token: (wins[token], layer(table, after[token])))
    delays = (
        token
        for token in order
        if before_no_progress_draw(after[token], wins[token] - 1) or makes_progress(table, after[token])
    )
    return next(delays, order[0])


def before_no_progress_draw(position: Position, plies: int) -> bool:
    """Return whether no draw for lack of progress can end the match within so many plies."""
    limit = plies_to_no_progress_draw(position.game)
    return position.s.turn < 0 or plies <= limit(position.game.board, position.s)


@lru_cache(maxsize=16)
def plies_to_no_progress_draw(game: Game) -> Callable[[Any, Any], int]:
    """Return the game's function for the least number of plies before a draw for lack of progress.

    It is `plies_to_draw` in the game's ai/evaluation.py; a game without one may be drawn at once.
    """
    return game.evaluation.plies_to_draw if game.evaluation else lambda b, s: 0


def makes_progress(table: Table, position: Position) -> bool:
    """Return whether the line of best moves leaves the layer, or wins, before a draw for lack of progress."""
    here = layer(table, position)
    while position.actor is not None:
        if table.layer(position) < here:
            return True
        after = [position.played(token) for token in table.best(position)]
        position = max(after, key=lambda there: layer(table, there))
    return len({position.score(seat) for seat in position.game.seats}) > 1


def layer(table: Table, position: Position) -> int:
    """Return the number of a position's layer; the end of the match is below them all."""
    return table.layer(position) if position.actor is not None else -1
