"""The role of the rater: it computes the ratings after each rated match, one match after another.

The end of a rated match stores a row in the same transaction. The rater takes these rows in the order of the ends,
and stores both ratings once for each match: the key of a change is its match and seat.
"""

from __future__ import annotations

from smallchange.server.database.role import Role
from smallchange.server.ratings import rows as ratings
from smallchange.server.table.table_service import TableService


class RatingWorker(Role[TableService]):
    """Plays the role of the rater."""

    name = "rater"

    async def sweep(self) -> int:
        """Rate the matches that wait, show the new ratings at their tables, and return their number."""
        if not await self._tables.store.read(ratings.has_unrated):
            return 0
        rated = await self.transact(ratings.rate_waiting)
        for id in rated:
            await self._tables.live.show_ratings(id)
        return len(rated)
