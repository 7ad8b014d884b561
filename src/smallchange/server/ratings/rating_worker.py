"""The role of the rater: it computes the ratings after each rated match, one match after another.

The end of a rated match stores a row in the same transaction. The rater takes these rows in the order of the ends,
and stores both ratings once for each match: the key of a change is its match and seat.
"""

from __future__ import annotations

from sqlalchemy import Connection

from smallchange.server.database.role_worker import RoleWorker
from smallchange.server.ratings import rows as ratings

RATER = "rater"


class RatingWorker(RoleWorker[str]):
    """Plays the role of the rater."""

    role = RATER

    def is_due(self, connection: Connection) -> bool:
        """Return whether a match waits to be rated."""
        return ratings.has_unrated(connection)

    def work(self, connection: Connection, now: int) -> list[str]:
        """Rate the matches that wait; return their ids."""
        return ratings.rate_waiting(connection)

    async def announce(self, done: list[str]) -> None:
        """Show the new ratings at the tables."""
        for id in done:
            await self._tables.show_ratings(id)
