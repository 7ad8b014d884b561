"""The games whose positions are numbered for tables; they are found by looking."""

from __future__ import annotations

from smallchange.core.errors import BadOption
from smallchange.core.game import Game, games
from smallchange.core.options import Whole
from smallchange.core.protocols import Ranking


def solvable() -> list[str]:
    """Return the games that have tables: those with an `ai/ranking.py` in their folder."""
    return [id for id in games() if has_ranking(Game(id))]


def has_ranking(game: Game) -> bool:
    """Return whether the game can be solved."""
    return game.ranking is not None


def index_of(game: Game) -> Ranking:
    """Return the module that ranks a game's positions. Raises BadOption where there is none."""
    if game.ranking is None:
        raise BadOption(
            f"{game.id} has no numbered positions; the games that have are: {', '.join(solvable())}"
        )
    return game.ranking


def all_positions(game: Game) -> int:
    """Return the number of positions with these options, as the game's ranking numbers them."""
    index = index_of(game)
    return index.places(game.board, index.shelves(game.board))


def left_out(game: Game) -> list[str]:
    """Options that make no other positions, though they may make other values."""
    same, chosen = index_of(game).same, game.non_default_options
    others = {
        name: Game(game.id, {other: chosen[other] for other in chosen if other != name}) for name in chosen
    }
    return [name for name, other in others.items() if same(game.board, other.board)]


def smaller(game: Game) -> list[str]:
    """Options of which a smaller number makes fewer positions."""
    whole, chosen = all_positions(game), game.non_default_options
    least = {
        option.name: Game(game.id, {**chosen, option.name: option.low})
        for option in game.offered
        if isinstance(option, Whole)
    }
    return [name for name, other in least.items() if all_positions(other) < whole]
