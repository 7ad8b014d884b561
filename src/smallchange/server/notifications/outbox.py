"""The outbox: messages about notifications, to browsers by web push and to addresses by mail.

The role of the notifier sends them, and several processes may play it. A message is removed in one transaction before
it is sent, so none is sent twice. If the process dies in between, it is not sent at all, and the notification stays in
the list on our pages. One that was not taken for a while is stored again. A place that does not answer holds up no
other: each target has one message under way, each place a few.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from importlib import import_module
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, delete, select, text, update

from smallchange.server.accounts.rows import account_by_id
from smallchange.server.database import schema
from smallchange.server.database.role import Role, RoleName
from smallchange.server.notifications.mail import Mails
from smallchange.server.notifications.model import Channel, Notification, Outcome, account_notice
from smallchange.server.notifications.push import BadAddress, Push, due_pushes
from smallchange.server.notifications.rows import due_mail, is_row, muted_kinds, put_notifications
from smallchange.server.settings import Settings
from smallchange.server.table.live.table_service import TableService
from smallchange.server.web.background_tasks import log_errors
from smallchange.server.web.limits import SparseLog

DELAY_MS = 30_000  # in which a player may see a table before anything is sent
MAX_QUEUED = 100  # notifications in one transaction
MAX_TAKEN = 2  # messages in one transaction, so that a process that dies loses few
MAX_UNDER_WAY, MAX_AT_PLACE = 32, 4
PATIENCE_S = 0.1  # after which the next messages are sent beside a slow one
_row, _message, _account = schema.notification.c, schema.outgoing_message.c, schema.account.c
_PUT = text(
    "INSERT INTO outgoing_message (target, match_id, kind, ply, place, due_at, tries) "
    "VALUES (:target, :match_id, :kind, :ply, :place, :due_at, :tries) "
    "ON CONFLICT (target, match_id, kind, ply) DO UPDATE SET due_at = excluded.due_at "
    "WHERE excluded.due_at < outgoing_message.due_at"
)


def import_senders(mail: bool) -> None:
    """Import the packages that send, so that a missing one is an error of the start. Raise ModuleNotFoundError."""
    for name in ("httpcore", "anyio", "pywebpush", "py_vapid", *(["aiosmtplib"] if mail else [])):
        import_module(name)


class Taken(NamedTuple):
    """A message that was taken: its row, its channel, and what the channel sends."""

    row: dict[str, Any]
    channel: Channel
    letter: Any


class Notifier(Role[TableService]):
    """Plays the role of the notifier."""

    name = RoleName.NOTIFIER
    period_s = 5.0

    def __init__(self, tables: TableService, settings: Settings, holder: str = "") -> None:
        super().__init__(tables, holder)
        self._mails: Channel = Mails(settings)
        self._push: Channel = Push(tables.store, tables, settings)
        self._log = SparseLog("notifier")
        self._sending: dict[str, asyncio.Task[None]] = {}  # by target
        self._places: Counter[str] = Counter()  # of the messages under way

    async def stop(self) -> None:
        """Wait until all messages that were taken are sent."""
        await asyncio.gather(*self._sending.values())

    async def sweep(self) -> int:
        """Send what is due, a few messages at a time. Return how many notifications and messages that were."""
        store, number = self._tables.store, 0
        while free := min(MAX_TAKEN, MAX_UNDER_WAY - len(self._sending)):
            now = self._tables.now()
            if not await store.read(lambda c: is_due(c, now)):  # noqa: B023
                break
            queued, taken = await self.transact(lambda c: (queue(c, now), self._take(c, now, free)))  # noqa: B023
            if begun := [self._begin(one) for one in taken]:
                await asyncio.wait(begun, timeout=PATIENCE_S)
            number += queued + len(taken)
            if not queued and not taken:
                break
        return number

    def _take(self, connection: Connection, now: int, limit: int) -> list[Taken]:
        """Remove messages that are due, and return those that are to be sent: one for each target that is not busy."""
        full = [place for place, number in self._places.items() if number >= MAX_AT_PLACE]
        free = _message.target.not_in(tuple(self._sending)) & _message.place.not_in(full)
        key = schema.outgoing_message.primary_key.columns
        query = select(schema.outgoing_message).where(_message.due_at <= now, free)
        taken: dict[str, Taken] = {}
        for row in connection.execute(query.order_by(_message.due_at, *key).limit(limit)).mappings().all():
            if row["target"] in taken:
                continue
            this = and_(*(column == row[column.name] for column in key))
            if not connection.execute(delete(schema.outgoing_message).where(this)).rowcount:
                continue
            channel = self._push if row["match_id"] else self._mails
            letter = channel.open(connection, row, now)
            if isinstance(letter, int):  # it waits until then
                put_message(connection, dict(row) | {"due_at": letter})
            elif letter is not None:
                taken[row["target"]] = Taken(dict(row), channel, letter)
        return list(taken.values())

    def _begin(self, message: Taken) -> asyncio.Task[None]:
        """Begin to send a message, beside the others that are under way."""
        target, place = message.row["target"], message.row["place"]
        self._places[place] += 1
        self._sending[target] = task = asyncio.create_task(self._send(message))

        def forget(task: asyncio.Task[None]) -> None:
            del self._sending[target]
            self._places[place] -= 1

        task.add_done_callback(forget)
        return task

    async def _send(self, message: Taken) -> None:
        """Send a message. One that is not taken for a while is sent again later."""
        row, channel, letter = message
        with log_errors(place=row["place"]):
            try:
                outcome = await channel.send(letter, row["tries"])
            except (BadAddress, OSError) as wrong:  # it may have come all the same
                outcome = Outcome.LATER
                self._log.warning("a message was not taken", place=row["place"], why=str(wrong))
            await self._tables.store.write(self.name, lambda c: self._settle(c, message, outcome))

    def _settle(self, connection: Connection, message: Taken, outcome: Outcome) -> None:
        """Store what became of a message, and tell an account by the bell that it is notified somewhere no more."""
        row, channel, letter = message
        now, tries = self._tables.now(), row["tries"]
        ended = channel.settle(connection, letter, outcome)
        if outcome == Outcome.LATER and tries < len(channel.delays_ms):
            put_message(connection, row | {"due_at": now + channel.delays_ms[tries], "tries": tries + 1})
        account = account_by_id(connection, ended[0]) if ended else None
        if account and ended:
            put_notifications(connection, [account_notice(account.holder, *ended, now)], now)


def put_message(connection: Connection, row: dict[str, Any]) -> None:
    """Let a message be sent; of two of one notification, or two mails, the earlier one."""
    connection.execute(_PUT, row)


def is_due(connection: Connection, now: int) -> bool:
    """Return whether a notification has waited for DELAY_MS, or a message is to be sent."""
    untold = select(_row.holder).where(_row.taken_at.is_(None), _row.at <= now - DELAY_MS).limit(1)
    message = select(_message.target).where(_message.due_at <= now).limit(1)
    return any(connection.execute(query).first() is not None for query in (untold, message))


def queue(connection: Connection, now: int) -> int:
    """Put the messages of the notifications that have waited for DELAY_MS into the outbox. Return their number."""
    query = select(_row.holder, _row.match_id, _row.kind, _row.ply, _row.read_at, _row.at)
    query = query.where(_row.taken_at.is_(None), _row.at <= now - DELAY_MS)
    found = connection.execute(query.order_by(_row.at, _row.holder).limit(MAX_QUEUED)).all()
    for row in found:
        one = Notification(row.holder, row.match_id, row.kind, row.ply)
        connection.execute(update(schema.notification).where(*is_row(one)).values(taken_at=now))
        account = select(_account.id, _account.settings).where(_account.holder == one.holder)
        owner = connection.execute(account).first()
        if row.read_at is None and owner is not None and one.kind not in muted_kinds(owner.settings):
            for message in (
                *due_pushes(connection, owner.id, one, now),
                *due_mail(connection, owner.id, one, row.at),
            ):
                put_message(connection, message)
    return len(found)
