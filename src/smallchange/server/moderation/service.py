"""Reports of players, and what keepers do about them, as rows with a log that has no names."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Connection, func, insert, select, update

from smallchange.server.accounts import rows as account_rows
from smallchange.server.accounts.rows import (
    Belongings,
    account_by_holder,
    bots_of,
    end_sessions,
    erase_seat_names,
    rename_account,
    valid_bot_name,
    valid_name,
)
from smallchange.server.accounts.service import Accounts, erase_name
from smallchange.server.database import schema
from smallchange.server.database.site_state import (
    Network,
    block_network,
    blocked_networks,
    read_network,
    unblock_network,
)
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.events import Abort, Resign, TimeOut, tag_of
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.new_tables import random_id
from smallchange.server.table.storage.store import Store
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.names import clean
from smallchange.server.web.sessions import Account, AccountRole, AccountState

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


REASONS = ("name", "stalling", "cheating", "other")  # of a report: stored, so never renamed
MAX_REPORT_CHARS, MAX_NOTE_CHARS = 500, 200
MAX_REPORTS = 10  # of one address in REPORT_PERIOD_S
REPORT_PERIOD_S = 600
MAX_LISTED = 100
MAX_QUOTED_CHARS = 50  # of a network that is none
log = structlog.get_logger("keeping")


class Order(NamedTuple):
    """An order of a keeper: one of the actions above, and whom it concerns.

    `holder` is the player, `report` the report that it answers, if any. `name` is the new name for RENAME.
    """

    action: str
    holder: str
    report: str = ""
    name: str = ""
    note: str = ""


class Effect(NamedTuple):
    """The effect of an order: tables whose seats have changed, and sessions that have ended."""

    tables: list[str]
    sessions: list[str]


class Desk(NamedTuple):
    """All that the page of keepers shows."""

    reports: list[NamedReport]
    banned: list[str]
    log: list[LoggedAction]
    blocked: list[tuple[str, int, str]]
    leavers: list[EarlyLeaver]


class Keeping:
    """The reports of a server, and its keepers' actions."""

    def __init__(self, store: Store, tables: TableService, accounts: Accounts) -> None:
        self._store = store
        self._tables = tables
        self._accounts = accounts
        self.on_block: Callable[[], None] = lambda: None  # to close connections

    async def report(
        self, reporter: str, address: str, match: str, seat: int, reason: str, text: str
    ) -> None:
        """Report the person on a seat of a table that the reporter may see, once at each table."""
        history = (await self._tables.live.current(match, reporter)).history
        seats = history.seats
        if (
            not 0 <= seat < len(seats)
            or seats[seat].kind != SeatKind.PERSON
            or seats[seat].holder == reporter
        ):
            raise Refused(ErrorCode.BAD_REPORT)
        if reason not in REASONS:
            raise Refused(ErrorCode.BAD_REPORT)
        now_s = int(time.time())
        new = Report(
            random_id(10),
            reporter,
            seats[seat].holder,
            match,
            reason,
            clean(text, MAX_REPORT_CHARS),
            1000 * now_s,
        )

        def job(connection: Connection) -> bool:
            for key in (f"report {address}", f"report of {reporter}"):
                if account_rows.count_attempt(connection, key, REPORT_PERIOD_S, now_s) > MAX_REPORTS:
                    return False
            put_report(connection, new)
            return True

        if not await self._store.write("", job):
            raise Refused(ErrorCode.ATTEMPT_LIMIT, wait_s=REPORT_PERIOD_S - now_s % REPORT_PERIOD_S)

    async def desk(self) -> Desk:
        """Return the open reports, accounts and networks to look at, and the log."""
        now = self._tables.now()

        def ask(connection: Connection) -> Desk:
            return Desk(
                list_reports(connection, MAX_LISTED),
                banned_accounts(connection, MAX_LISTED),
                read_log(connection, MAX_LISTED),
                [(row.network, row.at, row.note) for row in blocked_networks(connection)],
                early_leavers(connection, now, MAX_LISTED),
            )

        return await self._store.read(ask)

    async def act(self, keeper: Account, order: Order) -> None:
        """Do what a keeper orders. Keepers cannot ban each other."""
        order = order._replace(note=clean(order.note, MAX_NOTE_CHARS))
        now = self._tables.now()
        subject = await self._store.read(lambda c: account_rows.account_by_holder(c, order.holder))
        if subject is not None and subject.role == AccountRole.KEEPER and order.action != CLOSE:
            raise Refused(ErrorCode.BAD_REPORT)
        effect = await self._store.write("", _kept_refusal(lambda c: carry_out(c, keeper.id, order, now)))
        if isinstance(effect, Refused):
            raise effect
        log.info("keeper", action=order.action)
        for hash in effect.sessions:
            self._accounts.forget_session(hash)
        if subject is not None:
            self._accounts.forget_account(subject)
        await self._tables.live.reload(effect.tables)

    async def block(self, keeper: Account, network: str, note: str, on: bool) -> None:
        """Shut a network out of the whole site, or let it in again."""
        now = self._tables.now()
        check_network(network)
        await self._store.write("", lambda c: set_block(c, keeper.id, network, on, now, note))
        await self._store.site.look(self._store.read)
        self.on_block()

    async def holder_of_banned(self, name: str) -> str:
        """Return the holder of a banned account with this name. Refuse if there is none."""
        account = await self._store.read(lambda c: account_rows.account_by_name(c, name))
        if account is None or account.state != AccountState.BANNED:
            raise Refused(ErrorCode.BAD_REPORT)
        return account.holder


def check_network(network: str) -> Network:
    """Return the network of a text. Refuse one that is none, or too large."""
    try:
        return read_network(network)
    except ValueError:
        raise Refused(ErrorCode.BAD_NETWORK, network=network[:MAX_QUOTED_CHARS]) from None


def set_block(connection: Connection, keeper: str, network: str, on: bool, now: int, note: str) -> str:
    """Shut a network out or let it in again, log it without the address, and return the network."""
    found, note = check_network(network), clean(note, MAX_NOTE_CHARS)
    if on:
        block_network(connection, found, now, note)
    else:
        unblock_network(connection, found)
    log_action(connection, now, keeper, BLOCK if on else UNBLOCK, "", note)
    return str(found)


def carry_out(connection: Connection, keeper: str, order: Order, now: int) -> Effect:
    """Do what a keeper orders, and log it, in one transaction. Refuse what is not possible."""
    account = account_rows.account_by_holder(connection, order.holder)
    tables: list[str] = []
    sessions: list[str] = []
    if order.action in (HIDE, RENAME):
        if order.action == RENAME and account is None:
            raise Refused(ErrorCode.NO_ACCOUNT)
        valid = valid_bot_name if account and account.is_bot else valid_name
        name = valid(order.name if order.action == RENAME else f"Player {random_id(5)}")
        try:
            tables = hide_name(connection, order.holder, erase_name, name, now)
        except account_rows.NameTaken:
            raise Refused(ErrorCode.NAME_TAKEN, name=name) from None
    elif order.action in (BAN, UNBAN, APPOINT, DISMISS):
        if account is None:
            raise Refused(ErrorCode.NO_ACCOUNT)
        if order.action in (BAN, UNBAN):
            sessions = set_ban(connection, account, order.action == BAN)
        elif account.is_bot:
            raise Refused(ErrorCode.BOT_ACCOUNT)
        else:
            set_role(connection, account, order.action == APPOINT)
    elif order.action != CLOSE:
        raise Refused(ErrorCode.BAD_REPORT)
    if order.report:
        close_report(connection, order.report, now)
    log_action(connection, now, keeper, order.action, order.holder, order.note)
    return Effect(tables, sessions)


def _kept_refusal(job: Callable[[Connection], Effect]) -> Callable[[Connection], Effect | Refused]:
    """Return a job that returns a refusal, before which nothing was written, instead of raising it."""

    def run(connection: Connection) -> Effect | Refused:
        try:
            return job(connection)
        except Refused as refused:
            return refused

    return run
