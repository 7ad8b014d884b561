"""Keeping a server decent: reports of players, and what keepers do about them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import structlog
from sqlalchemy import Connection

from smallchange.server.accounts import rows as account_rows
from smallchange.server.accounts.account_names import account_name, bot_account_name
from smallchange.server.accounts.service import Accounts, erase_name
from smallchange.server.database.site_state import (
    Network,
    block_network,
    blocked_networks,
    read_network,
    unblock_network,
)
from smallchange.server.moderation import rows as rows
from smallchange.server.moderation.rows import EarlyLeaver, LoggedAction, NamedReport, Report
from smallchange.server.table.live.table_service import TableService
from smallchange.server.table.model.history import SeatKind
from smallchange.server.table.model.new_tables import random_id
from smallchange.server.table.storage.store import Store
from smallchange.server.web.account import Account, AccountRole, AccountState
from smallchange.server.web.errors import ErrorCode, Refused
from smallchange.server.web.typed_text import clean

REASONS = ("name", "stalling", "cheating", "other")  # of a report: stored, so never renamed
MAX_REPORT_CHARS, MAX_NOTE_CHARS = 500, 200
MAX_REPORTS = 10  # of one address in REPORT_PERIOD_S
REPORT_PERIOD_S = 600
MAX_LISTED = 100
MAX_QUOTED_CHARS = 50  # of a network that is none
log = structlog.get_logger("keeping")


class Order(NamedTuple):
    """An order of a keeper: an action of `rows.py`, and whom it concerns.

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
            rows.put_report(connection, new)
            return True

        if not await self._store.write("", job):
            raise Refused(ErrorCode.ATTEMPT_LIMIT, wait_s=REPORT_PERIOD_S - now_s % REPORT_PERIOD_S)

    async def desk(self) -> Desk:
        """Return the open reports, accounts and networks to look at, and the log."""
        now = self._tables.now()

        def ask(connection: Connection) -> Desk:
            return Desk(
                rows.list_reports(connection, MAX_LISTED),
                rows.banned_accounts(connection, MAX_LISTED),
                rows.read_log(connection, MAX_LISTED),
                [(row.network, row.at, row.note) for row in blocked_networks(connection)],
                rows.early_leavers(connection, now, MAX_LISTED),
            )

        return await self._store.read(ask)

    async def act(self, keeper: Account, order: Order) -> None:
        """Do what a keeper orders. Keepers cannot ban each other."""
        order = order._replace(note=clean(order.note, MAX_NOTE_CHARS))
        now = self._tables.now()
        subject = await self._store.read(lambda c: account_rows.account_by_holder(c, order.holder))
        if subject is not None and subject.role == AccountRole.KEEPER and order.action != rows.CLOSE:
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
    rows.log_action(connection, now, keeper, rows.BLOCK if on else rows.UNBLOCK, "", note)
    return str(found)


def carry_out(connection: Connection, keeper: str, order: Order, now: int) -> Effect:
    """Do what a keeper orders, and log it, in one transaction. Refuse what is not possible."""
    account = account_rows.account_by_holder(connection, order.holder)
    tables: list[str] = []
    sessions: list[str] = []
    if order.action in (rows.HIDE, rows.RENAME):
        if order.action == rows.RENAME and account is None:
            raise Refused(ErrorCode.NO_ACCOUNT)
        valid = bot_account_name if account and account.is_bot else account_name
        name = valid(order.name if order.action == rows.RENAME else f"Player {random_id(5)}")
        try:
            tables = rows.hide_name(connection, order.holder, erase_name, name, now)
        except account_rows.NameTaken:
            raise Refused(ErrorCode.NAME_TAKEN, name=name) from None
    elif order.action in (rows.BAN, rows.UNBAN, rows.APPOINT, rows.DISMISS):
        if account is None:
            raise Refused(ErrorCode.NO_ACCOUNT)
        if order.action in (rows.BAN, rows.UNBAN):
            sessions = rows.set_ban(connection, account, order.action == rows.BAN)
        elif account.is_bot:
            raise Refused(ErrorCode.BOT_ACCOUNT)
        else:
            rows.set_role(connection, account, order.action == rows.APPOINT)
    elif order.action != rows.CLOSE:
        raise Refused(ErrorCode.BAD_REPORT)
    if order.report:
        rows.close_report(connection, order.report, now)
    rows.log_action(connection, now, keeper, order.action, order.holder, order.note)
    return Effect(tables, sessions)


def _kept_refusal(job: Callable[[Connection], Effect]) -> Callable[[Connection], Effect | Refused]:
    """Return a job that returns a refusal, before which nothing was written, instead of raising it."""

    def run(connection: Connection) -> Effect | Refused:
        try:
            return job(connection)
        except Refused as refused:
            return refused

    return run
