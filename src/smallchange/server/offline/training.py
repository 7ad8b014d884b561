"""Training in one browser: its cards and ratings, kept as a text."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

from smallchange.core.glicko2 import Rating
from smallchange.core.puzzle import Puzzle, puzzles
from smallchange.core.training import (
    DAY_MS,
    Card,
    Shown,
    Standing,
    Trained,
    after_try,
    choose,
    puzzle_of_day,
    trained_games,
)
from smallchange.server.web.errors import ErrorCode, Refused


class LocalTraining:
    """The puzzles that came with the games, for the one person here. `kept` is a text of `to_keep`, or ""."""

    def __init__(self, kept: str, now_ms: Callable[[], int]) -> None:
        known = json.loads(kept or '{"cards": [], "standings": {}}')
        self._cards = {card.puzzle: card for card in (Card(*row) for row in known["cards"])}
        self._standings = {
            game: Standing(Rating(*rating), *rest) for game, (rating, *rest) in known["standings"].items()
        }
        self._now = now_ms

    def to_keep(self) -> str:
        """Return the cards and standings as a text, from which the next visit begins."""
        return json.dumps({"cards": list(self._cards.values()), "standings": self._standings})

    def overview(self) -> list[Trained]:
        """Return the games that have puzzles, with the standing in each."""
        return [
            Trained(id, len(puzzles(id)), len(self._find_due(id)), self._find_standing(id))
            for id in trained_games()
        ]

    def of_day(self) -> Puzzle | None:
        """Return the puzzle of today."""
        return puzzle_of_day(self._now() // DAY_MS)

    def next_puzzle(self, game: str) -> str:
        """Return the id of the puzzle that comes next: one that is due, or a new one of one's level."""
        if due := self._find_due(game):
            return due[0].puzzle
        luck = Random(f"{game} {len(self._cards)}")
        found = choose(puzzles(game), self._find_standing(game).rating.points, self._cards, luck)
        if found is None:
            raise Refused(ErrorCode.NO_PAGE)
        return found.id

    def show(self, game: str, id: str) -> Shown:
        """Return a puzzle of a game. Refuse where there is none with this id."""
        found = next((puzzle for puzzle in puzzles(game) if puzzle.id == id), None)
        if found is None:
            raise Refused(ErrorCode.NO_PAGE)
        return Shown(found, self._cards.get(id), self._find_standing(game))

    def answer(self, game: str, id: str, token: str) -> None:
        """Count a try. Refuse a move that is not possible."""
        shown = self.show(game, id)
        if token not in shown.puzzle.position.legal():
            raise Refused(ErrorCode.NO_PAGE)
        self._cards[id], self._standings[game] = after_try(shown, token, "", self._now())

    def _find_due(self, game: str) -> list[Card]:
        now = self._now()
        due = [(card.due, card.puzzle) for card in self._cards.values() if card.game == game and card.due]
        return [self._cards[id] for at, id in sorted(due) if at <= now]

    def _find_standing(self, game: str) -> Standing:
        return self._standings.get(game, Standing())
