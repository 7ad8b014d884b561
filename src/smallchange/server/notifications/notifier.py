"""The role of the notifier: it sends notifications by web push, and one digest a day by mail.

Several processes may play the role: each transaction locks it. A message is taken from the database in one transaction
before it is sent, so none is sent twice. If the process dies in between, it is not sent at all, and the notification
stays in the list on our pages. Messages are taken a few at a time, so that a process that dies loses few. A place that
does not answer holds up no other: each browser has one message under way, each push service a few.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from importlib import import_module
from urllib.parse import urlsplit

from sqlalchemy import Connection

from smallchange.server.accounts.rows import account_by_id
from smallchange.server.database.role import Role, RoleName
from smallchange.server.notifications import contact_rows as contacts
from smallchange.server.notifications import mail_view
from smallchange.server.notifications import push_rows as push
from smallchange.server.notifications import rows as notifications
from smallchange.server.notifications.contact_rows import Digest
from smallchange.server.notifications.mail import AddressRefused, Mail, send_mail
from smallchange.server.notifications.model import (
    MAIL_OFF,
    PUSH_OFF,
    account_notice,
)
from smallchange.server.notifications.outgoing import BadAddress
from smallchange.server.notifications.push import Push
from smallchange.server.notifications.push_rows import Message
from smallchange.server.notifications.rows import StoredNotification
from smallchange.server.settings import Settings
from smallchange.server.table.live.table_service import TableService
from smallchange.server.web.background_tasks import log_errors
from smallchange.server.web.sparse_log import SparseLog

DELAY_MS = 30_000  # in which a player may see a table before anything is sent
MAX_AT_ONCE = 100
MAX_MAILS = 10  # digests that are taken at a time
MAX_MAILING = 32  # digests under way
MESSAGES_AT_ONCE = 2
MAX_SENDING = 32  # messages under way
MAX_SENDING_TO_DOMAIN = 4
PATIENCE_S = 0.1  # after which the next messages are sent beside a slow one
CROWDED_MS = 1_000  # for which a message waits while its domain has as many as it may
RETRY_DELAYS_MS = (1_000, 5_000, 15_000, 60_000, 600_000)  # after a push service could not take a message
MAIL_DELAY_MS = 1_800_000  # after which a digest is sent again that the mail server did not take
MAX_MAIL_FAILURES = 5  # refusals of an address in a row, after which its digests are switched off
BUSY_STATUSES = (0, 429, 500, 502, 503, 504)  # of HTTP, 0 for no answer: it may take the message later
GONE_STATUSES = (404, 410)  # of a subscription that has ended
MAX_IN_DIGEST = 50
MAX_UNSEEN_MAILS = 5  # without a visit, after which none is sent before the next one


def import_senders(mail: bool) -> None:
    """Import the packages that send, so that a missing one is an error of the start. Raise ModuleNotFoundError."""
    for name in ("httpcore", "anyio", "pywebpush", "py_vapid", *(["aiosmtplib"] if mail else [])):
        import_module(name)


class Notifier(Role[TableService]):
    """Plays the role of the notifier."""

    name = RoleName.NOTIFIER
    period_s = 5.0

    def __init__(self, tables: TableService, settings: Settings, holder: str = "") -> None:
        super().__init__(tables, holder)
        self._settings = settings
        self._push = Push(tables.store, tables, settings)
        self._log = SparseLog("notifier")
        self._sending: dict[str, asyncio.Task[None]] = {}  # by browser
        self._domains: Counter[str] = Counter()  # of the messages under way
        self._mailing: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        """Wait until all messages that were taken are sent."""
        await asyncio.gather(*self._sending.values(), *self._mailing)

    async def sweep(self) -> int:
        """Send what is due, and return how many messages and digests that were."""
        return await self._sweep_notifications() + await self._sweep_messages()

    async def _sweep_notifications(self) -> int:
        """Let notifications be sent to browsers, and send digests. Return the number of these."""
        store, number = self._tables.store, 0
        while True:
            now = self._tables.now()
            if not await store.read(lambda c: contacts.is_due(c, now - DELAY_MS, now)):  # noqa: B023
                return number
            free = min(MAX_MAILS, MAX_MAILING - len(self._mailing))
            digests = await self.transact(lambda c: _take(c, now, free))  # noqa: B023
            mails = {asyncio.create_task(self._send_digest(digest)) for digest in digests}
            self._mailing |= mails
            for task in mails:
                task.add_done_callback(self._mailing.discard)
            if mails:
                await asyncio.wait(mails, timeout=PATIENCE_S)
            number += len(digests)
            if len(self._mailing) >= MAX_MAILING:
                return number

    async def _sweep_messages(self) -> int:
        """Send the messages that are due, a few at a time. Return their number."""
        store, number = self._tables.store, 0
        while free := min(MESSAGES_AT_ONCE, MAX_SENDING - len(self._sending)):
            now, busy = self._tables.now(), tuple(self._sending)
            if not await store.read(lambda c: push.has_due_messages(c, now)):  # noqa: B023
                break
            taken = await self.transact(lambda c: push.take_messages(c, now, free, busy))  # noqa: B023
            if not taken:
                break
            begun = [self._begin(message) for message in taken]
            await asyncio.wait(begun, timeout=PATIENCE_S)
            number += len(taken)
        return number

    def _begin(self, message: Message) -> asyncio.Task[None]:
        """Begin to send a message, beside the others that are under way."""
        domain = urlsplit(message.subscription.endpoint).hostname or ""
        crowded = self._domains[domain] >= MAX_SENDING_TO_DOMAIN
        self._domains[domain] += 1
        task = asyncio.create_task(self._put_off(message) if crowded else self._send(message))
        self._sending[message.subscription.id] = task

        def forget(task: asyncio.Task[None]) -> None:
            del self._sending[message.subscription.id]
            self._domains[domain] -= 1

        task.add_done_callback(forget)
        return task

    async def _put_off(self, message: Message) -> None:
        with log_errors(match=message.notification.match):
            due_at = self._tables.now() + CROWDED_MS
            await self._tables.store.write(
                self.name, lambda c: push.put_back(c, message, due_at, message.tries)
            )

    async def _send(self, message: Message) -> None:
        """Send a message. One that is not taken for a while is sent again later."""
        match = message.notification.match
        with log_errors(match=match):
            try:
                body = mail_view.push_message(message.notification, message.game, message.lang)
                status = await self._push.send(message.subscription, message, body)
            except (BadAddress, OSError) as wrong:  # it may have come all the same
                status, why = 0, str(wrong)
            else:
                why = f"status {status}"
            if status == 0 or status >= 400:
                self._log.warning("a push service took no message", match=match, why=why)
            now = self._tables.now()

            def job(connection: Connection) -> None:
                if status in GONE_STATUSES:
                    if push.remove_subscription(connection, message.subscription.id):
                        self._notify(connection, message.subscription.account_id, PUSH_OFF)
                elif message.tries < len(RETRY_DELAYS_MS):
                    push.put_back(
                        connection, message, now + RETRY_DELAYS_MS[message.tries], message.tries + 1
                    )

            if status in (*BUSY_STATUSES, *GONE_STATUSES):
                await self._tables.store.write(self.name, job)

    def _notify(self, connection: Connection, account_id: str, kind: str) -> None:
        """Tell an account by the bell that it is notified somewhere no more."""
        account, now = account_by_id(connection, account_id), self._tables.now()
        if account:
            notice = account_notice(account.holder, account_id, kind, now)
            notifications.put_notifications(connection, [notice], now)

    async def _send_digest(self, digest: Digest) -> None:
        """Mail what is new since the last mail, unless the last ones have brought nobody here."""
        if digest.unseen >= MAX_UNSEEN_MAILS:
            return
        with log_errors():
            new = await self._tables.store.read(
                lambda c: notifications.list_notifications(
                    c, digest.holder, digest.muted, MAX_IN_DIGEST, to_mail=True
                )
            )
            if new:
                await self._mail_digest(digest, new)

    async def _mail_digest(self, digest: Digest, new: list[StoredNotification]) -> None:
        """Mail a digest. The mail server is asked again if it is not there; an address that is refused ends."""
        settings, contact, unseen = self._settings, digest.contact, digest.unseen
        is_last = unseen + 1 == MAX_UNSEEN_MAILS
        subject, text = mail_view.digest_mail(
            notifications.list_lines(new), settings.site, contact.mail_key, contact.lang, is_last
        )
        link = mail_view.unsubscribe_link(settings.site, contact.mail_key)
        failed, next_at, now = 0, None, self._tables.now()
        try:
            await send_mail(settings.mail_server, settings.mail_from, Mail(contact.mail, subject, text, link))
        except AddressRefused as wrong:
            failed = contact.mail_failures + 1
            self._log.warning("a digest was refused", why=str(wrong))
        except OSError as wrong:
            failed, next_at = contact.mail_failures, now + MAIL_DELAY_MS
            self._log.warning("a digest was not sent", why=str(wrong))
        is_sent = failed == 0 and next_at is None

        def job(connection: Connection) -> None:
            contacts.count_digest(connection, contact.account_id, failed, unseen + is_sent, next_at)
            if is_sent:
                notifications.set_mailed(connection, digest.holder, new, now)
            elif failed >= MAX_MAIL_FAILURES:
                contacts.end_digests(connection, contact.account_id)
                self._notify(connection, contact.account_id, MAIL_OFF)

        await self._tables.store.write(self.name, job)


def _take(connection: Connection, now: int, free: int) -> list[Digest]:
    """Queue all due notifications. Take up to `free` digests, so that no other process sends them."""
    contacts.queue_messages(connection, now - DELAY_MS, now, MAX_AT_ONCE)
    return contacts.take_digests(connection, now, free)
