"""Ratings for pages and calls: of an account, over time, and the leaders of a game; and the role that keeps them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from smallchange.server.accounts.rows import Belongings
from smallchange.server.database.role import Role, RoleName
from smallchange.server.ratings import rows
from smallchange.server.ratings import rows as ratings
from smallchange.server.ratings.standings import Board
from smallchange.server.ratings.view import standing_rows
from smallchange.server.table.live.table_service import TableService, now_ms
from smallchange.server.table.model.clock import SPEEDS
from smallchange.server.table.storage.store import Store
from smallchange.server.web.sessions import Account


class Ratings:
    """The ratings of all accounts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def standings(self, account: Account) -> list[rows.BoardStanding]:
        """Return the ratings of an account."""
        return await self._store.read(lambda c: rows.standings_of(c, account.id))

    async def histories(self, account: Account) -> list[list[rows.RatedPoint]]:
        """Return the newest ratings on each board of an account, in the order of `standings`."""

        def ask(connection: Connection) -> list[list[rows.RatedPoint]]:
            return [
                rows.rating_history(connection, Board(account.id, one.game, one.speed))
                for one in rows.standings_of(connection, account.id)
            ]

        return await self._store.read(ask)

    async def leaders(self, game: str) -> dict[str, rows.Leaderboard]:
        """Return the leaderboards of a game, by speed."""
        now = now_ms()

        def ask(connection: Connection) -> dict[str, rows.Leaderboard]:
            return {speed: rows.leaderboard(connection, game, speed, now) for speed in SPEEDS}

        return await self._store.read(ask)

    async def on_account_page(self, account: Account, session: str) -> dict[str, object]:
        """Return what the page of an account shows of its ratings."""
        return {"ratings": standing_rows(await self.standings(account))}


def _export(connection: Connection, account: Account) -> dict[str, Any]:
    return {
        "ratings": [
            {"game": one.game, "speed": one.speed} | one.standing.rating._asdict()
            for one in rows.standings_of(connection, account.id)
        ]
    }


BELONGINGS = Belongings(_export)


class RatingWorker(Role[TableService]):
    """Plays the role of the rater."""

    name = RoleName.RATER

    async def sweep(self) -> int:
        """Rate the matches that wait, show the new ratings at their tables, and return their number."""
        if not await self._tables.store.read(ratings.has_unrated):
            return 0
        rated = await self.transact(ratings.rate_waiting)
        for id in rated:
            await self._tables.live.show_ratings(id)
        return len(rated)
