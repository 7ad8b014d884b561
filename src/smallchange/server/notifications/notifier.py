"""The role of the notifier: it sends notifications to webhooks and by web push, and one digest a day by mail.

Several processes may play the role: each transaction locks it. A message is taken from the database in one transaction
before it is sent, so none is sent twice. If the process dies in between, it is not sent at all, and the notification
stays in the list on our pages. Messages by web push are taken a few at a time, so that a process that dies loses few.
"""

from __future__ import annotations

import asyncio
from importlib import import_module

import msgspec
import structlog
from sqlalchemy import Connection

from smallchange.server.database.role import Role
from smallchange.server.notifications import contact_rows as contacts
from smallchange.server.notifications import mail_view as messages
from smallchange.server.notifications import push_rows as push
from smallchange.server.notifications import rows as notifications
from smallchange.server.notifications.contact_rows import Digest, Message
from smallchange.server.notifications.mail import Mail, send_mail
from smallchange.server.notifications.outgoing import BadAddress, post
from smallchange.server.notifications.push import Push
from smallchange.server.notifications.push_rows import PushMessage
from smallchange.server.settings import Settings
from smallchange.server.table.table_service import TableService
from smallchange.server.web.background_tasks import log_errors
from smallchange.server.web.view_model import ListedNotification

DELAY_MS = 30_000  # in which a player may see a table before anything is sent
MAX_AT_ONCE = 100
PUSHES_AT_ONCE = 2
PATIENCE_S = 0.5  # after which the next messages are sent beside a slow one
RETRY_DELAYS_MS = (1_000, 5_000, 15_000, 60_000, 600_000)  # after a push service could not take a message
BUSY_STATUSES = (429, 500, 502, 503, 504)  # of HTTP: it may take the message later
GONE_STATUSES = (404, 410)  # of a subscription that has ended
MAX_IN_DIGEST = 50
log = structlog.get_logger("notifier")


def import_senders(mail: bool) -> None:
    """Import the packages that send, so that a missing one is an error of the start. Raise ModuleNotFoundError."""
    for name in ("httpcore", "anyio", "pywebpush", "py_vapid", *(["aiosmtplib"] if mail else [])):
        import_module(name)


class Notifier(Role[TableService]):
    """Plays the role of the notifier."""

    name = "notifier"
    period_s = 5.0

    def __init__(self, tables: TableService, settings: Settings, holder: str = "") -> None:
        super().__init__(tables, holder)
        self._settings = settings
        self._push = Push(tables.store, tables, settings)
        self._sending: set[asyncio.Task[None]] = set()  # messages by web push

    async def stop(self) -> None:
        """Wait until all messages that were taken are sent."""
        await asyncio.gather(*self._sending)

    async def sweep(self) -> int:
        """Send what is due, and return how many messages and digests that were."""
        return await self._sweep_contacts() + await self._sweep_push()

    async def _sweep_contacts(self) -> int:
        """Send to webhooks and by mail, and let be sent by web push. Return the number of messages and digests."""
        store, number = self._tables.store, 0
        while True:
            now = self._tables.now()
            if not await store.read(lambda c: contacts.is_due(c, now - DELAY_MS, now)):  # noqa: B023
                return number
            taken, digests = await self.transact(lambda c: _take_messages(c, now))  # noqa: B023
            await asyncio.gather(*map(self._send_message, taken), *map(self._send_digest, digests))
            number += len(taken) + len(digests)

    async def _sweep_push(self) -> int:
        """Send by web push what is due, a few messages at a time. Return their number."""
        store, number = self._tables.store, 0
        while True:
            now = self._tables.now()
            if not await store.read(lambda c: push.has_due_messages(c, now)):  # noqa: B023
                return number
            taken = await self.transact(lambda c: push.take_push_messages(c, now, PUSHES_AT_ONCE))  # noqa: B023
            sending = {asyncio.create_task(self._send_push(message)) for message in taken}
            self._sending |= sending
            for task in sending:
                task.add_done_callback(self._sending.discard)
            if sending:
                await asyncio.wait(sending, timeout=PATIENCE_S)
            number += len(taken)

    async def _send_push(self, message: PushMessage) -> None:
        """Send a message. Its browser is forgotten if it is gone; a message that is refused for a while waits."""
        body = messages.push_message(message.notification, message.game, message.subscription.lang)
        browser, match, store = message.subscription.id, message.notification.match, self._tables.store
        with log_errors(match=match):
            try:
                status = await self._push.send(message, body)
            except (BadAddress, OSError) as wrong:  # it may have come all the same
                log.warning("a push service was not reached", match=match, why=str(wrong))
                return
            if status in GONE_STATUSES:
                await store.write(self.name, lambda c: push.remove_subscription(c, browser))
            elif status < 400:
                return
            elif status in BUSY_STATUSES and message.tries < len(RETRY_DELAYS_MS):
                due_at = self._tables.now() + RETRY_DELAYS_MS[message.tries]
                await store.write(self.name, lambda c: push.retry_message(c, message, due_at))
            else:
                log.warning("a push service refused", match=match, status=status)

    async def _send_message(self, message: Message) -> None:
        match = message.notification.match
        fields = messages.webhook_fields(
            message.notification, message.game, self._settings.site, message.lang
        )
        headers = {"Content-Type": "application/json", "User-Agent": "Small-Change"}
        try:
            status = await post(
                message.webhook, msgspec.json.encode(fields), headers, self._settings.inner_hosts
            )
        except (BadAddress, OSError) as wrong:
            log.warning("a webhook was not reached", match=match, why=str(wrong))
            return
        if status >= 400:
            log.warning("a webhook refused", match=match, status=status)

    async def _send_digest(self, digest: Digest) -> None:
        found = await self._tables.store.read(
            lambda c: notifications.list_notifications(c, digest.holder, digest.muted, MAX_IN_DIGEST)
        )
        unread = [
            ListedNotification(one.match, one.kind, one.at, True, one.game, one.others)
            for one in found
            if one.read_at is None
        ]
        if not unread:
            return
        contact, site = digest.contact, self._settings.site
        subject, text = messages.digest_mail(unread, site, contact.mail_key, contact.lang)
        link = messages.unsubscribe_link(site, contact.mail_key)
        try:
            await send_mail(
                self._settings.mail_server, self._settings.mail_from, Mail(contact.mail, subject, text, link)
            )
        except OSError as wrong:
            log.warning("a digest was not sent", why=str(wrong))


def _take_messages(connection: Connection, now: int) -> tuple[list[Message], list[Digest]]:
    """Take the messages and digests that are due, so that no other process sends them."""
    taken = contacts.take_messages(connection, now - DELAY_MS, now, MAX_AT_ONCE)
    return taken, contacts.take_digests(connection, now, MAX_AT_ONCE)
