"""Reports of players, what keepers do about them, and the log of it, as rows.

Each action and its line in the log are one transaction. The log has no names, so an account can be erased.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from smallchange.server.accounts.belongings import Belongings
from smallchange.server.accounts.rows import (
    account_by_holder,
    bots_of,
    end_sessions,
    erase_seat_names,
    rename_account,
)
from smallchange.server.database import schema
from smallchange.server.table.model.events import Abort, Resign, TimeOut, tag_of
from smallchange.server.web.account import Account, AccountRole, AccountState

HIDE, RENAME, BAN, UNBAN, CLOSE = (
    "hide",
    "rename",
    "ban",
    "unban",
    "close",
)  # actions: stored, so never renamed
APPOINT, DISMISS = "appoint", "dismiss"
BLOCK, UNBLOCK = "block", "unblock"  # a network
EARLY_PLIES = 8  # within which an event that ends a match ends it early
WATCHED_MS = 7 * 24 * 3_600_000  # in which early leavers are counted
MIN_EARLY = 3  # matches from which on a player is listed
COMMAND_LINE = ""  # the keeper of actions by `smallchange server admin`

_report, _action, _account, _seat = (
    schema.report.c,
    schema.keeper_action.c,
    schema.account.c,
    schema.seat.c,
)
EraseName = Callable[[str, Collection[str]], str]


class Report(NamedTuple):
    """A row of the table `report`: one player's report of another at a table."""

    id: str
    reporter: str
    reported: str
    match_id: str
    reason: str
    text: str
    at: int
    closed_at: int | None = None


class NamedReport(NamedTuple):
    """A report with the names that both players have now; `account` is that of the reported one, or None."""

    report: Report
    reporter: str
    reported: str
    account: Account | None


class LoggedAction(NamedTuple):
    """A line of the log: an action of a keeper, with the names that keeper and subject have now."""

    at: int
    keeper: str
    action: str
    subject: str
    note: str


def put_report(connection: Connection, report: Report) -> bool:
    """Store a report; return False where the same player has reported the other at this table already."""
    same = (_report.reporter == report.reporter) & (_report.reported == report.reported)
    known = select(_report.id).where(same, _report.match_id == report.match_id)
    if connection.execute(known).first() is not None:
        return False
    connection.execute(insert(schema.report), report._asdict())
    return True


def find_report(connection: Connection, id: str) -> Report | None:
    """Return the report with this id."""
    row = connection.execute(select(schema.report).where(_report.id == id)).first()
    return Report(*row) if row else None


def list_reports(connection: Connection, limit: int, closed: bool = False) -> list[NamedReport]:
    """Return the open reports, or the closed ones, the newest first."""
    query = select(schema.report).where(
        _report.closed_at.is_not(None) if closed else _report.closed_at.is_(None)
    )
    found = [
        Report(*row) for row in connection.execute(query.order_by(_report.at.desc(), _report.id).limit(limit))
    ]
    return [
        NamedReport(
            one,
            name_at_table(connection, one.reporter, one.match_id),
            name_at_table(connection, one.reported, one.match_id),
            account_by_holder(connection, one.reported),
        )
        for one in found
    ]


def name_at_table(connection: Connection, holder: str, match: str) -> str:
    """Return the name of a holder: that of the account, or a guest's at this table; it may be empty."""
    account = account_by_holder(connection, holder)
    if account is not None:
        return account.name
    named = select(_seat.name).where(_seat.holder == holder, _seat.match_id == match)
    return str(connection.execute(named).scalar() or "")


def close_report(connection: Connection, id: str, now: int) -> None:
    """Close a report."""
    connection.execute(update(schema.report).where(_report.id == id).values(closed_at=now))


def hide_name(
    connection: Connection, holder: str, erase_name: EraseName, new_name: str, now: int
) -> list[str]:
    """Remove the name of a player from all seats and records; an account is called `new_name` from then on.

    Return the ids of the player's tables. Raise NameTaken.
    """
    account = account_by_holder(connection, holder)
    if account is not None:
        rename_account(connection, account.id, new_name, now)
    return erase_seat_names(connection, holder, erase_name)


def set_ban(connection: Connection, account: Account, banned: bool) -> list[str]:
    """Ban an account with its bots and end their sessions, or let them in again.

    Return the hashes of the ended sessions.
    """
    ended = []
    for one in (account, *bots_of(connection, account.id)):
        row = (_account.id == one.id) & _account.state.in_((AccountState.OPEN, AccountState.BANNED))
        connection.execute(
            update(schema.account)
            .where(row)
            .values(state=AccountState.BANNED if banned else AccountState.OPEN)
        )
        ended += end_sessions(connection, one.id) if banned else []
    return ended


def set_role(connection: Connection, account: Account, keeper: bool) -> None:
    """Make an account a keeper, or a player like others."""
    role = AccountRole.KEEPER if keeper else AccountRole.PERSON
    connection.execute(update(schema.account).where(_account.id == account.id).values(role=role))


def log_action(
    connection: Connection, at: int, keeper: str, action: str, subject: str, note: str = ""
) -> None:
    """Add a line to the log. `keeper` is the id of an account, `subject` the holder that it concerns."""
    row = {"at": at, "keeper": keeper, "action": action, "subject": subject, "note": note}
    connection.execute(insert(schema.keeper_action), row)


def read_log(connection: Connection, limit: int) -> list[LoggedAction]:
    """Return the newest lines of the log."""
    by, about = schema.account.alias(), schema.account.alias()
    query = select(_action.at, by.c.name, _action.action, about.c.name, _action.note)
    query = query.outerjoin_from(schema.keeper_action, by, by.c.id == _action.keeper)
    query = query.outerjoin(about, about.c.holder == _action.subject)
    rows = connection.execute(query.order_by(_action.id.desc()).limit(limit))
    return [LoggedAction(row[0], row[1] or "", row[2], row[3] or "", row[4]) for row in rows]


class EarlyLeaver(NamedTuple):
    """An account that has left so many rated matches lately after at most EARLY_PLIES events."""

    name: str
    matches: int


def early_leavers(connection: Connection, now: int, limit: int) -> list[EarlyLeaver]:
    """Return the accounts that leave most rated matches early, by resigning, aborting or letting time run out."""
    event, match = schema.event.c, schema.match.c
    leaving = [tag_of(kind) for kind in (Resign, Abort, TimeOut)]
    number = func.count()
    query = select(_account.name, number).join_from(schema.event, schema.match, match.id == event.match_id)
    query = query.join(schema.seat, (_seat.match_id == match.id) & (_seat.number == event.seat))
    query = query.join(schema.account, _account.holder == _seat.holder)
    query = query.where(event.kind.in_(leaving), event.ply <= EARLY_PLIES, event.at > now - WATCHED_MS)
    query = (
        query.where(match.rated.is_(True)).group_by(_account.id, _account.name).having(number >= MIN_EARLY)
    )
    rows = connection.execute(query.order_by(number.desc(), _account.name).limit(limit))
    return [EarlyLeaver(*row) for row in rows]


def banned_accounts(connection: Connection, limit: int) -> list[str]:
    """Return the names of banned accounts."""
    query = (
        select(_account.name)
        .where(_account.state == AccountState.BANNED)
        .order_by(_account.name)
        .limit(limit)
    )
    return list(connection.execute(query).scalars())


def export_reports(connection: Connection, holder: str) -> list[dict[str, Any]]:
    """Return the reports that a player has made, as rows."""
    query = select(_report.match_id, _report.reason, _report.text, _report.at).where(
        _report.reporter == holder
    )
    return [dict(row._mapping) for row in connection.execute(query.order_by(_report.at, _report.id))]


def _erase(connection: Connection, account: Account) -> None:
    """Remove the texts of reports that an account has made, or that concern it."""
    concerned = (_report.reporter == account.holder) | (_report.reported == account.holder)
    connection.execute(update(schema.report).where(concerned).values(text=""))


BELONGINGS = Belongings(
    lambda connection, account: {"reports": export_reports(connection, account.holder)}, erase=_erase
)
