"""The evaluation of a move, in the same form from every engine."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from smallchange.bots.levels import Level
from smallchange.core.game import Game, Position

from . import greedy

if TYPE_CHECKING:
    from smallchange.engine.search.mcts import MoveStats


class MoveEvaluation(NamedTuple):
    """The chance of winning after a move, the best move, and the chance after that.

    Chances are from 0 to 1, a draw being half a win; `chance` is None where the search did not look at the move.
    `exact` chances are certain. Others are those of the search: `calibrate` turns them into win rates.
    """

    chance: float | None
    best: str
    better: float
    exact: bool = False

    def calibrate(self, bot: Level, game: Game) -> MoveEvaluation:
        """Return the evaluation with the win rates measured of the bot; exact chances stay as they are."""
        if self.exact:
            return self
        chance = None if self.chance is None else bot.win_rate(game, self.chance)
        return self._replace(chance=chance, better=bot.win_rate(game, self.better))


def outcome_points(position: Position, player: str) -> float | None:
    """Return a player's points at the end of a game: 1 for a win, 0.5 for a draw, 0 for a loss.

    Return None while the game goes on.
    """
    result = position.result
    if result is None:
        return None
    if "winner" in result:
        return 1.0 if result["winner"] == player else 0.0 if result["winner"] in position.game.seats else 0.5
    return float(bool(result.get("won")))


def best_token(
    found: Sequence[MoveStats], position: Position, legal: Sequence[str], seconds: float, luck: Random
) -> str:
    """Return the first move of a search's result, or the rule of thumb's move if the result is empty."""
    return position.game.tokens[found[0].action] if found else greedy.choose(position, legal, seconds, luck)
