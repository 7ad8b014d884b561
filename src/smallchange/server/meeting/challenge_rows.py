"""Challenges as rows: an account asks another for a match."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, delete, func, insert, or_, select, update

from smallchange.server.database import schema
from smallchange.server.table.model.new_tables import Wish

_row = schema.challenge.c


class Challenge(NamedTuple):
    """A challenge, with the names of both accounts.

    `match` is set once it is accepted: the id of the match, or of the duel.
    """

    id: str
    challenger_id: str
    challenged_id: str
    wish: Wish
    rated: bool
    since: int
    until: int
    declined: bool
    match: str | None
    challenger: str
    challenged: str

    @property
    def is_duel(self) -> bool:
        """Return whether it is a challenge to a duel or a duplicate pair, which have no time control."""
        return not self.wish.time

    @property
    def path(self) -> str:
        """The path of what it has led to, "" before it is accepted."""
        if not self.match:
            return ""
        return f"/tournaments/{self.match}" if self.is_duel else f"/m/{self.match}"

    def is_waiting(self, now: int) -> bool:
        """Return whether it can still be answered."""
        return self.match is None and not self.declined and self.until > now


def add_challenge(connection: Connection, new: Challenge) -> None:
    """Store a challenge."""
    row = {
        "id": new.id,
        "challenger_id": new.challenger_id,
        "challenged_id": new.challenged_id,
        "game": new.wish.game,
        "control": new.wish.time,
        "rated": new.rated,
        "since": new.since,
        "until": new.until,
        "declined": new.declined,
        "match_id": new.match,
    }
    connection.execute(insert(schema.challenge), row)


def find_challenge(connection: Connection, id: str, lock: bool = False) -> Challenge | None:
    """Return the challenge with this id. `lock`: nobody else changes it before the transaction ends."""
    query = _challenges().where(_row.id == id)
    if lock:
        query = query.with_for_update(of=schema.challenge)
    found = connection.execute(query).first()
    return _read(found) if found else None


def waiting_challenges(connection: Connection, account_id: str, now: int) -> list[Challenge]:
    """Return the challenges of an account and to it that can still be answered, the newest first."""
    query = _challenges().where(
        or_(_row.challenger_id == account_id, _row.challenged_id == account_id),
        _row.until > now,
        _row.match_id.is_(None),
        _row.declined.is_(False),
    )
    return [_read(row) for row in connection.execute(query.order_by(_row.since.desc(), _row.id))]


def count_waiting(connection: Connection, account_id: str, now: int) -> int:
    """Return how many challenges of an account wait for an answer."""
    query = select(func.count()).select_from(schema.challenge)
    query = query.where(_row.challenger_id == account_id, _row.until > now, _row.match_id.is_(None))
    return int(connection.execute(query.where(_row.declined.is_(False))).scalar_one())


def remove_challenge(connection: Connection, id: str) -> None:
    """Remove a challenge."""
    connection.execute(delete(schema.challenge).where(_row.id == id))


def set_declined(connection: Connection, id: str) -> None:
    """Store that a challenge was declined."""
    connection.execute(update(schema.challenge).where(_row.id == id).values(declined=True))


def set_match(connection: Connection, id: str, match: str) -> None:
    """Store the match of a challenge that was accepted."""
    connection.execute(update(schema.challenge).where(_row.id == id).values(match_id=match))


def _challenges() -> Select[Any]:
    """Return the query of all challenges with the names of both accounts."""
    first, second = schema.account.alias(), schema.account.alias()
    source = schema.challenge.join(first, first.c.id == _row.challenger_id)
    source = source.join(second, second.c.id == _row.challenged_id)
    names = first.c.name.label("challenger"), second.c.name.label("challenged")
    return select(schema.challenge, *names).select_from(source)


def _read(row: Any) -> Challenge:
    return Challenge(
        row.id,
        row.challenger_id,
        row.challenged_id,
        Wish(row.game, row.control),
        row.rated,
        row.since,
        row.until,
        row.declined,
        row.match_id,
        row.challenger,
        row.challenged,
    )
