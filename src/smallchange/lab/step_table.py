"""The steps of matches as a table of Arrow, which pandas, Polars and DuckDB read without a copy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from smallchange.core.match import Match
from smallchange.extras import require

require("lab", "pyarrow")

import pyarrow as pa  # noqa: E402

__all__ = ["SCHEMA", "step_table"]

FEW = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("match", pa.int32()),  # its place among the matches, from 0
        ("game", FEW),
        ("seed", pa.uint64()),  # null where the match is no row of an experiment
        ("number", pa.int64()),
        ("ply", pa.int32()),  # from 1
        ("actor", FEW),  # a player's name, or chance
        ("source", FEW),  # the object that chance decided by, or null
        ("token", FEW),
        ("action", pa.int32()),
        ("choices", pa.int32()),  # how many steps were possible
        ("policy", FEW),  # the name at the seat; null for chance, and where there is none
        ("reward", pa.int8()),  # of the player at the end: 1, 0 or -1; null for chance
    ]
)


def step_table(matches: Match | Iterable[Match]) -> Any:
    """Return a pyarrow.Table: a row for each step of a match or several, chance included, in order, as in SCHEMA.

    >>> import smallchange
    >>> match = smallchange.Match(smallchange.game(smallchange.games()[0]), bytes(16))
    >>> taken = match.settle()
    >>> step_table(match)["token"].to_pylist() == taken
    True
    """
    columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
    for place, match in enumerate([matches] if isinstance(matches, Match) else matches):
        position, actions = match.game.start(), match.game.actions
        seed, number = match.simulated or (None, None)
        for ply, step in enumerate(match, 1):
            choices = len(position.legal_actions() or position.outcome_actions()[0])
            row = (place, match.game.id, seed, number, ply, step.actor, position.source or None, step.token)
            reward = match.position.reward(step.actor) if step.actor in match.seats else None
            told = actions[step.token], choices, match.seats.get(step.actor) or None, reward
            for name, value in zip(SCHEMA.names, (*row, *told), strict=True):
                columns[name].append(value)
            position.play_unchecked(actions[step.token])
    return pa.table([pa.array(columns[field.name], field.type) for field in SCHEMA], SCHEMA)
