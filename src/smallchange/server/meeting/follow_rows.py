"""Accounts that follow others, as rows."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select

from smallchange.server.accounts.belongings import Belongings
from smallchange.server.database import schema
from smallchange.server.web.account import Account, AccountState

MAX_FOLLOWED = 200
_follow, _account = schema.follow.c, schema.account.c


def set_follow(connection: Connection, account_id: str, other_id: str, on: bool) -> bool:
    """Let an account follow another, or no longer. Return whether it follows no more than MAX_FOLLOWED."""
    both = (_follow.account_id == account_id) & (_follow.other_id == other_id)
    connection.execute(delete(schema.follow).where(both))
    if not on:
        return True
    of_account = select(func.count()).select_from(schema.follow).where(_follow.account_id == account_id)
    if connection.execute(of_account).scalar_one() >= MAX_FOLLOWED:
        return False
    connection.execute(insert(schema.follow), {"account_id": account_id, "other_id": other_id})
    return True


def has_follow(connection: Connection, account_id: str, other_id: str) -> bool:
    """Return whether an account follows another."""
    query = select(_follow.other_id).where(_follow.account_id == account_id, _follow.other_id == other_id)
    return connection.execute(query).first() is not None


def followed_names(connection: Connection, account_id: str) -> list[str]:
    """Return the names of the accounts that an account follows, in order, without those that were closed."""
    query = select(_account.name).join(schema.follow, _follow.other_id == _account.id)
    query = query.where(_follow.account_id == account_id, _account.state == AccountState.OPEN).order_by(
        _account.folded
    )
    return list(connection.execute(query).scalars())


def end_follows(connection: Connection, first: str, second: str) -> None:
    """Let neither of two accounts follow the other any more."""
    for one, other in ((first, second), (second, first)):
        set_follow(connection, one, other, False)


def _erase(connection: Connection, account: Account) -> None:
    """Remove the seeks, blocks, follows and challenges of an account, and the notifications of challenges."""
    connection.execute(delete(schema.seek).where(schema.seek.c.account_id == account.id))
    for table in (schema.block, schema.follow):
        concerned = (table.c.account_id == account.id) | (table.c.other_id == account.id)
        connection.execute(delete(table).where(concerned))
    asked = schema.challenge.c
    of_account = (asked.challenger_id == account.id) | (asked.challenged_id == account.id)
    ended = select(asked.id).where(of_account)
    connection.execute(delete(schema.notification).where(schema.notification.c.match_id.in_(ended)))
    connection.execute(delete(schema.challenge).where(of_account))


BELONGINGS = Belongings(
    lambda connection, account: {"follows": followed_names(connection, account.id)}, erase=_erase
)
