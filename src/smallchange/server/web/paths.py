"""Paths of pages whose query has the options of a game."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from smallchange.core.game import Game
from smallchange.core.options import Value


def field_text(value: Value) -> str:
    """Return the text of an option's value in its field of the form."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def analysis_path(match: str, at: int, line: Sequence[str] = (), pick: Sequence[str] = ()) -> str:
    """Return the path of the analysis board: after `at` steps of a match and these tokens, some pieces being picked."""
    tokens = [("line", " ".join(line))] if line else []
    return f"/m/{match}/analysis?" + urlencode([("at", str(at)), *tokens, *(("pick", id) for id in pick)])


def explorer_path(game: Game, line: Sequence[str] = (), pick: Sequence[str] = ()) -> str:
    """Return the path of the explorer's page after these tokens, some pieces of the next move being picked."""
    options = [(name, field_text(value)) for name, value in game.non_default_options.items()]
    query = urlencode(
        [*options, *([("line", " ".join(line))] if line else []), *(("pick", id) for id in pick)]
    )
    return f"/games/{game.id}/solved" + (f"?{query}" if query else "")
