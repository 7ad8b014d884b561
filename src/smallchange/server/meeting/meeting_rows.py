"""The pairs of accounts that may meet at a table: asked by pairing, challenges, join links and rematches."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select

from smallchange.server.database import schema
from smallchange.server.table.model.outcome import Status
from smallchange.server.table.model.time_control import DAY_MS
from smallchange.server.web.account import BOT_ROLES, AccountRole, AccountState

MAX_BOT_MATCHES = 100  # of a bot against bots, in BOT_PERIOD_MS
BOT_PERIOD_MS = DAY_MS


class Meetings(NamedTuple):
    """The bars between some accounts: pairs that do not meet, and accounts that meet nobody.

    `owners` has the owner of each bot among them, "" for a `house` bot, and `busy` the bots of strangers that have met
    enough bots for now.
    """

    pairs: frozenset[frozenset[str]]
    closed: frozenset[str]
    owners: Mapping[str, str]
    busy: frozenset[str]
    house: frozenset[str] = frozenset()

    def may_meet(self, first: str, second: str) -> bool:
        """Return whether two of these accounts may play against each other."""
        both = frozenset((first, second))
        return (
            len(both) == 2 and both not in self.pairs and not both & self.closed and not self.are_busy(both)
        )

    def are_busy(self, both: frozenset[str]) -> bool:
        """Return whether these are two bots, one of which has met enough bots for now."""
        return both <= self.owners.keys() and bool(both & self.busy)

    def may_be_rated(self, first: str, second: str) -> bool:
        """Return whether a match of these may be rated: not of two bots of strangers, or of a bot and its owner."""
        owned = self.owners.get(first) == second or self.owners.get(second) == first
        return not owned and not {first, second} <= self.owners.keys() - self.house


def may_meet(connection: Connection, holders: Collection[str], now: int) -> bool:
    """Return whether the accounts among these holders may play against each other. Guests may."""
    accounts = accounts_of_holders(connection, holders)
    bars = find_meetings(connection, accounts, now)
    return all(a == b or bars.may_meet(a, b) for a in accounts for b in accounts)


def find_meetings(
    connection: Connection, accounts: Collection[str], now: int | None = None, quick: bool = False
) -> Meetings:
    """Return the bars between these accounts: one blocks the other, is closed, or is a bot that has met enough bots.

    `now` is in milliseconds since 1970; without it, bots meet as often as they like. `quick`: the players do not
    choose each other. Then two who have a match that goes on do not meet either.
    """
    account, block = schema.account.c, schema.block.c
    blocked = select(block.account_id, block.other_id).where(
        block.account_id.in_(accounts), block.other_id.in_(accounts)
    )
    closed = select(account.id).where(account.id.in_(accounts), account.state != AccountState.OPEN)
    pairs = {frozenset(row) for row in connection.execute(blocked)}
    if quick:
        pairs |= _playing_pairs(connection, accounts)
    bots = select(account.id, account.owner_id, account.role)
    bots = bots.where(account.id.in_(accounts), account.role.in_(BOT_ROLES))
    found = connection.execute(bots).all()
    owners = {id: owner or "" for id, owner, _ in found}
    house = frozenset(id for id, _, role in found if role == AccountRole.HOUSE)
    busy: Collection[str] = ()
    if now is not None and len(owners) > 1:
        busy = _busy_bots(connection, owners.keys() - house, now - BOT_PERIOD_MS)
    shut = frozenset(connection.execute(closed).scalars())
    return Meetings(frozenset(pairs), shut, owners, frozenset(busy), house)


def _busy_bots(connection: Connection, bots: Collection[str], since: int) -> list[str]:
    """Return those of these bots that have begun MAX_BOT_MATCHES matches against bots since then."""
    own, other = schema.seat.alias(), schema.seat.alias()
    account, opponent = schema.account.alias(), schema.account.alias()
    source = (
        account.join(own, own.c.holder == account.c.holder)
        .join(schema.match, schema.match.c.id == own.c.match_id)
        .join(other, (other.c.match_id == own.c.match_id) & (other.c.number != own.c.number))
        .join(opponent, opponent.c.holder == other.c.holder)
    )
    query = select(account.c.id).select_from(source).group_by(account.c.id)
    query = query.where(
        account.c.id.in_(bots),
        opponent.c.role.in_((AccountRole.BOT, AccountRole.HOUSE)),
        schema.match.c.created > since,
    )
    return list(connection.execute(query.having(func.count() >= MAX_BOT_MATCHES)).scalars())


def _playing_pairs(connection: Connection, accounts: Collection[str]) -> set[frozenset[str]]:
    """Return the pairs of these accounts that have a match that goes on."""
    first, second = schema.account.alias(), schema.account.alias()
    seats = schema.seat.alias(), schema.seat.alias()
    source = (
        first.join(seats[0], seats[0].c.holder == first.c.holder)
        .join(schema.match, schema.match.c.id == seats[0].c.match_id)
        .join(
            seats[1], (seats[1].c.match_id == seats[0].c.match_id) & (seats[1].c.number > seats[0].c.number)
        )
        .join(second, second.c.holder == seats[1].c.holder)
    )
    query = select(first.c.id, second.c.id).select_from(source)
    query = query.where(
        schema.match.c.status == Status.PLAYING, first.c.id.in_(accounts), second.c.id.in_(accounts)
    )
    return {frozenset(row) for row in connection.execute(query)}


def accounts_of_holders(connection: Connection, holders: Collection[str]) -> list[str]:
    """Return the ids of the accounts that have these holders."""
    account = schema.account.c
    return list(connection.execute(select(account.id).where(account.holder.in_(holders))).scalars())


def set_block(connection: Connection, account_id: str, other_id: str, on: bool) -> None:
    """Let an account block another, or no longer."""
    row = schema.block.c
    both = (row.account_id == account_id) & (row.other_id == other_id)
    connection.execute(delete(schema.block).where(both))
    if on:
        connection.execute(insert(schema.block), {"account_id": account_id, "other_id": other_id})


def has_block(connection: Connection, account_id: str, other_id: str) -> bool:
    """Return whether an account blocks another."""
    row = schema.block.c
    query = select(row.other_id).where(row.account_id == account_id, row.other_id == other_id)
    return connection.execute(query).first() is not None
