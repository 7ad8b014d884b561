"""Deals by difficulty: the odds of the best bot at the start of a deal, in a game for one.

A deal is easy, medium or hard by the position in which its player has the first choice. The luck after that
position plays no part: it stays as the deal has it. The bands were measured on deals of the game as in the
rulebook, and of its presets (`python -m research calibrate GAME deals`): three in ten deals are hard, and three in ten
easy.
"""

from __future__ import annotations

from functools import cache
from math import inf
from random import Random
from typing import Any, NamedTuple

from smallchange.core.commitment import DEAL_BYTES
from smallchange.core.game import Game, Position
from smallchange.core.json_text import read_json
from smallchange.core.match import Match
from smallchange.core.variants import without_idle_options

from . import COMPILE_TIMEOUT_S
from .analysis import light_budget
from .engines.evaluation import outcome_points
from .review import evaluate_choice

__all__ = [
    "Bands",
    "bands",
    "deal_odds",
    "find_deal",
    "is_of_difficulty",
    "measured_bands",
    "opening",
    "stored_bands",
]

EASY, MEDIUM, HARD = DIFFICULTIES = ("easy", "medium", "hard")
BANDS_FILE = "deal_bands.json"
MARGIN = 0.2  # of the width of the medium band: a chosen deal lies at least so far inside its own band
MAX_DEALS = 1000  # that are tried before the search gives up


class Bands(NamedTuple):
    """The bands of a game: deals with odds below `low` are hard, above `high` easy, and between them medium.

    They were measured on `n` deals; `mean` has the mean odds of each band. `command` measures them again.
    """

    low: float
    high: float
    mean: dict[str, float]
    n: int
    command: str

    def holds(self, odds: float, difficulty: str, margin: float = 0.0) -> bool:
        """Return whether odds lie in a band, and at least `margin` away from its ends.

        >>> bands = Bands(0.3, 0.5, {}, 100, "")
        >>> [bands.holds(0.49, "medium"), bands.holds(0.49, "medium", 0.02), bands.holds(0.6, "easy")]
        [True, False, True]
        """
        low, high = {EASY: (self.high, inf), MEDIUM: (self.low, self.high), HARD: (-inf, self.low)}[
            difficulty
        ]
        return low + margin <= odds <= high - margin


def bands(game: Game) -> Bands | None:
    """Return the bands of a game; None where they were not measured, with these options or under these rules."""
    return _bands(game.id).get(without_idle_options(game))


@cache
def _bands(id: str) -> dict[Game, Bands]:
    """Return the bands of the variants that were measured."""
    return {Game(id, row["options"]): Bands(**row["bands"]) for row in stored_bands(Game(id))}


def stored_bands(game: Game) -> list[dict[str, Any]]:
    """Return the variants in a game's file of bands, each with its options; [] under other rules."""
    file = game.folder / BANDS_FILE
    if not file.exists():
        return []
    found = read_json(file.read_text(encoding="utf-8"))
    return list(found["variants"]) if found["rules"] == game.version else []


def deal_odds(game: Game, deal: bytes, luck: Random | None = None, light: bool = False) -> float:
    """Return the best bot's odds at the first choice of a deal, from 0 to 1.

    Without `luck` they are the same at every call. `light` searches with a part of the best bot's budget.
    """
    position = opening(game, deal)
    (seat,) = game.seats
    ended = outcome_points(position, seat)
    if ended is not None:
        return ended
    budget = light_budget(position) if light else None
    found = evaluate_choice(position, 0, position.legal()[0], inf, luck, COMPILE_TIMEOUT_S, budget)
    assert found is not None  # the code was waited for
    return found.better


def opening(game: Game, deal: bytes) -> Position:
    """Return the first position of a deal in which its player has a choice, or its end."""
    match = Match(game, deal)
    match.settle()
    while not match.over and len(match.legal_actions()) == 1:
        match.play(match.position.legal()[0])
        match.settle()
    return match.position


def is_of_difficulty(game: Game, deal: bytes, difficulty: str) -> bool:
    """Return whether a deal lies well inside the band of a difficulty: a short look first, then a long one."""
    found = measured_bands(game)
    if light_budget(opening(game, deal)) and not found.holds(deal_odds(game, deal, light=True), difficulty):
        return False
    return found.holds(deal_odds(game, deal), difficulty, MARGIN * (found.high - found.low))


def find_deal(game: Game, difficulty: str, luck: Random | None = None) -> bytes:
    """Return a deal of a difficulty, "easy", "medium" or "hard". With the same luck it is the same deal.

    Raise ValueError for another difficulty, and for a game whose bands were not measured.
    """
    if difficulty not in DIFFICULTIES:
        raise ValueError(
            f"unknown difficulty {difficulty!r}; the difficulties are: {', '.join(DIFFICULTIES)}"
        )
    measured_bands(game)
    luck = luck or Random()
    for _ in range(MAX_DEALS):
        deal = luck.randbytes(DEAL_BYTES)
        if is_of_difficulty(game, deal, difficulty):
            return deal
    raise ValueError(f"none of {MAX_DEALS} deals of {game.id} was {difficulty}")


def measured_bands(game: Game) -> Bands:
    """Return the bands of a game. Raise ValueError where they were not measured."""
    found = bands(game)
    if found is None:
        raise ValueError(
            f"deals of {game!r} have no measured difficulty; games for one have, as in their rulebooks and presets"
        )
    return found
