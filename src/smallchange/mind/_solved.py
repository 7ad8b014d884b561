"""Steps from tables of solved positions (`smallchange solve`), for bots to ask before they think.

What is exact: a bot that takes only `sound` steps never loses from a position that the table does not call
lost, whatever the rules say about long play, for they only turn wins into draws. And it wins every won
position in the fewest plies, if those are fewer than the plies left until long play is a draw. A longer win
is played in the same way; among equally short ones a step to a lower layer goes first, as it ends the quiet.
Where the line of best steps would run into the limit before it leaves its layer, the next best win is taken,
whose line does not: that is a plan, not a proof.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from smallchange.errors import BadPosition
from smallchange.game import Game, Position
from smallchange.solve import Table, Value, find_table, open_table, tables_folder
from smallchange.solve.found import file_name
from smallchange.solve.numbering import all_positions, numbered

SMALL = 1 << 20  # positions that are solved within a second


@lru_cache(maxsize=16)
def table_of(game: Game) -> Table | None:
    """The table for a game, looked for once."""
    return find_table(game) if numbered(game) else None


@lru_cache(maxsize=16)
def table_for(game: Game) -> Table | None:
    """The table that a search goes by: one that is there, or one that is made at once."""
    return table_of(game) or own_table(game)


def own_table(game: Game) -> Table | None:
    """The table of a game so small that it is solved at once, made and kept where tables are looked for.

    None, with a warning, where it cannot be kept: bots go on without.
    """
    if not numbered(game) or all_positions(game) > SMALL:
        return None
    from smallchange.solve.make import make_table

    file = tables_folder() / file_name(game)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=file.parent) as folder:
            draft = Path(folder) / file.name
            make_table(draft, game)
            draft.replace(file)
        return open_table(file)
    except OSError as wrong:
        warnings.warn(f"a table is not kept, bots play without it: {wrong}", RuntimeWarning, stacklevel=2)
        return None


def sound(position: Position, legal: Sequence[str], table: Table | None = None) -> list[str]:
    """The legal steps worth thinking about: the best where the table knows, else all not known to lose.

    Without `table` the one for the game is looked for; where there is none, all are.
    """
    table = table or table_of(position.game)
    if table is None:
        return list(legal)
    after = {token: position.after(token) for token in legal}
    worth = {token: known(table, there, position.s.turn) for token, there in after.items()}
    wins = {token: value.plies or 0 for token, value in worth.items() if value and value.outcome == "win"}
    if wins:
        return [soonest(table, after, wins)]
    safe = [token for token, value in worth.items() if not value or value.outcome != "loss"]
    if safe:
        return safe
    latest = max(value.plies or 0 for value in worth.values() if value)
    return [token for token, value in worth.items() if value and value.plies == latest]


def known(table: Table, after: Position, mover: int) -> Value | None:
    """What a step that led here is worth by the table to the seat that took it, or None."""
    try:
        return table.reached(after, mover)
    except BadPosition:
        return None


def soonest(table: Table, after: dict[str, Position], wins: dict[str, int]) -> str:
    """The step that wins soonest by a line that is no draw by long play; of equals the lowest layer's."""
    fewest = min(wins.values())
    tied = [token for token, plies in wins.items() if plies == fewest]
    if len(tied) == 1 and in_time(after[tied[0]], fewest - 1):
        return tied[0]
    order = sorted(wins, key=lambda token: (wins[token], layer(table, after[token])))
    lasting = (t for t in order if in_time(after[t], wins[t] - 1) or gets_on(table, after[t]))
    return next(lasting, order[0])


def in_time(position: Position, plies: int) -> bool:
    """Is it certain that long play cannot end the match within so many steps?"""
    return position.s.turn < 0 or plies <= patience(position.game)(position.game.board, position.s)


@lru_cache(maxsize=16)
def patience(game: Game) -> Callable[[Any, Any], int]:
    """How many steps there are at least before long play may end a match, as the game's `worth.py` says."""
    if not (game.folder / "worth.py").exists():
        return lambda b, s: 0
    steps: Callable[[Any, Any], int] = import_module(".worth", game.rules.__package__).patience
    return steps


def gets_on(table: Table, position: Position) -> bool:
    """Does the line of best steps from here leave the layer or win, before long play makes it a draw?"""
    here = layer(table, position)
    while position.actor is not None:
        if table.layer(position) < here:
            return True
        after = [position.after(token) for token in table.best(position)]
        position = max(after, key=lambda there: layer(table, there))
    return len({position.score(seat) for seat in position.game.seats}) > 1


def layer(table: Table, position: Position) -> int:
    """The number of a position's layer; the end of the match is below them all."""
    return table.layer(position) if position.actor is not None else -1
