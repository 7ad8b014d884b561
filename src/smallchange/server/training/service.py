"""Training for pages: the next puzzle of somebody, and what a try at it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from sqlalchemy import Connection

from smallchange.bots.review import Choice
from smallchange.core.errors import BadPuzzle
from smallchange.core.match import Match
from smallchange.core.puzzle import Puzzle, parse_puzzle, puzzles
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
from smallchange.server.table.storage.store import Store
from smallchange.server.training import rows
from smallchange.server.web.errors import ErrorCode, Refused


class Training:
    """The puzzles of all games, for everybody who trains. `now` is a clock, in milliseconds since 1970."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._now = now

    def review_writer(self, id: str, match: Match, choices: list[Choice]) -> Callable[[Connection], None]:
        """Return what to store of a reviewed match: the mistakes of its people, which come back as puzzles."""
        now = self._now()
        return lambda connection: rows.put_mistakes(connection, id, match, choices, now)

    async def overview(self, holder: str) -> list[Trained]:
        """Return the games that have puzzles, as a holder stands in them."""
        now = self._now()

        def ask(connection: Connection) -> tuple[dict[str, Standing], dict[str, int]]:
            return rows.standings(connection, holder), rows.due_counts(connection, holder, now)

        standings, due = await self._store.read(ask)
        ids = await asyncio.to_thread(trained_games)
        return [Trained(id, len(puzzles(id)), due.get(id, 0), standings.get(id, Standing())) for id in ids]

    async def of_day(self) -> Puzzle | None:
        """Return the puzzle of today."""
        return await asyncio.to_thread(puzzle_of_day, self._now() // DAY_MS)

    async def next_puzzle(self, holder: str, game: str) -> str:
        """Return the id of the puzzle that comes next: one that is due, or a new one of the holder's level."""
        now = self._now()

        def ask(connection: Connection) -> tuple[Card | None, set[str], Standing]:
            card = rows.due_card(connection, holder, game, now)
            standing = rows.standings(connection, holder).get(game, Standing())
            return card, rows.tried_puzzles(connection, holder, game), standing

        card, tried, standing = await self._store.read(ask)
        if card:
            return card.puzzle
        luck = Random(f"{holder} {game} {len(tried)}")
        found = choose(await asyncio.to_thread(puzzles, game), standing.rating.points, tried, luck)
        if found is None:
            raise Refused(ErrorCode.NO_PAGE)
        return found.id

    async def show(self, holder: str, game: str, id: str) -> Shown:
        """Return a puzzle of a game. Refuse where there is none with this id, for this holder."""

        def ask(connection: Connection) -> tuple[Card | None, Standing]:
            standing = rows.standings(connection, holder).get(game, Standing())
            return rows.find_card(connection, holder, game, id), standing

        card, standing = await self._store.read(ask)
        return Shown(await self._find(game, id, card), card, standing)

    async def _find(self, game: str, id: str, card: Card | None) -> Puzzle:
        known = await asyncio.to_thread(puzzles, game)
        found = next((puzzle for puzzle in known if puzzle.id == id), None)
        try:
            if found is None and card and card.content:
                found = parse_puzzle(card.content)
        except (BadPuzzle, ValueError):  # the rules have changed since
            found = None
        if found is None:
            raise Refused(ErrorCode.NO_PAGE)
        return found

    async def answer(self, holder: str, game: str, id: str, token: str) -> None:
        """Count a try. Refuse a move that is not possible."""
        shown, now = await self.show(holder, game, id), self._now()
        if token not in shown.puzzle.position.legal():
            raise Refused(ErrorCode.NO_PAGE)

        def job(connection: Connection) -> None:
            card = rows.find_card(connection, holder, game, id)
            before = rows.standings(connection, holder).get(game, Standing())
            card, standing = after_try(Shown(shown.puzzle, card, before), token, holder, now)
            rows.put_card(connection, card)
            if standing != before:
                rows.put_standing(connection, holder, game, standing)

        await self._store.write("", job)
